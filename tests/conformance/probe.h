/// \file probe.h
/// Asking a texture on the GPU: a compute shader answers a list of probes, each with four numbers.
#pragma once

#include "conform.h"

/// As in shaders/probe.glsl. GATHER + n gathers component n.
enum conform_probe_op {
    CONFORM_PROBE_LOD = 0,
    CONFORM_PROBE_GRADIENT,
    CONFORM_PROBE_FETCH,
    CONFORM_PROBE_SIZE,
    CONFORM_PROBE_OFFSET, ///< By (2, -3).
    CONFORM_PROBE_GATHER,
    CONFORM_PROBE_GATHER_OFFSET = CONFORM_PROBE_GATHER + 4,
    CONFORM_PROBE_GATHER_OFFSETS, ///< By (-2, -1), (1, -1), (0, 2), (3, 1).
};

struct conform_probe {
    float at[4];   ///< Coordinates, and the level of detail.
    float more[4]; ///< Gradients, a reference, an offset, a sample.
};

/// What is asked.
struct conform_probed {
    weft_compute_pipeline pipeline; ///< Of a shader that includes probe.glsl.
    weft_texture_view view;
    weft_sampler sampler; ///< None for shaders without one.
    enum conform_probe_op op;
    weft_texture_view others[2]; ///< More textures, of bindings 4 and 5.
};

#define CONFORM_PROBES_MAX 1024u
/// Asks; false on noop, where there is no answer. `results`: 16 bytes for each.
bool conform_probe(struct conform *c, const struct conform_probed *what,
                   const struct conform_probe *probes, uint32_t count, void *results);
/// Answers are within `tolerance` of what is expected.
void conform_expect_answers(struct conform *c, const float (*got)[4],
                            const struct conform_texel *want, uint32_t count, double tolerance);
/// Asks once for each probe, and compares.
void conform_expect_probes(struct conform *c, const struct conform_probed *what,
                           const struct conform_probe *probes, const struct conform_texel *want,
                           uint32_t count, double tolerance);
