// The page: the matrix as a table, then each picture as it is, as it should be, and the difference.
#include "conform_page.h"
#include "image.h"
#include "output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct conform_report *conform_matrix_at(const struct conform_matrix *matrix, size_t item,
                                         size_t backend)
{
    return &matrix->reports[item * WEFT_BACKEND_COUNT + backend];
}

void conform_matrix_finish(struct conform_matrix *matrix)
{
    for (size_t i = 0; matrix->reports && i < matrix->case_count; i++)
        for (size_t b = 0; b < matrix->backend_count; b++)
            conform_report_finish(conform_matrix_at(matrix, i, b));
    free(matrix->reports);
    free(matrix->cases);
    *matrix = (struct conform_matrix){0};
}

static void write_escaped(FILE *page, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<':
            (void)fputs("&lt;", page);
            break;
        case '&':
            (void)fputs("&amp;", page);
            break;
        case '"':
            (void)fputs("&quot;", page);
            break;
        default:
            (void)fputc(*text, page);
        }
    }
}

/// Grey where equal; the difference's amount, four times, elsewhere.
static bool difference(const struct conform_picture *picture, struct image *out)
{
    struct failure why;
    if (!image_create(picture->width, picture->height, out, &why))
        return false;
    const size_t bytes = (size_t)picture->width * picture->height * 4;
    for (size_t i = 0; i < bytes; i++) {
        const int off = abs(picture->got[i] - picture->expected[i]) * 4;
        out->texels[i] = i % 4 == 3 ? 255 : (uint8_t)(off > 255 ? 255 : off);
    }
    return true;
}

static bool write_picture(const char *folder, const char *name, const struct image *image,
                          FILE *page, struct failure *why)
{
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    (void)fprintf(page, "<td><img src=\"%s\" width=\"%u\" height=\"%u\"></td>\n", name,
                  image->width < 128 ? 128 : image->width,
                  image->width < 128 ? 128 * image->height / image->width : image->height);
    return output_write_image(path, image, why);
}

static bool write_pictures(const struct conform_report *report, const char *folder,
                           const char *stem, FILE *page, struct failure *why)
{
    for (uint32_t p = 0; p < report->picture_count; p++) {
        const struct conform_picture *picture = &report->pictures[p];
        const struct image got = {picture->width, picture->height, picture->got},
                           expected = {picture->width, picture->height, picture->expected};
        struct image off;
        if (!difference(picture, &off))
            return failure_set(why, "out of memory");
        char name[256];
        (void)fputs("<tr>\n", page);
        (void)snprintf(name, sizeof name, "%s_%u_got.png", stem, p);
        bool fine = write_picture(folder, name, &got, page, why);
        (void)snprintf(name, sizeof name, "%s_%u_expected.png", stem, p);
        fine = fine && write_picture(folder, name, &expected, page, why);
        (void)snprintf(name, sizeof name, "%s_%u_difference.png", stem, p);
        fine = fine && write_picture(folder, name, &off, page, why);
        (void)fputs("</tr>\n", page);
        image_finish(&off);
        if (!fine)
            return false;
    }
    return true;
}

static void write_table(const struct conform_matrix *m, FILE *page)
{
    (void)fputs("<table class=\"matrix\">\n<tr><th>case</th>", page);
    for (size_t b = 0; b < m->backend_count; b++)
        (void)fprintf(page, "<th>%s</th>", weft_backend_name(m->backends[b]));
    (void)fputs("</tr>\n", page);
    for (size_t i = 0; i < m->case_count; i++) {
        (void)fprintf(page, "<tr><td><a href=\"#c%zu\">", i);
        write_escaped(page, m->cases[i].name);
        (void)fputs("</a></td>", page);
        for (size_t b = 0; b < m->backend_count; b++) {
            const struct conform_report *r = conform_matrix_at(m, i, b);
            const char *result = conform_result_name(r->result);
            (void)fprintf(page, "<td class=\"%s\" title=\"", result);
            write_escaped(page, r->reason);
            (void)fprintf(page, "\">%s</td>", result);
        }
        (void)fputs("</tr>\n", page);
    }
    (void)fputs("</table>\n", page);
}

static bool write_cases(const struct conform_matrix *m, const char *folder, FILE *page,
                        struct failure *why)
{
    for (size_t i = 0; i < m->case_count; i++) {
        (void)fprintf(page, "<h2 id=\"c%zu\">", i);
        write_escaped(page, m->cases[i].name);
        (void)fputs("</h2>\n", page);
        for (size_t b = 0; b < m->backend_count; b++) {
            const struct conform_report *r = conform_matrix_at(m, i, b);
            const char *backend = weft_backend_name(m->backends[b]);
            char stem[64];
            (void)snprintf(stem, sizeof stem, "%zu_%s", i, backend);
            (void)fprintf(page, "<p class=\"%s\">%s: %s ", conform_result_name(r->result), backend,
                          conform_result_name(r->result));
            write_escaped(page, r->reason);
            (void)fputs("</p>\n", page);
            if (r->picture_count == 0)
                continue;
            (void)fputs("<table><tr><th>got</th><th>expected</th><th>difference × 4</th></tr>\n",
                        page);
            if (!write_pictures(r, folder, stem, page, why))
                return false;
            (void)fputs("</table>\n", page);
        }
    }
    return true;
}

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Weft "
    "conformance</title>\n"
    "<style>body{font:15px sans-serif;margin:2em}img{image-rendering:pixelated;background:#888}"
    "td,th{padding:2px 10px;text-align:left}.pass{color:#060}.refused{color:#777}"
    ".fail{color:#b00;font-weight:bold}</style>\n<h1>Weft conformance</h1>\n";

static bool page_name(const char *folder, char *path, size_t size, struct failure *why)
{
    const int length = snprintf(path, size, "%s/index.html", folder);
    return (length >= 0 && (size_t)length < size) ||
           failure_set(why, "%s: the name is too long", folder);
}

bool conform_page_probe(const char *folder, struct failure *why)
{
    char path[1024];
    if (!page_name(folder, path, sizeof path, why))
        return false;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return failure_set(why, "%s: %s", folder, strerror(errno));
    return output_probe(path, why);
}

bool conform_page_write(const struct conform_matrix *matrix, const char *folder,
                        struct failure *why)
{
    char *text = NULL;
    size_t size = 0;
    FILE *page = open_memstream(&text, &size);
    if (!page)
        return failure_set(why, "out of memory");
    (void)fputs(head, page);
    write_table(matrix, page);
    bool fine = write_cases(matrix, folder, page, why);
    (void)fputs("</html>\n", page);
    if (fclose(page) != 0 && fine)
        fine = failure_set(why, "out of memory");
    char path[1024];
    fine = fine && page_name(folder, path, sizeof path, why) && output_write_text(path, text, why);
    free(text);
    return fine;
}
