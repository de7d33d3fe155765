// Every function of the frame layer that takes a handle refuses one that is none, stale, foreign or
// of another frame: its frame fails under the rule, nothing of it is drawn, and the next one is.
// tools/check/calls.py tells which function is missing.
#include "frame_stage.h"

#include "support/objects.h"

enum kind {
    MATERIAL = WEFT_OBJECT_FRAME + 1, ///< Names that only frames have.
    TARGET,
    PASS,
    LAYER,
    CLIP,
    KINDS,
};

/// Handles of which none is good, and names of a frame that is over.
struct bad {
    struct objects objects;
    weft_object names[KINDS];
};

struct world {
    struct stage stage;
    struct objects live;
    weft_frame *frame;
    weft_target target, pass;
    uint64_t (*draw)(weft_frame *frame, const weft_draw_packet *packet);
    weft_result result; ///< Of a call that makes no frame fail.
};

static weft_buffer live_buffer(const struct world *w)
{
    return HANDLE(buffer, w->live.of[WEFT_OBJECT_BUFFER]);
}

// ---- calls that draw ----------------------------------------------------------------------------

static void draw(struct world *w, weft_draw_packet packet)
{
    w->draw(w->frame, &packet);
}

static weft_draw_packet good_packet(const struct world *w)
{
    weft_draw_packet packet = stage_packet(&w->stage, 0);
    packet.instances.count = 1;
    return packet;
}

static void draw_target(struct world *w, weft_object o)
{
    weft_draw_packet packet = good_packet(w);
    packet.target = HANDLE(target, o);
    draw(w, packet);
}

static void draw_layer(struct world *w, weft_object o)
{
    weft_draw_packet packet = good_packet(w);
    packet.layer = HANDLE(layer, o);
    draw(w, packet);
}

static void draw_clip(struct world *w, weft_object o)
{
    weft_draw_packet packet = good_packet(w);
    packet.clip = HANDLE(clip, o);
    draw(w, packet);
}

static void draw_material(struct world *w, weft_object o)
{
    weft_draw_packet packet = good_packet(w);
    packet.material = HANDLE(material, o);
    draw(w, packet);
}

static void draw_arguments(struct world *w, weft_object o)
{
    weft_draw_packet packet = good_packet(w);
    packet.arguments = HANDLE(argument_table, o);
    draw(w, packet);
}

static void draw_stream(struct world *w, weft_object o)
{
    weft_draw_packet packet = good_packet(w);
    const weft_stream_view stream = {.buffer = HANDLE(buffer, o)};
    packet.geometry.streams = &stream;
    draw(w, packet);
}

static void draw_indices(struct world *w, weft_object o)
{
    weft_draw_packet packet = good_packet(w);
    packet.geometry.indices = HANDLE(buffer, o);
    packet.geometry.index_type = WEFT_INDEX_UINT16;
    draw(w, packet);
}

static void draw_instances(struct world *w, weft_object o)
{
    weft_draw_packet packet = good_packet(w);
    packet.instances = (weft_instance_view){.buffer = HANDLE(buffer, o), .stride = 16, .count = 1};
    draw(w, packet);
}

static void draw_indirect(struct world *w, weft_object o)
{
    weft_draw_packet packet = good_packet(w);
    packet.indirect.buffer = HANDLE(buffer, o);
    draw(w, packet);
}

static void draw_count(struct world *w, weft_object o)
{
    weft_draw_packet packet = good_packet(w);
    packet.indirect.buffer = live_buffer(w);
    packet.indirect.count_buffer = HANDLE(buffer, o);
    draw(w, packet);
}

static void draw_access(struct world *w, weft_access access)
{
    weft_draw_packet packet = good_packet(w);
    access.kind = WEFT_ACCESS_STORAGE_READ;
    packet.accesses = &access;
    packet.access_count = 1;
    draw(w, packet);
}

static void draw_access_buffer(struct world *w, weft_object o)
{
    draw_access(w, (weft_access){.buffer = HANDLE(buffer, o)});
}

static void draw_access_texture(struct world *w, weft_object o)
{
    draw_access(w, (weft_access){.texture = HANDLE(texture, o)});
}

static void draw_quad(struct world *w, weft_quads_packet packet)
{
    const weft_quad quad = {.width = 4, .height = 4, .u1 = 1, .v1 = 1, .color = {1, 1, 1, 1}};
    packet.quads = &quad;
    packet.quad_count = 1;
    weft_frame_draw_quads(w->frame, &packet);
}

