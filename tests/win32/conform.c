// The conformance suite where the tool's dependencies are not there.
// usage: conform BACKEND [FILTER]
#include "suite.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc < 2) {
        (void)fprintf(stderr, "usage: %s BACKEND [FILTER]\n", argv[0]);
        return 2;
    }
    const weft_backend backend = weft_backend_from_name(argv[1]);
    const weft_device_desc desc = {.backends = 1u << backend, .validation = WEFT_VALIDATION_FULL};
    unsigned counts[3] = {0};
    for (size_t i = 0; i < conform_case_count; i++) {
        const struct conform_case *item = &conform_cases[i];
        if (argc > 2 && !strstr(item->name, argv[2]))
            continue;
        struct conform_report report;
        conform_run(item, &desc, &report);
        counts[report.result]++;
        if (report.result == CONFORM_FAIL)
            printf("%s: %s: %s\n", item->name, conform_result_name(report.result), report.reason);
        (void)fflush(stdout);
        conform_report_finish(&report);
    }
    printf("%s: %u passed, %u refused, %u failed\n", argv[1], counts[CONFORM_PASS],
           counts[CONFORM_REFUSED], counts[CONFORM_FAIL]);
    return counts[CONFORM_FAIL] > 0 || counts[CONFORM_PASS] == 0;
}
