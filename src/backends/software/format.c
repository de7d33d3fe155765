#include "backends/software/software.h"

// What image/ reads, filters and writes is what raster/ renders through the same codecs.
void wf_sw_formats_fill(weft_format_caps out[WEFT_FORMAT_COUNT])
{
    out[WEFT_FORMAT_NONE] = 0;
    for (int format = WEFT_FORMAT_NONE + 1; format < WEFT_FORMAT_COUNT; format++)
        out[format] = wf_sw_format_caps((weft_format)format);
}