static void quads_target(struct world *w, weft_object o)
{
    draw_quad(w, (weft_quads_packet){.target = HANDLE(target, o)});
}

static void quads_layer(struct world *w, weft_object o)
{
    draw_quad(w, (weft_quads_packet){.layer = HANDLE(layer, o)});
}

static void quads_clip(struct world *w, weft_object o)
{
    draw_quad(w, (weft_quads_packet){.clip = HANDLE(clip, o)});
}

static void quads_material(struct world *w, weft_object o)
{
    draw_quad(w, (weft_quads_packet){.material = HANDLE(material, o)});
}

static void quads_view(struct world *w, weft_object o)
{
    draw_quad(w, (weft_quads_packet){.view = HANDLE(texture_view, o)});
}

static void quads_sampler(struct world *w, weft_object o)
{
    draw_quad(
        w, (weft_quads_packet){.view = HANDLE(texture_view, w->live.of[WEFT_OBJECT_TEXTURE_VIEW]),
                               .sampler = HANDLE(sampler, o)});
}

// ---- other calls --------------------------------------------------------------------------------

static void layer_globals(struct world *w, weft_object o)
{
    weft_frame_layer_push(w->frame, &(weft_layer_desc){.globals = HANDLE(argument_table, o)});
    draw(w, good_packet(w));
    weft_frame_layer_pop(w->frame);
}

/// A pass of its own, with a draw.
static void pass_on(struct world *w, weft_target target, weft_argument_table globals)
{
    weft_frame_target_end(w->frame, w->pass);
    w->pass = weft_frame_target_begin(
        w->frame, target, &(weft_target_ops){.load = WEFT_LOAD_CLEAR, .globals = globals});
    if (w->pass.index != 0)
        draw(w, good_packet(w));
}

// ---- calls that dispatch ------------------------------------------------------------------------

static void dispatch(struct world *w, weft_dispatch_packet packet)
{
    packet.groups[0] = packet.groups[1] = packet.groups[2] = 1;
    weft_frame_dispatch(w->frame, &packet);
}

static weft_dispatch_packet good_dispatch(const struct world *w)
{
    return (weft_dispatch_packet){
        .pipeline = HANDLE(compute_pipeline, w->live.of[WEFT_OBJECT_COMPUTE_PIPELINE])};
}

static void dispatch_target(struct world *w, weft_object o)
{
    weft_dispatch_packet packet = good_dispatch(w);
    packet.target = HANDLE(target, o);
    dispatch(w, packet);
}

static void dispatch_layer(struct world *w, weft_object o)
{
    weft_dispatch_packet packet = good_dispatch(w);
    packet.layer = HANDLE(layer, o);
    dispatch(w, packet);
}

static void dispatch_pipeline(struct world *w, weft_object o)
{
    dispatch(w, (weft_dispatch_packet){.pipeline = HANDLE(compute_pipeline, o)});
}

static void dispatch_arguments(struct world *w, weft_object o)
{
    weft_dispatch_packet packet = good_dispatch(w);
    packet.arguments[1] = HANDLE(argument_table, o);
    dispatch(w, packet);
}

static void dispatch_indirect(struct world *w, weft_object o)
{
    weft_dispatch_packet packet = good_dispatch(w);
    packet.indirect.buffer = HANDLE(buffer, o);
    dispatch(w, packet);
}

static void dispatch_access(struct world *w, weft_access access)
{
    weft_dispatch_packet packet = good_dispatch(w);
    access.kind = WEFT_ACCESS_STORAGE_READ;
    packet.accesses = &access;
    packet.access_count = 1;
    dispatch(w, packet);
}

static void dispatch_access_buffer(struct world *w, weft_object o)
{
    dispatch_access(w, (weft_access){.buffer = HANDLE(buffer, o)});
}

static void dispatch_access_texture(struct world *w, weft_object o)
{
    dispatch_access(w, (weft_access){.texture = HANDLE(texture, o)});
}

// ---- calls that record --------------------------------------------------------------------------

static void record_nothing(weft_command_buffer *cmd, void *user)
{
    (void)cmd;
    (void)user;
}

