/// Feeds every file of the folders on the command line to a fuzz target.
#include "support/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Runs the target on an exact copy of the file, so that a sanitizer sees a read past its end.
static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    int done = 0;
    long size = -1;
    if (fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    uint8_t *data = size >= 0 ? malloc(size > 0 ? (size_t)size : 1) : NULL;
    if (data && fseek(file, 0, SEEK_SET) == 0 &&
        fread(data, 1, (size_t)size, file) == (size_t)size) {
        (void)LLVMFuzzerTestOneInput(data, (size_t)size);
        done = 1;
    }
    free(data);
    (void)fclose(file);
    return done;
}

static int replay_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    if (!dir)
        return 0;
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(dir));) {
        char path[4096];
        const int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.' && length > 0 && (size_t)length < sizeof path)
            count += replay_file(path);
    }
    (void)closedir(dir);
    return count;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const int count = replay_folder(argv[i]);
        printf("%s: %d inputs\n", argv[i], count);
        if (count == 0)
            return 1;
    }
    return 0;
}
