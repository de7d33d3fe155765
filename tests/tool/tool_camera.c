#include "camera.h"
#include "tool_support.h"

#include <string.h>

/// Largest coordinates of all drawn vertices in clip space, after division.
struct extent {
    float min_x, max_x, min_y, max_y, min_z, max_z;
};

static struct extent project(const struct scene *scene, const struct camera *camera)
{
    struct extent e = {INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const struct scene_mesh *mesh = &scene->meshes[scene->instances[i].mesh];
        const struct mat4 all = mat_multiply(&camera->view_projection, &scene->instances[i].world);
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            const float *p = mesh->vertices[v].position, *m = all.m;
            float clip[4];
            for (int c = 0; c < 4; c++)
                clip[c] = m[c] * p[0] + m[4 + c] * p[1] + m[8 + c] * p[2] + m[12 + c];
            e.min_x = fminf(e.min_x, clip[0] / clip[3]);
            e.max_x = fmaxf(e.max_x, clip[0] / clip[3]);
            e.min_y = fminf(e.min_y, clip[1] / clip[3]);
            e.max_y = fmaxf(e.max_y, clip[1] / clip[3]);
            e.min_z = fminf(e.min_z, clip[2] / clip[3]);
            e.max_z = fmaxf(e.max_z, clip[2] / clip[3]);
        }
    }
    return e;
}

static struct camera place(const struct scene *scene, const char *text, float aspect)
{
    struct camera_choice choice;
    struct camera camera;
    struct failure why;
    EXPECT(camera_parse(text, scene, &choice, &why));
    EXPECT(camera_place(&choice, scene, aspect, 0, &camera, &why));
    return camera;
}

TEST(camera, automatic_fills_85_percent_and_is_centred)
{
    const char *const models[] = {"sound/orientation.glb", "sound/transforms.glb",
                                  "sound/metal_rough.glb"};
    const char *const cameras[] = {"auto", "0,0", "90,0", "200,-60", "0,90"};
    const float aspects[] = {16.0f / 9, 1, 0.25f, 4};
    for (int m = 0; m < 3; m++) {
        struct scene scene = load_model(models[m]);
        for (int i = 0; i < 20; i++) {
            const struct camera camera = place(&scene, cameras[i % 5], aspects[i / 5]);
            const struct extent e = project(&scene, &camera);
            const float wide = (e.max_x - e.min_x) / 2, high = (e.max_y - e.min_y) / 2;
            EXPECT_NEAR(fmaxf(wide, high), 0.85, 0.01);
            EXPECT_NEAR(e.max_x, -e.min_x, 0.01);
            EXPECT_NEAR(e.max_y, -e.min_y, 0.01);
            EXPECT(e.min_z >= 0 && e.max_z <= 1);
        }
        scene_finish(&scene);
    }
}

TEST(camera, a_turntable_keeps_the_model_in_view_at_one_distance)
{
    struct scene scene = load_model("sound/transforms.glb");
    struct camera_choice choice;
    struct failure why;
    float distance = 0;
    EXPECT(camera_parse("auto", &scene, &choice, &why));
    choice.turntable = true;
    for (int i = 0; i < 12; i++) {
        struct camera camera;
        EXPECT(camera_place(&choice, &scene, 1.5f, VEC_PI * (float)i / 6, &camera, &why));
        const struct extent e = project(&scene, &camera);
        EXPECT(e.min_x > -0.9f && e.max_x < 0.9f && e.min_y > -0.9f && e.max_y < 0.9f);
        const float d =
            vec_length(vec_sub(camera.eye, vec_scale(vec_add(scene.min, scene.max), 0.5f)));
        EXPECT(i == 0 || fabsf(d - distance) < 1e-3f * d);
        distance = d;
    }
    scene_finish(&scene);
}

TEST(camera, angles_and_distance_are_taken_as_given)
{
    struct scene scene = load_model("sound/orientation.glb");
    const struct camera right = place(&scene, "90,0,7", 1);
    EXPECT_NEAR(right.eye.x, 7, 1e-5);
    EXPECT_NEAR(right.eye.z, 0, 1e-5);
    const struct camera above = place(&scene, "0,90,2", 1);
    EXPECT_NEAR(above.eye.y, 2, 1e-5);
    EXPECT_NEAR(above.right.x, 1, 1e-5);
    scene_finish(&scene);
}

TEST(camera, cameras_of_the_file_have_numbers_and_names)
{
    struct scene scene = load_model("sound/cameras.glb");
    EXPECT_EQ(scene.camera_count, 2);
    const struct camera front = place(&scene, "0", 1), above = place(&scene, "above", 1);
    EXPECT_NEAR(front.eye.z, 5, 1e-5);
    EXPECT_NEAR(above.eye.y, 5, 1e-4);
    EXPECT_NEAR(above.back.y, 1, 1e-5);
    scene_finish(&scene);
}

TEST(camera, nonsense_is_refused)
{
    const char *const texts[] = {"",      "2",      "nobody", "1,2,3,4", "10,",
                                 "10,91", "10,nan", "1,2,0",  "1,2,-1"};
    struct scene scene = load_model("sound/cameras.glb");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct camera_choice choice;
        struct failure why;
        if (camera_parse(texts[i], &scene, &choice, &why))
            test_fail(__FILE__, __LINE__, "\"%s\" was accepted", texts[i]);
    }
    scene_finish(&scene);
}
