// weft conform: the conformance suite on every device, and the matrix that comes of it.
#include "cli.h"
#include "conform_page.h"
#include "progress.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    char *backend, *filter, *skip, *html; ///< popt's: malloc()ed.
    int list, json, threads, subgroups;
};

static bool is_wanted(const struct options *o, const struct conform_case *item)
{
    return (!o->filter || strstr(item->name, o->filter)) &&
           !(o->skip && strstr(item->name, o->skip));
}

static void list_as_json(const struct options *o)
{
    json_t *list = json_array();
    for (size_t i = 0; i < conform_case_count; i++)
        if (is_wanted(o, &conform_cases[i]))
            json_array_append_new(list, json_string(conform_cases[i].name));
    json_dumpf(list, stdout, JSON_INDENT(1));
    printf("\n");
    json_decref(list);
}

static void list_cases(const struct options *o)
{
    for (size_t i = 0; i < conform_case_count; i++)
        if (is_wanted(o, &conform_cases[i]))
            printf("%s\n", conform_cases[i].name);
}

// ---- running -----------------------------------------------------------------------------------

/// Backends of this build that open on this machine, best first; the others are told on stderr if
/// they were asked for (weft info lists what there is).
static void find_columns(weft_backend_set wanted, struct conform_matrix *m)
{
    for (int b = 0; b < WEFT_BACKEND_COUNT; b++) {
        const weft_backend_set bit = 1u << b;
        if (!weft_backend_is_built((weft_backend)b) || (wanted && !(wanted & bit)))
            continue;
        weft_device *device;
        struct failure why;
        struct complaints complaints = {0};
        if (cli_start_device(&(weft_device_desc){.backends = bit}, &complaints, &device, &why))
            m->backends[m->backend_count++] = (weft_backend)b;
        else if (wanted)
            say_warning("%s does not open: %s", weft_backend_name((weft_backend)b), why.text);
        weft_device_destroy(device);
    }
}

static bool run_all(const struct options *o, struct conform_matrix *m)
{
    m->cases = calloc(conform_case_count, sizeof *m->cases);
    m->reports = calloc(conform_case_count * (size_t)WEFT_BACKEND_COUNT, sizeof *m->reports);
    if (!m->cases || !m->reports)
        return false;
    for (size_t i = 0; i < conform_case_count; i++)
        if (is_wanted(o, &conform_cases[i]))
            m->cases[m->case_count++] = conform_cases[i];
    const weft_software_options software = {.threads = (uint32_t)o->threads,
                                            .subgroup_size = (uint32_t)o->subgroups};
    struct progress progress;
    progress_begin(&progress, (uint32_t)(m->case_count * m->backend_count), o->json != 0);
    uint32_t done = 0;
    for (size_t i = 0; i < m->case_count; i++) {
        for (size_t b = 0; b < m->backend_count; b++) {
            const weft_device_desc desc = {.backends = 1u << m->backends[b],
                                           .validation = WEFT_VALIDATION_FULL,
                                           .software = &software};
            conform_run(&m->cases[i], &desc, conform_matrix_at(m, i, b));
            progress_step(&progress, ++done);
        }
    }
    progress_end(&progress);
    return true;
}

static size_t count_results(const struct conform_matrix *m, size_t backend,
                            enum conform_result result)
{
    size_t count = 0;
    for (size_t i = 0; i < m->case_count; i++)
        count += conform_matrix_at(m, i, backend)->result == result;
    return count;
}

static size_t count_failures(const struct conform_matrix *m)
{
    size_t count = 0;
    for (size_t b = 0; b < m->backend_count; b++)
        count += count_results(m, b, CONFORM_FAIL);
    return count;
}

// ---- printing ----------------------------------------------------------------------------------

static void print_matrix(const struct conform_matrix *m)
{
    printf("%-56s", "");
    for (size_t b = 0; b < m->backend_count; b++)
        printf("%-10s", weft_backend_name(m->backends[b]));
    printf("\n");
    for (size_t i = 0; i < m->case_count; i++) {
        printf("%-56s", m->cases[i].name);
        for (size_t b = 0; b < m->backend_count; b++)
            printf("%-10s", conform_result_name(conform_matrix_at(m, i, b)->result));
        printf("\n");
    }
    printf("\n");
    for (size_t b = 0; b < m->backend_count; b++) {
        for (size_t i = 0; i < m->case_count; i++) {
            const struct conform_report *r = conform_matrix_at(m, i, b);
            if (r->result != CONFORM_PASS)
                printf("%s %s %s: %s\n", weft_backend_name(m->backends[b]),
                       conform_result_name(r->result), m->cases[i].name, r->reason);
        }
    }
    for (size_t b = 0; b < m->backend_count; b++)
        printf("%s: %zu passed, %zu failed, %zu refused\n", weft_backend_name(m->backends[b]),
               count_results(m, b, CONFORM_PASS), count_results(m, b, CONFORM_FAIL),
               count_results(m, b, CONFORM_REFUSED));
}

