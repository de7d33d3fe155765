// Where a sample comes from.
#include "sample_rule.h"

#include <math.h>

double conform_filter_tolerance(const struct conform *c)
{
    return (conform_exact(c) ? 0.5 : 1.5) / 255;
}

int conform_rule_wrap(int i, int size, weft_address_mode mode)
{
    const int twice = 2 * size, folded = ((i % twice) + twice) % twice;
    switch (mode) {
    case WEFT_ADDRESS_REPEAT:
        return folded % size;
    case WEFT_ADDRESS_MIRROR_REPEAT:
        return folded < size ? folded : twice - 1 - folded;
    case WEFT_ADDRESS_CLAMP_TO_EDGE:
        return i < 0 ? 0 : i >= size ? size - 1 : i;
    case WEFT_ADDRESS_CLAMP_TO_BORDER:
        break;
    }
    return i < 0 || i >= size ? -1 : i;
}

/// What the format lacks is 0, 0, 1 in the border, too.
static struct conform_texel border_texel(weft_border_color border, uint32_t components)
{
    struct conform_texel out = {{0, 0, 0, 1}};
    for (uint32_t i = 0; i < components; i++)
        out.v[i] =
            i < 3 ? border == WEFT_BORDER_OPAQUE_WHITE : border != WEFT_BORDER_TRANSPARENT_BLACK;
    return out;
}

struct conform_texel conform_rule_texel(struct conform_model *model,
                                        const struct conform_rule *rule, int x, int y)
{
    const int at[2] = {conform_rule_wrap(x, (int)model->width, rule->u),
                       conform_rule_wrap(y, (int)model->height, rule->v)};
    if (at[0] < 0 || at[1] < 0)
        return border_texel(rule->border, weft_format_get_info(model->format)->components);
    return conform_model_texel(model, (uint32_t)at[0], (uint32_t)at[1], 0);
}

struct conform_texel conform_rule_sample(struct conform_model *model,
                                         const struct conform_rule *rule, double u, double v)
{
    const double x = u * model->width, y = v * model->height;
    if (rule->filter == WEFT_FILTER_NEAREST)
        return conform_rule_texel(model, rule, (int)floor(x), (int)floor(y));
    const int i = (int)floor(x - 0.5), j = (int)floor(y - 0.5);
    const double a = x - 0.5 - i, b = y - 0.5 - j;
    struct conform_texel out = {{0}};
    for (int k = 0; k < 4; k++) {
        const int right = k & 1, below = k >> 1;
        const struct conform_texel t = conform_rule_texel(model, rule, i + right, j + below);
        const double weight = (right ? a : 1 - a) * (below ? b : 1 - b);
        for (int n = 0; n < 4; n++)
            out.v[n] += weight * t.v[n];
    }
    return out;
}

struct conform_texel conform_rule_gather(struct conform_model *model,
                                         const struct conform_rule *rule, const double uv[2],
                                         uint32_t component)
{
    static const int order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    const int i = (int)floor(uv[0] * model->width - 0.5);
    const int j = (int)floor(uv[1] * model->height - 0.5);
    struct conform_texel out;
    for (int k = 0; k < 4; k++)
        out.v[k] = conform_rule_texel(model, rule, i + order[k][0], j + order[k][1]).v[component];
    return out;
}

weft_sampler conform_rule_sampler(struct conform *c, const struct conform_rule *rule)
{
    return conform_sampler(c, &(weft_sampler_desc){.mag = rule->filter,
                                                   .min = rule->filter,
                                                   .u = rule->u,
                                                   .v = rule->v,
                                                   .border = rule->border,
                                                   .integer_border = rule->integers});
}
