// The table of the cases.
#include "cases.h"

const struct conform_case conform_cases[] = {
#define CONFORM_CASE(function, name, needs) {name, needs, case_##function},
#include "cases.def"
#undef CONFORM_CASE
};
const size_t conform_case_count = sizeof conform_cases / sizeof *conform_cases;