static void record(struct world *w, weft_record_packet packet)
{
    packet.fn = record_nothing;
    weft_frame_record(w->frame, &packet);
}

static void record_target(struct world *w, weft_object o)
{
    record(w, (weft_record_packet){.target = HANDLE(target, o)});
}

static void record_layer(struct world *w, weft_object o)
{
    record(w, (weft_record_packet){.layer = HANDLE(layer, o)});
}

static void record_access(struct world *w, weft_access access)
{
    access.kind = WEFT_ACCESS_STORAGE_READ;
    record(w, (weft_record_packet){.accesses = &access, .access_count = 1});
}

static void record_access_buffer(struct world *w, weft_object o)
{
    record_access(w, (weft_access){.buffer = HANDLE(buffer, o)});
}

static void record_access_texture(struct world *w, weft_object o)
{
    record_access(w, (weft_access){.texture = HANDLE(texture, o)});
}

// ---- calls on passes, targets and materials -----------------------------------------------------

static void pass_globals(struct world *w, weft_object o)
{
    pass_on(w, w->target, HANDLE(argument_table, o));
}

static void pass_target(struct world *w, weft_object o)
{
    pass_on(w, HANDLE(target, o), (weft_argument_table){0});
}

static void pass_end(struct world *w, weft_object o)
{
    weft_frame_target_end(w->frame, HANDLE(target, o));
}

static void target_view(struct world *w, weft_object o)
{
    EXPECT(weft_texture_view_is_none(weft_frame_target_view(w->frame, HANDLE(target, o), 0)));
}

static void offscreen(struct world *w, weft_target_desc desc)
{
    const weft_target target = weft_frame_offscreen_target(w->frame, &desc);
    if (target.index != 0)
        pass_on(w, target, (weft_argument_table){0});
}

static void offscreen_color(struct world *w, weft_object o)
{
    offscreen(w, (weft_target_desc){.colors = {HANDLE(texture_view, o)}});
}

static void offscreen_resolve(struct world *w, weft_object o)
{
    offscreen(w, (weft_target_desc){
                     .colors = {HANDLE(texture_view, w->live.of[WEFT_OBJECT_TEXTURE_VIEW])},
                     .resolves = {HANDLE(texture_view, o)}});
}

static void offscreen_depth(struct world *w, weft_object o)
{
    offscreen(w, (weft_target_desc){
                     .colors = {HANDLE(texture_view, w->live.of[WEFT_OBJECT_TEXTURE_VIEW])},
                     .depth_stencil = HANDLE(texture_view, o)});
}

static void create_material(struct world *w, weft_material_desc desc)
{
    weft_material out = {1, 1};
    desc.transform_offset = WEFT_NO_TRANSFORM;
    w->result = weft_material_create(w->stage.f.dev, &desc, &out);
    EXPECT(out.index == 0);
}

static void material_pipeline(struct world *w, weft_object o)
{
    create_material(w, (weft_material_desc){.pipeline = HANDLE(graphics_pipeline, o)});
}

static void material_arguments(struct world *w, weft_object o)
{
    create_material(w, (weft_material_desc){.pipeline = w->stage.pipelines[0],
                                            .arguments = HANDLE(argument_table, o)});
}

static void material_access(struct world *w, weft_access access)
{
    access.kind = WEFT_ACCESS_STORAGE_READ;
    create_material(w, (weft_material_desc){.pipeline = w->stage.pipelines[0],
                                            .accesses = &access,
                                            .access_count = 1});
}

static void material_buffer(struct world *w, weft_object o)
{
    material_access(w, (weft_access){.buffer = HANDLE(buffer, o)});
}

static void material_texture(struct world *w, weft_object o)
{
    material_access(w, (weft_access){.texture = HANDLE(texture, o)});
}

static void material_destroy(struct world *w, weft_object o)
{
    weft_material_destroy(w->stage.f.dev, HANDLE(material, o));
    w->result = WEFT_ERROR_USAGE; // it returns nothing
}

static void begin_surface(struct world *w, weft_object o)
{
    weft_frame *frame;
    w->result =
        weft_frame_begin(w->stage.f.dev, &(weft_frame_desc){.surface = HANDLE(surface, o)}, &frame);
    EXPECT(frame == NULL);
}

// ---- the table ----------------------------------------------------------------------------------

