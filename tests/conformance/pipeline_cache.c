// What a driver made of pipelines is kept in a file; a file that is damaged does no harm.
#include "cases.h"
#include "draw.h"

#include "count_up.comp.spv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void ignore(void *user, const weft_diagnostic *diagnostic)
{
    (void)user, (void)diagnostic; // leaks: the device takes everything along
}

/// Dispatches the shader once and reads back what it counted. False if anything fails.
static bool count(weft_device *device, uint32_t got[2])
{
    weft_shader shader;
    weft_compute_pipeline pipeline;
    weft_argument_table table;
    weft_buffer words;
    weft_command_buffer *cmd;
    const uint32_t zero = 0;
    const weft_shader_desc code = {.code = count_up_comp, .size = sizeof count_up_comp};
    const weft_buffer_desc memory = {.size = 2 * sizeof *got,
                                     .usage =
                                         WEFT_BUFFER_USAGE_STORAGE | WEFT_BUFFER_USAGE_COPY_SRC,
                                     .data = got};
    if (weft_shader_create(device, &code, &shader) != WEFT_OK ||
        weft_buffer_create(device, &memory, &words) != WEFT_OK ||
        weft_compute_pipeline_create(
            device, &(weft_compute_pipeline_desc){.compute.shader = shader}, &pipeline) != WEFT_OK)
        return false;
    const weft_argument_table_desc arguments = {
        .layout = weft_compute_pipeline_layout(device, pipeline, 0),
        .writes = &(weft_argument_write){.buffer = words},
        .write_count = 1};
    if (weft_argument_table_create(device, &arguments, &table) != WEFT_OK ||
        weft_command_begin(device, NULL, &cmd) != WEFT_OK)
        return false;
    weft_compute_encoder *enc = weft_command_begin_compute(cmd, NULL);
    weft_compute_set_pipeline(enc, pipeline);
    weft_compute_set_arguments(enc, 0, table, NULL, 0);
    weft_compute_set_root(enc, 0, &zero, sizeof zero);
    weft_compute_dispatch(enc, 3, 1, 1);
    weft_compute_end(enc);
    weft_command_barrier(cmd, WEFT_STAGE_COMPUTE, WEFT_STAGE_ALL, 0);
    const weft_submit submit = {.commands = &cmd, .command_count = 1};
    return weft_command_end(cmd) == WEFT_OK &&
           weft_queue_submit(device, WEFT_QUEUE_GRAPHICS, &submit, NULL) == WEFT_OK &&
           weft_buffer_read(device, words, 0, got, 2 * sizeof *got) == WEFT_OK;
}

/// Counts on another device, which keeps its pipelines in that file.
static void count_with_cache(struct conform *c, const char *path)
{
    const weft_host_hooks hooks = {.diagnostic = ignore};
    const weft_device_desc desc = {.backends = 1u << conform_capabilities(c)->backend,
                                   .hooks = &hooks,
                                   .pipeline_cache = path};
    weft_device *device = NULL;
    uint32_t got[2] = {0};
    weft_device_start(&desc, &device);
    const bool started = device && weft_device_wait(device, UINT64_MAX) == WEFT_OK;
    const bool counted = started && count(device, got);
    weft_device_destroy(device);
    CONFORM_EXPECT(c, started);
    CONFORM_EXPECT(c, counted);
    CONFORM_EXPECT(c, !conform_draws(c) || (got[0] == 3 && got[1] == 1));
}

static long size_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    long size = -1;
    if (file && fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (file)
        (void)fclose(file);
    return size;
}

/// Overwrites what is in the middle, where the driver's bytes are.
static void damage(const char *path)
{
    FILE *file = fopen(path, "r+b");
    if (!file)
        return;
    (void)fseek(file, size_of(path) / 2, SEEK_SET);
    (void)fputs("damaged", file);
    (void)fclose(file);
}

void case_pipeline_cache(struct conform *c)
{
    if (!(conform_capabilities(c)->features & WEFT_FEATURE_PIPELINE_CACHE))
        conform_refuse(c, "the device has no pipeline_cache");
    const char *folder = getenv("TMPDIR");
    char path[256];
    (void)snprintf(path, sizeof path, "%.200s/weft_cache_%ld", folder ? folder : "/tmp",
                   (long)getpid());
    (void)remove(path);
    count_with_cache(c, path); // makes the file
    const long size = size_of(path);
    count_with_cache(c, path); // reads it
    damage(path);
    count_with_cache(c, path); // makes it anew
    const long again = size_of(path);
    (void)remove(path);
    CONFORM_EXPECT(c, size > 56); // more than Weft's own header
    CONFORM_EXPECT(c, again > 56);
}
