#include "scene.h"

#include "overlay.h"

#include <stdio.h>
#include <string.h>

/// Two rings of 60 cubes.
#define RING  60.0f
#define CUBES 120
#define PANES 3

static const float fog[3] = {0.012f, 0.017f, 0.028f};
static const struct vec3 light_direction = {-0.46f, 0.74f, 0.49f};

// ---- what stands where --------------------------------------------------------------------------

static struct mat4 place(struct vec3 at, float turn_y, float scale)
{
    const float c = cosf(turn_y) * scale, s = sinf(turn_y) * scale;
    return (struct mat4){{c, 0, -s, 0, 0, scale, 0, 0, s, 0, c, 0, at.x, at.y, at.z, 1}};
}

static struct {
    int mesh, material;
    struct vec3 at;
    float turn, scale;
    bool no_shadow;
} const solids[] = {
    {MESH_KNOT, MATERIAL_KNOT, {0, 1.95f, 0}, 0.55f, 1, false},
    {MESH_SPHERE, MATERIAL_GOLD, {-2.3f, 0.55f, 1.35f}, 0, 0.55f, false},
    {MESH_SPHERE, MATERIAL_CHROME, {1.95f, 0.45f, 1.85f}, 0, 0.45f, false},
    {MESH_SPHERE, MATERIAL_GOLD, {0.85f, 0.22f, 2.45f}, 0, 0.22f, false},
    {MESH_SPHERE, MATERIAL_CHROME, {-1.15f, 0.28f, 2.2f}, 0, 0.28f, false},
    // The nearest first, as the depth test then saves the most work.
    {MESH_FLOOR, MATERIAL_FLOOR, {0, 0, 0}, 0.35f, 1, true},
};
#define SOLIDS (sizeof solids / sizeof *solids)

static const struct {
    int material;
    struct vec3 at;
    float turn;
} panes[PANES] = {
    {MATERIAL_GLASS_0, {2.35f, 1.3f, -0.9f}, -0.5f},
    {MATERIAL_GLASS_1, {2.95f, 1.3f, -0.1f}, -0.5f},
    {MATERIAL_GLASS_2, {3.55f, 1.3f, 0.7f}, -0.5f},
};

/// A wheel of colors.
static void hue(float turn, float out[4])
{
    for (int c = 0; c < 3; c++) {
        const float wave = 0.5f + 0.5f * cosf(2 * VEC_PI * (turn - (float)c / 3));
        out[c] = 0.06f + 0.80f * wave * wave;
    }
    out[3] = 1;
}

/// Two rings of cubes that rise and fall in a wave.
static void place_cube(uint32_t index, struct stage_instance *out)
{
    const bool outer = index % 2;
    const uint32_t place_in_ring = index / 2;
    const float turn = (float)place_in_ring / RING;
    const float angle = 2 * VEC_PI * (turn + (outer ? 0.5f / RING : 0));
    const float radius = outer ? 4.5f : 4.05f, scale = outer ? 0.1f : 0.14f;
    const float height = 0.2f + 0.42f * (0.5f + 0.5f * sinf(5 * angle + (outer ? 1.2f : 0)));
    const float tilt = 0.5f * angle * 3, spin = angle;
    *out = (struct stage_instance){
        .place = {radius * cosf(angle), height, radius * sinf(angle), scale},
        .turn = {sinf(tilt) * cosf(spin), sinf(tilt) * 0.5f, sinf(tilt) * sinf(spin), cosf(tilt)},
    };
    float length = 0;
    for (int i = 0; i < 4; i++)
        length += out->turn[i] * out->turn[i];
    for (int i = 0; i < 4; i++)
        out->turn[i] /= sqrtf(length);
    hue(turn, out->color);
}

// ---- cameras ------------------------------------------------------------------------------------

static struct mat4 look(struct vec3 eye, struct vec3 at)
{
    const struct vec3 back = vec_normalize(vec_sub(eye, at));
    const struct vec3 right = vec_normalize(vec_cross((struct vec3){0, 1, 0}, back));
    return mat_view(eye, right, vec_cross(back, right), back);
}

static struct stage_globals light_globals(void)
{
    const struct vec3 direction = vec_normalize(light_direction), middle = {0, 1, 0};
    const struct mat4 view = look(vec_add(middle, vec_scale(direction, 14)), middle);
    const struct mat4 projection = mat_orthographic(6.2f, 1, 1, 28);
    return (struct stage_globals){.view_projection = mat_multiply(&projection, &view)};
}

static struct stage_globals eye_globals(const struct stage_globals *light)
{
    const struct vec3 eye = {-2.2f, 4.1f, 10.6f}, direction = vec_normalize(light_direction);
    const struct mat4 view = look(eye, (struct vec3){-0.55f, 0.95f, 0});
    const struct mat4 projection =
        mat_perspective(0.325f, (float)STAGE_WIDTH / STAGE_HEIGHT, 1, 60);
    // Clip space to texture coordinates: y turns round.
    const struct mat4 to_texture = {{0.5f, 0, 0, 0, 0, -0.5f, 0, 0, 0, 0, 1, 0, 0.5f, 0.5f, 0, 1}};
    return (struct stage_globals){
        .view_projection = mat_multiply(&projection, &view),
        .to_shadow = mat_multiply(&to_texture, &light->view_projection),
        .eye = {eye.x, eye.y, eye.z, 1},
        .light = {direction.x, direction.y, direction.z, 0},
        .fog = {fog[0], fog[1], fog[2], 1},
    };
}

