#include "orbit.h"
#include "tool_support.h"

static struct orbit begin(const struct scene *scene)
{
    struct orbit orbit;
    struct camera_choice choice;
    struct failure why;
    EXPECT(camera_parse("auto", scene, &choice, &why));
    orbit_begin(&orbit, scene, &choice);
    return orbit;
}

static struct camera look(struct orbit *orbit, float aspect)
{
    struct camera camera;
    struct failure why;
    EXPECT(orbit_camera(orbit, aspect, &camera, &why));
    return camera;
}

static float apart(struct vec3 a, struct vec3 b)
{
    return vec_length(vec_sub(a, b));
}

/// Where the middle of the model is in the picture: x, y.
static struct vec3 middle_in(const struct scene *scene, const struct camera *camera)
{
    const struct vec3 at = vec_scale(vec_add(scene->min, scene->max), 0.5f);
    const float *m = camera->view_projection.m;
    const float w = m[3] * at.x + m[7] * at.y + m[11] * at.z + m[15];
    const struct vec3 clip = mat_point(&camera->view_projection, at);
    return (struct vec3){clip.x / w, clip.y / w, 0};
}

TEST(orbit, is_the_chosen_camera_until_it_is_moved)
{
    struct scene scene = load_model("sound/orientation.glb");
    struct orbit orbit = begin(&scene);
    for (float aspect = 0.5f; aspect < 3; aspect += 0.7f) {
        struct camera want;
        struct failure why;
        EXPECT(camera_place(&orbit.choice, &scene, aspect, 0, &want, &why));
        const struct camera got = look(&orbit, aspect);
        EXPECT_MEM(&got.view_projection, &want.view_projection, sizeof want.view_projection);
    }
    scene_finish(&scene);
}

TEST(orbit, nothing_jumps_when_a_hand_takes_it)
{
    struct scene scene = load_model("sound/transforms.glb");
    struct orbit orbit = begin(&scene);
    orbit_zoom(&orbit, 1); // before there is a camera it does nothing
    EXPECT(!orbit.moved);
    const struct camera before = look(&orbit, 1.5f);
    orbit_turn(&orbit, 0, 0);
    EXPECT(orbit.moved);
    const struct camera after = look(&orbit, 1.5f);
    const float size = apart(before.eye, scene.min);
    EXPECT_NEAR(apart(before.eye, after.eye) / size, 0, 1e-5);
    EXPECT_NEAR(apart(before.back, after.back), 0, 1e-5);
    EXPECT_NEAR(apart(middle_in(&scene, &before), middle_in(&scene, &after)), 0, 1e-4);
    scene_finish(&scene);
}

/// The model goes where the hand goes.
TEST(orbit, moves_as_the_hand_does)
{
    struct scene scene = load_model("sound/orientation.glb");
    struct orbit orbit = begin(&scene);
    const struct camera start = look(&orbit, 1);
    const struct vec3 at = middle_in(&scene, &start);
    orbit_pan(&orbit, 0.25f, 0.1f); // of the height, which is 2 in clip space
    const struct camera panned = look(&orbit, 1);
    const struct vec3 there = middle_in(&scene, &panned);
    EXPECT_NEAR(there.x - at.x, 0.5, 0.05);
    EXPECT_NEAR(there.y - at.y, 0.2, 0.05);

    orbit_turn(&orbit, 0.3f, 0);
    const struct camera turned = look(&orbit, 1);
    EXPECT_NEAR(vec_dot(turned.back, panned.right), -sinf(0.3f) * cosf(orbit.place.elevation),
                0.01);
    for (int i = 0; i < 50; i++)
        orbit_turn(&orbit, 0, -0.3f); // it stops above the model
    EXPECT_NEAR(look(&orbit, 1).back.y, 1, 1e-5);

    const float distance = orbit.place.distance;
    orbit_zoom(&orbit, 2);
    EXPECT(orbit.place.distance < distance);
    orbit_zoom(&orbit, -2);
    EXPECT_NEAR(orbit.place.distance / distance, 1, 1e-5);
    orbit_zoom(&orbit, -1e6f);
    EXPECT(isfinite(look(&orbit, 1).eye.x) && mat_is_finite(&orbit.camera.view_projection));
    orbit_zoom(&orbit, 1e6f);
    EXPECT(orbit.place.distance > 0 && mat_is_finite(&orbit.camera.view_projection));
    scene_finish(&scene);
}

TEST(orbit, frames_the_model_from_where_it_is_seen)
{
    struct scene scene = load_model("sound/orientation.glb");
    struct orbit orbit = begin(&scene);
    (void)look(&orbit, 1);
    orbit_turn(&orbit, 0.7f, 0.2f);
    orbit_pan(&orbit, 3, 3);
    orbit_zoom(&orbit, 9);
    const struct camera lost = look(&orbit, 1);
    orbit_frame(&orbit);
    const struct camera found = look(&orbit, 1);
    EXPECT_NEAR(apart(lost.back, found.back), 0, 1e-5);
    EXPECT(fabsf(middle_in(&scene, &found).x) < 0.5f);
    scene_finish(&scene);
}

TEST(orbit, the_model_of_its_own_is_whole)
{
    struct scene scene;
    struct failure why;
    EXPECT(scene_make_builtin(&scene, &why));
    EXPECT(scene.triangles > 10000);
    for (uint32_t i = 0; i < scene.mesh_count; i++) {
        EXPECT(scene.meshes[i].material < scene.material_count);
        for (uint32_t k = 0; k < scene.meshes[i].index_count; k++)
            EXPECT(scene.meshes[i].indices[k] < scene.meshes[i].vertex_count);
    }
    struct orbit orbit = begin(&scene);
    EXPECT(mat_is_finite(&(struct mat4[]){look(&orbit, 1.6f).view_projection}[0]));
    scene_finish(&scene);
}
