#include <weft/weft.h>

#include "base/thread.h"
#include "base/unpack.h"

#include "rule_text.h" // made from rules.def: src/core/CMakeLists.txt

#include <weft/rules.h>

#include <assert.h>
#include <string.h>

static const struct {
    uint16_t code;
    uint8_t object;
} keys[] = {
#define RULE(name, number, object, sentence, remedy) {(number), WEFT_OBJECT_##object},
#include <weft/rules.def>
#undef RULE
};

#define RULE_COUNT (sizeof keys / sizeof keys[0])

// Texts are needed only by who reports or explains: they are unpacked for the first of them, for
// good.
static char text[RULE_TEXT_SIZE];
static weft_rule_info rules[RULE_COUNT];
static struct wf_base_once once = WF_BASE_ONCE_INIT;

static const char *next_text(const char **at)
{
    const char *string = *at;
    *at += strlen(string) + 1;
    return string;
}

static void unpack(void)
{
    const bool whole = wf_base_unpack(rule_text, sizeof rule_text, (uint8_t *)text, sizeof text);
    assert(whole);
    (void)whole;
    const char *at = text;
    for (size_t i = 0; i < RULE_COUNT; i++) {
        rules[i].code = keys[i].code;
        rules[i].object = (weft_object_kind)keys[i].object;
        rules[i].name = next_text(&at);
        rules[i].sentence = next_text(&at);
        rules[i].remedy = next_text(&at);
    }
    assert(at == text + sizeof text);
}

const weft_rule_info *weft_rule_at(uint32_t index)
{
    if (index >= RULE_COUNT)
        return NULL;
    wf_base_once(&once, unpack);
    return &rules[index];
}

const weft_rule_info *weft_rule_from_code(uint32_t code)
{
    size_t low = 0;
    size_t high = RULE_COUNT; // the table is ordered by number
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (keys[middle].code == code)
            return weft_rule_at((uint32_t)middle);
        if (keys[middle].code < code)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}
