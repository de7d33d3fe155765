#include <weft/weft.h>

#include <weft/rules.h>

static const weft_rule_info rules[] = {
#define RULE(name, number, object, sentence, remedy)                                               \
    {(number), WEFT_OBJECT_##object, #name, sentence, remedy},
#include <weft/rules.def>
#undef RULE
};

#define RULE_COUNT (sizeof rules / sizeof rules[0])

const weft_rule_info *weft_rule_at(uint32_t index)
{
    return index < RULE_COUNT ? &rules[index] : NULL;
}

const weft_rule_info *weft_rule_from_code(uint32_t code)
{
    size_t low = 0;
    size_t high = RULE_COUNT; // the table is ordered by number
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (rules[middle].code == code)
            return &rules[middle];
        if (rules[middle].code < code)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}