static void print_json(const struct conform_matrix *m)
{
    json_t *list = json_array();
    for (size_t i = 0; i < m->case_count; i++) {
        for (size_t b = 0; b < m->backend_count; b++) {
            const struct conform_report *r = conform_matrix_at(m, i, b);
            char hash[24];
            (void)snprintf(hash, sizeof hash, "%016llx", (unsigned long long)r->hash);
            json_array_append_new(
                list, json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", m->cases[i].name, "backend",
                                weft_backend_name(m->backends[b]), "result",
                                conform_result_name(r->result), "reason", r->reason, "hash", hash));
        }
    }
    json_dumpf(list, stdout, JSON_INDENT(1));
    printf("\n");
    json_decref(list);
}

static int run_suite(const struct options *o, weft_backend_set wanted)
{
    struct conform_matrix m = {0};
    struct failure why;
    int code = EXIT_FAILED;
    if (o->html && !conform_page_probe(o->html, &why))
        return say_error("%s", why.text);
    find_columns(wanted, &m);
    if (m.backend_count == 0)
        say_error("no device opens");
    else if (!run_all(o, &m))
        say_error("out of memory");
    else if (m.case_count == 0)
        say_error("no case's name holds \"%s\"; see weft conform --list", o->filter);
    else if (o->html && !conform_page_write(&m, o->html, &why))
        say_error("%s", why.text);
    else
        code = count_failures(&m) > 0 ? EXIT_FAILED : EXIT_FINE;
    if (m.case_count > 0) {
        if (o->json)
            print_json(&m);
        else
            print_matrix(&m);
    }
    conform_matrix_finish(&m);
    return code;
}

int cmd_conform(int argc, const char **argv)
{
    struct options o = {0};
    const struct poptOption options[] = {
        {"backend", 'b', POPT_ARG_STRING, &o.backend, 0, "Only this backend (all that open)",
         "NAME"},
        {"filter", 0, POPT_ARG_STRING, &o.filter, 0, "Only cases whose name holds TEXT", "TEXT"},
        {"skip", 0, POPT_ARG_STRING, &o.skip, 0, "No cases whose name holds TEXT", "TEXT"},
        {"list", 0, POPT_ARG_NONE, &o.list, 0, "List the cases and run none", NULL},
        {"json", 0, POPT_ARG_NONE, &o.json, 0, "One record per case and backend", NULL},
        {"html", 0, POPT_ARG_STRING, &o.html, 0,
         "Write a page with pictures: got, expected, difference", "DIR"},
        {"threads", 0, POPT_ARG_INT, &o.threads, 0, "Threads of the software device (one per core)",
         "N"},
        {"subgroups", 0, POPT_ARG_INT, &o.subgroups, 0,
         "Invocations in a subgroup of the software device: 4, 8, 16 or 32", "N"},
        POPT_TABLEEND,
    };
    struct cli cli;
    struct failure why;
    weft_backend_set wanted;
    int code = cli_parse(
        &cli, argc, argv, options, "[OPTION...]",
        "Runs the conformance suite on every device that opens, and prints for each case\nwhether "
        "it passed, failed or was refused for want of a capability. noop draws\nnothing: there a "
        "pass means that no valid call was refused. Exit code 1 if any\nfailed.");
    if (code == EXIT_FINE && !cli.done) {
        const char *extra = cli_argument(&cli);
        if (extra)
            code = cli_usage_error(&cli, "unexpected argument \"%s\"", extra);
        else if (o.threads < 0 || o.threads > 1024)
            code = cli_usage_error(&cli, "--threads %d: 0 to 1024", o.threads);
        else if (o.subgroups && o.subgroups != 4 && o.subgroups != 8 && o.subgroups != 16 &&
                 o.subgroups != 32)
            code = cli_usage_error(&cli, "--subgroups %d: 4, 8, 16 or 32", o.subgroups);
        else if (o.html && !o.html[0])
            code = cli_usage_error(&cli, "--html: name a folder");
        else if (!cli_backend(o.backend, &wanted, &why))
            code = say_error("%s", why.text);
        else if (o.list && o.json)
            list_as_json(&o);
        else if (o.list)
            list_cases(&o);
        else
            code = run_suite(&o, wanted);
    }
    cli_finish(&cli);
    free(o.backend);
    free(o.filter);
    free(o.skip);
    free(o.html);
    return code;
}
