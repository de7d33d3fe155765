/// \file internal.h
/// The inside of a running case.
#pragma once

#include "suite.h"

#include <setjmp.h>

#define CONFORM_ERRORS        32u
#define CONFORM_SHADER_BUDGET (UINT64_C(1) << 20) ///< Instructions: more than any case has.

struct conform {
    weft_device *device;
    const weft_capabilities *capabilities;
    const struct conform_case *item;
    struct conform_report *report;
    jmp_buf end;
    weft_feature_set missing; ///< Of those the case needs.
    uint32_t error_count;     ///< Errors reported and not expected.
    uint32_t codes[CONFORM_ERRORS];
    char message[CONFORM_REASON]; ///< Of the first.
};

/// Keeps a picture of both; takes over the memory.
void conform_keep(struct conform *c, const struct conform_picture *picture);
