#include "shader/check.h"
#include "shader_builder.h"
#include "shader_indices.frag.spv.h"
#include "shader_other.vert.spv.h"
#include "shader_shared.comp.spv.h"
#include "shader_stage.comp.spv.h"
#include "shader_stage.frag.spv.h"
#include "shader_stage.vert.spv.h"
#include "shader_support.h"

#include <string.h>

/// A module and its reflection.
struct stage {
    struct wf_shader_module *module;
    struct wf_shader_reflection *r;
};

static struct stage open_stage(const uint32_t *words, size_t bytes)
{
    struct stage stage = {.module = read_good(words, bytes)};
    stage.r = reflect_good(stage.module);
    return stage;
}

static void close_stage(struct stage *stage)
{
    wf_shader_reflection_free(stage->r);
    wf_shader_free(stage->module);
}

static const struct wf_shader_binding *find_binding(const struct wf_shader_reflection *r,
                                                    uint32_t set, uint32_t binding)
{
    for (uint32_t i = 0; i < r->binding_count; i++) {
        if (r->bindings[i].set == set && r->bindings[i].binding == binding)
            return &r->bindings[i];
    }
    test_fail(__FILE__, __LINE__, "no binding %u.%u", set, binding);
}

TEST(shader_reflect, a_vertex_shader)
{
    struct stage s = open_stage(shader_stage_vert, sizeof shader_stage_vert);
    EXPECT_EQ(s.r->stage, WF_SHADER_STAGE_VERTEX);
    EXPECT_EQ(s.r->uses, WF_SHADER_USE_POINTERS);
    EXPECT_EQ(s.r->binding_count, 1);
    const struct wf_shader_binding *globals = find_binding(s.r, 0, 0);
    EXPECT_STR(globals->name, "globals");
    EXPECT_EQ(globals->type, WF_SHADER_RESOURCE_UNIFORM_BUFFER);
    EXPECT(globals->size == 144 && globals->count == 1 && globals->read && !globals->written);
    EXPECT(globals->non_writable);

    EXPECT_EQ(s.r->root.size, 76);
    EXPECT_EQ(s.r->root.offset, 0);
    EXPECT_EQ(s.r->root.member_count, 3);
    EXPECT_STR(s.r->root.members[1].name, "node");
    EXPECT(s.r->root.members[1].offset == 64 && s.r->root.members[1].size == 8);

    EXPECT_EQ(s.r->input_count, 4);
    const struct wf_shader_varying *joints = &s.r->inputs[2];
    EXPECT_STR(joints->name, "joints");
    EXPECT(joints->location == 2 && joints->components == 4 && joints->width == 32);
    EXPECT_EQ(joints->base, WF_SHADER_SCALAR_UINT);
    EXPECT_EQ(s.r->inputs[3].builtin, SpvBuiltInInstanceIndex);
    const struct wf_shader_varying *normals = &s.r->outputs[2];
    EXPECT(normals->location == 2 && normals->array == 2 && normals->locations == 2 &&
           normals->components == 3);
    EXPECT(s.r->outputs[1].flat && !s.r->outputs[0].flat);
    close_stage(&s);
}

