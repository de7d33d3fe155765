// What a device, or Weft's shader interface, refuses in a module.
#include "core/shader.h"

#include "core/lint.h"

#include "shader/reflect.h"

#include <inttypes.h>
#include <stdio.h>

#define HEAP_SET 3u

struct check {
    const struct wf_core_subject *on;
    const weft_reflection *entry;
    const struct wf_shader_reflection *reflection;
};

static bool check_features(const struct check *c)
{
    bool ok = true;
    for (uint32_t bit = 0; bit < 64; ++bit) {
        const weft_feature_set feature = c->entry->features & UINT64_C(1) << bit;
        if (feature == 0)
            continue;
        if (!wf_core_has(c->on->dev, feature))
            ok = wf_core_broken(c->on, WEFT_RULE_SHADER_FEATURE, "Entry point \"%s\" needs %s.",
                                c->entry->entry, weft_feature_name(bit));
        else if (c->on->dev->lint)
            wf_core_lint_feature(c->on, feature, "This shader");
    }
    return ok;
}

/// What set 3 may hold, by binding.
static bool heap_binding_ok(const struct wf_shader_binding *b)
{
    switch (b->binding) {
    case WEFT_HEAP_SAMPLED:
        return b->type == WF_SHADER_RESOURCE_SAMPLED_IMAGE;
    case WEFT_HEAP_STORAGE:
        return b->type == WF_SHADER_RESOURCE_STORAGE_IMAGE;
    case WEFT_HEAP_SAMPLER:
        return b->type == WF_SHADER_RESOURCE_SAMPLER;
    case WEFT_HEAP_ACCELERATION:
        return b->type == WF_SHADER_RESOURCE_ACCELERATION_STRUCTURE;
    default:
        return false;
    }
}

static bool check_binding(const struct check *c, const struct wf_shader_binding *b)
{
    const char *type = wf_shader_resource_name(b->type);
    if (b->set > HEAP_SET)
        return wf_core_broken(c->on, WEFT_RULE_SHADER_SET, "\"%s\" is in set %u.", b->name, b->set);
    if (b->type == WF_SHADER_RESOURCE_INPUT_ATTACHMENT)
        return wf_core_broken(c->on, WEFT_RULE_SHADER_SET, "\"%s\" is an input attachment.",
                              b->name);
    if (b->set == HEAP_SET && !heap_binding_ok(b))
        return wf_core_broken(c->on, WEFT_RULE_SHADER_HEAP,
                              "\"%s\" is a %s at binding %u of the heap.", b->name, type,
                              b->binding);
    if (b->set < HEAP_SET && b->count == 0)
        return wf_core_broken(c->on, WEFT_RULE_SHADER_RUNTIME_ARRAY,
                              "\"%s\" is an array of any length at set %u, binding %u.", b->name,
                              b->set, b->binding);
    return true;
}

static bool check_bindings(const struct check *c)
{
    bool ok = true;
    for (uint32_t i = 0; i < c->reflection->binding_count; ++i)
        ok &= check_binding(c, &c->reflection->bindings[i]);
    return ok;
}

/// A pass has one viewport: there is nothing to choose.
static bool check_viewport(const struct check *c)
{
    return !c->reflection->writes_viewport ||
           wf_core_broken(c->on, WEFT_RULE_SHADER_FEATURE,
                          "Entry point \"%s\" writes ViewportIndex; there is one viewport.",
                          c->entry->entry);
}

static bool check_workgroup(const struct check *c)
{
    const weft_limits *limits = &c->on->dev->caps.limits;
    if (c->entry->stage & (WEFT_SHADER_STAGE_VERTEX | WEFT_SHADER_STAGE_FRAGMENT))
        return true;
    const uint64_t shared = c->reflection->workgroup_memory;
    const uint64_t bytes = shared > UINT32_MAX ? shared : shared + c->entry->payload_size;
    const uint32_t most = c->entry->stage == WEFT_SHADER_STAGE_COMPUTE
                              ? limits->max_workgroup_memory
                              : limits->max_mesh_workgroup_memory;
    if (bytes > most)
        return wf_core_broken(c->on, WEFT_RULE_SHADER_WORKGROUP,
                              "Entry point \"%s\" has %" PRIu64
                              " bytes of workgroup memory; the device has %u.",
                              c->entry->entry, bytes, most);
    return true;
}

static bool check_most(const struct check *c, const char *what, uint64_t has, uint32_t most)
{
    return has <= most ||
           wf_core_broken(c->on, WEFT_RULE_SHADER_MESH,
                          "Entry point \"%s\" has %" PRIu64 " %s; the device has %u.",
                          c->entry->entry, has, what, most);
}

/// What task and mesh shaders hand on.
static bool check_mesh(const struct check *c)
{
    const weft_limits *limits = &c->on->dev->caps.limits;
    const weft_reflection *e = c->entry;
    uint64_t components = 0;
    if (!(e->stage & (WEFT_SHADER_STAGE_TASK | WEFT_SHADER_STAGE_MESH)))
        return true;
    for (uint32_t i = 0; e->stage == WEFT_SHADER_STAGE_MESH && i < e->output_count; ++i)
        components += e->outputs[i].locations * UINT64_C(4);
    bool ok = check_most(c, "bytes of payload", e->payload_size, limits->max_task_payload);
    ok &= check_most(c, "output vertices", e->output_vertices, limits->max_mesh_output_vertices);
    ok &= check_most(c, "output primitives", e->output_primitives,
                     limits->max_mesh_output_primitives);
    return check_most(c, "output components", components, limits->max_mesh_output_components) && ok;
}

static bool check_entry(const struct check *c)
{
    const uint32_t most = c->on->dev->caps.limits.max_root_bytes;
    bool ok = true;
    if (c->entry->stage == 0)
        return wf_core_broken(c->on, WEFT_RULE_SHADER_STAGE,
                              "Entry point \"%s\" is for a stage that Weft does not have.",
                              c->entry->entry);
    if (check_features(c)) { // without its feature, limits are 0
        ok = check_workgroup(c);
        ok &= check_mesh(c);
    } else {
        ok = false;
    }
    ok &= check_bindings(c);
    ok &= check_viewport(c);
    if (c->entry->root_size > most)
        ok =
            wf_core_broken(c->on, WEFT_RULE_SHADER_ROOT_SIZE,
                           "Entry point \"%s\" has a root block of %u bytes; max_root_bytes is %u.",
                           c->entry->entry, c->entry->root_size, most);
    return ok;
}

/// Legal, but only by chance right on some devices.
static void warn(const struct check *c)
{
    for (uint32_t i = 0; i < c->reflection->finding_count; ++i) {
        const struct wf_shader_finding *f = &c->reflection->findings[i];
        if (f->kind != WF_SHADER_FINDING_NON_UNIFORM_INDEX)
            continue;
        struct wf_shader_error at = {.line = f->line};
        (void)snprintf(at.file, sizeof at.file, "%s", f->file);
        char place[192];
        wf_core_warn(c->on, WEFT_RULE_SHADER_NON_UNIFORM, "%s%s", f->message,
                     wf_core_error_place(&at, place));
    }
}

bool wf_core_check_module(const struct wf_core_subject *on, const struct wf_core_module *module)
{
    struct check c = {.on = on};
    bool ok = true;
    for (uint32_t i = 0; i < module->entry_count; ++i) {
        c.entry = &module->entries[i];
        c.reflection = module->reflections[i];
        ok &= check_entry(&c);
        if (on->dev->validate)
            warn(&c);
    }
    return ok;
}
