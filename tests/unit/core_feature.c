// What a device without a feature refuses, though it takes everything else.
#include "atomic_double.comp.spv.h"
#include "atomic_float.comp.spv.h"
#include "atomic_float_min_max.comp.spv.h"
#include "atomic_int64.comp.spv.h"
#include "core/object.h"
#include "core_exchange.comp.spv.h"
#include "layer.vert.spv.h"
#include "ray_grid.comp.spv.h"
#include "shared_blocks.comp.spv.h"
#include "support/meshlets.h"
#include "support/rays.h"

#include "../conformance/variable_pointers.h"

TEST(core_feature, a_shader_is_refused_by_the_name_of_the_feature_that_is_missing)
{
    static const struct {
        const uint32_t *code;
        size_t size;
        weft_feature_set feature;
        const char *name;
    } rows[] = {
        {layer_vert, sizeof layer_vert, WEFT_FEATURE_LAYERED_RENDERING, "layered_rendering"},
        {meshlet_task, sizeof meshlet_task, WEFT_FEATURE_MESH_SHADERS, "mesh_shaders"},
        {meshlet_mesh, sizeof meshlet_mesh, WEFT_FEATURE_MESH_SHADERS, "mesh_shaders"},
        {ray_grid_comp, sizeof ray_grid_comp, WEFT_FEATURE_RAY_QUERY, "ray_query"},
        {atomic_int64_comp, sizeof atomic_int64_comp, WEFT_FEATURE_INT64_ATOMICS, "int64_atomics"},
        {atomic_int64_comp, sizeof atomic_int64_comp, WEFT_FEATURE_INT64, "int64"},
        {atomic_float_comp, sizeof atomic_float_comp, WEFT_FEATURE_FLOAT_ATOMICS, "float_atomics"},
        {atomic_double_comp, sizeof atomic_double_comp, WEFT_FEATURE_FLOAT_ATOMICS,
         "float_atomics"},
        {core_exchange_comp, sizeof core_exchange_comp, WEFT_FEATURE_FLOAT_ATOMICS,
         "float_atomics"},
        {atomic_float_min_max_comp, sizeof atomic_float_min_max_comp,
         WEFT_FEATURE_FLOAT_MIN_MAX_ATOMICS, "float_min_max_atomics"},
        {variable_pointers, sizeof variable_pointers, WEFT_FEATURE_VARIABLE_POINTERS,
         "variable_pointers"},
        {shared_blocks_comp, sizeof shared_blocks_comp, WEFT_FEATURE_WORKGROUP_LAYOUT,
         "workgroup_layout"},
    };
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_feature_set all = f.dev->caps.features;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const weft_shader_desc desc = {.code = rows[i].code, .size = rows[i].size};
        weft_shader shader;
        f.dev->caps.features = all & ~rows[i].feature;
        EXPECT_EQ(weft_shader_create(f.dev, &desc, &shader), WEFT_ERROR_SHADER);
        char words[64];
        (void)snprintf(words, sizeof words, "needs %s.", rows[i].name);
        EXPECT(strstr(f.log->message, words) != NULL);
        EXPECT(fixture_took(&f, WEFT_RULE_SHADER_FEATURE));
        f.dev->caps.features = all;
        EXPECT_EQ(weft_shader_create(f.dev, &desc, &shader), WEFT_OK);
        EXPECT_EQ(fixture_count(&f), 0);
        weft_shader_destroy(f.dev, shader);
    }
    fixture_close(&f);
}

TEST(core_feature, the_portability_lint_tells_what_a_shader_needs)
{
    struct fixture f = fixture_open_desc(&(weft_device_desc){
        .backends = 1u << WEFT_BACKEND_NOOP, .flags = WEFT_DEVICE_PORTABILITY_LINT});
    const weft_shader_desc desc = {.code = core_exchange_comp, .size = sizeof core_exchange_comp};
    for (int round = 0; round < 2; ++round) {
        weft_shader shader;
        EXPECT_EQ(weft_shader_create(f.dev, &desc, &shader), WEFT_OK);
        EXPECT_EQ(fixture_count(&f), round == 0 ? 2 : 0); // compute and float_atomics, once
        EXPECT(round > 0 || strstr(f.log->message, "This shader needs the feature float_atomics"));
        fixture_clear(&f);
        weft_shader_destroy(f.dev, shader);
    }
    fixture_close(&f);
}