TEST(shader_reflect, a_fragment_shader)
{
    struct stage s = open_stage(shader_stage_frag, sizeof shader_stage_frag);
    EXPECT_EQ(s.r->uses, WF_SHADER_USE_HEAP | WF_SHADER_USE_DISCARD | WF_SHADER_USE_DERIVATIVES |
                             WF_SHADER_USE_ATOMICS | WF_SHADER_USE_BUFFER_WRITES |
                             WF_SHADER_USE_IMAGE_WRITES);
    EXPECT_EQ(s.r->binding_count, 7); // set 2 is declared, but not used
    const struct wf_shader_binding *base = find_binding(s.r, 1, 0);
    EXPECT(base->type == WF_SHADER_RESOURCE_COMBINED && base->dim == SpvDim2D && !base->depth);
    EXPECT_EQ(base->sampled, WF_SHADER_SCALAR_FLOAT);
    EXPECT(find_binding(s.r, 1, 1)->depth);
    const struct wf_shader_binding *picture = find_binding(s.r, 1, 2);
    EXPECT(picture->type == WF_SHADER_RESOURCE_STORAGE_IMAGE &&
           picture->format == SpvImageFormatRgba8);
    EXPECT(picture->written && !picture->read && picture->non_readable && !picture->atomic);
    const struct wf_shader_binding *counters = find_binding(s.r, 1, 3);
    EXPECT(counters->written && counters->read && counters->atomic);
    EXPECT_EQ(counters->sampled, WF_SHADER_SCALAR_UINT);
    const struct wf_shader_binding *store = find_binding(s.r, 1, 4);
    EXPECT(store->type == WF_SHADER_RESOURCE_STORAGE_BUFFER && store->size == 16 &&
           store->runtime_stride == 16);
    EXPECT(store->written && store->read && !store->non_writable);
    const struct wf_shader_binding *textures = find_binding(s.r, 3, 0);
    EXPECT(textures->type == WF_SHADER_RESOURCE_SAMPLED_IMAGE && textures->count == 0);
    EXPECT_EQ(find_binding(s.r, 3, 2)->type, WF_SHADER_RESOURCE_SAMPLER);

    EXPECT_EQ(s.r->spec_count, 3);
    EXPECT(s.r->specs[0].id == 3 && s.r->specs[0].base == WF_SHADER_SCALAR_SINT &&
           s.r->specs[0].value == 4);
    EXPECT(s.r->specs[1].id == 4 && s.r->specs[1].base == WF_SHADER_SCALAR_BOOL &&
           s.r->specs[1].width == 1);
    EXPECT(s.r->specs[2].id == 7 && s.r->specs[2].base == WF_SHADER_SCALAR_FLOAT);
    EXPECT_STR(s.r->specs[2].name, "scale");
    EXPECT_EQ(s.r->finding_count, 0);
    EXPECT_EQ(s.r->root.id, 0);
    close_stage(&s);
}

TEST(shader_reflect, a_compute_shader)
{
    struct stage s = open_stage(shader_stage_comp, sizeof shader_stage_comp);
    EXPECT_EQ(s.r->stage, WF_SHADER_STAGE_COMPUTE);
    EXPECT_EQ(s.r->uses, WF_SHADER_USE_INT64 | WF_SHADER_USE_SUBGROUPS | WF_SHADER_USE_BARRIERS |
                             WF_SHADER_USE_BUFFER_WRITES | WF_SHADER_USE_SMALL_STORAGE);
    EXPECT_EQ(s.r->subgroups, WF_SHADER_SUBGROUP_BASIC | WF_SHADER_SUBGROUP_ARITHMETIC |
                                  WF_SHADER_SUBGROUP_BALLOT | WF_SHADER_SUBGROUP_SHUFFLE);
    EXPECT(s.r->workgroup[0] == 1 && s.r->workgroup[1] == 2 && s.r->workgroup[2] == 1);
    EXPECT(s.r->workgroup_spec[0] == 0 && s.r->workgroup_spec[1] == WF_SHADER_NONE);
    EXPECT(s.r->workgroup_is_specialized);
    EXPECT_EQ(s.r->workgroup_memory, 256);
    const struct wf_shader_binding *source = find_binding(s.r, 0, 1);
    EXPECT(source->non_writable && source->read && !source->written);
    EXPECT(source->size == 32 && source->runtime_stride == 8);
    EXPECT(find_binding(s.r, 0, 0)->written);
    close_stage(&s);
}

TEST(shader_reflect, shared_blocks_take_the_place_of_the_largest)
{
    struct stage s = open_stage(shader_shared_comp, sizeof shader_shared_comp);
    EXPECT_EQ(s.r->workgroup_memory, 20 * 1024); // not 16000 more: they are views of the same bytes
    close_stage(&s);
}

