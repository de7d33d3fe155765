#include "core/core.h"

#include "backends/noop/noop.h"
#include "support/fixture.h"

#include "core_exchange.comp.spv.h"

#include <sys/stat.h>
#include <unistd.h>

#define HEADER 56u // bytes before the driver's

/// The name of a file that is not there yet.
static void new_name(char out[64])
{
    static int count;
    (void)snprintf(out, 64, "core_cache_%ld_%d", (long)getpid(), count++);
    (void)remove(out);
}

static size_t read_file(const char *name, uint8_t *bytes, size_t room)
{
    FILE *file = fopen(name, "rb");
    EXPECT(file != NULL);
    const size_t size = fread(bytes, 1, room, file);
    EXPECT(fclose(file) == 0);
    return size;
}

static void write_file(const char *name, const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(name, "wb");
    EXPECT(file != NULL);
    EXPECT_EQ(fwrite(bytes, 1, size, file), size);
    EXPECT(fclose(file) == 0);
}

/// Makes a noop device with that cache, `pipelines` on it, and ends it. Returns how many pipelines
/// the cache held at the start.
static uint64_t run(const char *name, int pipelines)
{
    const weft_device_desc desc = {.backends = 1u << WEFT_BACKEND_NOOP, .pipeline_cache = name};
    struct fixture f = fixture_start(&desc);
    const uint64_t loaded = atomic_load(&((struct wf_noop_device *)f.dev->hal)->pipelines);
    weft_shader shader;
    EXPECT_EQ(weft_shader_create(f.dev,
                                 &(weft_shader_desc){.code = core_exchange_comp,
                                                     .size = sizeof core_exchange_comp},
                                 &shader),
              WEFT_OK);
    for (int i = 0; i < pipelines; i++) {
        weft_compute_pipeline pipeline;
        EXPECT_EQ(weft_compute_pipeline_create(
                      f.dev, &(weft_compute_pipeline_desc){.compute.shader = shader}, &pipeline),
                  WEFT_OK);
        weft_compute_pipeline_destroy(f.dev, pipeline);
    }
    weft_shader_destroy(f.dev, shader);
    fixture_close(&f);
    return loaded;
}

TEST(core_cache, is_kept_from_one_device_to_the_next)
{
    char name[64];
    new_name(name);
    EXPECT_EQ(run(name, 3), 0);
    EXPECT_EQ(run(name, 2), 3);
    EXPECT_EQ(run(name, 0), 5);
    (void)remove(name);
}

TEST(core_cache, a_file_that_is_not_exactly_as_it_was_written_is_not_used_and_is_replaced)
{
    char name[64];
    uint8_t whole[128], bytes[128];
    new_name(name);
    run(name, 3);
    const size_t size = read_file(name, whole, sizeof whole);
    EXPECT_EQ(size, HEADER + 8);
    for (size_t i = 0; i < size; i++) {
        memcpy(bytes, whole, size);
        bytes[i] ^= 0x10;
        write_file(name, bytes, size);
        EXPECT_EQ(run(name, 1), 0); // a byte is another
        EXPECT_EQ(run(name, 0), 1);
        write_file(name, whole, i);
        EXPECT_EQ(run(name, 1), 0); // the end is missing
        EXPECT_EQ(run(name, 0), 1);
    }
    memcpy(bytes, whole, size);
    bytes[size] = 0;
    write_file(name, bytes, size + 1);
    EXPECT_EQ(run(name, 1), 0); // there is more
    (void)remove(name);
}

TEST(core_cache, what_has_not_changed_is_not_written)
{
    char name[64];
    struct stat before, after;
    new_name(name);
    run(name, 3);
    EXPECT_EQ(stat(name, &before), 0);
    run(name, 0);
    EXPECT_EQ(stat(name, &after), 0);
    EXPECT(before.st_ino == after.st_ino);
    run(name, 1);
    EXPECT_EQ(stat(name, &after), 0);
    EXPECT(before.st_ino != after.st_ino); // another file took its place
    (void)remove(name);
}

static void count_log(void *user, weft_severity severity, const char *message)
{
    if (severity == WEFT_SEVERITY_WARNING && strstr(message, "no_such_folder/cache"))
        ++*(int *)user;
}

TEST(core_cache, a_place_that_cannot_be_written_is_told_once_and_no_error)
{
    int warnings = 0;
    const weft_host_hooks hooks = {.log = count_log, .user = &warnings};
    const weft_device_desc desc = {.backends = 1u << WEFT_BACKEND_NOOP,
                                   .hooks = &hooks,
                                   .pipeline_cache = "no_such_folder/cache"};
    weft_device *device;
    EXPECT_EQ(weft_device_start(&desc, &device), WEFT_OK);
    EXPECT_EQ(weft_device_wait(device, 0), WEFT_OK);
    weft_device_destroy(device);
    EXPECT_EQ(warnings, 1);
    EXPECT_EQ(run("/", 1), 0); // a folder is no file
    EXPECT_EQ(run("", 1), 0);  // none
}
