// Task and mesh shaders: what they must say, and what only they have.
#include "shader_builder.h"
#include "shader_support.h"

/// Ids after those of the builder.
enum { M_PAYLOAD_POINTER = B_FREE, M_PAYLOAD, M_OTHER_POINTER, M_OTHER };

/// A module of a task or mesh shader up to main's first label, with these modes.
static void start(struct builder *b, uint32_t model, const uint32_t (*modes)[2], uint32_t count)
{
    *b = (struct builder){.words = {SpvMagicNumber, 0x10500, 0, 100, 0}, .count = 5};
    I(b, SpvOpCapability, SpvCapabilityMeshShadingEXT);
    I(b, SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
    I(b, SpvOpEntryPoint, model, B_MAIN, 0x6E69616D, 0, M_PAYLOAD, M_OTHER);
    I(b, SpvOpExecutionMode, B_MAIN, SpvExecutionModeLocalSize, 1, 1, 1);
    for (uint32_t i = 0; i < count; i++) {
        if (modes[i][1] != 0)
            I(b, SpvOpExecutionMode, B_MAIN, modes[i][0], modes[i][1]);
        else
            I(b, SpvOpExecutionMode, B_MAIN, modes[i][0]);
    }
    builder_types(b);
    I(b, SpvOpTypePointer, M_PAYLOAD_POINTER, SpvStorageClassTaskPayloadWorkgroupEXT, B_UINT);
    I(b, SpvOpVariable, M_PAYLOAD_POINTER, M_PAYLOAD, SpvStorageClassTaskPayloadWorkgroupEXT);
    I(b, SpvOpTypePointer, M_OTHER_POINTER, SpvStorageClassWorkgroup, B_UINT);
    I(b, SpvOpVariable, M_OTHER_POINTER, M_OTHER, SpvStorageClassWorkgroup);
    I(b, SpvOpFunction, B_VOID, B_MAIN, 0, B_FUNCTION_TYPE);
    I(b, SpvOpLabel, B_ENTRY);
}

static const uint32_t good_modes[][2] = {{SpvExecutionModeOutputVertices, 3},
                                         {SpvExecutionModeOutputPrimitivesEXT, 1},
                                         {SpvExecutionModeOutputTrianglesEXT, 0},
                                         {SpvExecutionModeOutputLinesEXT, 0}};

TEST(shader_mesh, a_mesh_shader_says_what_it_writes)
{
    struct builder b;
    start(&b, SpvExecutionModelMeshEXT, good_modes, 3);
    builder_end(&b);
    EXPECT_ACCEPTED(&b);
    start(&b, SpvExecutionModelMeshEXT, good_modes, 4);
    builder_end(&b);
    EXPECT_REFUSED(&b, "a mesh shader writes points, lines or triangles, one of them");
    start(&b, SpvExecutionModelMeshEXT, good_modes, 2);
    builder_end(&b);
    EXPECT_REFUSED(&b, "a mesh shader writes points, lines or triangles, one of them");
    start(&b, SpvExecutionModelMeshEXT, good_modes + 1, 2);
    builder_end(&b);
    EXPECT_REFUSED(&b, "a mesh shader has OutputVertices and OutputPrimitivesEXT above 0");
}

static void emit_tasks(struct builder *b, uint32_t count, uint32_t payload)
{
    start(b, SpvExecutionModelTaskEXT, NULL, 0);
    I(b, SpvOpEmitMeshTasksEXT, count, B_ONE, B_ONE, payload);
    I0(b, SpvOpFunctionEnd);
}

TEST(shader_mesh, tasks_hand_on_a_payload)
{
    struct builder b;
    emit_tasks(&b, B_ONE, M_PAYLOAD);
    struct wf_shader_module *module = read_good(b.words, b.count * sizeof *b.words);
    struct wf_shader_reflection *r = reflect_good(module);
    EXPECT_EQ(r->stage, WF_SHADER_STAGE_TASK);
    EXPECT_EQ(r->payload_size, 4);
    EXPECT_EQ(r->workgroup_memory, 0);
    wf_shader_reflection_free(r);
    wf_shader_free(module);
    emit_tasks(&b, B_HALF, M_PAYLOAD);
    EXPECT_REFUSED(&b, "must be an int scalar");
    emit_tasks(&b, B_ONE, M_OTHER);
    EXPECT_REFUSED(&b, "must be a variable of TaskPayloadWorkgroupEXT");
    emit_tasks(&b, B_ONE, B_ONE);
    EXPECT_REFUSED(&b, "must be a variable of TaskPayloadWorkgroupEXT");
}

TEST(shader_mesh, each_operation_is_of_its_stage)
{
    struct builder b;
    for (int i = 0; i < 2; i++) {
        start(&b, i ? SpvExecutionModelMeshEXT : SpvExecutionModelTaskEXT, good_modes, i ? 3 : 0);
        if (i == 0) {
            I(&b, SpvOpSetMeshOutputsEXT, B_ONE, B_ONE);
            I0(&b, SpvOpReturn);
        } else {
            I(&b, SpvOpEmitMeshTasksEXT, B_ONE, B_ONE, B_ONE);
        }
        I0(&b, SpvOpFunctionEnd);
        struct wf_shader_module *module = read_good(b.words, b.count * sizeof *b.words);
        struct wf_shader_reflection *r;
        struct wf_shader_error error;
        EXPECT(
            !wf_shader_reflect(wf_base_allocator_default(), module, module->entries, &r, &error));
        EXPECT(strstr(error.message, "is not for the stage of \"main\""));
        test_note_refusal(error.message);
        wf_shader_free(module);
    }
}
