#include "base/text.h"

#include "base/array.h"

#include <stdio.h>
#include <string.h>

void wf_base_text_init(struct wf_base_text *text, const struct wf_base_allocator *allocator)
{
    *text = (struct wf_base_text){.allocator = allocator};
}

void wf_base_text_finish(struct wf_base_text *text)
{
    wf_base_free(text->allocator, text->data, text->capacity);
    wf_base_text_init(text, text->allocator);
}

const char *wf_base_text_string(const struct wf_base_text *text)
{
    return text->data ? text->data : "";
}

/// Room for `more` bytes and the NUL; false, and sticky, when there is none.
static bool reserve(struct wf_base_text *text, size_t more)
{
    size_t need;
    if (text->failed)
        return false;
    char *data = NULL;
    if (wf_base_add_size(text->size, more, &need) && wf_base_add_size(need, 1, &need))
        data = wf_base_array_grow(text->allocator, text->data, &text->capacity, need, 1);
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    return true;
}

void wf_base_text_append_bytes(struct wf_base_text *text, const void *data, size_t size)
{
    if (!reserve(text, size))
        return;
    if (size)
        memcpy(text->data + text->size, data, size);
    text->size += size;
    text->data[text->size] = '\0';
}

void wf_base_text_append(struct wf_base_text *text, const char *string)
{
    wf_base_text_append_bytes(text, string, strlen(string));
}

void wf_base_text_append_char(struct wf_base_text *text, char c)
{
    wf_base_text_append_bytes(text, &c, 1);
}

void wf_base_text_vformat(struct wf_base_text *text, const char *format, va_list args)
{
    va_list again;
    if (text->failed)
        return;
    va_copy(again, args);
    const size_t room = text->capacity - text->size;
    const int length = vsnprintf(text->data ? text->data + text->size : NULL, room, format, args);
    if (length < 0) {
        text->failed = true;
    } else if ((size_t)length >= room && reserve(text, (size_t)length)) {
        (void)vsnprintf(text->data + text->size, (size_t)length + 1, format, again);
    }
    if (!text->failed)
        text->size += (size_t)length;
    else if (text->data)
        text->data[text->size] = '\0';
    va_end(again);
}

void wf_base_text_format(struct wf_base_text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    wf_base_text_vformat(text, format, args);
    va_end(args);
}

static bool is_continuation(unsigned char c)
{
    return (c & 0xc0) == 0x80;
}

size_t wf_base_utf8_length(const char *data, size_t size)
{
    const unsigned char *p = (const unsigned char *)data;
    if (p[0] < 0x80)
        return 1;
    const size_t length = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4 || length > size)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if (!is_continuation(p[i]))
            return 0;
    }
    // overlong forms, surrogates, and what is beyond U+10FFFF show in the second byte
    if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
        (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
        return 0;
    return length;
}

static void json_char(struct wf_base_text *text, unsigned char c)
{
    static const char shorts[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    for (size_t i = 0; i + 1 < sizeof shorts; i += 2) {
        if (c == (unsigned char)shorts[i]) {
            wf_base_text_append_char(text, '\\');
            wf_base_text_append_char(text, shorts[i + 1]);
            return;
        }
    }
    if (c < 0x20 || c == 0x7f)
        wf_base_text_format(text, "\\u%04x", c);
    else
        wf_base_text_append_char(text, (char)c);
}

void wf_base_text_json_bytes(struct wf_base_text *text, const char *data, size_t size)
{
    wf_base_text_append_char(text, '"');
    for (size_t i = 0; i < size;) {
        const size_t length = wf_base_utf8_length(data + i, size - i);
        if (length == 1)
            json_char(text, (unsigned char)data[i]);
        else if (length == 0)
            wf_base_text_append(text, "\xef\xbf\xbd");
        else
            wf_base_text_append_bytes(text, data + i, length);
        i += length ? length : 1;
    }
    wf_base_text_append_char(text, '"');
}

void wf_base_text_json_string(struct wf_base_text *text, const char *string)
{
    if (string)
        wf_base_text_json_bytes(text, string, strlen(string));
    else
        wf_base_text_append(text, "null");
}
