#include "output.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// Name of the temporary that is being written. Read by the signal handler, so it is published only
/// when complete.
static char temporary[4096];
static volatile sig_atomic_t temporary_exists;

static void on_signal(int number)
{
    if (temporary_exists)
        unlink(temporary);
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

void output_remove_on_signals(void)
{
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction old;
        sigaction(numbers[i], NULL, &old);
        if (old.sa_handler != SIG_IGN)
            (void)signal(numbers[i], on_signal);
    }
}

/// An output that is about to be written. `direct`: into the thing itself, as it is no regular
/// file.
struct output {
    const char *path;
    FILE *file;
    bool direct;
};

static bool set_name(const char *path, struct failure *why)
{
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash - path + 1) : 0;
    const int length =
        snprintf(temporary, sizeof temporary, "%.*s.%s.XXXXXX", folder, path, path + folder);
    if (length < 0 || (size_t)length >= sizeof temporary)
        return failure_set(why, "%s: the name is too long", path);
    return true;
}

static bool open_temporary(struct output *out, struct failure *why)
{
    if (!set_name(out->path, why))
        return false;
    const int fd = mkstemp(temporary);
    if (fd < 0)
        return failure_set(why, "%s: cannot write it: %s", out->path, strerror(errno));
    temporary_exists = 1;
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(fd, 0666 & ~mask);
    out->file = fdopen(fd, "wb");
    if (out->file)
        return true;
    close(fd);
    unlink(temporary);
    temporary_exists = 0;
    return failure_set(why, "%s: out of memory", out->path);
}

static bool output_open(struct output *out, const char *path, struct failure *why)
{
    *out = (struct output){.path = path};
    struct stat info;
    if (stat(path, &info) != 0 || S_ISREG(info.st_mode))
        return open_temporary(out, why);
    if (S_ISDIR(info.st_mode))
        return failure_set(why, "%s: it is a folder; name a file in it", path);
    out->direct = true;
    out->file = fopen(path, "wb");
    if (!out->file)
        return failure_set(why, "%s: cannot write it: %s", path, strerror(errno));
    return true;
}

/// Puts the temporary in its place if all went well, otherwise removes it.
static bool output_close(struct output *out, bool written, struct failure *why)
{
    const bool flushed = written && fflush(out->file) == 0 && !ferror(out->file);
    int error = flushed ? 0 : errno;
    if (fclose(out->file) != 0 && error == 0)
        error = errno ? errno : EIO;
    if (!flushed && error == 0)
        error = EIO;
    if (!out->direct) {
        if (error == 0 && rename(temporary, out->path) != 0)
            error = errno;
        if (error != 0)
            unlink(temporary);
        temporary_exists = 0;
    }
    return error == 0 || failure_set(why, "%s: cannot write it: %s", out->path, strerror(error));
}

bool output_probe(const char *path, struct failure *why)
{
    struct output out;
    if (!output_open(&out, path, why))
        return false;
    (void)fclose(out.file);
    if (!out.direct) {
        unlink(temporary);
        temporary_exists = 0;
    }
    return true;
}

bool output_write_image(const char *path, const struct image *image, struct failure *why)
{
    struct output out;
    if (!output_open(&out, path, why))
        return false;
    errno = 0;
    return output_close(&out, image_write(out.file, image_format_of(path), image), why);
}

bool output_write_text(const char *path, const char *text, struct failure *why)
{
    struct output out;
    if (!output_open(&out, path, why))
        return false;
    errno = 0;
    return output_close(&out, fputs(text, out.file) >= 0, why);
}

char *output_frame_name(const char *path, unsigned index)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    const int stem = dot ? (int)(dot - path) : (int)strlen(path);
    const size_t size = strlen(path) + 16;
    char *name = malloc(size);
    if (name)
        (void)snprintf(name, size, "%.*s_%04u%s", stem, path, index + 1, dot ? dot : "");
    return name;
}
