#include "gltf.h"
#include "tool_support.h"

#include <string.h>

/// Expects that the file is refused with a reason that holds `reason`.
static void expect_refusal(const char *name, const char *reason)
{
    struct gltf gltf;
    struct failure why = {"it was accepted"};
    const bool opened = gltf_open(model_path(name), &gltf, &why);
    if (opened)
        gltf_finish(&gltf);
    if (opened || !strstr(why.text, reason))
        test_fail(__FILE__, __LINE__, "%s: \"%s\" instead of \"%s\"", name, why.text, reason);
}

TEST(gltf, broken_containers_are_refused)
{
    expect_refusal("broken/empty.glb", "empty");
    expect_refusal("broken/magic_only.glb", "truncated");
    expect_refusal("broken/truncated_16.glb", "truncated");
    expect_refusal("broken/truncated_200.glb", "truncated");
    expect_refusal("broken/chunk_too_long.glb", "truncated: a chunk");
    expect_refusal("broken/version_1.glb", "version 1");
    expect_refusal("broken/not_there.glb", "No such file");
}

TEST(gltf, broken_json_is_refused)
{
    expect_refusal("broken/not_json.gltf", "broken JSON at line 1");
    expect_refusal("broken/not_gltf.gltf", "asset.version");
    expect_refusal("broken/nested_json.gltf", "broken JSON");
    expect_refusal("broken/draco.glb", "KHR_draco_mesh_compression");
}

TEST(gltf, node_graphs_that_are_no_trees_are_refused)
{
    expect_refusal("broken/recursive.glb", "own descendants");
    expect_refusal("broken/own_child.glb", "its own child");
    expect_refusal("broken/deep.glb", "more than 1000 deep");
    expect_refusal("broken/mesh_index.glb", "nodes[0]: its mesh");
}

TEST(gltf, ranges_beyond_their_container_are_refused)
{
    expect_refusal("broken/out_of_range.glb",
                   "index 5 of accessors[1] is 4, but there are 4 vertices");
    expect_refusal("broken/view_beyond.glb", "bufferViews[0]");
    expect_refusal("broken/view_overflow.glb", "bufferViews[0]");
    expect_refusal("broken/huge_count.glb", "accessors[0]: its count");
    expect_refusal("broken/large_count.glb", "accessors[0]: 100000000 elements");
    expect_refusal("broken/float_count.glb", "accessors[0]: its count");
    expect_refusal("broken/bad_type.glb", "accessors[0]: its type");
    expect_refusal("broken/wrong_type.glb", "POSITION");
    expect_refusal("broken/material_index.glb", "its material");
    expect_refusal("broken/not_finite.glb", "not finite");
}

TEST(gltf, buffers_that_are_not_there_are_refused)
{
    expect_refusal("broken/no_buffer.glb", "missing.bin");
    expect_refusal("broken/short_buffer.glb", "byteLength is 1048576");
    expect_refusal("broken/bad_base64.gltf", "base 64");
}

TEST(gltf, normalized_and_sparse_accessors_are_read)
{
    struct gltf gltf;
    struct failure why;
    float value[4];
    EXPECT(gltf_open(model_path("sound/vertex_colors.glb"), &gltf, &why));
    for (uint32_t i = 0; i < gltf.accessor_count; i++) {
        if (gltf.accessors[i].normalized) {
            gltf_accessor_floats(&gltf, &gltf.accessors[i], 1, value);
            EXPECT_EQ(value[0], 0);
            EXPECT_EQ(value[1], 1);
        }
    }
    gltf_finish(&gltf);

    EXPECT(gltf_open(model_path("sound/sparse.glb"), &gltf, &why));
    const float corners[4][2] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
    for (uint32_t i = 0; i < 4; i++) {
        gltf_accessor_floats(&gltf, &gltf.accessors[0], i, value);
        EXPECT_EQ(value[0], corners[i][0]);
        EXPECT_EQ(value[1], corners[i][1]);
    }
    gltf_finish(&gltf);
}
