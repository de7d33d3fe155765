/// Notes what a module was refused with, once a test has seen that it should be: tools/check
/// refusals.py looks for rules that no test trips.
#pragma once

#include <stdio.h>
#include <stdlib.h>

static inline void test_note_refusal(const char *message)
{
    const char *path = getenv("WEFT_REFUSALS");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file)
        return;
    (void)fprintf(file, "%s\n", message);
    (void)fclose(file);
}
