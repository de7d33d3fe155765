// The weft command: finds the subcommand and runs it.
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct command {
    const char *name, *about;
    int (*run)(int argc, const char **argv);
} commands[] = {
    {"render", "Draw a model into a picture", cmd_render},
    {"view", "Show a model in a window", cmd_view},
    {"info", "List devices and what they can do", cmd_info},
    {"shader", "Describe a SPIR-V file, and say which devices would refuse it", cmd_shader},
    {"conform", "Judge this machine's devices by the conformance suite", cmd_conform},
    {"explain", "Explain a diagnostic's code", cmd_explain},
};

static void print_help(void)
{
    printf("Usage: weft COMMAND [OPTION...]\n\n");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        printf("  %-10s%s\n", commands[i].name, commands[i].about);
    printf("\n  --help     Show this help; after a command, that command's\n"
           "  --version  Show the version\n");
}

static void print_version(void)
{
    const uint32_t version = weft_version();
    printf("weft %u.%u.%u\n", version >> 16, version >> 8 & 255, version & 255);
}

/// What was printed must have arrived.
static int flush(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    return say_error("cannot write to standard output");
}

int main(int argc, char **argv)
{
    // Mesa's layer that reorders devices complains on stderr where there is no desktop; Weft
    // chooses by itself.
    (void)setenv("NODEVICE_SELECT", "1", 0);
    const char *name = argc > 1 ? argv[1] : NULL;
    if (!name) {
        say_error("a command is missing; see \"weft --help\"");
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(name, commands[i].name) == 0)
            return flush(commands[i].run(argc - 1, (const char **)argv + 1));
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_help();
        return flush(EXIT_FINE);
    }
    if (strcmp(name, "--version") == 0) {
        print_version();
        return flush(EXIT_FINE);
    }
    say_error("unknown command \"%s\"; see \"weft --help\"", name);
    return EXIT_USAGE;
}