TEST(shader_reflect, rotations_alone_are_subgroup_operations)
{
    struct builder b;
    builder_start(&b);
    builder_end(&b);
    struct stage s = open_stage(b.words, b.count * sizeof b.words[0]);
    EXPECT((s.r->uses & WF_SHADER_USE_SUBGROUPS) == 0);
    close_stage(&s);
    memmove(b.words + 7, b.words + 5, (b.count - 5) * sizeof b.words[0]);
    b.words[5] = SpvOpCapability | 2u << 16;
    b.words[6] = SpvCapabilityGroupNonUniformRotateKHR;
    b.count += 2;
    s = open_stage(b.words, b.count * sizeof b.words[0]);
    EXPECT((s.r->uses & WF_SHADER_USE_SUBGROUPS) != 0);
    close_stage(&s);
}

TEST(shader_reflect, storage_buffers_of_spirv_1_0)
{
    // Before 1.3 a storage buffer was a BufferBlock among the uniforms.
    struct builder b;
    builder_head(&b);
    b.words[1] = 0x10000;
    I(&b, SpvOpDecorate, 20, SpvDecorationBufferBlock);
    I(&b, SpvOpMemberDecorate, 20, 0, SpvDecorationOffset, 8);
    I(&b, SpvOpDecorate, 22, SpvDecorationDescriptorSet, 2);
    I(&b, SpvOpDecorate, 22, SpvDecorationBinding, 5);
    builder_types(&b);
    I(&b, SpvOpTypeStruct, 20, B_UINT);
    I(&b, SpvOpTypePointer, 21, SpvStorageClassUniform, 20);
    I(&b, SpvOpVariable, 21, 22, SpvStorageClassUniform);
    I(&b, SpvOpTypePointer, 23, SpvStorageClassUniform, B_UINT);
    I(&b, SpvOpFunction, B_VOID, B_MAIN, 0, B_FUNCTION_TYPE);
    I(&b, SpvOpLabel, B_ENTRY);
    I(&b, SpvOpAccessChain, 23, 24, 22, B_ZERO);
    I(&b, SpvOpStore, 24, B_ONE);
    builder_end(&b);
    struct stage s = open_stage(b.words, b.count * sizeof b.words[0]);
    const struct wf_shader_binding *buffer = find_binding(s.r, 2, 5);
    EXPECT(buffer->type == WF_SHADER_RESOURCE_STORAGE_BUFFER && buffer->size == 12);
    EXPECT(buffer->written && !buffer->read && !buffer->non_writable);
    close_stage(&s);
}

TEST(shader_reflect, resources_have_a_place_and_a_layout)
{
    for (uint32_t what = 0; what < 3; what++) {
        struct builder b;
        builder_head(&b);
        if (what != 0)
            I(&b, SpvOpDecorate, 20, SpvDecorationBlock);
        if (what != 1)
            I(&b, SpvOpMemberDecorate, 20, 0, SpvDecorationOffset, 0);
        I(&b, SpvOpDecorate, 22, SpvDecorationDescriptorSet, 0);
        if (what != 2)
            I(&b, SpvOpDecorate, 22, SpvDecorationBinding, 0);
        builder_types(&b);
        I(&b, SpvOpTypeStruct, 20, B_UINT);
        I(&b, SpvOpTypePointer, 21, SpvStorageClassUniform, 20);
        I(&b, SpvOpVariable, 21, 22, SpvStorageClassUniform);
        I(&b, SpvOpFunction, B_VOID, B_MAIN, 0, B_FUNCTION_TYPE);
        I(&b, SpvOpLabel, B_ENTRY);
        I(&b, SpvOpLoad, 20, 24, 22);
        builder_end(&b);
        struct wf_shader_error error;
        struct wf_shader_module *module = builder_read(&b, &error);
        struct wf_shader_reflection *r;
        const char *wanted[] = {"not decorated Block", "has no Offset", "lacks Binding"};
        EXPECT(module && !wf_shader_reflect(wf_base_allocator_default(), module, module->entries,
                                            &r, &error));
        EXPECT(!r && strstr(error.message, wanted[what]));
        test_note_refusal(error.message);
        wf_shader_free(module);
    }
}

