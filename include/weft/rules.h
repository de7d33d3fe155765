/// \file rules.h
/// The stable code of every rule. The sentences and remedies are in rules.def, and behind
/// weft_rule_from_code() and `weft explain W0123` at run time.
#ifndef WEFT_RULES_H
#define WEFT_RULES_H

/// WEFT_RULE_<NAME> is the number shown as W<number>.
typedef enum weft_rule {
    WEFT_RULE_NONE = 0,
#define RULE(name, number, object, sentence, remedy) WEFT_RULE_##name = (number),
#include <weft/rules.def>
#undef RULE
} weft_rule;

#endif
