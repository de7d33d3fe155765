/// \file output.h
/// Writing a file whole or not at all: into a temporary beside it that takes its place at the end.
#pragma once

#include "failure.h"
#include "image.h"

/// Whether a file of that name can be made now: the folder is there and takes new files.
bool output_probe(const char *path, struct failure *why);
bool output_write_image(const char *path, const struct image *image, struct failure *why);
bool output_write_text(const char *path, const char *text, struct failure *why);
/// From here on a temporary that is being written is removed when the process is interrupted.
void output_remove_on_signals(void);
/// `path` with _0001 and so on before its extension: the name of frame `index`, from 0. malloc()ed.
char *output_frame_name(const char *path, unsigned index);
