// weft render: a model into pictures.
#include "cli.h"
#include "drawing.h"
#include "output.h"
#include "progress.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAX_FRAMES 9999

/// The command line, as popt fills it.
struct arguments {
    struct drawing_arguments drawing;
    char *output, *plan;
    int frames, turntable, quiet;
    const char *model;
};

/// The command line, understood.
struct job {
    const struct arguments *in;
    struct render_options options;
    uint32_t frames;
    weft_report_format plan_format;
};

static bool has_extension(const char *path, const char *extension)
{
    const size_t length = strlen(path), tail = strlen(extension);
    return length > tail && strcasecmp(path + length - tail, extension) == 0;
}

static bool plan_format_of(const char *path, weft_report_format *out)
{
    static const char *const extensions[] = {
        [WEFT_REPORT_TEXT] = ".txt", [WEFT_REPORT_JSON] = ".json", [WEFT_REPORT_SVG] = ".svg"};
    for (int i = 0; i < 3; i++) {
        if (!has_extension(path, extensions[i]))
            continue;
        *out = (weft_report_format)i;
        return true;
    }
    return false;
}

/// What is wrong with the command line is a usage error; the rest of the world is looked at later.
static int understand(const struct cli *cli, const struct arguments *in, struct job *out)
{
    if (!in->model)
        return cli_usage_error(cli, "MODEL is missing");
    if (!in->output)
        return cli_usage_error(cli, "the picture's name is missing; give -o FILE.png");
    if (image_format_of(in->output) == IMAGE_UNKNOWN)
        return cli_usage_error(cli, "%s: unknown kind of picture; .png and .ppm can be written",
                               in->output);
    if (in->frames < 1 || in->frames > MAX_FRAMES)
        return cli_usage_error(cli, "--frames %d: give 1 to %d", in->frames, MAX_FRAMES);
    if (in->plan && !plan_format_of(in->plan, &out->plan_format))
        return cli_usage_error(cli, "--plan %s: name a .svg, .json or .txt file", in->plan);
    out->frames = (uint32_t)in->frames;
    return drawing_understand(cli, &in->drawing, &out->options);
}

/// Draws and writes frame `index`; the last one writes the plan too.
static bool render_frame(struct renderer *renderer, const struct job *job,
                         const struct camera *camera, uint32_t index, struct image *image,
                         struct failure *why)
{
    const struct arguments *in = job->in;
    const bool last = index + 1 == job->frames;
    char *plan = NULL,
         *name = job->frames > 1 ? output_frame_name(in->output, index) : strdup(in->output);
    bool fine = name || failure_set(why, "out of memory");
    fine = fine &&
           renderer_draw(renderer, camera, image, job->plan_format, in->plan && last ? &plan : NULL,
                         why) &&
           output_write_image(name, image, why) &&
           (!plan || output_write_text(in->plan, plan, why));
    weft_text_free(plan);
    free(name);
    return fine;
}

static bool render_frames(struct renderer *renderer, const struct scene *scene,
                          const struct camera_choice *choice, const struct job *job,
                          struct failure *why)
{
    const float aspect = (float)job->options.width / (float)job->options.height;
    struct image image;
    struct progress progress;
    if (!image_create(job->options.width, job->options.height, &image, why))
        return false;
    bool fine = true;
    progress_begin(&progress, job->frames, job->in->quiet);
    for (uint32_t i = 0; fine && i < job->frames; i++) {
        struct camera camera;
        const float turn = choice->turntable ? 2 * VEC_PI * (float)i / (float)job->frames : 0;
        fine = camera_place(choice, scene, aspect, turn, &camera, why) &&
               render_frame(renderer, job, &camera, i, &image, why);
        progress_step(&progress, i + 1);
    }
    progress_end(&progress);
    image_finish(&image);
    return fine;
}

/// Finds out what can be found out before the long work: is the output writable at all?
static bool probe_outputs(const struct arguments *in, struct failure *why)
{
    return output_probe(in->output, why) && (!in->plan || output_probe(in->plan, why));
}

static bool render(const struct arguments *in, struct job *job, struct failure *why)
{
    struct scene scene = {0};
    struct camera_choice choice;
    output_remove_on_signals();
    if (!cli_backend(in->drawing.backend, &job->options.backends, why) || !probe_outputs(in, why) ||
        !scene_load(in->model, &scene, why))
        return false;
    struct renderer *renderer = NULL;
    bool fine =
        camera_parse(in->drawing.camera ? in->drawing.camera : "auto", &scene, &choice, why);
    choice.turntable = in->turntable;
    if (fine)
        renderer = renderer_create(&job->options, &scene, why);
    if (renderer && renderer_capabilities(renderer)->backend == WEFT_BACKEND_NOOP)
        say_warning("the noop device draws nothing: the picture will be black");
    fine = renderer && render_frames(renderer, &scene, &choice, job, why);
    renderer_destroy(renderer);
    scene_finish(&scene);
    return fine;
}

static int run(const struct cli *cli, const struct arguments *in)
{
    struct job job = {.in = in};
    struct failure why;
    const int code = understand(cli, in, &job);
    if (code != EXIT_FINE)
        return code;
    return render(in, &job, &why) ? EXIT_FINE : say_error("%s", why.text);
}

int cmd_render(int argc, const char **argv)
{
    struct arguments in = {.frames = 1};
    struct poptOption drawing[DRAWING_OPTIONS];
    drawing_options(&in.drawing, drawing);
    const struct poptOption options[] = {
        {"output", 'o', POPT_ARG_STRING, &in.output, 0, "The picture to write", "FILE.png|.ppm"},
        {NULL, 0, POPT_ARG_INCLUDE_TABLE, drawing, 0, NULL, NULL},
        {"frames", 'n', POPT_ARG_INT, &in.frames, 0, "Draw N numbered pictures", "N"},
        {"turntable", 0, POPT_ARG_NONE, &in.turntable, 0,
         "Turn once around the model over the frames", NULL},
        {"plan", 0, POPT_ARG_STRING, &in.plan, 0,
         "Write what the frame layer made of the last frame", "FILE.svg|.json|.txt"},
        {"quiet", 'q', POPT_ARG_NONE, &in.quiet, 0, "No progress bar", NULL},
        POPT_TABLEEND,
    };
    struct cli cli;
    int code = cli_parse(&cli, argc, argv, options, "MODEL -o FILE.png [OPTION...]",
                         "Draws a model (.gltf, .glb, .obj) into a picture.");
    if (code == EXIT_FINE && !cli.done) {
        in.model = cli_argument(&cli);
        const char *extra = cli_argument(&cli);
        code = extra ? cli_usage_error(&cli, "unexpected argument \"%s\"", extra) : run(&cli, &in);
    }
    cli_finish(&cli);
    free(in.output);
    free(in.plan);
    drawing_finish(&in.drawing);
    return code;
}
