#include "spirv_pictures.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"

struct texel {
    uint32_t mip, slice, sample, x, y;
};

/// Fills an image; `value` makes the words of one texel.
static void fill(struct wf_sw_image *image, uint32_t element,
                 void (*value)(const struct texel *at, uint32_t element, void *out))
{
    for (uint32_t mip = 0; mip < image->mips; mip++) {
        const struct wf_sw_mip *m = &image->main.mips[mip];
        for (uint32_t k = 0; k < image->layers * image->samples * m->width * m->height; k++) {
            const uint32_t texels = m->width * m->height, array = k / texels;
            const struct texel at = {mip, array / image->samples, array % image->samples,
                                     k % m->width, k / m->width % m->height};
            value(&at, element,
                  wf_sw_image_row(image, &image->main, mip, at.slice, at.sample, at.y) +
                      (size_t)at.x * image->main.block_bytes);
        }
    }
}

static void place_value(const struct texel *at, uint32_t element, void *out)
{
    const float rgba[4] = {(float)at->x, (float)at->y, (float)(element + 10 * at->mip), 1};
    memcpy(out, rgba, sizeof rgba);
}

static void number_value(const struct texel *at, uint32_t element, void *out)
{
    const uint32_t number = 100 * element + 10 * at->y + at->x;
    memcpy(out, &number, sizeof number);
}

static void depth_value(const struct texel *at, uint32_t element, void *out)
{
    const float depth = (float)at->x / 4;
    (void)element;
    memcpy(out, &depth, sizeof depth);
}

static void sample_value(const struct texel *at, uint32_t element, void *out)
{
    const uint32_t number = 100 * at->slice + 10 * at->x + at->sample;
    (void)element;
    memcpy(out, &number, sizeof number);
}

static void face_value(const struct texel *at, uint32_t element, void *out)
{
    (void)element;
    memcpy(out, &at->slice, sizeof at->slice);
}

static void x_value(const struct texel *at, uint32_t element, void *out)
{
    const float x = (float)at->x;
    (void)element;
    memcpy(out, &x, sizeof x);
}

static struct wf_sw_view *add(struct spirv_pictures *p, const weft_texture_desc *desc,
                              weft_view_kind kind)
{
    struct wf_sw_image *image = &p->images[p->count];
    struct wf_sw_view *view = &p->views[p->count++];
    EXPECT(wf_sw_image_init(image, desc));
    image->memory = aligned_alloc(64, (image->size + 63) / 64 * 64);
    memset(image->memory, 0, image->size);
    EXPECT(wf_sw_view_init(view, image, &(struct wf_sw_view_desc){.kind = kind}));
    return view;
}

static void add_texels(struct spirv_pictures *p, struct wf_sw_binding *element)
{
    const weft_texture_desc desc = {.kind = WEFT_TEXTURE_1D,
                                    .format = WEFT_FORMAT_R32_UINT,
                                    .width = (uint32_t)(element->size / 4)};
    struct wf_sw_view *view = add(p, &desc, WEFT_VIEW_DEFAULT);
    memcpy(view->image->memory, element->data, element->size);
    element->view = view;
}

// NOLINTNEXTLINE(readability-non-const-parameter): shaders write through it
void spirv_pictures_open(struct spirv_pictures *p, uint8_t *input, size_t input_bytes)
{
    static const struct wf_sw_binding_range ranges[SPIRV_BINDINGS] = {
        {0, 1}, {1, 1}, {2, 2}, {4, 2}, {6, 2}, {8, 2}, {10, 1}, {11, 1}, {12, 1}, {13, 1}};
    const size_t skipped = input_bytes < 16 ? input_bytes : 16;
    memset(p, 0, sizeof *p);
    memcpy(p->ranges, ranges, sizeof ranges);
    wf_sw_sampler_init(&p->nearest, &(weft_sampler_desc){.min = WEFT_FILTER_NEAREST,
                                                         .mag = WEFT_FILTER_NEAREST,
                                                         .mip = WEFT_FILTER_NEAREST});
    wf_sw_sampler_init(&p->compare, &(weft_sampler_desc){.min = WEFT_FILTER_NEAREST,
                                                         .mag = WEFT_FILTER_NEAREST,
                                                         .compare = WEFT_COMPARE_LESS});
    for (uint32_t k = 0; k < 2; k++) {
        const size_t from = k ? skipped : 0;
        p->elements[2 + k] =
            (struct wf_sw_binding){.data = input + from, .size = input_bytes - from};
        struct wf_sw_view *view =
            add(p,
                &(weft_texture_desc){
                    .format = WEFT_FORMAT_RGBA32_FLOAT, .width = 4, .height = 4, .mips = 2},
                WEFT_VIEW_DEFAULT);
        fill(view->image, k, place_value);
        p->elements[4 + k] = (struct wf_sw_binding){.view = view, .sampler = &p->nearest};
        view = add(p, &(weft_texture_desc){.format = WEFT_FORMAT_R32_UINT, .width = 4, .height = 4},
                   WEFT_VIEW_DEFAULT);
        fill(view->image, k, number_value);
        p->elements[6 + k].view = view;
        if (input_bytes > from) {
            p->elements[8 + k] = p->elements[2 + k];
            add_texels(p, &p->elements[8 + k]);
        }
    }
    weft_texture_desc desc = {.format = WEFT_FORMAT_D32_FLOAT, .width = 4, .height = 4};
    struct wf_sw_view *view = add(p, &desc, WEFT_VIEW_DEFAULT);
    fill(view->image, 0, depth_value);
    p->elements[10] = (struct wf_sw_binding){.view = view, .sampler = &p->compare};
    desc = (weft_texture_desc){
        .format = WEFT_FORMAT_R32_UINT, .width = 4, .height = 4, .layers = 2, .samples = 4};
    p->elements[11].view = view = add(p, &desc, WEFT_VIEW_2D_ARRAY);
    fill(view->image, 0, sample_value);
    desc =
        (weft_texture_desc){.format = WEFT_FORMAT_R32_UINT, .width = 2, .height = 2, .layers = 12};
    p->elements[12].view = view = add(p, &desc, WEFT_VIEW_CUBE_ARRAY);
    fill(view->image, 0, face_value);
    desc = (weft_texture_desc){.format = WEFT_FORMAT_R32_FLOAT, .width = 4, .height = 4};
    p->elements[13].view = view = add(p, &desc, WEFT_VIEW_DEFAULT);
    fill(view->image, 0, x_value);
}

void spirv_pictures_close(struct spirv_pictures *p)
{
    for (uint32_t k = 0; k < p->count; k++)
        free(p->images[k].memory);
}
