// Draws a scene into a PNG file and tells what was done: the plan of the frame, and the time per
// phase. usage: demo OUT.png
#include "scene.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/// A file that appears whole or not at all.
static bool write_picture(const char *path, const struct image *image, struct failure *why)
{
    char temporary[4096];
    const int length = snprintf(temporary, sizeof temporary, "%s.part", path);
    if (length < 0 || (size_t)length >= sizeof temporary)
        return failure_set(why, "%s: the name is too long", path);
    FILE *file = fopen(temporary, "wb");
    if (!file)
        return failure_set(why, "%s: cannot write it", path);
    const bool written = image_write(file, IMAGE_PNG, image);
    if (fclose(file) == 0 && written && rename(temporary, path) == 0)
        return true;
    (void)remove(temporary);
    return failure_set(why, "%s: cannot write it", path);
}

static double seconds(void)
{
    struct timespec now;
    (void)timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/// When each phase ended.
enum { BEGUN = 0, STARTED, APPENDED, SUBMITTED, READ, WRITTEN, MOMENTS };

static void print_times(const double *moments, const weft_frame_times *frame)
{
    static const char *const names[] = {"",
                                        "start the device and load",
                                        "append the packets",
                                        "validate, plan, lower, draw",
                                        "read the picture back",
                                        "write the file"};
    printf("\nTime per phase\n");
    for (int i = STARTED; i < MOMENTS; i++) {
        printf("  %-28s %8.2f ms\n", names[i], (moments[i] - moments[i - 1]) * 1e3);
        if (i == SUBMITTED)
            printf("    validate %.3f, plan %.3f, lower %.3f, submit %.3f ms\n",
                   (double)frame->validate * 1e-6, (double)frame->plan * 1e-6,
                   (double)frame->lower * 1e-6, (double)frame->submit * 1e-6);
    }
    printf("  %-28s %8.2f ms\n", "in all", (moments[WRITTEN] - moments[BEGUN]) * 1e3);
}

static bool draw(struct stage *stage, struct image *image, double *moments, weft_frame_times *times,
                 struct failure *why)
{
    weft_frame *frame;
    const weft_frame_report *report;
    char *plan;
    moments[STARTED] = seconds();
    const bool timed = weft_device_capabilities(stage->device)->features & WEFT_FEATURE_TIMESTAMPS;
    const weft_frame_desc desc = {
        .surface = stage->surface, .flags = timed ? WEFT_FRAME_GPU_TIMES : 0, .label = "demo"};
    if (weft_frame_begin(stage->device, &desc, &frame) != WEFT_OK)
        return failure_set(why, "cannot begin a frame");
    if (!demo_append(stage, frame)) {
        weft_frame_cancel(frame);
        return failure_set(why, "cannot append the scene");
    }
    moments[APPENDED] = seconds();
    const weft_result result = weft_frame_submit(frame, &report);
    moments[SUBMITTED] = seconds();
    if (result != WEFT_OK)
        return failure_set(why, "the frame failed: %s", weft_result_name(result));
    const uint64_t size = (uint64_t)image->width * image->height * 4;
    if (weft_surface_read(stage->device, stage->surface, image->texels, size) != WEFT_OK)
        return failure_set(why, "cannot read the picture back");
    moments[READ] = seconds();
    if (weft_frame_report_write(report, WEFT_REPORT_TEXT, &plan) == WEFT_OK)
        (void)fputs(plan, stdout);
    weft_text_free(plan);
    *times = report->times;
    return true;
}

static bool run(const char *path, weft_backend_set backends, struct failure *why)
{
    static struct stage stage; // large for a stack
    struct image image;
    double moments[MOMENTS] = {seconds()};
    if (!image_create(STAGE_WIDTH, STAGE_HEIGHT, &image, why))
        return false;
    weft_frame_times times = {0};
    const bool drawn =
        stage_create(&stage, backends, why) && draw(&stage, &image, moments, &times, why);
    const bool fine = drawn && write_picture(path, &image, why);
    moments[WRITTEN] = seconds();
    if (fine) {
        print_times(moments, &times);
        printf("\n%s: %u x %u texels\n", path, image.width, image.height);
    }
    stage_destroy(&stage);
    image_finish(&image);
    return fine;
}

int main(int argc, char **argv)
{
    struct failure why;
    const weft_backend backend = argc == 3 ? weft_backend_from_name(argv[2]) : 0;
    if (argc < 2 || argc > 3 || backend == WEFT_BACKEND_COUNT) {
        (void)fprintf(stderr, "usage: demo OUT.png [BACKEND]\n");
        return 2;
    }
    const weft_backend_set backends = argc == 3 ? 1u << backend : 0;
    return run(argv[1], backends, &why) ? 0 : say_error("%s", why.text);
}