TEST(shader_reflect, written_built_ins_of_a_block_are_seen)
{
    struct stage s = open_stage(shader_other_vert, sizeof shader_other_vert);
    EXPECT_EQ(s.r->uses, WF_SHADER_USE_POINT_SIZE);
    close_stage(&s);
}

TEST(shader_reflect, varying_indices_are_found)
{
    struct stage s = open_stage(shader_indices_frag, sizeof shader_indices_frag);
    const uint32_t lines[] = {14, 28, 29};
    EXPECT_EQ(s.r->finding_count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        bool found = false;
        for (uint32_t j = 0; j < 3; j++)
            found |= s.r->findings[j].line == lines[i];
        if (!found)
            test_fail(__FILE__, __LINE__, "nothing is found on line %u", lines[i]);
        EXPECT_EQ(s.r->findings[i].kind, WF_SHADER_FINDING_NON_UNIFORM_INDEX);
        EXPECT(strstr(s.r->findings[i].file, "shader_indices.frag"));
        test_note_refusal(s.r->findings[i].message);
    }
    close_stage(&s);
}

TEST(shader_reflect, matching_stages_have_no_findings)
{
    struct stage v = open_stage(shader_stage_vert, sizeof shader_stage_vert);
    struct stage f = open_stage(shader_stage_frag, sizeof shader_stage_frag);
    struct wf_shader_findings findings = {0};
    wf_shader_check_interface(v.r, f.r, &findings);
    EXPECT_EQ(findings.count, 0);

    const struct wf_shader_reflection *stages[] = {v.r, f.r};
    struct wf_shader_layout_entry entries[16];
    EXPECT(v.r->binding_count + f.r->binding_count <= 16);
    const uint32_t count = wf_shader_merge_bindings(stages, 2, entries, &findings);
    EXPECT_EQ(count, 8);
    EXPECT_EQ(findings.count, 0);
    EXPECT(entries[0].set == 0 && entries[0].stages == WF_SHADER_STAGE_VERTEX &&
           entries[0].size == 144);
    EXPECT(entries[1].set == 1 && entries[1].binding == 0 &&
           entries[1].stages == WF_SHADER_STAGE_FRAGMENT);
    EXPECT(entries[7].set == 3 && entries[7].binding == 2);
    close_stage(&v);
    close_stage(&f);
}

TEST(shader_reflect, mismatching_stages_are_found)
{
    struct stage v = open_stage(shader_other_vert, sizeof shader_other_vert);
    struct stage f = open_stage(shader_stage_frag, sizeof shader_stage_frag);
    struct wf_shader_finding items[8];
    struct wf_shader_findings findings = {.items = items, .capacity = 8};
    wf_shader_check_interface(v.r, f.r, &findings);
    EXPECT_EQ(findings.count, 2);
    EXPECT(items[0].kind == WF_SHADER_FINDING_TYPE && items[0].location == 1);
    EXPECT(strstr(items[0].message, "it is uint of 32 bits, but the output \"id\" is float of 32"));
    EXPECT(items[1].kind == WF_SHADER_FINDING_COMPONENTS && items[1].location == 2);
    test_note_refusal(items[0].message);
    test_note_refusal(items[1].message);

    const struct wf_shader_reflection *stages[] = {v.r, f.r};
    struct wf_shader_layout_entry entries[16];
    findings.count = 0;
    wf_shader_merge_bindings(stages, 2, entries, &findings);
    EXPECT_EQ(findings.count, 1);
    EXPECT(items[0].kind == WF_SHADER_FINDING_BINDING_TYPE && items[0].set == 1 &&
           items[0].binding == 0);
    test_note_refusal(items[0].message);
    // As the producer of itself, a fragment shader has nothing but a color at location 0.
    findings = (struct wf_shader_findings){.items = items, .capacity = 1};
    wf_shader_check_interface(f.r, f.r, &findings);
    EXPECT_EQ(findings.count, 2);
    EXPECT_EQ(items[0].kind, WF_SHADER_FINDING_MISSING_OUTPUT);
    test_note_refusal(items[0].message);
    close_stage(&v);
    close_stage(&f);
}
