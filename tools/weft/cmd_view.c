// weft view: a model in a window.
#include "drawing.h"
#include "orbit.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_FRAMES 1000000

/// The command line, as popt fills it.
struct arguments {
    struct drawing_arguments drawing;
    char *screenshot;
    int frames;
    const char *model;
};

#ifdef WEFT_HAS_VIEW
#include "window.h"

/// How long it sleeps when there is nothing to do, and when a frame could not be shown.
#define IDLE_MS  500
#define RETRY_MS 15
/// The title tells the mean over so long.
#define TITLE_NS 500000000u

/// Of the frames since the title was set last.
struct statistics {
    uint64_t since, drawing; ///< Nanoseconds: when it began; spent on frames.
    uint32_t frames, draws;  ///< `draws` of the last one.
};

struct viewer {
    const struct arguments *in;
    struct render_options options;
    struct scene scene;
    struct window *window;
    weft_surface_target target;
    struct renderer *renderer;
    struct orbit orbit;
    struct statistics statistics;
    uint32_t shown; ///< Frames.
};

static uint64_t now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static const char *model_name(const struct viewer *viewer)
{
    const char *path = viewer->in->model ? viewer->in->model : "demo";
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// ---- statistics ---------------------------------------------------------------------------------

static void set_title(struct viewer *viewer)
{
    const struct statistics *s = &viewer->statistics;
    const double ms = s->frames > 0 ? (double)s->drawing / s->frames * 1e-6 : 0;
    char title[256];
    (void)snprintf(title, sizeof title,
                   "%.100s - %.1f ms, %.0f fps, %u draws, %llu triangles, %s - weft",
                   model_name(viewer), ms, ms > 0 ? 1000 / ms : 0, s->draws,
                   (unsigned long long)viewer->scene.triangles,
                   weft_backend_name(renderer_capabilities(viewer->renderer)->backend));
    window_set_title(viewer->window, title);
}

/// A frame took from `begin` to `end`. Frames are drawn when something changed, so their rate is
/// that of frames without pauses between them.
static void count_frame(struct viewer *viewer, uint64_t begin, uint64_t end, uint32_t draws)
{
    struct statistics *s = &viewer->statistics;
    viewer->shown++;
    s->frames++;
    s->drawing += end - begin;
    s->draws = draws;
    if (viewer->shown > 1 && end - s->since < TITLE_NS)
        return;
    set_title(viewer);
    *s = (struct statistics){.since = end, .draws = draws};
}

// ---- pictures -----------------------------------------------------------------------------------

/// What the window shows, drawn again into a file.
static bool write_picture(struct viewer *viewer, const char *path, struct failure *why)
{
    uint32_t width, height;
    struct camera camera;
    struct image image;
    (void)window_size(viewer->window, &width, &height);
    if (width == 0 || height == 0)
        return failure_set(why, "%s: the window has no size", path);
    if (!orbit_camera(&viewer->orbit, (float)width / (float)height, &camera, why) ||
        !image_create(width, height, &image, why))
        return false;
    const bool fine =
        renderer_draw(viewer->renderer, &camera, &image, WEFT_REPORT_TEXT, NULL, why) &&
        output_write_image(path, &image, why);
    image_finish(&image);
    return fine;
}

/// Under the first name that is free. What goes wrong is no end of the viewing.
static void take_screenshot(struct viewer *viewer)
{
    char path[32];
    struct failure why;
    for (unsigned i = 1; i <= 9999; i++) {
        (void)snprintf(path, sizeof path, "weft-%04u.png", i);
        FILE *there = fopen(path, "rb");
        if (!there)
            break;
        (void)fclose(there);
    }
    if (!write_picture(viewer, path, &why)) {
        say_warning("%s", why.text);
        return;
    }
    printf("%s\n", path);
    (void)fflush(stdout);
}

// ---- the loop -----------------------------------------------------------------------------------

/// Shows a frame. `*again`: it could not be shown now.
static bool draw(struct viewer *viewer, bool *again, struct failure *why)
{
    uint32_t width, height, size[2], draws;
    const bool visible = window_size(viewer->window, &width, &height);
    *again = true;
    if (!visible || width == 0 || height == 0)
        return true;
    if (!renderer_acquire(viewer->renderer, width, height, size, why))
        return false;
    if (size[0] == 0 || size[1] == 0)
        return true;
    const uint64_t begin = now_ns(); // waiting for the window system is no drawing
    struct camera camera;
    if (!orbit_camera(&viewer->orbit, (float)size[0] / (float)size[1], &camera, why) ||
        !renderer_show(viewer->renderer, &camera, &draws, why))
        return false;
    *again = false;
    count_frame(viewer, begin, now_ns(), draws);
    return true;
}

/// Whether the camera moved.
static bool apply(struct viewer *viewer, const struct window_input *input)
{
    struct orbit *orbit = &viewer->orbit;
    const bool turns = input->turn_x != 0 || input->turn_y != 0;
    const bool pans = input->pan_x != 0 || input->pan_y != 0;
    if (turns)
        orbit_turn(orbit, input->turn_x, -input->turn_y);
    if (pans)
        orbit_pan(orbit, input->pan_x, -input->pan_y);
    if (input->zoom != 0)
        orbit_zoom(orbit, input->zoom);
    if (input->frame)
        orbit_frame(orbit);
    if (input->screenshot)
        take_screenshot(viewer);
    return turns || pans || input->zoom != 0 || input->frame;
}

/// Until the window is closed, or --frames are shown. Draws when there is a reason to; with
/// --frames all the time.
static bool loop(struct viewer *viewer, struct failure *why)
{
    const uint32_t frames = (uint32_t)viewer->in->frames;
    bool due = true, failed_last = false;
    while (frames == 0 || viewer->shown < frames) {
        struct window_input input;
        window_input(viewer->window, failed_last ? RETRY_MS : due ? 0 : IDLE_MS, &input);
        if (input.quit)
            return true;
        due = apply(viewer, &input) || input.redraw || due;
        if (!due)
            continue;
        if (!draw(viewer, &failed_last, why))
            return false;
        due = failed_last || frames > 0;
    }
    return true;
}

// ---- the whole ----------------------------------------------------------------------------------

static bool show(struct viewer *viewer, struct failure *why)
{
    const struct arguments *in = viewer->in;
    struct camera_choice choice;
    if (!camera_parse(in->drawing.camera ? in->drawing.camera : "auto", &viewer->scene, &choice,
                      why) ||
        !window_create(model_name(viewer), viewer->options.width, viewer->options.height,
                       &viewer->window, why))
        return false;
    orbit_begin(&viewer->orbit, &viewer->scene, &choice);
    viewer->target = window_target(viewer->window);
    viewer->options.window = &viewer->target;
    viewer->renderer = renderer_create(&viewer->options, &viewer->scene, why);
    if (viewer->renderer && renderer_capabilities(viewer->renderer)->backend == WEFT_BACKEND_NOOP)
        say_warning("the noop device draws nothing: the window will stay empty");
    const bool fine = viewer->renderer && loop(viewer, why) &&
                      (!in->screenshot || write_picture(viewer, in->screenshot, why));
    renderer_destroy(viewer->renderer); // it draws to the window
    window_destroy(viewer->window);
    return fine;
}

static bool view(struct viewer *viewer, struct failure *why)
{
    const struct arguments *in = viewer->in;
    output_remove_on_signals();
    if (!cli_backend(in->drawing.backend, &viewer->options.backends, why) ||
        (in->screenshot && !output_probe(in->screenshot, why)) ||
        !(in->model ? scene_load(in->model, &viewer->scene, why)
                    : scene_make_builtin(&viewer->scene, why)))
        return false;
    const bool fine = show(viewer, why);
    scene_finish(&viewer->scene);
    return fine;
}

static int run(const struct arguments *in, const struct render_options *options)
{
    struct viewer viewer = {.in = in, .options = *options};
    struct failure why;
    return view(&viewer, &why) ? EXIT_FINE : say_error("%s", why.text);
}

#else

static int run(const struct arguments *in, const struct render_options *options)
{
    (void)in, (void)options;
    return say_error("this build opens no windows; on Debian, install libsdl2-dev and build again; "
                     "\"weft render MODEL -o FILE.png\" needs none");
}

#endif

static int understand(const struct cli *cli, const struct arguments *in)
{
    struct render_options options;
    if (in->frames < 0 || in->frames > MAX_FRAMES)
        return cli_usage_error(cli, "--frames %d: give 1 to %d", in->frames, MAX_FRAMES);
    if (in->screenshot && image_format_of(in->screenshot) == IMAGE_UNKNOWN)
        return cli_usage_error(cli, "%s: unknown kind of picture; .png and .ppm can be written",
                               in->screenshot);
    const int code = drawing_understand(cli, &in->drawing, &options);
    return code == EXIT_FINE ? run(in, &options) : code;
}

int cmd_view(int argc, const char **argv)
{
    struct arguments in = {0};
    struct poptOption drawing[DRAWING_OPTIONS];
    drawing_options(&in.drawing, drawing);
    const struct poptOption options[] = {
        {NULL, 0, POPT_ARG_INCLUDE_TABLE, drawing, 0, NULL, NULL},
        {"frames", 'n', POPT_ARG_INT, &in.frames, 0, "Show N frames, then end", "N"},
        {"screenshot", 0, POPT_ARG_STRING, &in.screenshot, 0,
         "At the end, write what was shown last", "FILE.png|.ppm"},
        POPT_TABLEEND,
    };
    struct cli cli;
    int code = cli_parse(&cli, argc, argv, options, "[MODEL] [OPTION...]",
                         "Shows a model (.gltf, .glb, .obj) in a window; without one, a scene of "
                         "its own.\nDrag: turn. Right button or Shift: move. Wheel: zoom. F: the "
                         "whole model.\nS: write weft-0001.png and so on. Escape: end.");
    if (code == EXIT_FINE && !cli.done) {
        in.model = cli_argument(&cli);
        const char *extra = cli_argument(&cli);
        code = extra ? cli_usage_error(&cli, "unexpected argument \"%s\"", extra)
                     : understand(&cli, &in);
    }
    cli_finish(&cli);
    free(in.screenshot);
    drawing_finish(&in.drawing);
    return code;
}
