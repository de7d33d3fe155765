// Comparison samplers: what is stored is the right side, the reference the left.
#include "cases.h"
#include "probe.h"

#include "sample_shadow.comp.spv.h"

static const float stored[4] = {0.25f, 0.5f, 0.75f, 0.5f}; ///< 2×2 texels.
static const float references[3] = {0.25f, 0.5f, 0.75f};

static bool passes(weft_compare compare, float reference, float texel)
{
    switch (compare) {
    case WEFT_COMPARE_LESS:
        return reference < texel;
    case WEFT_COMPARE_EQUAL:
        return reference == texel;
    case WEFT_COMPARE_LESS_EQUAL:
        return reference <= texel;
    case WEFT_COMPARE_GREATER:
        return reference > texel;
    case WEFT_COMPARE_NOT_EQUAL:
        return reference != texel;
    case WEFT_COMPARE_GREATER_EQUAL:
        return reference >= texel;
    default:
        return compare == WEFT_COMPARE_ALWAYS;
    }
}

static void make(struct conform *c, struct conform_probed *probed)
{
    conform_need_format(c, WEFT_FORMAT_D32_FLOAT, WEFT_FORMAT_CAN_SAMPLE | WEFT_FORMAT_CAN_COPY);
    const weft_texture texture = conform_texture(
        c, &(weft_texture_desc){.format = WEFT_FORMAT_D32_FLOAT, .width = 2, .height = 2});
    weft_texture_write(conform_device(c), texture, NULL, stored, NULL);
    *probed = (struct conform_probed){.pipeline =
                                          conform_compute(c, CONFORM_SHADER(c, sample_shadow_comp)),
                                      .view = conform_view(c, texture)};
}

void case_sample_compare_functions(struct conform *c)
{
    struct conform_probed probed;
    make(c, &probed);
    for (int compare = WEFT_COMPARE_NEVER; compare <= WEFT_COMPARE_ALWAYS; compare++) {
        struct conform_probe probes[12];
        struct conform_texel want[12];
        for (uint32_t i = 0; i < 12; i++) {
            const uint32_t texel = i & 3;
            probes[i] =
                (struct conform_probe){.at = {texel & 1 ? 0.75f : 0.25f, texel & 2 ? 0.75f : 0.25f},
                                       .more = {references[i >> 2]}};
            const double pass =
                passes((weft_compare)compare, references[i >> 2], stored[texel]) ? 1 : 0;
            want[i] = (struct conform_texel){{pass, pass, pass, pass}};
        }
        probed.sampler = conform_sampler(c, &(weft_sampler_desc){.compare = (weft_compare)compare});
        conform_expect_probes(c, &probed, probes, want, 12, 0);
    }
}

void case_sample_compare_gather(struct conform *c)
{
    static const uint32_t order[4] = {2, 3, 1, 0}; // texels, as a gather orders them
    struct conform_probe probes[3];
    struct conform_texel want[3];
    struct conform_probed probed;
    make(c, &probed);
    for (uint32_t i = 0; i < 3; i++) {
        probes[i] = (struct conform_probe){.at = {0.5f, 0.5f}, .more = {references[i]}};
        for (uint32_t k = 0; k < 4; k++)
            want[i].v[k] = passes(WEFT_COMPARE_LESS_EQUAL, references[i], stored[order[k]]);
    }
    probed.op = CONFORM_PROBE_GATHER;
    probed.sampler = conform_sampler(c, &(weft_sampler_desc){.compare = WEFT_COMPARE_LESS_EQUAL});
    conform_expect_probes(c, &probed, probes, want, 3, 0);
}

/// The comparisons are mixed, not the depths: two of four pass, and all or none in other places.
void case_sample_compare_linear(struct conform *c)
{
    static const struct conform_probe probes[] = {{.at = {0.5f, 0.5f}, .more = {0.6f}},
                                                  {.at = {0.5f, 0.5f}, .more = {0.2f}},
                                                  {.at = {0.5f, 0.5f}, .more = {0.8f}},
                                                  {.at = {0.5f, 0.25f}, .more = {0.4f}}};
    static const struct conform_texel want[] = {
        {{0.25, 0.25, 0.25, 0.25}}, {{1, 1, 1, 1}}, {{0, 0, 0, 0}}, {{0.5, 0.5, 0.5, 0.5}}};
    struct conform_probed probed;
    make(c, &probed);
    conform_need_format(c, WEFT_FORMAT_D32_FLOAT, WEFT_FORMAT_CAN_FILTER);
    probed.sampler = conform_sampler(c, &(weft_sampler_desc){.mag = WEFT_FILTER_LINEAR,
                                                             .min = WEFT_FILTER_LINEAR,
                                                             .u = WEFT_ADDRESS_CLAMP_TO_EDGE,
                                                             .v = WEFT_ADDRESS_CLAMP_TO_EDGE,
                                                             .compare = WEFT_COMPARE_LESS});
    conform_expect_probes(c, &probed, probes, want, 4, 0.5 / 255);
}