static bool set_globals(struct stage *stage, weft_frame *frame, weft_argument_table table,
                        const struct stage_globals *globals, weft_texture_view shadow)
{
    const weft_transient memory = weft_frame_alloc(frame, sizeof *globals, 256);
    if (!memory.cpu)
        return false;
    memcpy(memory.cpu, globals, sizeof *globals);
    const weft_argument_write writes[2] = {
        {.buffer = memory.buffer, .offset = memory.offset, .size = sizeof *globals},
        {.binding = 1, .view = shadow, .sampler = stage->clamp}};
    return weft_argument_table_write(stage->device, table, writes, 2) == WEFT_OK;
}

// ---- packets ------------------------------------------------------------------------------------

/// Distance from the eye, far ones first, as a key.
static uint64_t depth_key(const struct stage_globals *globals, struct vec3 at)
{
    const struct vec3 eye = {globals->eye[0], globals->eye[1], globals->eye[2]};
    return UINT32_MAX - (uint64_t)(vec_length(vec_sub(at, eye)) * 65536);
}

/// One thing to draw.
struct item {
    int mesh, material;
    const struct mat4 *world; ///< NULL: where its instances say.
    uint64_t key;
    const weft_instance_view *instances; ///< NULL: once.
};

static void draw(struct stage *stage, weft_frame *frame, const struct item *item)
{
    const struct stage_mesh *geometry = &stage->meshes[item->mesh];
    const weft_stream_view stream = {.buffer = geometry->vertices};
    weft_draw_packet packet = {.sort_key = item->key,
                               .material = stage->materials[item->material].material,
                               .geometry = {.streams = &stream,
                                            .stream_count = 1,
                                            .indices = geometry->indices,
                                            .index_type = WEFT_INDEX_UINT32,
                                            .count = geometry->index_count},
                               .transform = item->world ? item->world->m : NULL};
    if (!item->instances) {
        weft_frame_draw_mesh(frame, &packet);
        return;
    }
    packet.instances = *item->instances;
    weft_frame_draw_instances(frame, &packet);
}

static void draw_solids(struct stage *stage, weft_frame *frame, bool shadow,
                        const weft_instance_view *cubes)
{
    for (size_t i = 0; i < SOLIDS; i++) {
        const struct mat4 world = place(solids[i].at, solids[i].turn, solids[i].scale);
        const struct item item = {.mesh = solids[i].mesh,
                                  .material = shadow ? MATERIAL_SHADOW : solids[i].material,
                                  .world = &world};
        if (!shadow || !solids[i].no_shadow)
            draw(stage, frame, &item);
    }
    draw(stage, frame,
         &(struct item){.mesh = MESH_CUBE,
                        .material = shadow ? MATERIAL_SHADOW_CUBES : MATERIAL_CUBES,
                        .instances = cubes});
}

static void draw_panes(struct stage *stage, weft_frame *frame, const struct stage_globals *globals)
{
    for (int i = 0; i < PANES; i++) {
        const struct mat4 world = place(panes[i].at, panes[i].turn, 1);
        draw(stage, frame,
             &(struct item){.mesh = MESH_PANE,
                            .material = panes[i].material,
                            .world = &world,
                            .key = depth_key(globals, panes[i].at)});
    }
}

// ---- the overlay --------------------------------------------------------------------------------

static void lay_out(struct overlay *overlay, const weft_capabilities *caps)
{
    const float white[4] = {0.92f, 0.94f, 0.97f, 1}, dim[4] = {0.42f, 0.47f, 0.55f, 1},
                panel[4] = {0.008f, 0.012f, 0.02f, 0.72f};
    const float orange[4] = {0.76f, 0.12f, 0.025f, 1}, teal[4] = {0.01f, 0.30f, 0.33f, 1};
    overlay_text(overlay, FONT_TITLE, 52, 116, white, "Weft");
    overlay_box(overlay, (struct overlay_rect){52, 138, 92, 4}, orange);
    overlay_box(overlay, (struct overlay_rect){148, 138, 46, 4}, teal);
    overlay_text(overlay, FONT_MEDIUM, 52, 178, dim, "intent > plan > picture");

    static const struct {
        const char *name, *what;
        float color[4];
    } rows[] = {{"shadow map", "1024 x 1024, one pass", {0.22f, 0.25f, 0.30f, 1}},
                {"world", "7 packets, sorted by material", {0.76f, 0.12f, 0.025f, 1}},
                {"glass", "3 packets, far to near", {0.01f, 0.42f, 0.52f, 1}},
                {"overlay", "text and shapes, strict", {0.80f, 0.52f, 0.06f, 1}}};
    overlay_panel(overlay, (struct overlay_rect){44, 560, 424, 124}, 14, panel);
    for (int i = 0; i < 4; i++) {
        const float y = 590 + 25 * (float)i;
        overlay_disc(overlay, 68, y - 6, 6, rows[i].color);
        overlay_text(overlay, FONT_SMALL, 88, y, white, rows[i].name);
        overlay_text(overlay, FONT_SMALL, 196, y, dim, rows[i].what);
    }
    char text[64];
    (void)snprintf(text, sizeof text, "drawn by the %s device", weft_backend_name(caps->backend));
    overlay_text(overlay, FONT_SMALL,
                 STAGE_WIDTH - 44 - overlay_text_width(overlay, FONT_SMALL, text), 676, dim, text);
}

