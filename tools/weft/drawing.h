/// \file drawing.h
/// The options of the commands that draw a model.
#pragma once

#include "cli.h"
#include "renderer.h"

/// As popt fills them; free with drawing_finish().
struct drawing_arguments {
    char *backend, *size, *camera, *background;
    int samples, threads;
};

#define DRAWING_OPTIONS 7

/// The options' table, which points into `in`.
void drawing_options(struct drawing_arguments *in, struct poptOption out[DRAWING_OPTIONS]);
/// What is wrong with them is a usage error: EXIT_USAGE; the backend is looked at later.
int drawing_understand(const struct cli *cli, const struct drawing_arguments *in,
                       struct render_options *out);
void drawing_finish(struct drawing_arguments *in);
