/// Carries out recorded commands, one after another, on the executor thread; draws and dispatches
/// with the help of the thread pool. What goes wrong here (a shader over its budget, the host's
/// memory exhausted) loses the device with a reason that names the pass or pipeline.
#ifndef WF_SOFTWARE_EXECUTE_H
#define WF_SOFTWARE_EXECUTE_H

#include "backends/software/command.h"
#include "backends/software/exec/trace.h"
#include "base/arena.h"

struct wf_sw_stream {
    const uint8_t *data; ///< NULL: not set.
    uint64_t size;
};

struct wf_sw_executor {
    struct wf_sw_device *dev;
    struct wf_sw_raster *raster;
    struct wf_sw_context *contexts[WF_BASE_TASKS_MAX]; ///< By worker; made when first needed.
    uint64_t work; ///< Vertices and groups of the command so far.
    const struct wf_sw_command *command;
    struct wf_sw_trace trace; ///< Where core wants to know.

    // The encoder that is open: all is unset when it begins.
    bool rendering;
    const struct wf_sw_pipeline *pipeline;
    struct wf_sw_resources resources[2]; ///< Vertex (or compute), fragment.
    _Alignas(8) uint8_t root[2][WF_SW_ROOT_BYTES];
    struct wf_base_arena scratch; ///< Tables with dynamic offsets applied, until the encoder ends.
    struct wf_sw_query_pool *times;
    uint32_t time_end;

    // Of render passes.
    struct wf_sw_draw draw; ///< The state set so far; the rest is filled for each draw.
    weft_aspect_set read_only;
    struct wf_sw_stream streams[WF_SW_VERTEX_STREAMS], indices;
    weft_index_type index_type;
    struct wf_sw_query_pool *occlusion;
    struct wf_sw_raster_attribute attributes[WF_SW_RASTER_ATTRIBUTES];
    bool attributes_stale;
    uint32_t pass;     ///< Counts passes; 0 is none.
    const char *label; ///< Of the pass.
};

/// NULL when out of memory.
struct wf_sw_executor *wf_sw_executor_create(struct wf_sw_device *dev);
void wf_sw_executor_destroy(struct wf_sw_executor *executor);

/// Carries out a command buffer.
void wf_sw_execute(struct wf_sw_executor *executor, const struct wf_sw_command *cmd);

// ---- between execute.c and execute_render.c ----------------------------------------------------

void wf_sw_execute_begin_encoder(struct wf_sw_executor *ex, struct wf_sw_query_pool *times,
                                 uint32_t time_begin, uint32_t time_end);
void wf_sw_execute_end_encoder(struct wf_sw_executor *ex);

/// Tells core what shaders of a dispatch or a pass reached through pointers and the heap.
void wf_sw_execute_tell(struct wf_sw_executor *ex);

/// Loses the device because of a failure in `kind` ("render pass", "compute pipeline") `label`.
void wf_sw_execute_fail(struct wf_sw_executor *ex, weft_result result, const char *kind,
                        const char *label);
/// Whether the command still ends within days with `count` more vertices or groups of the current
/// pipeline. If not, indirect arguments are garbage, most likely: the device is lost, as with a
/// shader that does not end.
bool wf_sw_execute_ends(struct wf_sw_executor *ex, uint64_t count);

/// Carries out a record that only a render pass has. False: it is no such record.
bool wf_sw_execute_render(struct wf_sw_executor *ex, const struct wf_sw_record *rec);

#endif