static void draw_overlay(struct stage *stage, weft_frame *frame)
{
    static struct overlay overlay; // large for a stack
    overlay.font = &stage->font;
    overlay.count = 0;
    lay_out(&overlay, weft_device_capabilities(stage->device));
    weft_frame_draw_quads(frame, &(weft_quads_packet){.view = stage->pictures[PICTURE_ATLAS].view,
                                                      .quads = overlay.quads,
                                                      .quad_count = overlay.count});
}

// ---- the frame ----------------------------------------------------------------------------------

/// The cubes' instances live in the frame's own memory.
static bool make_cubes(weft_frame *frame, weft_instance_view *out)
{
    const weft_transient memory =
        weft_frame_alloc(frame, CUBES * sizeof(struct stage_instance), 16);
    if (!memory.cpu)
        return false;
    struct stage_instance *instances = memory.cpu;
    for (uint32_t i = 0; i < CUBES; i++)
        place_cube(i, &instances[i]);
    *out = (weft_instance_view){.buffer = memory.buffer,
                                .offset = memory.offset,
                                .stride = sizeof *instances,
                                .count = CUBES};
    return true;
}

static void append_picture(struct stage *stage, weft_frame *frame,
                           const struct stage_globals *globals, const weft_instance_view *cubes)
{
    const weft_target_ops ops = {.load = WEFT_LOAD_CLEAR,
                                 .clear = {{.f = {fog[0], fog[1], fog[2], 1}}},
                                 .depth_store = WEFT_STORE_DISCARD,
                                 .depth_format = WEFT_FORMAT_D32_FLOAT,
                                 .samples = STAGE_SAMPLES,
                                 .globals = stage->globals,
                                 .label = "picture"};
    const weft_target pass = weft_frame_target_begin(frame, weft_frame_present_target(frame), &ops);
    // The order in which layers are pushed does not matter: they say where they belong.
    weft_frame_layer_push(
        frame, &(weft_layer_desc){.name = "overlay", .sort_base = 100, .order = WEFT_ORDER_STRICT});
    draw_overlay(stage, frame);
    weft_frame_layer_pop(frame);
    weft_frame_layer_push(
        frame, &(weft_layer_desc){.name = "glass", .sort_base = 10, .order = WEFT_ORDER_DEPTH});
    draw_panes(stage, frame, globals);
    weft_frame_layer_pop(frame);
    weft_frame_layer_push(frame, &(weft_layer_desc){.name = "world", .order = WEFT_ORDER_SORTABLE});
    draw_solids(stage, frame, false, cubes);
    weft_frame_layer_pop(frame);
    weft_frame_target_end(frame, pass);
}

bool demo_append(struct stage *stage, weft_frame *frame)
{
    const weft_target_desc shadow_desc = {.color_formats = {WEFT_FORMAT_R32_FLOAT},
                                          .depth_format = WEFT_FORMAT_D32_FLOAT,
                                          .width = STAGE_SHADOW,
                                          .height = STAGE_SHADOW,
                                          .label = "shadow map"};
    const weft_target shadow = weft_frame_offscreen_target(frame, &shadow_desc);
    const struct stage_globals light = light_globals(), eye = eye_globals(&light);
    weft_instance_view cubes;
    if (!make_cubes(frame, &cubes) ||
        !set_globals(stage, frame, stage->shadow_globals, &light,
                     stage->pictures[PICTURE_WHITE].view) ||
        !set_globals(stage, frame, stage->globals, &eye, weft_frame_target_view(frame, shadow, 0)))
        return false;

    const weft_target_ops ops = {.load = WEFT_LOAD_CLEAR,
                                 .clear = {{.f = {1, 1, 1, 1}}},
                                 .depth_store = WEFT_STORE_DISCARD,
                                 .globals = stage->shadow_globals,
                                 .label = "shadow map"};
    const weft_target pass = weft_frame_target_begin(frame, shadow, &ops);
    weft_frame_layer_push(
        frame, &(weft_layer_desc){.name = "shadow casters", .order = WEFT_ORDER_SORTABLE});
    draw_solids(stage, frame, true, &cubes);
    weft_frame_layer_pop(frame);
    weft_frame_target_end(frame, pass);
    append_picture(stage, frame, &eye, &cubes);
    return true;
}
