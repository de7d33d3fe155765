/// Command buffers: a stream of records in chunks. Recording copies what it is given and resolves
/// nothing; execute.c walks the stream. Chunks and command buffers go back to their pool as soon as
/// they have been executed, so that recording allocates nothing in steady state.
#ifndef WF_SOFTWARE_COMMAND_H
#define WF_SOFTWARE_COMMAND_H

#include "backends/software/software.h"

#define WF_SW_CHUNK_BYTES 32768u

enum wf_sw_op {
    WF_SW_OP_WRITE_TIMESTAMP,
    WF_SW_OP_RESOLVE_QUERIES,
    WF_SW_OP_BEGIN_RENDER,
    WF_SW_OP_END_RENDER,
    WF_SW_OP_SET_PIPELINE,
    WF_SW_OP_SET_DEPTH_STENCIL,
    WF_SW_OP_SET_BLEND,
    WF_SW_OP_SET_RASTER,
    WF_SW_OP_SET_VIEWPORT,
    WF_SW_OP_SET_SCISSOR,
    WF_SW_OP_SET_STENCIL_REFERENCE,
    WF_SW_OP_SET_BLEND_CONSTANT,
    WF_SW_OP_SET_TABLE,
    WF_SW_OP_SET_ROOT,
    WF_SW_OP_SET_VERTEX_BUFFER,
    WF_SW_OP_SET_INDEX_BUFFER,
    WF_SW_OP_DRAW,
    WF_SW_OP_DRAW_INDEXED,
    WF_SW_OP_DRAW_INDIRECT,
    WF_SW_OP_DRAW_INDEXED_INDIRECT,
    WF_SW_OP_BEGIN_OCCLUSION,
    WF_SW_OP_END_OCCLUSION,
    WF_SW_OP_BEGIN_STATISTICS,
    WF_SW_OP_END_STATISTICS,
    WF_SW_OP_BEGIN_COMPUTE,
    WF_SW_OP_END_COMPUTE,
    WF_SW_OP_DISPATCH,
    WF_SW_OP_DISPATCH_INDIRECT,
    WF_SW_OP_COPY_BUFFER,
    WF_SW_OP_COPY_BUFFER_TO_TEXTURE,
    WF_SW_OP_COPY_TEXTURE_TO_BUFFER,
    WF_SW_OP_COPY_TEXTURE,
    WF_SW_OP_FILL_BUFFER,
    WF_SW_OP_GENERATE_MIPS,
    WF_SW_OP_WRITE_HEAP,
    WF_SW_OP_COUNT,
};

/// The head of each record.
struct wf_sw_record {
    uint32_t op;    ///< enum wf_sw_op
    uint32_t bytes; ///< Of the record, head included; a multiple of 8.
};

// Records, by operation. Those that are not here are a head alone.

struct wf_sw_rec_timestamp {
    struct wf_sw_record head;
    struct wf_sw_query_pool *pool;
    uint32_t query;
};

struct wf_sw_rec_resolve_queries {
    struct wf_sw_record head;
    struct wf_sw_query_pool *pool;
    uint32_t first, count;
    struct wf_sw_buffer *buf;
    uint64_t offset;
};

struct wf_sw_rec_begin_render {
    struct wf_sw_record head;
    struct wf_hal_render_pass pass; ///< Its label is below.
    char label[WF_SW_LABEL_BYTES];
};

struct wf_sw_rec_pipeline {
    struct wf_sw_record head;
    const struct wf_sw_pipeline *pipeline;
};

struct wf_sw_rec_depth_stencil {
    struct wf_sw_record head;
    weft_depth_stencil_state state;
};

struct wf_sw_rec_blend {
    struct wf_sw_record head;
    weft_blend_state state;
};

struct wf_sw_rec_raster {
    struct wf_sw_record head;
    weft_raster_state state;
};

struct wf_sw_rec_viewport {
    struct wf_sw_record head;
    weft_viewport viewport;
};

struct wf_sw_rec_scissor {
    struct wf_sw_record head;
    weft_rect rect;
};

/// A stencil reference, or the query of an occlusion or statistics record.
struct wf_sw_rec_number {
    struct wf_sw_record head;
    struct wf_sw_query_pool *pool; ///< Statistics.
    uint32_t number;
};

struct wf_sw_rec_blend_constant {
    struct wf_sw_record head;
    float color[4];
};

struct wf_sw_rec_table {
    struct wf_sw_record head;
    const struct wf_sw_argument_table *table;
    uint32_t slot, offset_count;
    uint32_t offsets[]; ///< By dynamic element.
};

struct wf_sw_rec_root {
    struct wf_sw_record head;
    weft_shader_stages stages;
    uint32_t offset, size;
    uint8_t data[];
};

struct wf_sw_rec_buffer {
    struct wf_sw_record head;
    const struct wf_sw_buffer *buf;
    uint64_t offset;
    uint32_t slot;        ///< Vertex buffers.
    weft_index_type type; ///< Index buffers.
};

struct wf_sw_rec_draw {
    struct wf_sw_record head;
    uint32_t count, instance_count, first;
    int32_t vertex_offset;
    uint32_t first_instance;
};

struct wf_sw_rec_indirect {
    struct wf_sw_record head;
    struct wf_hal_indirect draws;
};

struct wf_sw_rec_begin_compute {
    struct wf_sw_record head;
    struct wf_sw_query_pool *times; ///< NULL: no timestamps.
    uint32_t time_begin, time_end;
};

struct wf_sw_rec_dispatch {
    struct wf_sw_record head;
    uint32_t groups[3];
};

struct wf_sw_rec_copy_buffer {
    struct wf_sw_record head;
    const struct wf_sw_buffer *src;
    const struct wf_sw_buffer *dst;
    uint64_t src_offset, dst_offset, size;
};

struct wf_sw_rec_copy_texels {
    struct wf_sw_record head;
    const struct wf_sw_buffer *buf;
    struct wf_sw_texture *tex;
    struct wf_hal_texel_layout layout;
    weft_texture_region region;
};

struct wf_sw_rec_copy_texture {
    struct wf_sw_record head;
    struct wf_sw_texture *src, *dst;
    weft_texture_region src_region, dst_region;
};

struct wf_sw_rec_fill {
    struct wf_sw_record head;
    const struct wf_sw_buffer *buf;
    uint64_t offset, size;
    uint32_t value;
};

struct wf_sw_rec_generate_mips {
    struct wf_sw_record head;
    struct wf_sw_texture *tex;
};

struct wf_sw_rec_write_heap {
    struct wf_sw_record head;
    weft_heap_kind kind;
    uint32_t index;
    struct wf_hal_texture_view *view;
    struct wf_hal_sampler *sampler;
};

struct wf_sw_chunk {
    struct wf_sw_chunk *next;
    uint32_t used;
    _Alignas(8) uint8_t data[WF_SW_CHUNK_BYTES];
};

struct wf_sw_command {
    struct wf_hal_command base;
    struct wf_sw_command_pool *pool;
    struct wf_sw_command *next;        ///< In its submission, or in the pool.
    struct wf_sw_chunk *first, *chunk; ///< NULL: nothing is recorded yet.
    bool failed;                       ///< Out of memory: sticks until the end of recording.
};

/// Gives an executed or unwanted command buffer back to its pool. Any thread.
void wf_sw_command_give(struct wf_sw_command *cmd);

#endif
