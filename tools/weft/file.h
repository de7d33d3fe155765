/// \file file.h
/// Reading whole files, and the names in them.
#pragma once

#include "failure.h"

#include <stddef.h>
#include <stdint.h>

struct bytes {
    uint8_t *data; ///< malloc()ed.
    size_t size;
};

/// Reads a regular file of at most 4 GiB. The data is followed by a zero byte that `size` does not
/// count.
bool file_read(const char *path, struct bytes *out, struct failure *why);
void bytes_finish(struct bytes *bytes);

/// `name` seen from the folder that `path` is in; absolute names stay. malloc()ed.
char *file_beside(const char *path, const char *name);

bool uri_is_data(const char *uri);
/// Decodes "data:...;base64,...".
bool uri_decode_data(const char *uri, struct bytes *out, struct failure *why);
/// The file name that a relative URI stands for: %20 and the like are decoded. malloc()ed; NULL if
/// it is broken.
char *uri_to_name(const char *uri);
