/// \file sample_rule.h
/// Sampling by the formulas of the Vulkan specification ("Image Operations Steps"), on a model.
#pragma once

#include "model.h"

/// An 8-bit filter may round its weights or its result: half a step of 8 bits. Drivers may round
/// both, and more than once (Vulkan asks for 4 bits of weights, 8 are usual).
double conform_filter_tolerance(const struct conform *c);

/// How texels of one mip are found and mixed.
struct conform_rule {
    weft_filter filter;
    weft_address_mode u, v;
    weft_border_color border;
    bool integers;
};

/// Index of texel `i` of `size` ones under an address mode; -1 is the border.
int conform_rule_wrap(int i, int size, weft_address_mode mode);
/// Texel (x, y), wrapped or the border.
struct conform_texel conform_rule_texel(struct conform_model *model,
                                        const struct conform_rule *rule, int x, int y);
/// Slice 0 at (u, v).
struct conform_texel conform_rule_sample(struct conform_model *model,
                                         const struct conform_rule *rule, double u, double v);
/// Component `component` of the four texels that a linear filter would mix.
struct conform_texel conform_rule_gather(struct conform_model *model,
                                         const struct conform_rule *rule, const double uv[2],
                                         uint32_t component);
/// A sampler for the rule.
weft_sampler conform_rule_sampler(struct conform *c, const struct conform_rule *rule);
