#include <weft/format.h>

#include "base/thread.h"
#include "hal/format.h"

#include <string.h>

// Names follow each other, each with a zero byte after it, so that they need no pointers.
static const char names[] = "none"
#define WF_FORMAT(id, text, ...)       "\0" text
#define WF_FORMAT_BGRA(id, text, ...)  "\0" text
#define WF_FORMAT_DEPTH(id, text, ...) "\0" text
#define WF_FORMAT_STENCIL(id, text)    "\0" text
#define WF_FORMAT_BLOCK(id, text, ...) "\0" text
#include "hal/formats.def"
    ;

static const char vertex_names[] = "none"
#define WF_VERTEX_FORMAT(id, text, ...) "\0" text
#define WF_VERTEX_FORMAT_BGRA(id, text) "\0" text
#include "hal/formats.def"
    ;

// Made from hal's table for the first who asks.
static weft_format_info infos[WEFT_FORMAT_COUNT];
static weft_vertex_format_info vertex_infos[WEFT_VERTEX_FORMAT_COUNT];

static void make_infos(void)
{
    const char *name = names;
    for (uint32_t i = 0; i < WEFT_FORMAT_COUNT; i++, name += strlen(name) + 1) {
        const struct wf_hal_format *f = wf_hal_format_get((weft_format)i);
        infos[i] = (weft_format_info){
            .name = name,
            .block_bytes = f->codec.texel_bytes,
            .block_width = f->block_width,
            .block_height = f->block_height,
            .components = f->codec.components + (f->stencil_bytes != 0),
            .aspects = f->aspects,
            .sample_class = (weft_sample_class)f->sample_class,
            .srgb = f->srgb,
            .compressed = f->compressed,
            .twin = (weft_format)f->twin,
        };
    }
    name = vertex_names;
    for (uint32_t i = 0; i < WEFT_VERTEX_FORMAT_COUNT; i++, name += strlen(name) + 1) {
        const struct wf_hal_texel_codec *codec = wf_hal_vertex_format_get((weft_vertex_format)i);
        vertex_infos[i] = (weft_vertex_format_info){
            .name = name,
            .bytes = codec->texel_bytes,
            .components = codec->components,
            .shader_class = wf_hal_texel_class(codec),
        };
    }
}

static void need_infos(void)
{
    static struct wf_base_once once = WF_BASE_ONCE_INIT;
    wf_base_once(&once, make_infos);
}

const weft_format_info *weft_format_get_info(weft_format format)
{
    need_infos();
    const uint32_t index = (uint32_t)format;
    return &infos[index < WEFT_FORMAT_COUNT ? index : 0];
}

uint64_t weft_format_row_bytes(weft_format format, uint32_t width)
{
    return wf_hal_format_row_bytes(format, width);
}

uint64_t weft_format_image_bytes(weft_format format, uint32_t width, uint32_t height,
                                 uint32_t depth)
{
    return wf_hal_format_image_bytes(format, width, height, depth);
}

const weft_vertex_format_info *weft_vertex_format_get_info(weft_vertex_format format)
{
    need_infos();
    const uint32_t index = (uint32_t)format;
    return &vertex_infos[index < WEFT_VERTEX_FORMAT_COUNT ? index : 0];
}
