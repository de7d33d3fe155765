// Which texels a triangle covers: those whose centers are inside, and on an edge those of the top
// and left edges, by exact integers of 1/256 texel.
#include "cases.h"
#include "draw.h"

#include "discard.frag.spv.h"

enum { SIZE = 128, SUB = 256, HALF = SUB * SIZE / 2, GRID = 6, MOST = 6 * GRID * GRID };

/// Corners in 1/256 texel, y down.
struct mesh {
    uint32_t count;
    int32_t at[MOST][2];
};

/// Adds one step for each fragment.
static const weft_pipeline_state adding = {
    .blend.targets[0] = {.enable = true,
                         .color = {WEFT_BLEND_ONE, WEFT_BLEND_ONE, WEFT_BLEND_OP_ADD},
                         .alpha = {WEFT_BLEND_ONE, WEFT_BLEND_ONE, WEFT_BLEND_OP_ADD}}};
static const float step = 1.0F / 51; // 5 of 255

static weft_texture draw(struct conform *c, const struct mesh *mesh)
{
    struct conform_vertex vertices[MOST] = {0};
    for (uint32_t i = 0; i < mesh->count; i++)
        vertices[i] = (struct conform_vertex){
            {(float)mesh->at[i][0] / HALF - 1, 1 - (float)mesh->at[i][1] / HALF, 0, 1},
            {step, step, step, 0}};
    weft_graphics_pipeline_desc desc = {
        .colors = {WEFT_FORMAT_RGBA8_UNORM}, .states = &adding, .state_count = 1};
    conform_vertex_shaders(c, &desc);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(enc, pipeline);
    weft_render_set_vertex_buffer(enc, 0, conform_vertices(c, vertices, MOST), 0);
    weft_render_draw(enc, mesh->count, 1, 0, 0);
    weft_render_end(enc);
    conform_submit(c, cmd);
    return target;
}

/// Twice the area on the left of a → b, seen with y down: positive on the inside of a clockwise
/// triangle.
static int64_t edge(const int32_t a[2], const int32_t b[2], const int32_t p[2])
{
    return (int64_t)(b[0] - a[0]) * (p[1] - a[1]) - (int64_t)(b[1] - a[1]) * (p[0] - a[0]);
}

/// Clockwise with y down: an upper edge goes to the right, a left edge goes up.
static bool is_top_left(const int32_t a[2], const int32_t b[2])
{
    return b[1] < a[1] || (b[1] == a[1] && b[0] > a[0]);
}

static bool covers(const int32_t t[3][2], const int32_t p[2])
{
    const bool turned = edge(t[0], t[1], t[2]) < 0;
    if (edge(t[0], t[1], t[2]) == 0)
        return false;
    for (uint32_t i = 0; i < 3; i++) {
        const int32_t *a = t[i], *b = t[(i + 1) % 3];
        const int64_t e = turned ? edge(b, a, p) : edge(a, b, p);
        if (e < 0 || (e == 0 && !(turned ? is_top_left(b, a) : is_top_left(a, b))))
            return false;
    }
    return true;
}

static struct conform_texel counted(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const struct mesh *mesh = user;
    const int32_t center[2] = {(int32_t)x * SUB + SUB / 2, (int32_t)y * SUB + SUB / 2};
    (void)z;
    uint32_t count = 0;
    for (uint32_t i = 0; i + 2 < mesh->count; i += 3)
        count += covers(&mesh->at[i], center);
    const double v = count * 5 / 255.0;
    return (struct conform_texel){{v, v, v, 1}};
}

