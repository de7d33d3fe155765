/// \file codes.h
/// The pages of docs/codes, embedded when the tool is built.
#pragma once

#include <stdint.h>

struct code_page {
    uint32_t code;
    const char *text;
};

/// Ends with code 0.
extern const struct code_page code_pages[];
