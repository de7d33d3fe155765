/// What the recording benchmarks share: a scene whose draws are recorded through the public API,
/// and the count of the instructions of doing so, by callgrind.
#ifndef BENCH_RECORD_H
#define BENCH_RECORD_H

#include "common.h"

/// What is recorded for each draw besides the draw itself.
enum record_kind {
    RECORD_ROOT,     ///< A root block of 64 bytes.
    RECORD_TABLE,    ///< And an argument table, one of two by turns.
    RECORD_PIPELINE, ///< A root block, and a pipeline, one of two by turns.
    RECORD_KINDS,
};

const char *record_kind_name(enum record_kind kind);

enum { RECORD_SIDE = 64 }; ///< Texels of the target.

struct record_scene {
    weft_device *device;
    weft_graphics_pipeline plain[2], tinted;
    weft_argument_table tables[2];
    weft_texture_view view;
};

/// Ends the program, with a message, if there is no such device.
void record_open(struct record_scene *scene, weft_backend backend, weft_validation validation);
void record_close(struct record_scene *scene);

/// Records a pass with that many draws and returns the nanoseconds (CPU time) of the draws alone.
/// `submit`: it also runs.
uint64_t record_run(struct record_scene *scene, enum record_kind kind, int draws, bool submit);

#endif
