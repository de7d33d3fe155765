// The conformance suite where the tool's dependencies are not there.
// usage: conform BACKEND [PATTERN...]
// The PATTERNs are the cases that must be refused, all others must pass; a `*` stands for any end.
#include "suite.h"

#include <stdio.h>
#include <string.h>

static bool matches(const char *pattern, const char *name)
{
    const size_t length = strcspn(pattern, "*");
    return strncmp(pattern, name, length) == 0 && (pattern[length] || !name[length]);
}

static enum conform_result wanted(const char *name, char **patterns)
{
    while (*patterns && !matches(*patterns, name))
        ++patterns;
    return *patterns ? CONFORM_REFUSED : CONFORM_PASS;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        (void)fprintf(stderr, "usage: %s BACKEND [PATTERN...]\n", argv[0]);
        return 2;
    }
    const weft_backend backend = weft_backend_from_name(argv[1]);
    const weft_device_desc desc = {.backends = 1u << backend, .validation = WEFT_VALIDATION_FULL};
    unsigned counts[3] = {0}, bad = 0;
    for (size_t i = 0; i < conform_case_count; i++) {
        const struct conform_case *item = &conform_cases[i];
        struct conform_report report;
        conform_run(item, &desc, &report);
        counts[report.result]++;
        if (report.result != wanted(item->name, argv + 2)) {
            bad++;
            printf("%s: %s: %s\n", item->name, conform_result_name(report.result), report.reason);
        }
        (void)fflush(stdout);
        conform_report_finish(&report);
    }
    printf("%s: %u passed, %u refused, %u failed; %u not as they must be\n", argv[1],
           counts[CONFORM_PASS], counts[CONFORM_REFUSED], counts[CONFORM_FAIL], bad);
    return bad > 0 || counts[CONFORM_PASS] == 0;
}
