#include "cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { OPTION_HELP = 1000 };

static int usage_error(const char *command, const char *text)
{
    say_error("%s: %s; see \"weft %s --help\"", command, text, command);
    return EXIT_USAGE;
}

int cli_usage_error(const struct cli *cli, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return usage_error(cli->command, text);
}

int cli_parse(struct cli *cli, int argc, const char **argv, const struct poptOption *options,
              const char *usage, const char *about)
{
    const struct poptOption all[] = {
        {NULL, 0, POPT_ARG_INCLUDE_TABLE, (void *)options, 0, "Options:", NULL},
        {"help", 'h', POPT_ARG_NONE, NULL, OPTION_HELP, "Show this help", NULL},
        POPT_TABLEEND,
    };
    char tail[640];
    (void)snprintf(tail, sizeof tail, "%s\n\n%s\n", usage, about);
    *cli = (struct cli){.command = argv[0]};
    (void)snprintf(cli->name, sizeof cli->name, "weft %s", argv[0]);
    argv[0] = cli->name; // what popt's help begins with
    cli->context = poptGetContext(cli->name, argc, argv, all, 0);
    poptSetOtherOptionHelp(cli->context, tail);
    const int got = poptGetNextOpt(cli->context);
    if (got == OPTION_HELP) {
        poptPrintHelp(cli->context, stdout, 0);
        cli->done = true;
        return EXIT_FINE;
    }
    if (got < -1)
        return cli_usage_error(cli, "%s: %s", poptBadOption(cli->context, POPT_BADOPTION_NOALIAS),
                               poptStrerror(got));
    return EXIT_FINE;
}

const char *cli_argument(struct cli *cli)
{
    return poptGetArg(cli->context);
}

void cli_finish(struct cli *cli)
{
    poptFreeContext(cli->context);
}

/// "software, noop": the backends of this build.
static void list_backends(char *out, size_t size)
{
    out[0] = 0;
    for (int i = 0; i < WEFT_BACKEND_COUNT; i++)
        if (weft_backend_is_built((weft_backend)i)) {
            const size_t used = strlen(out);
            (void)snprintf(out + used, size - used, "%s%s", used ? ", " : "",
                           weft_backend_name((weft_backend)i));
        }
}

bool cli_backend(const char *name, weft_backend_set *out, struct failure *why)
{
    *out = 0;
    if (!name)
        return true;
    char built[128];
    list_backends(built, sizeof built);
    const weft_backend backend = weft_backend_from_name(name);
    if (backend == WEFT_BACKEND_COUNT)
        return failure_set(why, "unknown backend \"%s\"; this build has %s", name, built);
    if (!weft_backend_is_built(backend))
        return failure_set(why, "the backend \"%s\" is not in this build, which has %s", name,
                           built);
    *out = 1u << backend;
    return true;
}

// ---- devices ------------------------------------------------------------------------------------

static void on_diagnostic(void *user, const weft_diagnostic *diagnostic)
{
    struct complaints *complaints = user;
    struct failure line;
    char code[16] = "";
    if (diagnostic->code)
        (void)snprintf(code, sizeof code, "W%04u: ", diagnostic->code);
    failure_set(&line, "%s%s%s%s", code, diagnostic->message, diagnostic->hint[0] ? " " : "",
                diagnostic->hint);
    if (diagnostic->severity == WEFT_SEVERITY_ERROR) {
        if (complaints->errors++ == 0)
            complaints->first = line;
    } else if (diagnostic->severity == WEFT_SEVERITY_WARNING) {
        complaints->warnings++;
        if (complaints->print)
            say_warning("%s", line.text);
    }
}

static void on_log(void *user, weft_severity severity, const char *message)
{
    (void)user;
    if (severity == WEFT_SEVERITY_ERROR)
        say_error("%s", message);
}

/// Why no device came up: the reasons of all backends tried.
static void explain_start(weft_device *device, struct failure *why)
{
    const weft_startup startup = weft_device_startup(device);
    char text[sizeof why->text] = "";
    for (uint32_t i = 0; i < startup.record_count; i++) {
        const size_t used = strlen(text);
        (void)snprintf(text + used, sizeof text - used, "%s%s: %s", used ? "; " : "",
                       weft_backend_name(startup.records[i].backend), startup.records[i].reason);
    }
    failure_set(why, "no device could be started (%s)", text[0] ? text : "no backend was tried");
}

bool cli_start_device(const weft_device_desc *desc, struct complaints *complaints,
                      weft_device **out, struct failure *why)
{
    const weft_host_hooks hooks = {.diagnostic = on_diagnostic, .log = on_log, .user = complaints};
    weft_device_desc full = *desc;
    full.hooks = &hooks;
    const weft_result result = weft_device_start(&full, out);
    if (!*out)
        return failure_set(why, "no device could be started: %s", weft_result_name(result));
    if (weft_device_wait(*out, UINT64_MAX) == WEFT_OK)
        return true;
    explain_start(*out, why);
    weft_device_destroy(*out);
    *out = NULL;
    return false;
}
