// weft shader: what is in a SPIR-V file, and which devices would refuse it.
#include "cli.h"
#include "file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The module's text, on stdout.
static bool describe(const struct bytes *file, struct failure *why)
{
    char *text = NULL;
    const weft_result result = weft_shader_describe(file->data, file->size, &text);
    if (result == WEFT_OK)
        (void)fputs(text, stdout);
    else
        failure_set(why, "%s", text && text[0] ? text : weft_result_name(result));
    weft_text_free(text);
    return result == WEFT_OK;
}

/// Makes the shader on a device of `backend` and prints what came of it.
static bool try_device(weft_backend backend, bool named, const struct bytes *file, const char *path)
{
    struct complaints complaints = {0};
    struct failure why;
    weft_device *device;
    weft_shader shader;
    printf("%s: ", weft_backend_name(backend));
    if (!cli_start_device(&(weft_device_desc){.backends = 1u << backend}, &complaints, &device,
                          &why)) {
        printf("%s\n", why.text);
        return !named; // a backend that does not open on this machine refuses nothing
    }
    const weft_shader_desc desc = {.code = file->data, .size = file->size, .label = path};
    const weft_result result = weft_shader_create(device, &desc, &shader);
    if (result == WEFT_OK)
        printf("accepted\n");
    else
        printf("refused: %s\n",
               complaints.errors ? complaints.first.text : weft_result_name(result));
    weft_shader_destroy(device, shader);
    weft_device_destroy(device);
    return result == WEFT_OK;
}

static int shader(const char *path, const char *backend)
{
    struct failure why;
    struct bytes file;
    weft_backend_set wanted;
    if (!cli_backend(backend, &wanted, &why))
        return say_error("%s", why.text);
    if (!file_read(path, &file, &why) || !describe(&file, &why)) {
        bytes_finish(&file);
        return say_error("%s: %s", path, why.text);
    }
    printf("\n");
    unsigned refused = 0;
    for (int i = 0; i < WEFT_BACKEND_COUNT; i++)
        if (weft_backend_is_built((weft_backend)i) && (!wanted || wanted >> i & 1))
            refused += !try_device((weft_backend)i, wanted != 0, &file, path);
    bytes_finish(&file);
    return refused ? say_error("%s: %u device%s would refuse it", path, refused,
                               refused == 1 ? "" : "s")
                   : EXIT_FINE;
}

int cmd_shader(int argc, const char **argv)
{
    char *backend = NULL;
    const struct poptOption options[] = {
        {"backend", 'b', POPT_ARG_STRING, &backend, 0, "Try it on this backend only", "NAME"},
        POPT_TABLEEND,
    };
    struct cli cli;
    int code = cli_parse(
        &cli, argc, argv, options, "FILE.spv",
        "Prints the interface and the instructions of a SPIR-V module, and which devices of this\n"
        "build would refuse it. Exits with 1 if one would.");
    if (code == EXIT_FINE && !cli.done) {
        const char *path = cli_argument(&cli), *extra = cli_argument(&cli);
        if (extra)
            code = cli_usage_error(&cli, "unexpected argument \"%s\"", extra);
        else
            code = path ? shader(path, backend) : cli_usage_error(&cli, "FILE.spv is missing");
    }
    cli_finish(&cli);
    free(backend);
    return code;
}
