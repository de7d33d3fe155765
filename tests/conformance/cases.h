/// \file cases.h
/// Every case by name. A file of cases is named after the feature that it tests.
#pragma once

#include "conform.h"

#define CONFORM_CASE(function, name, needs) void case_##function(struct conform *c);
#include "cases.def"
#undef CONFORM_CASE
