// weft explain: the rule behind a diagnostic's code.
#include "cli.h"
#include "codes.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *object_name(weft_object_kind kind)
{
    static const char *const names[] = {
        "any object",
        "device",
        "buffer",
        "texture",
        "texture view",
        "view pool",
        "sampler",
        "memory block",
        "shader",
        "graphics pipeline",
        "compute pipeline",
        "argument layout",
        "argument table",
        "acceleration structure",
        "query pool",
        "timeline",
        "surface",
        "heap range",
        "command allocator",
        "command buffer",
        "frame",
    };
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}

/// W0123, w123, 123 or the rule's name, with or without WEFT_RULE_.
static const weft_rule_info *find_rule(const char *text)
{
    const char *digits = tolower((unsigned char)text[0]) == 'w' ? text + 1 : text;
    char *end;
    const unsigned long code = strtoul(digits, &end, 10);
    if (isdigit((unsigned char)digits[0]) && *end == 0)
        return code <= UINT32_MAX ? weft_rule_from_code((uint32_t)code) : NULL;
    if (strncasecmp(text, "WEFT_RULE_", 10) == 0)
        text += 10;
    for (uint32_t i = 0; weft_rule_at(i); i++)
        if (strcasecmp(weft_rule_at(i)->name, text) == 0)
            return weft_rule_at(i);
    return NULL;
}

static void print_rule(const weft_rule_info *rule)
{
    printf("W%04u %s (%s)\n\n%s\nRemedy: %s\n", rule->code, rule->name, object_name(rule->object),
           rule->sentence, rule->remedy);
    for (const struct code_page *page = code_pages; page->code; page++)
        if (page->code == rule->code)
            printf("\n%s", page->text);
}

static void list_rules(void)
{
    for (uint32_t i = 0; weft_rule_at(i); i++) {
        const weft_rule_info *rule = weft_rule_at(i);
        printf("W%04u %-32s %s\n", rule->code, rule->name, rule->sentence);
    }
}

static int explain(const char *text)
{
    const weft_rule_info *rule = find_rule(text);
    if (!rule)
        return say_error("no rule \"%s\"; \"weft explain --list\" shows all", text);
    print_rule(rule);
    return EXIT_FINE;
}

int cmd_explain(int argc, const char **argv)
{
    int list = 0;
    const struct poptOption options[] = {
        {"list", 0, POPT_ARG_NONE, &list, 0, "List all rules", NULL},
        POPT_TABLEEND,
    };
    struct cli cli;
    int code = cli_parse(&cli, argc, argv, options, "CODE",
                         "Explains a diagnostic: CODE is W0123, 123, or the rule's name.");
    if (code == EXIT_FINE && !cli.done) {
        const char *text = cli_argument(&cli), *extra = cli_argument(&cli);
        if (extra || (text && list))
            code = cli_usage_error(&cli, "unexpected argument \"%s\"", extra ? extra : text);
        else if (list)
            list_rules();
        else
            code = text ? explain(text) : cli_usage_error(&cli, "CODE is missing");
    }
    cli_finish(&cli);
    return code;
}