static const struct call {
    const char *name; ///< "function: parameter", or a path into the description.
    void (*make)(struct world *w, weft_object bad);
    int kind;
    weft_rule rule; ///< NONE: core's, of handles.
    weft_rule none; ///< Of the none handle. NONE: it is fine.
    bool alone;     ///< Outside of a frame.
} calls[] = {
    {"weft_frame_draw: target", draw_target, PASS, WEFT_RULE_FRAME_PACKET_NO_PASS, 0, false},
    {"weft_frame_draw: layer", draw_layer, LAYER, WEFT_RULE_FRAME_LAYER_NAME, 0, false},
    {"weft_frame_draw: clip", draw_clip, CLIP, WEFT_RULE_FRAME_CLIP_NAME, 0, false},
    {"weft_frame_draw: material", draw_material, MATERIAL, WEFT_RULE_FRAME_MATERIAL,
     WEFT_RULE_FRAME_MATERIAL, false},
    {"weft_frame_draw: arguments", draw_arguments, WEFT_OBJECT_ARGUMENT_TABLE, 0, 0, false},
    {"weft_frame_draw: geometry.streams.buffer", draw_stream, WEFT_OBJECT_BUFFER, 0,
     WEFT_RULE_HANDLE_NONE, false},
    {"weft_frame_draw: geometry.indices", draw_indices, WEFT_OBJECT_BUFFER, 0, 0, false},
    {"weft_frame_draw: instances.buffer", draw_instances, WEFT_OBJECT_BUFFER, 0, 0, false},
    {"weft_frame_draw: indirect.buffer", draw_indirect, WEFT_OBJECT_BUFFER, 0, 0, false},
    {"weft_frame_draw: indirect.count_buffer", draw_count, WEFT_OBJECT_BUFFER, 0, 0, false},
    {"weft_frame_draw: accesses.buffer", draw_access_buffer, WEFT_OBJECT_BUFFER, 0,
     WEFT_RULE_FRAME_ACCESS_RESOURCE, false},
    {"weft_frame_draw: accesses.texture", draw_access_texture, WEFT_OBJECT_TEXTURE, 0,
     WEFT_RULE_FRAME_ACCESS_RESOURCE, false},
    {"weft_frame_draw_quads: target", quads_target, PASS, WEFT_RULE_FRAME_PACKET_NO_PASS, 0, false},
    {"weft_frame_draw_quads: layer", quads_layer, LAYER, WEFT_RULE_FRAME_LAYER_NAME, 0, false},
    {"weft_frame_draw_quads: clip", quads_clip, CLIP, WEFT_RULE_FRAME_CLIP_NAME, 0, false},
    {"weft_frame_draw_quads: material", quads_material, MATERIAL, WEFT_RULE_FRAME_MATERIAL, 0,
     false},
    {"weft_frame_draw_quads: view", quads_view, WEFT_OBJECT_TEXTURE_VIEW, 0, 0, false},
    {"weft_frame_draw_quads: sampler", quads_sampler, WEFT_OBJECT_SAMPLER, 0, 0, false},
    {"weft_frame_dispatch: target", dispatch_target, PASS, WEFT_RULE_FRAME_PACKET_NO_PASS, 0,
     false},
    {"weft_frame_dispatch: layer", dispatch_layer, LAYER, WEFT_RULE_FRAME_LAYER_NAME, 0, false},
    {"weft_frame_dispatch: pipeline", dispatch_pipeline, WEFT_OBJECT_COMPUTE_PIPELINE, 0,
     WEFT_RULE_FRAME_DISPATCH_PIPELINE, false},
    {"weft_frame_dispatch: arguments", dispatch_arguments, WEFT_OBJECT_ARGUMENT_TABLE, 0, 0, false},
    {"weft_frame_dispatch: indirect.buffer", dispatch_indirect, WEFT_OBJECT_BUFFER, 0, 0, false},
    {"weft_frame_dispatch: accesses.buffer", dispatch_access_buffer, WEFT_OBJECT_BUFFER, 0,
     WEFT_RULE_FRAME_ACCESS_RESOURCE, false},
    {"weft_frame_dispatch: accesses.texture", dispatch_access_texture, WEFT_OBJECT_TEXTURE, 0,
     WEFT_RULE_FRAME_ACCESS_RESOURCE, false},
    {"weft_frame_record: target", record_target, PASS, WEFT_RULE_FRAME_PACKET_NO_PASS, 0, false},
    {"weft_frame_record: layer", record_layer, LAYER, WEFT_RULE_FRAME_LAYER_NAME, 0, false},
    {"weft_frame_record: accesses.buffer", record_access_buffer, WEFT_OBJECT_BUFFER, 0,
     WEFT_RULE_FRAME_ACCESS_RESOURCE, false},
    {"weft_frame_record: accesses.texture", record_access_texture, WEFT_OBJECT_TEXTURE, 0,
     WEFT_RULE_FRAME_ACCESS_RESOURCE, false},
    {"weft_frame_layer_push: globals", layer_globals, WEFT_OBJECT_ARGUMENT_TABLE, 0, 0, false},
    {"weft_frame_target_begin: globals", pass_globals, WEFT_OBJECT_ARGUMENT_TABLE, 0, 0, false},
    {"weft_frame_target_begin: target", pass_target, TARGET, WEFT_RULE_FRAME_TARGET_NAME,
     WEFT_RULE_FRAME_TARGET_NAME, false},
    {"weft_frame_target_end: pass", pass_end, PASS, WEFT_RULE_FRAME_PASS_UNBALANCED,
     WEFT_RULE_FRAME_PASS_UNBALANCED, false},
    {"weft_frame_target_view: target", target_view, TARGET, WEFT_RULE_FRAME_TARGET_NAME,
     WEFT_RULE_FRAME_TARGET_NAME, false},
    {"weft_frame_offscreen_target: colors", offscreen_color, WEFT_OBJECT_TEXTURE_VIEW,
     WEFT_RULE_FRAME_TARGET_VIEW, WEFT_RULE_FRAME_TARGET_EMPTY, false},
    {"weft_frame_offscreen_target: resolves", offscreen_resolve, WEFT_OBJECT_TEXTURE_VIEW, 0, 0,
     false},
    {"weft_frame_offscreen_target: depth_stencil", offscreen_depth, WEFT_OBJECT_TEXTURE_VIEW,
     WEFT_RULE_FRAME_TARGET_VIEW, 0, false},
    {"weft_material_create: pipeline", material_pipeline, WEFT_OBJECT_GRAPHICS_PIPELINE, 0,
     WEFT_RULE_MATERIAL_PIPELINE_NONE, true},
    {"weft_material_create: arguments", material_arguments, WEFT_OBJECT_ARGUMENT_TABLE, 0, 0, true},
    {"weft_material_create: accesses.buffer", material_buffer, WEFT_OBJECT_BUFFER, 0,
     WEFT_RULE_FRAME_ACCESS_RESOURCE, true},
    {"weft_material_create: accesses.texture", material_texture, WEFT_OBJECT_TEXTURE, 0,
     WEFT_RULE_FRAME_ACCESS_RESOURCE, true},
    {"weft_material_destroy: material", material_destroy, MATERIAL, WEFT_RULE_MATERIAL_STALE, 0,
     true},
    {"weft_frame_begin: surface", begin_surface, WEFT_OBJECT_SURFACE, 0, 0, true},
};

