#include "frame_stage.h"

#include "frame.frag.spv.h"
#include "frame.vert.spv.h"
#include "frame_sampled.frag.spv.h"

weft_shader stage_shader(struct stage *s, const uint32_t *code, size_t size)
{
    weft_shader out;
    EXPECT_EQ(weft_shader_create(s->f.dev, &(weft_shader_desc){.code = code, .size = size}, &out),
              WEFT_OK);
    return out;
}

weft_graphics_pipeline stage_pipeline(struct stage *s, weft_shader fragment, const char *label)
{
    const weft_vertex_stream stream = {.slot = 0, .stride = 8};
    const weft_vertex_attribute position = {.format = WEFT_VERTEX_FORMAT_FLOAT32X2};
    const weft_graphics_pipeline_desc desc = {
        .vertex = {.shader = s->vertex},
        .fragment = {.shader = fragment},
        .streams = &stream,
        .stream_count = 1,
        .attributes = &position,
        .attribute_count = 1,
        .colors = {WEFT_FORMAT_RGBA8_UNORM},
        .label = label,
    };
    weft_graphics_pipeline out;
    EXPECT_EQ(weft_graphics_pipeline_create(s->f.dev, &desc, &out), WEFT_OK);
    return out;
}

static void make_surface(struct stage *s)
{
    EXPECT_EQ(weft_surface_create(s->f.dev, &(weft_surface_desc){.label = "test"}, &s->surface),
              WEFT_OK);
    const weft_surface_config config = {
        .width = STAGE_SIZE, .height = STAGE_SIZE, .format = WEFT_FORMAT_RGBA8_UNORM};
    EXPECT_EQ(weft_surface_configure(s->f.dev, s->surface, &config), WEFT_OK);
}

static void make_vertices(struct stage *s)
{
    static const float triangle[6] = {-1.0f, -1.0f, 1.0f, -1.0f, 0.0f, 1.0f};
    const weft_buffer_desc desc = {
        .size = sizeof triangle, .usage = WEFT_BUFFER_USAGE_VERTEX, .data = triangle};
    EXPECT_EQ(weft_buffer_create(s->f.dev, &desc, &s->vertices), WEFT_OK);
}

struct stage stage_open(weft_backend backend)
{
    return stage_open_desc(
        &(weft_device_desc){.backends = 1u << backend, .validation = WEFT_VALIDATION_FULL});
}

struct stage stage_open_desc(const weft_device_desc *desc)
{
    struct stage s = {.f = fixture_open_desc(desc)};
    make_surface(&s);
    make_vertices(&s);
    s.vertex = stage_shader(&s, frame_vert, sizeof frame_vert);
    s.plain = stage_shader(&s, frame_frag, sizeof frame_frag);
    s.sampled = stage_shader(&s, frame_sampled_frag, sizeof frame_sampled_frag);
    s.pipelines[0] = stage_pipeline(&s, s.plain, "first");
    s.pipelines[1] = stage_pipeline(&s, s.plain, "second");
    s.sampling = stage_pipeline(&s, s.sampled, "sampling");
    for (uint32_t i = 0; i < 4; i++) {
        const weft_material_desc material = {.pipeline = s.pipelines[i / 2]};
        EXPECT_EQ(weft_material_create(s.f.dev, &material, &s.materials[i]), WEFT_OK);
    }
    return s;
}

void stage_close(struct stage *s)
{
    for (uint32_t i = 0; i < 4; i++)
        weft_material_destroy(s->f.dev, s->materials[i]);
    weft_graphics_pipeline_destroy(s->f.dev, s->sampling);
    weft_graphics_pipeline_destroy(s->f.dev, s->pipelines[0]);
    weft_graphics_pipeline_destroy(s->f.dev, s->pipelines[1]);
    weft_shader_destroy(s->f.dev, s->sampled);
    weft_shader_destroy(s->f.dev, s->plain);
    weft_shader_destroy(s->f.dev, s->vertex);
    weft_buffer_destroy(s->f.dev, s->vertices);
    weft_surface_destroy(s->f.dev, s->surface);
    fixture_close(&s->f);
}

weft_frame *stage_begin(struct stage *s)
{
    weft_frame *frame;
    EXPECT_EQ(weft_frame_begin(s->f.dev,
                               &(weft_frame_desc){.surface = s->surface, .flags = WEFT_FRAME_CHECK},
                               &frame),
              WEFT_OK);
    return frame;
}

weft_target stage_pass(weft_frame *frame)
{
    const weft_target_ops ops = {.load = WEFT_LOAD_CLEAR};
    return weft_frame_target_begin(frame, weft_frame_present_target(frame), &ops);
}

weft_draw_packet stage_packet(const struct stage *s, uint32_t index)
{
    static weft_stream_view stream;
    stream = (weft_stream_view){0, s->vertices, 0};
    return (weft_draw_packet){
        .material = s->materials[index],
        .geometry = {.streams = &stream, .stream_count = 1, .count = 3},
    };
}
