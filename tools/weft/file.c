#include "file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define FILE_MAX_SIZE UINT32_MAX

static bool read_stream(FILE *file, struct bytes *out, struct failure *why)
{
    struct stat info;
    if (fstat(fileno(file), &info) != 0)
        return failure_set(why, "%s", strerror(errno));
    if (!S_ISREG(info.st_mode))
        return failure_set(why, "not a regular file");
    if ((uint64_t)info.st_size > FILE_MAX_SIZE)
        return failure_set(why, "the file is larger than 4 GiB");
    const size_t size = (size_t)info.st_size;
    out->data = malloc(size + 1);
    if (!out->data)
        return failure_set(why, "out of memory for %zu bytes", size);
    out->size = fread(out->data, 1, size, file);
    out->data[out->size] = 0;
    if (out->size == size)
        return true;
    bytes_finish(out);
    return failure_set(why, "cannot read it: %s", ferror(file) ? strerror(errno) : "it shrank");
}

bool file_read(const char *path, struct bytes *out, struct failure *why)
{
    *out = (struct bytes){0};
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); // a pipe must not block
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
    if (!file)
        return failure_set(why, "%s", strerror(errno));
    const bool fine = read_stream(file, out, why);
    (void)fclose(file);
    return fine;
}

void bytes_finish(struct bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct bytes){0};
}

char *file_beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    const int folder = slash && name[0] != '/' ? (int)(slash - path + 1) : 0;
    const size_t size = (size_t)folder + strlen(name) + 1;
    char *joined = malloc(size);
    if (joined)
        (void)snprintf(joined, size, "%.*s%s", folder, path, name);
    return joined;
}

bool uri_is_data(const char *uri)
{
    return strncasecmp(uri, "data:", 5) == 0;
}

/// 0–63, or -1 for a character that is none of base 64.
static int base64_value(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool uri_decode_data(const char *uri, struct bytes *out, struct failure *why)
{
    *out = (struct bytes){0};
    const char *comma = strchr(uri, ',');
    if (!comma || comma - uri < 7 || strncasecmp(comma - 7, ";base64", 7) != 0)
        return failure_set(why, "a data URI without \";base64,\"");
    const char *text = comma + 1;
    out->data = malloc(strlen(text) / 4 * 3 + 4);
    if (!out->data)
        return failure_set(why, "out of memory for a data URI");
    uint32_t bits = 0, count = 0;
    for (; *text && *text != '='; text++) {
        const int value = base64_value(*text);
        if (value < 0) {
            bytes_finish(out);
            return failure_set(why, "a data URI with a character that is not of base 64");
        }
        bits = bits << 6 | (uint32_t)value;
        if (++count % 4 != 1)
            out->data[out->size++] = (uint8_t)(bits >> (6 - 2 * ((count - 1) % 4)));
    }
    return true;
}

static int hex_value(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

char *uri_to_name(const char *uri)
{
    char *name = malloc(strlen(uri) + 1);
    if (!name)
        return NULL;
    size_t length = 0;
    for (const char *c = uri; *c; c++) {
        if (c[0] == '%' && isxdigit((unsigned char)c[1]) && isxdigit((unsigned char)c[2])) {
            name[length++] = (char)(hex_value(c[1]) * 16 + hex_value(c[2]));
            c += 2;
        } else {
            name[length++] = *c;
        }
    }
    name[length] = 0;
    if (strlen(name) == length)
        return name;
    free(name);
    return NULL;
}
