/// \file cli.h
/// What the subcommands share: options, usage errors, devices.
#pragma once

#include "failure.h"

#include <popt.h>
#include <weft/weft.h>

/// The subcommands: `argv[0]` is the subcommand's name. They return the exit code.
int cmd_render(int argc, const char **argv);
int cmd_view(int argc, const char **argv);
int cmd_info(int argc, const char **argv);
int cmd_conform(int argc, const char **argv);
int cmd_explain(int argc, const char **argv);
int cmd_shader(int argc, const char **argv);

/// A parsed command line.
struct cli {
    poptContext context;
    const char *command;
    char name[32]; ///< With "weft" before it.
    bool done;     ///< --help was asked for and printed.
};

/// Parses `argv` by `options`. `usage` follows "weft COMMAND" in the help; `about` is a sentence.
/// Returns EXIT_FINE, also when `done`, or EXIT_USAGE after a line on stderr.
int cli_parse(struct cli *cli, int argc, const char **argv, const struct poptOption *options,
              const char *usage, const char *about);
/// The next argument that is no option; NULL at the end.
const char *cli_argument(struct cli *cli);
/// A line on stderr, with a hint at --help. Returns EXIT_USAGE.
int cli_usage_error(const struct cli *cli, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void cli_finish(struct cli *cli);

/// The set for a backend's name; NULL: 0, which is all. False: unknown or not built; says which
/// are.
bool cli_backend(const char *name, weft_backend_set *out, struct failure *why);

/// Takes a device's diagnostics: keeps the first error for the message, counts the others.
struct complaints {
    unsigned errors, warnings;
    struct failure first; ///< The first error: code, sentence and remedy.
    bool print;           ///< Print each one when it comes.
};

/// Starts a device and waits until it is ready.
bool cli_start_device(const weft_device_desc *desc, struct complaints *complaints,
                      weft_device **out, struct failure *why);
