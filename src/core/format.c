#include <weft/format.h>

#include "hal/format.h"

const weft_format_info *weft_format_get_info(weft_format format)
{
    return &wf_hal_format_get(format)->info;
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
    return &wf_hal_vertex_format_get(format)->info;
}
