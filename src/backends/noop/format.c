#include "backends/noop/noop.h"

void wf_noop_fill_formats(weft_capabilities *caps)
{
    for (uint32_t f = WEFT_FORMAT_NONE + 1; f < WEFT_FORMAT_COUNT; f++) {
        const weft_format_info *info = weft_format_get_info((weft_format)f);
        weft_format_caps can = WEFT_FORMAT_CAN_SAMPLE | WEFT_FORMAT_CAN_COPY;
        const bool depth = !(info->aspects & WEFT_ASPECT_COLOR);
        const bool filtered = info->sample_class == WEFT_SAMPLE_CLASS_FLOAT;
        if (filtered)
            can |= WEFT_FORMAT_CAN_FILTER;
        if (!info->compressed) {
            can |= WEFT_FORMAT_CAN_MSAA_2 | WEFT_FORMAT_CAN_MSAA_4 | WEFT_FORMAT_CAN_MSAA_8;
            can |= depth ? WEFT_FORMAT_CAN_DEPTH_STENCIL
                         : WEFT_FORMAT_CAN_RENDER | WEFT_FORMAT_CAN_STORE | WEFT_FORMAT_CAN_RESOLVE;
            if (!depth)
                can |= WEFT_FORMAT_CAN_LOAD_TEXELS | WEFT_FORMAT_CAN_STORE_TEXELS;
            if (filtered)
                can |= WEFT_FORMAT_CAN_BLEND;
        }
        if (f == WEFT_FORMAT_R32_UINT || f == WEFT_FORMAT_R32_SINT || f == WEFT_FORMAT_R32_FLOAT)
            can |= WEFT_FORMAT_CAN_ATOMIC;
        caps->formats[f] = can;
    }
}
