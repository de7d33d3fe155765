#include "tool_support.h"

#include <string.h>

static const struct scene_vertex *vertex_at(const struct scene_mesh *mesh, float x, float y)
{
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        if (mesh->vertices[i].position[0] == x && mesh->vertices[i].position[1] == y)
            return &mesh->vertices[i];
    test_fail(__FILE__, __LINE__, "no vertex at %g, %g", (double)x, (double)y);
}

TEST(scene, texture_coordinates_start_at_the_top_left)
{
    const char *const names[] = {"sound/orientation.glb", "sound/data_uri.gltf",
                                 "sound/external.gltf", "sound/quad.obj"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct scene scene = load_model(names[i]);
        EXPECT_EQ(scene.instance_count, 1);
        EXPECT_EQ(scene.triangles, 2);
        const struct scene_vertex *top_left = vertex_at(&scene.meshes[0], -1, 1);
        EXPECT_NEAR(top_left->uv[0], 0, 1e-6);
        EXPECT_NEAR(top_left->uv[1], 0, 1e-6);
        const struct scene_material *material = &scene.materials[scene.meshes[0].material];
        EXPECT_EQ(material->base_color_map.image, 0);
        EXPECT_EQ(scene.images[0].width, 64);
        EXPECT_MEM(scene.images[0].texels, "\xff\x00\x00\xff", 4);
        scene_finish(&scene);
    }
}

TEST(scene, node_transforms_are_multiplied)
{
    struct scene scene = load_model("sound/transforms.glb");
    EXPECT_EQ(scene.instance_count, 2);
    EXPECT_NEAR(scene.min.x, -1, 1e-6);
    EXPECT_NEAR(scene.max.x, 5, 1e-6);
    EXPECT_NEAR(scene.max.y, 1, 1e-6);
    scene_finish(&scene);
}

TEST(scene, materials_keep_their_number_whatever_the_order_of_use)
{
    struct scene scene = load_model("sound/alpha_modes.glb");
    EXPECT_EQ(scene.instance_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        const struct scene_instance *instance = &scene.instances[i];
        const float x = instance->world.m[12];
        const enum scene_alpha wanted = x < -1 ? SCENE_OPAQUE : x < 1 ? SCENE_MASK : SCENE_BLEND;
        EXPECT_EQ(scene.materials[scene.meshes[instance->mesh].material].alpha, wanted);
    }
    scene_finish(&scene);
}

TEST(scene, normals_are_made_where_there_are_none)
{
    struct scene scene = load_model("sound/no_normals.glb");
    for (uint32_t i = 0; i < scene.meshes[0].index_count; i++) {
        const struct scene_vertex *v = &scene.meshes[0].vertices[scene.meshes[0].indices[i]];
        float dot = 0;
        for (int c = 0; c < 3; c++)
            dot += v->normal[c] * v->position[c];
        EXPECT(dot > 0.999f); // of a unit sphere: the position
    }
    scene_finish(&scene);
}

TEST(scene, tangents_run_along_the_texture)
{
    struct scene scene = load_model("sound/normal_map.glb");
    for (uint32_t i = 0; i < scene.meshes[0].vertex_count; i++) {
        const struct scene_vertex *v = &scene.meshes[0].vertices[i];
        EXPECT_NEAR(v->tangent[0], 1, 1e-5);
        EXPECT_EQ(v->tangent[3], 1); // the bitangent points up in the picture
    }
    scene_finish(&scene);
}

TEST(scene, vertex_colors_without_alpha_are_opaque)
{
    struct scene scene = load_model("sound/vertex_colors.glb");
    EXPECT_MEM(vertex_at(&scene.meshes[0], -1, -1)->color, "\xff\x00\x00\xff", 4);
    EXPECT_MEM(vertex_at(&scene.meshes[0], 1, -1)->color, "\x00\xff\x00\xff", 4);
    scene_finish(&scene);
}

TEST(scene, strips_become_triangles)
{
    struct scene scene = load_model("sound/strip.glb");
    EXPECT_EQ(scene.triangles, 2);
    scene_finish(&scene);
}

TEST(scene, jpeg_textures_are_read)
{
    struct scene scene = load_model("sound/jpeg.glb");
    EXPECT_EQ(scene.images[0].width, 32);
    const uint8_t *left = scene.images[0].texels, *right = left + 124;
    EXPECT(left[0] > 180 && left[2] < 80 && left[3] == 255);
    EXPECT(right[0] < 80 && right[2] > 180 && right[3] == 255);
    scene_finish(&scene);
}

TEST(scene, a_texture_that_cannot_be_read_is_a_checker_board)
{
    const char *const names[] = {"broken/missing_texture.gltf", "broken/empty_texture.gltf",
                                 "broken/broken_texture.gltf"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct scene scene = load_model(names[i]);
        EXPECT_MEM(scene.images[0].texels, "\x00\x00\x00\xff", 4);
        EXPECT_MEM(scene.images[0].texels + 32, "\xff\x00\xff\xff", 4);
        scene_finish(&scene);
    }
}

TEST(scene, broken_models_are_refused_with_their_name)
{
    const char *const names[] = {"broken/bad_face.obj",  "broken/no_face.obj",
                                 "broken/empty.obj",     "broken/not_finite.obj",
                                 "broken/model.xyz",     "broken/no_mesh.glb",
                                 "broken/not_there.obj", "broken/truncated_24.glb"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct scene scene;
        struct failure why = {""};
        if (scene_load(model_path(names[i]), &scene, &why))
            test_fail(__FILE__, __LINE__, "%s was accepted", names[i]);
        EXPECT(strstr(why.text, names[i]) != NULL);
        EXPECT(scene.meshes == NULL);
    }
}