/// A frame with a pass open, whose names will be of another frame; all of it is good.
static void begin(struct world *w, struct bad *names)
{
    w->frame = stage_begin(&w->stage);
    w->target = weft_frame_present_target(w->frame);
    w->pass = stage_pass(w->frame);
    if (!names)
        return;
    const weft_layer layer = weft_frame_layer_push(w->frame, &(weft_layer_desc){0});
    const weft_clip clip = weft_frame_clip_push(w->frame, &(weft_rect){0, 0, 4, 4});
    weft_frame_clip_pop(w->frame);
    weft_frame_layer_pop(w->frame);
    names->names[TARGET] = object_of(0, w->target.index, w->target.generation);
    names->names[PASS] = object_of(0, w->pass.index, w->pass.generation);
    names->names[LAYER] = object_of(0, layer.index, layer.generation);
    names->names[CLIP] = object_of(0, clip.index, clip.generation);
}

static void draw_good_frame(struct world *w, struct bad *names)
{
    begin(w, names);
    draw(w, good_packet(w));
    weft_frame_target_end(w->frame, w->pass);
    EXPECT_EQ(weft_frame_submit(w->frame, NULL), WEFT_OK);
}

static weft_result make(struct world *w, const struct call *call, weft_object bad)
{
    w->result = WEFT_OK;
    if (call->alone) {
        call->make(w, bad);
        return w->result;
    }
    begin(w, NULL);
    call->make(w, bad);
    if (call->make != pass_target)
        weft_frame_target_end(w->frame, w->pass);
    return weft_frame_submit(w->frame, NULL);
}

