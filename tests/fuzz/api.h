/// What the calls of api.c and api_record.c share: the objects, and values that bytes choose.
#pragma once

#include <weft/weft.h>

#include <math.h>
#include <string.h>

enum {
    SLOTS = 6,       // handles kept of each kind, dead ones too
    BYTES = 1 << 16, // of the host's memory that calls are given
};

/// What is left of the input.
struct input {
    const uint8_t *at, *end;
};

struct world {
    struct input in;
    weft_device *dev;
    weft_shader vertex, fragment, compute;
    weft_buffer buffers[SLOTS];
    weft_texture textures[SLOTS];
    weft_texture_view views[SLOTS];
    weft_view_pool view_pools[SLOTS];
    weft_sampler samplers[SLOTS];
    weft_memory_block blocks[SLOTS];
    weft_heap_range ranges[SLOTS];
    weft_argument_layout layouts[SLOTS];
    weft_argument_table tables[SLOTS];
    weft_graphics_pipeline graphics[SLOTS];
    weft_compute_pipeline computes[SLOTS];
    weft_query_pool queries[SLOTS];
    weft_timeline timelines[SLOTS];
    weft_surface surfaces[SLOTS];
    weft_command_allocator allocators[SLOTS];
    weft_read reads[SLOTS];
    weft_material materials[SLOTS];
};
extern struct world w;

extern uint8_t host_bytes[BYTES];
/// Records and submits one command buffer.
void record_commands(void);
void create_material(void);
/// Makes and submits one frame.
void make_frame(void);

// ---- values ------------------------------------------------------------------------------------

static inline uint32_t byte(void)
{
    return w.in.at < w.in.end ? *w.in.at++ : 0;
}

static inline uint32_t below(uint32_t count)
{
    return byte() % count;
}

/// Mostly small numbers, sometimes those at which arithmetic breaks.
static inline uint32_t number(void)
{
    static const uint32_t odd[] = {3,          255,        256,        257,
                                   4095,       65535,      65536,      65537,
                                   0x7fffffff, 0x80000000, 0x80000001, 0xfffffff0,
                                   0xfffffffc, 0xffffffff, 0x01000000, 0x40000000};
    const uint32_t b = byte();
    if (b < 16)
        return odd[b];
    return b < 200 ? (b - 16) % 17 : (b - 200) * 4;
}

static inline uint64_t number64(void)
{
    static const uint64_t odd[] = {UINT64_MAX,
                                   UINT64_MAX - 3,
                                   UINT64_C(1) << 63,
                                   UINT64_C(1) << 32,
                                   UINT64_C(0xfffffffffc),
                                   UINT64_MAX / 2,
                                   1,
                                   UINT64_C(0xffffffff)};
    const uint32_t b = byte();
    return b < 8 ? odd[b] : b < 128 ? (b - 8) * 4 : number();
}

/// A size: never one that is good and takes long.
static inline uint32_t side(void)
{
    static const uint32_t odd[] = {0, 1, 5, 17, 33, 64, 65, 40000, 0x80000000, 0xffffffff};
    const uint32_t b = byte();
    return b < 10 ? odd[b] : b % 24 + 1;
}

static inline float real(void)
{
    static const float odd[] = {NAN,   INFINITY, -INFINITY, 1e38f, -1e38f, 1e-40f, 0,
                                -0.0f, 1,        0.5f,      -1,    2,      1e9f,   32768};
    const uint32_t b = byte();
    return b < 14 ? odd[b] : (float)b - 60;
}

/// An enumerator, or one past the last.
static inline uint32_t choice(uint32_t count)
{
    const uint32_t b = byte();
    return b == 255 ? 0xffffffff : b % (count + 1);
}

static inline weft_format format(void)
{
    static const weft_format often[] = {WEFT_FORMAT_RGBA8_UNORM,    WEFT_FORMAT_RGBA8_UNORM_SRGB,
                                        WEFT_FORMAT_D32_FLOAT,      WEFT_FORMAT_R32_UINT,
                                        WEFT_FORMAT_RGBA32_FLOAT,   WEFT_FORMAT_D24_UNORM_S8_UINT,
                                        WEFT_FORMAT_BC1_RGBA_UNORM, WEFT_FORMAT_NONE};
    const uint32_t b = byte();
    return b < 160 ? often[b % 8] : (weft_format)((b - 160) % (WEFT_FORMAT_COUNT + 1));
}

#define PICK(array) ((array)[below(SLOTS)])

static inline weft_texture_region region(void)
{
    weft_texture_region r = {0};
    if (below(3) == 0)
        return r;
    r.mip = below(3) ? 0 : number();
    r.layer = below(3) ? 0 : number();
    r.layer_count = below(3) ? 0 : number();
    r.x = below(2) ? 0 : number();
    r.y = below(2) ? 0 : number();
    r.z = below(3) ? 0 : number();
    r.width = below(2) ? 0 : side();
    r.height = below(2) ? 0 : side();
    r.depth = below(2) ? 0 : side();
    r.aspect = below(3) ? 0 : below(9);
    return r;
}

static inline weft_texel_layout layout_of_texels(void)
{
    weft_texel_layout l = {0};
    if (below(2) == 0)
        return l;
    l.offset = below(2) ? 0 : number64();
    l.row_bytes = below(2) ? 0 : number();
    l.slice_rows = below(2) ? 0 : number();
    return l;
}

static inline weft_depth_stencil_state depth_stencil(void)
{
    return (weft_depth_stencil_state){.depth = (weft_compare)choice(9),
                                      .depth_write = below(2),
                                      .stencil = below(2),
                                      .front = {(weft_compare)choice(9), (weft_stencil_op)choice(8),
                                                (weft_stencil_op)choice(8),
                                                (weft_stencil_op)choice(8)},
                                      .read_mask = (uint8_t)byte(),
                                      .no_stencil_write = below(2)};
}

static inline weft_blend_state blend(void)
{
    weft_blend_state state = {.independent = below(2)};
    for (uint32_t i = 0; i < 2; i++)
        state.targets[i] =
            (weft_blend_target){.enable = below(2),
                                .color = {(weft_blend_factor)choice(18),
                                          (weft_blend_factor)choice(18), (weft_blend_op)choice(5)},
                                .mask = below(40)};
    return state;
}

static inline weft_raster_state raster(void)
{
    return (weft_raster_state){.cull = (weft_cull)choice(3),
                               .front = (weft_front_face)choice(2),
                               .fill = (weft_fill)choice(2),
                               .depth_bias = below(3) ? 0 : real(),
                               .depth_bias_slope = below(3) ? 0 : real(),
                               .depth_bias_clamp = below(3) ? 0 : real()};
}
