/// Cases of SPIR-V assembly: see assemble.py.
#pragma once

#include "support/test.h"

struct spirv_row {
    uint32_t builtin, location;
    const uint32_t *values;
    size_t count;
};

struct spirv_case {
    const uint32_t *module;
    size_t bytes;
    const uint32_t *input, *output, *root, *expected, *matter;
    size_t input_bytes, output_bytes, root_bytes, expected_bytes;
    uint32_t size, subgroup, stage; ///< 0 compute, 1 vertex, 2 fragment
    uint64_t helpers, killed;
    uint32_t near;       ///< Units in the last place.
    const char *refused; ///< Part of the message, or "": it runs.
    uint32_t word;       ///< Of the instruction at fault, if it is refused.
    uint32_t constants[4][2], constant_count;
    struct spirv_row rows[4]; ///< Inputs, then outputs.
    uint32_t row_count, result_count;
};

void spirv_run(const struct spirv_case *c);
