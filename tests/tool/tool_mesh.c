#include "scene_child.h"
#include "scene_mesh.h"
#include "tool_support.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/// Two triangles that share an edge along y; the second one is folded up by `rise`.
static struct scene_mesh make_fold(float rise, float mirror)
{
    const float points[6][3] = {{0, 0, 0}, {1, 0, 0},     {0, 1, 0},
                                {0, 1, 0}, {-1, 0, rise}, {0, 0, 0}};
    struct scene_mesh mesh = {.vertices = calloc(6, sizeof *mesh.vertices), .vertex_count = 6};
    struct failure why;
    EXPECT(mesh.vertices != NULL);
    for (int i = 0; i < 6; i++) {
        memcpy(mesh.vertices[i].position, points[i], sizeof points[i]);
        mesh.vertices[i].uv[0] = i < 3 ? points[i][0] : points[i][0] * mirror;
        mesh.vertices[i].uv[1] = 1 - points[i][1];
    }
    EXPECT(scene_mesh_complete(&mesh, (struct scene_given){0}, &why));
    EXPECT_EQ(mesh.index_count, 6);
    return mesh;
}

static void finish(struct scene_mesh *mesh)
{
    free(mesh->vertices);
    free(mesh->indices);
}

TEST(mesh, flat_neighbours_share_their_vertices)
{
    struct scene_mesh mesh = make_fold(0, 1);
    EXPECT_EQ(mesh.vertex_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        EXPECT_NEAR(mesh.vertices[i].normal[2], 1, 1e-6);
        EXPECT_NEAR(mesh.vertices[i].tangent[0], 1, 1e-6);
        EXPECT_EQ(mesh.vertices[i].tangent[3], 1);
    }
    finish(&mesh);
}

TEST(mesh, gentle_edges_are_smoothed_and_sharp_ones_kept)
{
    struct scene_mesh gentle = make_fold(0.5f, 1), sharp = make_fold(5, 1);
    EXPECT_EQ(gentle.vertex_count, 4);
    EXPECT_EQ(sharp.vertex_count, 6);
    EXPECT_NEAR(sharp.vertices[0].normal[2], 1, 1e-6);
    EXPECT(gentle.vertices[0].normal[2] < 0.999f && gentle.vertices[0].normal[0] > 0);
    finish(&gentle);
    finish(&sharp);
}

TEST(mesh, a_mirrored_texture_parts_the_tangents)
{
    struct scene_mesh mesh = make_fold(0, -1);
    EXPECT_EQ(mesh.vertex_count, 6);
    for (uint32_t i = 0; i < 6; i++) {
        const bool left = mesh.indices[i] >= 3;
        EXPECT_EQ(mesh.vertices[mesh.indices[i]].tangent[3], left ? -1 : 1);
        EXPECT_NEAR(mesh.vertices[mesh.indices[i]].tangent[0], left ? -1 : 1, 1e-6);
    }
    finish(&mesh);
}

TEST(mesh, triangles_without_an_area_are_dropped)
{
    struct scene_mesh mesh = {.vertices = calloc(6, sizeof *mesh.vertices), .vertex_count = 6};
    struct failure why;
    EXPECT(mesh.vertices != NULL);
    mesh.vertices[4].position[0] = 1;
    mesh.vertices[5].position[1] = 1;
    EXPECT(scene_mesh_complete(&mesh, (struct scene_given){0}, &why));
    EXPECT_EQ(mesh.index_count, 3);
    EXPECT_EQ(mesh.vertex_count, 3);
    finish(&mesh);
}

static bool die(void *user, struct scene *out, struct failure *why)
{
    (void)user;
    (void)out;
    (void)why;
    return kill(getpid(), SIGKILL) == 0;
}

static bool refuse(void *user, struct scene *out, struct failure *why)
{
    (void)out;
    return failure_set(why, "%s", (const char *)user);
}

TEST(child, a_crash_is_a_reason)
{
    struct scene scene = {0};
    struct failure why;
    EXPECT(!scene_child_run(die, NULL, &scene, &why));
    EXPECT(strstr(why.text, "crashed") != NULL);
    scene_finish(&scene);
}

TEST(child, a_reason_is_handed_on)
{
    struct scene scene = {0};
    struct failure why;
    char reason[] = "no faces at all";
    EXPECT(!scene_child_run(refuse, reason, &scene, &why));
    EXPECT_STR(why.text, reason);
    scene_finish(&scene);
}
