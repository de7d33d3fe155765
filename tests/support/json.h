/// Whether a text is one JSON value. For what the library writes: nesting is limited, numbers are
/// not looked at closely.
#pragma once

#include <stdbool.h>
#include <string.h>

#define JSON_DEPTH 16

static inline const char *json_space(const char *at)
{
    return at + strspn(at, " \n\r\t");
}

/// Behind the string at `at`, or NULL.
static inline const char *json_string(const char *at)
{
    if (*at++ != '"')
        return NULL;
    for (; *at != '"'; at++) {
        if ((unsigned char)*at < 0x20)
            return NULL;
        if (*at == '\\' && (!at[1] || !strchr("\"\\/bfnrtu", *++at)))
            return NULL;
    }
    return at + 1;
}

/// Behind the value at `at`, or NULL.
static inline const char *json_value(const char *at, int depth)
{
    static const char *const words[] = {"true", "false", "null"};
    at = json_space(at);
    for (int i = 0; i < 3; i++) {
        if (strncmp(at, words[i], strlen(words[i])) == 0)
            return at + strlen(words[i]);
    }
    const char open = *at;
    if (open == '"')
        return json_string(at);
    if (open != '{' && open != '[') {
        const size_t length = strspn(at, "-+.0123456789eE");
        return length ? at + length : NULL;
    }
    const char close = open == '{' ? '}' : ']';
    at = json_space(at + 1);
    if (*at == close)
        return at + 1;
    for (; depth < JSON_DEPTH; at = json_space(at + 1)) {
        if (open == '{') {
            at = json_string(at);
            at = at ? json_space(at) : NULL;
            if (!at || *at++ != ':')
                return NULL;
        }
        at = json_value(at, depth + 1);
        at = at ? json_space(at) : NULL;
        if (!at || *at == close)
            return at ? at + 1 : NULL;
        if (*at != ',')
            return NULL;
    }
    return NULL;
}

static inline bool json_is_valid(const char *text)
{
    const char *end = json_value(text, 0);
    return end && *json_space(end) == '\0';
}