static void expect(struct conform *c, struct mesh *mesh)
{
    conform_expect_texels(c, draw(c, mesh), NULL, counted, mesh, 0.5 / 255);
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

static void add(struct mesh *mesh, const int32_t a[2], const int32_t b[2], const int32_t p[2])
{
    const int32_t *corners[3] = {a, b, p};
    for (uint32_t i = 0; i < 3; i++, mesh->count++) {
        mesh->at[mesh->count][0] = corners[i][0];
        mesh->at[mesh->count][1] = corners[i][1];
    }
}

/// A grid over the target with shaken inner corners: every texel exactly once, whatever the
/// diagonals and windings. That the formula says once as well is checked here too.
void case_raster_shared_edges(struct conform *c)
{
    uint32_t random = 1;
    for (uint32_t round = 0; round < 8; round++) {
        int32_t corners[GRID + 1][GRID + 1][2];
        for (int32_t y = 0; y <= GRID; y++)
            for (int32_t x = 0; x <= GRID; x++) {
                const bool inner = x > 0 && x < GRID && y > 0 && y < GRID;
                corners[y][x][0] = x * SIZE * SUB / GRID +
                                   (inner ? (int32_t)(next_random(&random) % 601) - 300 : 0);
                corners[y][x][1] = y * SIZE * SUB / GRID +
                                   (inner ? (int32_t)(next_random(&random) % 601) - 300 : 0);
            }
        struct mesh mesh = {0};
        for (uint32_t i = 0; i < GRID * GRID; i++) {
            const uint32_t x = i % GRID, y = i / GRID;
            const int32_t *a = corners[y][x], *b = corners[y][x + 1], *p = corners[y + 1][x],
                          *q = corners[y + 1][x + 1];
            if (next_random(&random) & 1) {
                add(&mesh, a, b, p);
                add(&mesh, q, b, p);
            } else {
                add(&mesh, b, q, a);
                add(&mesh, a, p, q);
            }
        }
        expect(c, &mesh);
        const double once = 5 / 255.0;
        conform_expect_color(c, draw(c, &mesh), (const double[4]){once, once, once, 1}, 0.5 / 255);
    }
}

/// Edges that run through centers: squares side by side and triangles around a center.
void case_raster_top_left(struct conform *c)
{
    const int32_t low = 4 * SUB + SUB / 2, mid = 10 * SUB + SUB / 2, high = 16 * SUB + SUB / 2;
    struct mesh mesh = {0};
    add(&mesh, (const int32_t[2]){low, low}, (const int32_t[2]){high, low},
        (const int32_t[2]){mid, mid});
    add(&mesh, (const int32_t[2]){high, low}, (const int32_t[2]){high, high},
        (const int32_t[2]){mid, mid});
    add(&mesh, (const int32_t[2]){mid, mid}, (const int32_t[2]){low, high},
        (const int32_t[2]){high, high});
    add(&mesh, (const int32_t[2]){low, low}, (const int32_t[2]){mid, mid},
        (const int32_t[2]){low, high});
    expect(c, &mesh);
}

/// Slivers and triangles smaller than a texel draw where a center is inside, and else nothing.
/// Corners are where a device can place them: on sixteenths at least, with all that Vulkan asks
/// for.
void case_raster_small_triangles(struct conform *c)
{
    const int32_t grid = conform_exact(c) ? 1 : SUB / 16;
    uint32_t random = 7;
    for (uint32_t round = 0; round < 8; round++) {
        struct mesh mesh = {0};
        while (mesh.count + 3 <= MOST) {
            int32_t at[3][2];
            const int32_t x = (int32_t)(next_random(&random) % (SIZE * SUB)),
                          y = (int32_t)(next_random(&random) % (SIZE * SUB));
            for (uint32_t i = 0; i < 3; i++) {
                at[i][0] = x + (int32_t)(next_random(&random) % 700) - 350;
                at[i][1] = y + (int32_t)(next_random(&random) % 700) - 350;
            }
            if (round & 1) // a sliver
                at[2][0] = at[0][0] + 2000;
            for (uint32_t i = 0; i < 6; i++)
                at[i / 2][i % 2] -= at[i / 2][i % 2] % grid;
            add(&mesh, at[0], at[1], at[2]);
        }
        expect(c, &mesh);
    }
}

/// Triangles that reach hundreds of targets beyond are cut without a trace.
void case_raster_far_away(struct conform *c)
{
    const int32_t far = 200 * SIZE * SUB;
    struct mesh mesh = {0};
    add(&mesh, (const int32_t[2]){-far, -far}, (const int32_t[2]){far, -far},
        (const int32_t[2]){16 * SUB + 77, far});
    add(&mesh, (const int32_t[2]){5 * SUB + 3, 9 * SUB + 100}, (const int32_t[2]){far, 3 * SUB},
        (const int32_t[2]){far, far});
    expect(c, &mesh);
}

static struct conform_texel last_drawn(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    (void)user;
    (void)y;
    (void)z;
    return (struct conform_texel){{x / 255.0, 1 - x / 255.0, 0, 1}};
}

/// Rectangles each begin one column further right: at every texel the last one counts.
void case_raster_order(struct conform *c)
{
    const weft_texture target = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = conform_begin_pass(cmd, conform_view(c, target), conform_black);
    weft_render_set_pipeline(
        enc, conform_rect_pipeline(c, WEFT_FORMAT_RGBA8_UNORM, WEFT_FORMAT_NONE, NULL));
    for (int32_t x = 0; x < SIZE; x++)
        conform_draw_rect(enc, &(weft_rect){x, 0, SIZE, SIZE}, SIZE, SIZE, 0,
                          (const float[4]){(float)x / 255, 1 - (float)x / 255, 0, 1});
    weft_render_end(enc);
    conform_submit(c, cmd);
    conform_expect_texels(c, target, NULL, last_drawn, NULL, 0.5 / 255);
}

static struct conform_texel chessboard(void *user, uint32_t x, uint32_t y, uint32_t z)
{
    const bool depth = *(const bool *)user, kept = ((x + y) & 1) == 0;
    (void)z;
    if (depth)
        return (struct conform_texel){{kept ? 0.25 : 1, 0, 0, 1}};
    return (struct conform_texel){{kept, kept, kept, 1}};
}

/// A fragment that is given up writes neither color nor depth.
void case_raster_discard(struct conform *c)
{
    const weft_pipeline_state state = {
        .depth_stencil = {.depth = WEFT_COMPARE_LESS, .depth_write = true}};
    weft_graphics_pipeline_desc desc = {.colors = {WEFT_FORMAT_RGBA8_UNORM},
                                        .depth_stencil = WEFT_FORMAT_D32_FLOAT,
                                        .states = &state,
                                        .state_count = 1};
    conform_rect_shaders(c, &desc);
    desc.fragment.shader = CONFORM_SHADER(c, discard_frag);
    const weft_graphics_pipeline pipeline = conform_pipeline(c, &desc);
    const weft_texture color = conform_target(c, WEFT_FORMAT_RGBA8_UNORM, SIZE, SIZE),
                       depth = conform_target(c, WEFT_FORMAT_D32_FLOAT, SIZE, SIZE);
    weft_command_buffer *cmd = conform_begin(c);
    weft_render_encoder *enc = weft_command_begin_render(
        cmd, &(weft_render_pass_desc){.colors[0] = {.view = conform_view(c, color),
                                                    .load = WEFT_LOAD_CLEAR,
                                                    .clear = {.f = {0, 0, 0, 1}}},
                                      .depth_stencil = conform_view(c, depth),
                                      .depth_load = WEFT_LOAD_CLEAR,
                                      .clear_depth = 1});
    weft_render_set_pipeline(enc, pipeline);
    conform_fill(enc, 0.25F, conform_white);
    weft_render_end(enc);
    conform_submit(c, cmd);
    bool of_depth = false;
    conform_expect_texels(c, color, NULL, chessboard, &of_depth, 0);
    of_depth = true;
    conform_expect_texels(c, depth, NULL, chessboard, &of_depth, 0);
}
