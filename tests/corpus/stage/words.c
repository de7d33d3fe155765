// Words of the script: numbers, names and objects.
#include "stage.h"

#include <stdlib.h>
#include <string.h>

const char *stage_word(struct stage_line *line)
{
    char *word = line->rest + strspn(line->rest, " ");
    char *end = word + strcspn(word, " ");
    line->rest = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

uint32_t stage_number(struct stage_line *line)
{
    return (uint32_t)strtoul(stage_word(line), NULL, 0);
}

float stage_float(struct stage_line *line)
{
    return strtof(stage_word(line), NULL);
}

uint32_t stage_choice(struct stage *s, struct stage_line *line, const char *const *names)
{
    const char *word = stage_word(line);
    for (uint32_t i = 0; names[i]; i++)
        if (strcmp(names[i], word) == 0)
            return i;
    stage_fail(s, "the script says '%s', which names nothing here", word);
    return 0;
}

weft_format stage_format(struct stage *s, struct stage_line *line)
{
    const char *word = stage_word(line);
    for (uint32_t i = 0; i < WEFT_FORMAT_COUNT; i++)
        if (strcmp(weft_format_get_info((weft_format)i)->name, word) == 0)
            return (weft_format)i;
    stage_fail(s, "the script says '%s', which is no format", word);
    return WEFT_FORMAT_NONE;
}

union stage_object *stage_object(struct stage *s, struct stage_line *line)
{
    const uint32_t number = stage_number(line);
    if (number < STAGE_OBJECTS)
        return &s->objects[number];
    stage_fail(s, "the script has too many objects");
    return &s->objects[0];
}
