#include "color.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    uint32_t rgba;
} names[] = {
    {"transparent", 0x00000000}, {"black", 0x000000ff},   {"white", 0xffffffff},
    {"gray", 0x808080ff},        {"grey", 0x808080ff},    {"silver", 0xc0c0c0ff},
    {"red", 0xff0000ff},         {"lime", 0x00ff00ff},    {"green", 0x008000ff},
    {"blue", 0x0000ffff},        {"navy", 0x000080ff},    {"yellow", 0xffff00ff},
    {"cyan", 0x00ffffff},        {"magenta", 0xff00ffff}, {"orange", 0xffa500ff},
    {"purple", 0x800080ff},
};

/// 0–15, or -1.
static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)tolower((unsigned char)c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/// Digits of a color after its #, as 0xrrggbbaa.
static bool parse_digits(const char *digits, uint32_t *out)
{
    const size_t length = strlen(digits);
    uint32_t value = 0;
    if (length != 3 && length != 6 && length != 8)
        return false;
    for (size_t i = 0; i < length; i++) {
        const int digit = hex_digit(digits[i]);
        if (digit < 0)
            return false;
        value = length == 3 ? value << 8 | (uint32_t)digit * 17 : value << 4 | (uint32_t)digit;
    }
    *out = length == 8 ? value : value << 8 | 255;
    return true;
}

bool color_parse(const char *text, float out[4])
{
    uint32_t rgba = 0;
    bool found = text[0] == '#' && parse_digits(text + 1, &rgba);
    for (size_t i = 0; !found && i < sizeof names / sizeof *names; i++)
        if (strcasecmp(names[i].name, text) == 0) {
            rgba = names[i].rgba;
            found = true;
        }
    for (int i = 0; found && i < 4; i++)
        out[i] = (float)(rgba >> (24 - 8 * i) & 255) / 255;
    return found;
}

float color_to_linear(float srgb)
{
    return srgb <= 0.04045f ? srgb / 12.92f : powf((srgb + 0.055f) / 1.055f, 2.4f);
}

float color_to_srgb(float linear)
{
    return linear <= 0.0031308f ? linear * 12.92f : 1.055f * powf(linear, 1 / 2.4f) - 0.055f;
}
