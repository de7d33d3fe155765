/// \file conform_page.h
/// What a run of the conformance suite came to, and a page that shows it.
#pragma once

#include "failure.h"

#include <suite.h>

struct conform_matrix {
    struct conform_case *cases;
    size_t case_count;
    weft_backend backends[WEFT_BACKEND_COUNT];
    size_t backend_count;
    struct conform_report *reports; ///< By case, then backend.
};

struct conform_report *conform_matrix_at(const struct conform_matrix *matrix, size_t item,
                                         size_t backend);
void conform_matrix_finish(struct conform_matrix *matrix);

/// Makes `folder` if need be, and finds out before the long work whether it can be written to.
bool conform_page_probe(const char *folder, struct failure *why);
/// Writes index.html and its pictures into `folder`, which is there.
bool conform_page_write(const struct conform_matrix *matrix, const char *folder,
                        struct failure *why);
