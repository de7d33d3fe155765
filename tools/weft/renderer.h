/// \file renderer.h
/// Draws a scene through Weft's frame layer. A host: public headers only.
#pragma once

#include "camera.h"
#include "cli.h"

#include <weft/weft.h>

struct render_options {
    weft_backend_set backends; ///< 0: all.
    uint32_t width, height;
    const weft_surface_target *window; ///< Frames are shown there; NULL: pictures only.
    uint32_t samples;                  ///< 0: 4 where the device has them.
    uint32_t threads;                  ///< Of the software device; 0: one per core.
    float background[4];               ///< sRGB, straight alpha.
};

struct renderer;

/// Starts a device and moves the scene onto it. The scene must outlive the renderer.
struct renderer *renderer_create(const struct render_options *options, const struct scene *scene,
                                 struct failure *why);
void renderer_destroy(struct renderer *renderer);

/// Draws one picture into `image`, of any size. `*plan` (may be NULL) is the
/// frame's report in `format`, freed with weft_text_free().
bool renderer_draw(struct renderer *renderer, const struct camera *camera, struct image *image,
                   weft_report_format format, char **plan, struct failure *why);

/// Takes the window's next image, configuring the surface for a window of `width` × `height` where
/// that is needed. `*out` is its size; 0, 0: nothing can be shown now.
bool renderer_acquire(struct renderer *renderer, uint32_t width, uint32_t height, uint32_t out[2],
                      struct failure *why);
/// Draws to the acquired image and shows it. `*draws`: draw commands of the frame.
bool renderer_show(struct renderer *renderer, const struct camera *camera, uint32_t *draws,
                   struct failure *why);

/// The device that draws.
const weft_capabilities *renderer_capabilities(const struct renderer *renderer);
uint32_t renderer_samples(const struct renderer *renderer);
