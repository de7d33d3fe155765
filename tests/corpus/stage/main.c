// Reads the script, line by line.
#include "stage.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    stage_command *run;
} commands[] = {
    {"buffer", stage_buffer},
    {"write", stage_write},
    {"texture", stage_texture},
    {"texels", stage_texels},
    {"view", stage_view},
    {"sampler", stage_sampler},
    {"shader", stage_shader},
    {"mips", stage_mips},
    {"read_texture", stage_read_texture},
    {"read_buffer", stage_read_buffer},
    {"stream", stage_stream},
    {"attribute", stage_attribute},
    {"target", stage_target},
    {"depth", stage_depth},
    {"stencil", stage_stencil},
    {"blend", stage_blend},
    {"no_color", stage_no_color},
    {"raster", stage_raster},
    {"graphics", stage_graphics},
    {"compute", stage_compute},
    {"bind", stage_bind},
    {"attach", stage_attach},
    {"attach_depth", stage_attach_depth},
    {"vertices", stage_vertices},
    {"indices", stage_indices},
    {"viewport", stage_viewport},
    {"draw", stage_draw},
    {"clear", stage_clear},
    {"dispatch", stage_dispatch},
};

void stage_fail(struct stage *s, const char *format, ...)
{
    if (s->failed)
        return;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(s->error, sizeof s->error, format, args);
    va_end(args);
    s->failed = true;
}

void stage_check(struct stage *s, weft_result result, const char *call)
{
    if (result != WEFT_OK)
        stage_fail(s, "%s: %s", call, weft_result_name(result));
}

void stage_answer(const void *bytes, size_t size)
{
    (void)printf("data %zu\n", size);
    (void)fwrite(bytes, 1, size, stdout);
}

static void on_diagnostic(void *user, const weft_diagnostic *d)
{
    if (d->severity >= WEFT_SEVERITY_ERROR)
        stage_fail(user, "W%04u: %s", d->code, d->message);
}

// begin THREADS
static void begin_scene(struct stage *s, struct stage_line *line)
{
    memset(s, 0, sizeof *s);
    const weft_host_hooks hooks = {.diagnostic = on_diagnostic, .user = s};
    const weft_software_options software = {.threads = stage_number(line)};
    const weft_device_desc desc = {
        .backends = 1u << WEFT_BACKEND_SOFTWARE,
        .validation = WEFT_VALIDATION_ERRORS,
        .hooks = &hooks,
        .software = &software,
    };
    stage_check(s, weft_device_start(&desc, &s->device), "weft_device_start");
    if (!s->failed)
        stage_check(s, weft_device_wait(s->device, UINT64_MAX), "weft_device_wait");
}

static void end_scene(struct stage *s)
{
    for (char *c = s->error; *c; c++)
        if (*c == '\n')
            *c = ' ';
    if (s->failed)
        (void)printf("error %s\n", s->error);
    else
        (void)printf("done\n");
    (void)fflush(stdout);
    weft_device_destroy(s->device);
    s->device = NULL;
}

static void execute(struct stage *s, struct stage_line *line)
{
    const char *name = stage_word(line);
    if (strcmp(name, "begin") == 0) {
        begin_scene(s, line);
        return;
    }
    if (strcmp(name, "end") == 0) {
        end_scene(s);
        return;
    }
    if (s->failed)
        return;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(commands[i].name, name) == 0) {
            commands[i].run(s, line);
            return;
        }
    stage_fail(s, "the script says '%s', which is no command", name);
}

/// Reads the bytes that a line announces by a last word +N. False at the end of the input.
static bool read_bytes(struct stage_line *line, void **bytes, size_t *capacity)
{
    char *plus = strrchr(line->rest, '+');
    line->size = plus ? strtoul(plus + 1, NULL, 10) : 0;
    if (plus)
        *plus = '\0';
    if (line->size > *capacity) {
        free(*bytes);
        *bytes = malloc(line->size);
        *capacity = *bytes ? line->size : 0;
    }
    line->bytes = *bytes;
    return line->size == 0 || (*bytes && fread(*bytes, 1, line->size, stdin) == line->size);
}

int main(void)
{
    static struct stage stage;
    static char text[4096];
    void *bytes = NULL;
    size_t capacity = 0;
    while (fgets(text, sizeof text, stdin)) {
        text[strcspn(text, "\n")] = '\0';
        struct stage_line line = {.rest = text};
        if (!read_bytes(&line, &bytes, &capacity))
            break;
        execute(&stage, &line);
    }
    free(bytes);
    weft_device_destroy(stage.device);
    return 0;
}
