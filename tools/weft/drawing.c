#include "drawing.h"

#include "color.h"

#include <stdlib.h>

void drawing_options(struct drawing_arguments *in, struct poptOption out[DRAWING_OPTIONS])
{
    const struct poptOption table[DRAWING_OPTIONS] = {
        {"backend", 'b', POPT_ARG_STRING, &in->backend, 0, "Draw on this backend", "NAME"},
        {"size", 's', POPT_ARG_STRING, &in->size, 0, "Texels; 1280x720 if not given", "WxH"},
        {"samples", 0, POPT_ARG_INT, &in->samples, 0, "Samples per texel, 1 or 4; 4 if not given",
         "N"},
        {"camera", 'c', POPT_ARG_STRING, &in->camera, 0,
         "auto, a camera of the model by number or name, or AZIMUTH,ELEVATION[,DISTANCE] in "
         "degrees",
         "CAMERA"},
        {"background", 0, POPT_ARG_STRING, &in->background, 0,
         "#rrggbb, #rrggbbaa, a name, or transparent", "COLOR"},
        {"threads", 0, POPT_ARG_INT, &in->threads, 0,
         "Threads of the software device; 0: one per core", "N"},
        POPT_TABLEEND,
    };
    for (int i = 0; i < DRAWING_OPTIONS; i++)
        out[i] = table[i];
}

static bool parse_size(const char *text, uint32_t *width, uint32_t *height)
{
    char *end;
    const unsigned long w = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || (*end != 'x' && *end != 'X') || end[1] < '0' ||
        end[1] > '9')
        return false;
    const unsigned long h = strtoul(end + 1, &end, 10);
    if (*end != 0 || w == 0 || h == 0 || w > IMAGE_MAX_SIDE || h > IMAGE_MAX_SIDE)
        return false;
    *width = (uint32_t)w;
    *height = (uint32_t)h;
    return true;
}

int drawing_understand(const struct cli *cli, const struct drawing_arguments *in,
                       struct render_options *out)
{
    *out = (struct render_options){
        .width = 1280, .height = 720, .background = {0.165f, 0.18f, 0.21f, 1}};
    if (in->size && !parse_size(in->size, &out->width, &out->height))
        return cli_usage_error(cli, "--size %s: give WIDTHxHEIGHT, each 1 to %u", in->size,
                               IMAGE_MAX_SIDE);
    if (in->samples != 0 && in->samples != 1 && in->samples != 4)
        return cli_usage_error(cli, "--samples %d: give 1 or 4", in->samples);
    if (in->threads < 0 || in->threads > 256)
        return cli_usage_error(cli, "--threads %d: give 1 to 256, or 0 for one per core",
                               in->threads);
    if (in->background && !color_parse(in->background, out->background))
        return cli_usage_error(
            cli, "--background %s: give #rrggbb, #rrggbbaa, a name such as white, or transparent",
            in->background);
    out->samples = (uint32_t)in->samples;
    out->threads = (uint32_t)in->threads;
    return EXIT_FINE;
}

void drawing_finish(struct drawing_arguments *in)
{
    free(in->backend);
    free(in->size);
    free(in->camera);
    free(in->background);
}
