/// \file suite.h
/// Running the cases of conform.h: for `weft conform` and for the tests.
#pragma once

#include "conform.h"

enum conform_result { CONFORM_PASS, CONFORM_FAIL, CONFORM_REFUSED };

/// What was drawn and what was expected: 8-bit RGBA, rows tight.
struct conform_picture {
    uint32_t width, height;
    uint8_t *got, *expected;
};

#define CONFORM_PICTURES 4u
#define CONFORM_REASON   512u

struct conform_report {
    enum conform_result result;
    char reason[CONFORM_REASON]; ///< "" for pass.
    uint64_t hash;               ///< Of everything that was read back, in order.
    struct conform_picture pictures[CONFORM_PICTURES]; ///< The last ones compared.
    uint32_t picture_count;
};

/// Runs one case on a device started from `desc`, whose hooks are replaced. Free the report with
/// conform_report_finish().
void conform_run(const struct conform_case *item, const weft_device_desc *desc,
                 struct conform_report *out);
void conform_report_finish(struct conform_report *report);
const char *conform_result_name(enum conform_result result);