TEST(core_feature, a_pass_of_several_layers_needs_layered_rendering)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_texture texture;
    EXPECT_EQ(weft_texture_create(f.dev,
                                  &(weft_texture_desc){.format = WEFT_FORMAT_RGBA8_UNORM,
                                                       .width = 4,
                                                       .height = 4,
                                                       .layers = 2,
                                                       .usage = WEFT_TEXTURE_USAGE_RENDER},
                                  &texture),
              WEFT_OK);
    f.dev->caps.features &= ~WEFT_FEATURE_LAYERED_RENDERING;
    for (uint32_t layers = 1; layers <= 2; ++layers) {
        weft_texture_view view;
        EXPECT_EQ(
            weft_texture_view_create(
                f.dev, &(weft_texture_view_desc){.texture = texture, .layer_count = layers}, &view),
            WEFT_OK);
        weft_command_buffer *cmd;
        EXPECT_EQ(weft_command_begin(f.dev, NULL, &cmd), WEFT_OK);
        weft_render_end(weft_command_begin_render(
            cmd, &(weft_render_pass_desc){.colors[0] = {.view = view, .load = WEFT_LOAD_CLEAR}}));
        if (layers == 1)
            EXPECT_EQ(fixture_count(&f), 0);
        else
            EXPECT(fixture_took(&f, WEFT_RULE_FEATURE_MISSING));
        weft_command_discard(cmd);
        weft_texture_view_destroy(f.dev, view);
    }
    weft_texture_destroy(f.dev, texture);
    fixture_close(&f);
}

TEST(core_feature, a_sampler_of_anisotropy_needs_it)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    weft_sampler sampler;
    weft_sampler_desc desc = {.mag = WEFT_FILTER_LINEAR,
                              .min = WEFT_FILTER_LINEAR,
                              .mip = WEFT_FILTER_LINEAR,
                              .anisotropy = 2};
    f.dev->caps.features &= ~WEFT_FEATURE_ANISOTROPY;
    EXPECT_EQ(weft_sampler_create(f.dev, &desc, &sampler), WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_FEATURE_MISSING));
    desc.anisotropy = 1;
    EXPECT_EQ(weft_sampler_create(f.dev, &desc, &sampler), WEFT_OK);
    weft_sampler_destroy(f.dev, sampler);
    fixture_close(&f);
}

TEST(core_feature, mesh_pipelines_and_their_draws_need_it)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    struct meshlets m = meshlets_create(&f);
    struct record_plain plain = record_plain_create(&f);
    f.dev->caps.features &= ~WEFT_FEATURE_MESH_SHADERS;
    for (int task = 0; task < 2; ++task) {
        weft_graphics_pipeline pipeline;
        weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM}};
        (task ? &desc.task : &desc.mesh)->shader = task ? m.task : m.mesh;
        EXPECT_EQ(weft_graphics_pipeline_create(f.dev, &desc, &pipeline), WEFT_ERROR_UNSUPPORTED);
        EXPECT(weft_graphics_pipeline_is_none(pipeline));
        EXPECT(fixture_took(&f, WEFT_RULE_FEATURE_MISSING));
    }
    for (int indirect = 0; indirect < 2; ++indirect) {
        weft_command_buffer *cmd = record_begin(&f);
        weft_render_encoder *enc = record_pass(cmd, plain.view);
        if (indirect)
            weft_render_draw_mesh_indirect(enc, &(weft_indirect_draws){.max_count = 1});
        else
            weft_render_draw_mesh(enc, 1, 1, 1);
        weft_render_end(enc);
        EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_UNSUPPORTED);
        EXPECT(strstr(f.log->message, "mesh_shaders") != NULL);
        EXPECT(fixture_took(&f, WEFT_RULE_FEATURE_MISSING));
    }
    meshlets_destroy(&f, &m);
    record_plain_destroy(&f, &plain);
    fixture_close(&f);
}

