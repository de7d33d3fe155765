#include <stdio.h>
#include <string.h>

#include "base/system.h"
#include "support/test.h"

#define PATH "base_file_\xc3\xa9.tmp"

static void write_beside(const char *text, char *name, size_t size)
{
    FILE *file = wf_base_file_create_beside(PATH, name, size);
    EXPECT(file);
    EXPECT(strcmp(name, PATH) != 0 && strncmp(name, PATH, sizeof PATH - 1) == 0);
    EXPECT(fwrite(text, 1, strlen(text), file) == strlen(text));
    EXPECT(fclose(file) == 0);
}

static void expect_file(const char *path, const char *text)
{
    char got[64] = "";
    FILE *file = wf_base_file_open(path);
    EXPECT(file);
    EXPECT_EQ(wf_base_file_size(file), strlen(text));
    (void)fread(got, 1, sizeof got - 1, file);
    (void)fclose(file);
    EXPECT_STR(got, text);
}

TEST(file, takes_the_place_of_another)
{
    char first[sizeof PATH WF_BASE_FILE_BESIDE], second[sizeof first];
    write_beside("one\n\x1a", first, sizeof first); // bytes, as they are
    write_beside("two", second, sizeof second);
    EXPECT(strcmp(first, second) != 0);
    EXPECT(wf_base_file_replace(first, PATH));
    expect_file(PATH, "one\n\x1a");
    EXPECT(!wf_base_file_open(first));
    EXPECT(wf_base_file_replace(second, PATH));
    expect_file(PATH, "two");
    wf_base_file_remove(PATH);
    EXPECT(!wf_base_file_open(PATH));
}