static void expect_refused(struct world *w, const struct call *call, weft_object bad,
                           weft_rule rule)
{
    const uint64_t before = weft_device_get_counters(w->stage.f.dev).submissions;
    fixture_clear(&w->stage.f);
    const weft_result result = make(w, call, bad);
    if (result != WEFT_ERROR_USAGE || !fixture_saw(&w->stage.f, rule))
        test_fail(__FILE__, __LINE__, "%s came to %s, not under W%04d: %s", call->name,
                  weft_result_name(result), (int)rule, w->stage.f.log->message);
    if (weft_device_get_counters(w->stage.f.dev).submissions != before)
        test_fail(__FILE__, __LINE__, "%s: something was drawn", call->name);
    draw_good_frame(w, NULL);
}

static weft_object pick(const struct bad *bad, int kind)
{
    return kind > WEFT_OBJECT_FRAME ? bad->names[kind] : bad->objects.of[kind];
}

static void refuse(struct world *w, const struct call *call, const struct bad *stale,
                   const struct bad *foreign)
{
    if (call->none != WEFT_RULE_NONE)
        expect_refused(w, call, object_of(0, 0, 0), call->none);
    expect_refused(w, call, pick(stale, call->kind),
                   call->rule ? call->rule : WEFT_RULE_HANDLE_STALE);
    expect_refused(w, call, pick(foreign, call->kind),
                   call->rule ? call->rule : WEFT_RULE_HANDLE_FOREIGN);
}

/// What it takes for a world, with everything in `bad` alive still.
static struct world open_world(struct bad *bad)
{
    struct world w = {.stage = stage_open(WEFT_BACKEND_NOOP), .draw = weft_frame_draw};
    bad->objects = objects_make(&w.stage.f);
    const weft_material_desc desc = {.pipeline = w.stage.pipelines[0]};
    weft_material material;
    EXPECT_EQ(weft_material_create(w.stage.f.dev, &desc, &material), WEFT_OK);
    bad->names[MATERIAL] = object_of(0, material.index, material.generation);
    draw_good_frame(&w, bad);
    return w;
}

static void drop(struct world *w, const struct bad *bad)
{
    objects_destroy(w->stage.f.dev, &bad->objects);
    weft_material_destroy(w->stage.f.dev, HANDLE(material, bad->names[MATERIAL]));
}

TEST(frame_handles, bad_handles_are_refused_everywhere)
{
    static uint64_t (*const draws[])(weft_frame *, const weft_draw_packet *) = {
        weft_frame_draw, weft_frame_draw_mesh, weft_frame_draw_instances};
    struct bad stale, foreign;
    struct world w = open_world(&stale);
    struct world other = open_world(&foreign);
    drop(&w, &stale);
    w.live = objects_make(&w.stage.f);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        for (size_t d = 0; d < sizeof draws / sizeof draws[0]; d++) {
            w.draw = draws[d];
            refuse(&w, &calls[i], &stale, &foreign);
        }
    }
    objects_destroy(w.stage.f.dev, &w.live);
    stage_close(&w.stage);
    drop(&other, &foreign);
    stage_close(&other.stage);
}

/// A material that does not live says why.
TEST(frame_handles, materials_are_told_apart)
{
    struct bad stale, foreign;
    struct world w = open_world(&stale);
    struct world other = open_world(&foreign);
    drop(&w, &stale);
    const struct {
        weft_object material;
        const char *says;
    } each[] = {
        {object_of(0, 0, 0), "is none"},
        {stale.names[MATERIAL], "was destroyed"},
        {foreign.names[MATERIAL], "belongs to another device"},
        {object_of(0, 0x00ffffff, stale.names[MATERIAL].generation), "never was"},
    };
    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++) {
        begin(&w, NULL);
        draw_material(&w, each[i].material);
        EXPECT(strstr(w.stage.f.log->message, each[i].says) != NULL);
        weft_frame_cancel(w.frame);
    }
    stage_close(&w.stage);
    drop(&other, &foreign);
    stage_close(&other.stage);
}