TEST(core_feature, mesh_outputs_are_within_the_limits_of_the_device)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    const weft_shader_desc desc = {.code = meshlet_mesh, .size = sizeof meshlet_mesh};
    weft_limits *limits = &f.dev->caps.limits;
    uint32_t *const each[] = {&limits->max_mesh_output_vertices,
                              &limits->max_mesh_output_primitives,
                              &limits->max_mesh_output_components, &limits->max_task_payload};
    const uint32_t needs[] = {3, 1, 8, 16};
    for (int i = 0; i < 4; ++i) {
        weft_shader shader;
        *each[i] = needs[i] - 1;
        EXPECT_EQ(weft_shader_create(f.dev, &desc, &shader), WEFT_ERROR_SHADER);
        EXPECT(fixture_took(&f, WEFT_RULE_SHADER_MESH));
        *each[i] = needs[i];
        EXPECT_EQ(weft_shader_create(f.dev, &desc, &shader), WEFT_OK);
        weft_shader_destroy(f.dev, shader);
    }
    fixture_close(&f);
}

TEST(core_feature, acceleration_structures_need_it)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    f.dev->caps.features &= ~WEFT_FEATURE_RAY_QUERY;
    weft_buffer buffer;
    EXPECT_EQ(weft_buffer_create(
                  f.dev, &(weft_buffer_desc){.size = 256, .usage = WEFT_BUFFER_USAGE_ACCELERATION},
                  &buffer),
              WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_FEATURE_MISSING));
    const weft_argument argument = {.type = WEFT_ARGUMENT_ACCELERATION_STRUCTURE};
    weft_argument_layout layout;
    EXPECT_EQ(weft_argument_layout_create(
                  f.dev, &(weft_argument_layout_desc){.arguments = &argument, .argument_count = 1},
                  &layout),
              WEFT_ERROR_USAGE);
    EXPECT(fixture_took(&f, WEFT_RULE_FEATURE_MISSING));
    const weft_acceleration_structure_desc desc = {.level = WEFT_ACCELERATION_TOP,
                                                   .instance_count = 1};
    weft_acceleration_structure structure;
    EXPECT_EQ(weft_acceleration_structure_create(f.dev, &desc, &structure), WEFT_ERROR_UNSUPPORTED);
    EXPECT(fixture_took(&f, WEFT_RULE_FEATURE_MISSING));
    weft_acceleration_sizes sizes;
    EXPECT_EQ(weft_acceleration_structure_sizes(f.dev, &desc, &sizes), WEFT_ERROR_UNSUPPORTED);
    EXPECT(fixture_took(&f, WEFT_RULE_FEATURE_MISSING));
    weft_command_buffer *cmd = record_begin(&f);
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_build_acceleration_structure(enc, &(weft_acceleration_build){0});
    weft_compute_end(enc);
    EXPECT_EQ(weft_command_end(cmd), WEFT_ERROR_UNSUPPORTED);
    EXPECT(strstr(f.log->message, "ray_query") != NULL);
    EXPECT(fixture_took(&f, WEFT_RULE_FEATURE_MISSING));
    fixture_close(&f);
}

/// What is destroyed while a submission may use it stays until that has finished; the index of the
/// heap is given again.
TEST(core_feature, acceleration_structures_give_back_all_that_they_took)
{
    struct fixture f = fixture_open(WEFT_BACKEND_NOOP);
    uint32_t first = UINT32_MAX;
    for (int i = 0; i < 3; ++i) {
        struct rays r = rays_create(&f);
        const uint32_t index = weft_acceleration_structure_index(f.dev, r.top);
        first = i == 0 ? index : first;
        EXPECT_EQ(index, first);
        weft_command_buffer *cmd = record_begin(&f);
        weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
        weft_compute_build_acceleration_structure(
            enc, &(weft_acceleration_build){.structure = r.top, .instances = r.buffer});
        weft_compute_end(enc);
        EXPECT_EQ(weft_command_end(cmd), WEFT_OK);
        rays_destroy(&f, &r);
        record_submit(&f, cmd);
        EXPECT_EQ(weft_device_wait_idle(f.dev), WEFT_OK);
    }
    EXPECT_EQ(fixture_count(&f), 0);
    fixture_close(&f);
}
