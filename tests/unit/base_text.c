#include "base/log.h"
#include "base/text.h"
#include "support/test.h"

#include <string.h>

static struct wf_base_text text_open(void)
{
    struct wf_base_text text;
    wf_base_text_init(&text, wf_base_allocator_default());
    return text;
}

TEST(text, grows_and_formats)
{
    struct wf_base_text text = text_open();
    EXPECT_STR(wf_base_text_string(&text), "");
    for (int i = 0; i < 1000; i++)
        wf_base_text_format(&text, "%03d", i);
    EXPECT_EQ(text.size, 3000);
    EXPECT_MEM(text.data + 2991, "997998999", 10);
    wf_base_text_finish(&text);
    text = text_open();
    wf_base_text_append(&text, "ab");
    wf_base_text_append_char(&text, 'c');
    wf_base_text_append_bytes(&text, "defg", 2);
    EXPECT_STR(wf_base_text_string(&text), "abcde");
    EXPECT(!text.failed);
    wf_base_text_finish(&text);
}

TEST(text, out_of_memory_sticks)
{
    struct wf_base_counting_allocator c;
    wf_base_counting_init(&c, wf_base_allocator_default());
    struct wf_base_text text;
    wf_base_text_init(&text, &c.allocator);
    wf_base_text_append(&text, "begin");
    wf_base_counting_fail(&c, 1, false);
    wf_base_text_format(&text, "%100d", 1);
    wf_base_text_append(&text, "x");
    wf_base_text_format(&text, "%d", 1);
    EXPECT(text.failed);
    EXPECT_STR(wf_base_text_string(&text), "begin");
    wf_base_text_finish(&text);
    EXPECT_EQ(c.live_bytes, 0);
}

static void expect_json(const char *data, size_t size, const char *wanted)
{
    struct wf_base_text text = text_open();
    wf_base_text_json_bytes(&text, data, size);
    EXPECT_STR(wf_base_text_string(&text), wanted);
    wf_base_text_finish(&text);
}

TEST(text, json_strings_are_escaped_and_valid)
{
#define BAD "\xef\xbf\xbd"
    expect_json("", 0, "\"\"");
    expect_json("a\"\\/\n\t\x01\x7f", 8, "\"a\\\"\\\\/\\n\\t\\u0001\\u007f\"");
    expect_json("\0", 1, "\"\\u0000\"");
    expect_json("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 9,
                "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
    expect_json("\xff", 1, "\"" BAD "\"");
    expect_json("\xc3", 1, "\"" BAD "\"");
    expect_json("\xc3(", 2, "\"" BAD "(\"");
    expect_json("\xc0\xaf", 2, "\"" BAD BAD "\"");                 // overlong
    expect_json("\xe0\x80\xaf", 3, "\"" BAD BAD BAD "\"");         // overlong
    expect_json("\xed\xa0\x80", 3, "\"" BAD BAD BAD "\"");         // surrogate
    expect_json("\xf4\x90\x80\x80", 4, "\"" BAD BAD BAD BAD "\""); // beyond the last
    expect_json("\xf0\x8f\xbf\xbf", 4, "\"" BAD BAD BAD BAD "\""); // overlong
    expect_json("\xf4\x8f\xbf\xbf", 4, "\"\xf4\x8f\xbf\xbf\"");    // the last
}

struct heard {
    int count;
    enum wf_base_log_level level;
    char message[WF_BASE_LOG_MESSAGE_MAX];
};

static void listen(void *user, enum wf_base_log_level level, const char *message)
{
    struct heard *heard = user;
    heard->count++;
    heard->level = level;
    memcpy(heard->message, message, strlen(message) + 1);
}

TEST(log, drops_what_is_below_the_level)
{
    struct heard heard = {0};
    const struct wf_base_log log = {listen, &heard, WF_BASE_LOG_WARNING};
    wf_base_log(&log, WF_BASE_LOG_INFO, "no");
    EXPECT_EQ(heard.count, 0);
    wf_base_log(&log, WF_BASE_LOG_ERROR, "%s %d", "yes", 1);
    EXPECT_EQ(heard.count, 1);
    EXPECT_EQ(heard.level, WF_BASE_LOG_ERROR);
    EXPECT_STR(heard.message, "yes 1");
    wf_base_log(NULL, WF_BASE_LOG_ERROR, "nobody");
    wf_base_log(&(struct wf_base_log){0}, WF_BASE_LOG_ERROR, "nobody");
    EXPECT_STR(wf_base_log_level_name(WF_BASE_LOG_WARNING), "warning");
}

TEST(log, cuts_long_messages_between_characters)
{
    struct heard heard = {0};
    const struct wf_base_log log = {listen, &heard, WF_BASE_LOG_DEBUG};
    char euros[3 * 1000 + 1];
    for (size_t i = 0; i < 1000; i++)
        memcpy(euros + 3 * i, "\xe2\x82\xac", 4);
    for (int pad = 0; pad < 3; pad++) {
        wf_base_log(&log, WF_BASE_LOG_INFO, "%.*s%s", pad, "xx", euros);
        const size_t size = strlen(heard.message);
        EXPECT(size >= WF_BASE_LOG_MESSAGE_MAX - 4 && size < WF_BASE_LOG_MESSAGE_MAX);
        EXPECT_EQ((size - (size_t)pad) % 3, 0);
    }
}
