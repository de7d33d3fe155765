#include "core/check.h"

#include <float.h>

static weft_sampler_desc sampler_desc_defaults(const weft_sampler_desc *desc)
{
    weft_sampler_desc full = *desc;
    if (full.only_base_mip)
        full.lod_max = 0.0f;
    else if (full.lod_max == 0.0f)
        full.lod_max = FLT_MAX;
    if (full.anisotropy == 0.0f)
        full.anisotropy = 1.0f;
    full.label = full.label ? full.label : "";
    return full;
}

static bool check_enums(const struct wf_core_subject *on, const weft_sampler_desc *d)
{
    const bool known =
        (unsigned)d->mag <= WEFT_FILTER_LINEAR && (unsigned)d->min <= WEFT_FILTER_LINEAR &&
        (unsigned)d->mip <= WEFT_FILTER_LINEAR && (unsigned)d->u <= WEFT_ADDRESS_CLAMP_TO_BORDER &&
        (unsigned)d->v <= WEFT_ADDRESS_CLAMP_TO_BORDER &&
        (unsigned)d->w <= WEFT_ADDRESS_CLAMP_TO_BORDER &&
        (unsigned)d->border <= WEFT_BORDER_OPAQUE_WHITE &&
        (unsigned)d->compare <= WEFT_COMPARE_ALWAYS;
    return known || wf_core_broken(on, WEFT_RULE_ENUM_UNKNOWN,
                                   "A filter, address mode, border color or comparison of this "
                                   "sampler is no such constant.");
}

/// The first filter that is not linear, or NULL.
static const char *nearest_filter(const weft_sampler_desc *d)
{
    if (d->mag != WEFT_FILTER_LINEAR)
        return "mag";
    if (d->min != WEFT_FILTER_LINEAR)
        return "min";
    return d->mip != WEFT_FILTER_LINEAR ? "mip" : NULL;
}

/// The first rule that it breaks. Backends differ in what they make of nearest filters.
static bool check_anisotropy(const struct wf_core_subject *on, const weft_sampler_desc *d)
{
    const float most = on->dev->caps.limits.max_anisotropy;
    if (!(d->anisotropy >= 1.0f && d->anisotropy <= (most > 1.0f ? most : 1.0f)))
        return wf_core_broken(on, WEFT_RULE_SAMPLER_ANISOTROPY,
                              "The anisotropy is %g, the limit %g.", (double)d->anisotropy,
                              (double)most);
    if (d->anisotropy == 1.0f)
        return true;
    if (!wf_core_need(on, WEFT_FEATURE_ANISOTROPY, "Anisotropic filtering"))
        return false;
    const char *nearest = nearest_filter(d);
    return !nearest || wf_core_broken(on, WEFT_RULE_SAMPLER_ANISOTROPY_FILTER,
                                      "The anisotropy is %g, and the filter %s is nearest.",
                                      (double)d->anisotropy, nearest);
}

bool wf_core_check_sampler_desc(struct weft_device *dev, const weft_sampler_desc *desc)
{
    const struct wf_core_subject on = wf_core_about_new(dev, WEFT_OBJECT_SAMPLER, desc->label);
    bool ok = check_enums(&on, desc);
    ok &= check_anisotropy(&on, desc);
    if (!(desc->lod_min >= 0.0f && desc->lod_min <= desc->lod_max) ||
        !(desc->lod_bias >= -16.0f && desc->lod_bias <= 16.0f))
        ok = wf_core_broken(&on, WEFT_RULE_SAMPLER_LOD,
                            "The level of detail is %g to %g, its bias %g.", (double)desc->lod_min,
                            (double)desc->lod_max, (double)desc->lod_bias);
    return ok;
}

weft_result weft_sampler_create(weft_device *device, const weft_sampler_desc *desc,
                                weft_sampler *out)
{
    const weft_result entered = wf_core_enter(device, desc, out, sizeof *out);
    if (entered != WEFT_OK)
        return entered;
    const weft_sampler_desc full = sampler_desc_defaults(desc);
    if (device->validate && !wf_core_check_sampler_desc(device, &full))
        return WEFT_ERROR_USAGE;
    struct wf_core_sampler *sampler = wf_core_sampler_take(device, full.label, out);
    if (!sampler)
        return WEFT_ERROR_MEMORY;
    sampler->heap_index = UINT32_MAX;
    sampler->compares = full.compare != WEFT_COMPARE_DEFAULT;
    const weft_result result = device->ops->sampler_create(device->hal, &full, &sampler->hal);
    if (result == WEFT_OK)
        return WEFT_OK;
    wf_core_sampler_give(device, out);
    const struct wf_core_subject on = wf_core_about_new(device, WEFT_OBJECT_SAMPLER, full.label);
    return wf_core_failed(&on, result, NULL);
}

static void release(struct weft_device *dev, void *object, uint64_t extra)
{
    wf_core_heap_forget_sampler(dev, object, (uint32_t)extra, extra >> 32 != 0);
    dev->ops->sampler_destroy(dev->hal, object);
}

void wf_core_sampler_discard(struct weft_device *dev, void *object)
{
    struct wf_core_sampler *sampler = object;
    const uint64_t extra = sampler->heap_index | (uint64_t)sampler->in_range << 32;
    wf_core_retire(dev, release, sampler->hal, extra, 0);
}

void weft_sampler_destroy(weft_device *device, weft_sampler sampler)
{
    wf_core_sampler_destroy(device, sampler);
}
