// Stage inputs and outputs.
#include "shader/reflector.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_VARYINGS = 512, MAX_LOCATIONS = 128 };

/// Inputs or outputs while they are collected.
struct list {
    struct wf_shader_reflector *r;
    struct wf_shader_varying *items;
    uint32_t count;
    const struct wf_shader_variable *variable;
};

static uint32_t locations_of(const struct wf_shader_varying *varying)
{
    const uint32_t each = varying->width == 64 && varying->components > 2 ? 2 : 1;
    return varying->array > UINT32_MAX / each ? UINT32_MAX : varying->array * each;
}

/// Adds what is no structure: `varying` has everything but its type.
static bool add(struct list *list, const struct wf_shader_type *type,
                struct wf_shader_varying varying)
{
    struct wf_shader_reflector *r = list->r;
    const struct wf_shader_module *module = r->module;
    uint64_t array = 1;
    while (type && type->kind == WF_SHADER_TYPE_ARRAY) {
        array *= type->count;
        array = array > UINT32_MAX ? UINT32_MAX : array;
        type = wf_shader_type(module, type->component);
    }
    if (type && type->kind == WF_SHADER_TYPE_MATRIX) {
        array *= type->count;
        type = wf_shader_type(module, type->component);
    }
    varying.array = array > UINT32_MAX ? UINT32_MAX : (uint32_t)array;
    varying.base = wf_shader_scalar_of(module, type, &varying.width);
    varying.components = type && type->kind == WF_SHADER_TYPE_VECTOR ? type->count : 1;
    if (varying.base == WF_SHADER_SCALAR_NONE)
        return wf_shader_reflector_fail(r, list->variable->word,
                                        "variable %%%u cannot be a stage's input or output",
                                        list->variable->id);
    if (varying.builtin == WF_SHADER_NONE) {
        varying.locations = locations_of(&varying);
        if (varying.location == WF_SHADER_NONE)
            return wf_shader_reflector_fail(r, list->variable->word,
                                            "variable %%%u \"%.60s\" has no Location",
                                            list->variable->id, list->variable->name);
        varying.component = varying.component == WF_SHADER_NONE ? 0 : varying.component;
        if (varying.component > 3 || varying.location >= MAX_LOCATIONS ||
            varying.locations > MAX_LOCATIONS - varying.location)
            return wf_shader_reflector_fail(r, list->variable->word,
                                            "variable %%%u: location %u, component %u is no "
                                            "place",
                                            list->variable->id, varying.location,
                                            varying.component);
    } else {
        varying.location = WF_SHADER_NONE;
        varying.component = WF_SHADER_NONE;
    }
    if (list->count == MAX_VARYINGS)
        return wf_shader_reflector_fail(r, list->variable->word, "more than %u inputs or outputs",
                                        MAX_VARYINGS);
    list->items[list->count++] = varying;
    return true;
}

static bool add_type(struct list *list, const struct wf_shader_type *type,
                     struct wf_shader_varying varying, uint32_t *next);

/// Members follow each other from the structure's location on, unless they have their own.
static bool add_struct(struct list *list, const struct wf_shader_type *type,
                       struct wf_shader_varying varying, uint32_t *next)
{
    uint32_t location = varying.location;
    for (uint32_t i = 0; i < type->count; i++) {
        const struct wf_shader_member *member = &type->members[i];
        struct wf_shader_varying part = varying;
        part.builtin = member->builtin;
        part.location = member->location != WF_SHADER_NONE ? member->location : location;
        part.component = member->component;
        part.name = member->name;
        part.flat |= member->flat;
        part.no_perspective |= member->no_perspective;
        part.centroid |= member->centroid;
        part.sample |= member->sample;
        part.patch |= member->patch;
        part.per_primitive |= member->per_primitive;
        if (!add_type(list, wf_shader_type(list->r->module, member->type), part, &location))
            return false;
    }
    *next = location;
    return true;
}

/// `*next` becomes the location after it. Recursion is as deep as types nest.
static bool add_type(struct list *list, const struct wf_shader_type *type,
                     struct wf_shader_varying varying, uint32_t *next)
{
    const struct wf_shader_module *module = list->r->module;
    uint64_t elements = 1;
    const struct wf_shader_type *inner = type;
    while (inner && inner->kind == WF_SHADER_TYPE_ARRAY) {
        elements =
            elements * inner->count > MAX_VARYINGS ? MAX_VARYINGS + 1 : elements * inner->count;
        inner = wf_shader_type(module, inner->component);
    }
    if (!inner || inner->kind != WF_SHADER_TYPE_STRUCT) {
        if (!add(list, type, varying))
            return false;
        const struct wf_shader_varying *added = &list->items[list->count - 1];
        if (added->locations != 0)
            *next = added->location + added->locations;
        return true;
    }
    if (elements > MAX_VARYINGS)
        return wf_shader_reflector_fail(list->r, list->variable->word,
                                        "more than %u inputs or outputs", MAX_VARYINGS);
    for (uint64_t i = 0; i < elements; i++) {
        const uint32_t before = list->count;
        if (!add_struct(list, inner, varying, next))
            return false;
        if (list->count == before)
            break; // an empty structure takes no place
        varying.location = *next;
    }
    return true;
}

/// Whether inputs (or outputs) of this stage come as an array over vertices.
static bool is_per_vertex(uint32_t stage, const struct wf_shader_variable *variable)
{
    if (variable->patch)
        return false;
    if (variable->storage == SpvStorageClassInput)
        return (stage & (WF_SHADER_STAGE_TESSELLATION_CONTROL |
                         WF_SHADER_STAGE_TESSELLATION_EVALUATION | WF_SHADER_STAGE_GEOMETRY)) != 0;
    return (stage & (WF_SHADER_STAGE_TESSELLATION_CONTROL | WF_SHADER_STAGE_MESH)) != 0;
}

static bool add_variable(struct list *list, const struct wf_shader_variable *variable)
{
    struct wf_shader_reflector *r = list->r;
    const struct wf_shader_type *type = wf_shader_type(r->module, variable->type);
    const struct wf_shader_varying varying = {
        .location = variable->location,
        .component = variable->component,
        .index = variable->index == WF_SHADER_NONE ? 0 : variable->index,
        .builtin = variable->builtin,
        .id = variable->id,
        .flat = variable->flat,
        .no_perspective = variable->no_perspective,
        .centroid = variable->centroid,
        .sample = variable->sample,
        .patch = variable->patch,
        .per_primitive = variable->per_primitive,
        .used = r->access[variable->id] != 0,
        .name = variable->name,
    };
    list->variable = variable;
    if (is_per_vertex(r->out->stage, variable) && type && type->kind == WF_SHADER_TYPE_ARRAY)
        type = wf_shader_type(r->module, type->component);
    uint32_t next = 0;
    return add_type(list, type, varying, &next);
}

static int compare(const void *a, const void *b)
{
    const struct wf_shader_varying *x = a;
    const struct wf_shader_varying *y = b;
    // Built-ins have the highest location: WF_SHADER_NONE.
    const uint32_t keys[][2] = {{x->location, y->location},
                                {x->component, y->component},
                                {x->index, y->index},
                                {x->builtin, y->builtin},
                                {x->id, y->id}};
    for (uint32_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    }
    return 0;
}

static bool reflect_side(struct wf_shader_reflector *r, uint32_t storage,
                         const struct wf_shader_varying **out, uint32_t *count)
{
    const struct wf_base_arena_mark saved = wf_base_arena_mark_get(&r->scratch);
    struct list list = {.r = r};
    list.items = wf_base_arena_array(&r->scratch, MAX_VARYINGS, sizeof *list.items);
    if (!list.items)
        return wf_shader_reflector_fail_memory(r);
    for (uint32_t i = 0; i < r->entry->interface_count; i++) {
        const struct wf_shader_variable *variable =
            wf_shader_variable(r->module, r->entry->interface_ids[i]);
        if (variable->storage == storage && !add_variable(&list, variable))
            return false;
    }
    if (list.count != 0) {
        qsort(list.items, list.count, sizeof *list.items, compare);
        *out = wf_base_arena_copy(r->arena, list.items, list.count * sizeof *list.items);
        if (!*out)
            return wf_shader_reflector_fail_memory(r);
    }
    *count = list.count;
    wf_base_arena_rewind(&r->scratch, saved);
    return true;
}

static uint32_t input_use(uint32_t builtin)
{
    switch (builtin) {
    case SpvBuiltInFragCoord:
        return WF_SHADER_USE_FRAG_COORD;
    case SpvBuiltInSampleId:
    case SpvBuiltInSamplePosition:
        return WF_SHADER_USE_SAMPLE_RATE;
    case SpvBuiltInDrawIndex:
    case SpvBuiltInBaseVertex:
    case SpvBuiltInBaseInstance:
        return WF_SHADER_USE_DRAW_PARAMETERS;
    case SpvBuiltInPrimitiveId:
        return WF_SHADER_USE_PRIMITIVE_ID;
    case SpvBuiltInViewIndex:
        return WF_SHADER_USE_VIEW_INDEX;
    case SpvBuiltInLayer:
        return WF_SHADER_USE_LAYER;
    default:
        return 0;
    }
}

static uint32_t output_use(uint32_t builtin)
{
    switch (builtin) {
    case SpvBuiltInFragDepth:
        return WF_SHADER_USE_DEPTH_WRITE;
    case SpvBuiltInFragStencilRefEXT:
        return WF_SHADER_USE_STENCIL_WRITE;
    case SpvBuiltInSampleMask:
        return WF_SHADER_USE_SAMPLE_MASK_WRITE;
    case SpvBuiltInClipDistance:
        return WF_SHADER_USE_CLIP_DISTANCE;
    case SpvBuiltInCullDistance:
        return WF_SHADER_USE_CULL_DISTANCE;
    case SpvBuiltInPointSize:
        return WF_SHADER_USE_POINT_SIZE;
    case SpvBuiltInLayer:
    case SpvBuiltInViewportIndex:
        return WF_SHADER_USE_LAYER;
    default:
        return 0;
    }
}

void wf_shader_note_output(struct wf_shader_reflector *r, uint32_t builtin)
{
    r->out->uses |= output_use(builtin);
    r->out->writes_viewport |= builtin == SpvBuiltInViewportIndex;
}

bool wf_shader_reflect_varyings(struct wf_shader_reflector *r)
{
    struct wf_shader_reflection *out = r->out;
    if (!reflect_side(r, SpvStorageClassInput, &out->inputs, &out->input_count) ||
        !reflect_side(r, SpvStorageClassOutput, &out->outputs, &out->output_count))
        return false;
    for (uint32_t i = 0; i < out->input_count; i++) {
        const struct wf_shader_varying *input = &out->inputs[i];
        out->uses |= input->used ? input_use(input->builtin) : 0;
        if (input->sample && input->used)
            out->uses |= WF_SHADER_USE_SAMPLE_RATE;
    }
    // Members of blocks were seen when they were written.
    for (uint32_t i = 0; i < out->output_count; i++) {
        const struct wf_shader_varying *output = &out->outputs[i];
        const bool alone = wf_shader_variable(r->module, output->id)->builtin == output->builtin;
        if (alone && (r->access[output->id] & WF_SHADER_ACCESS_WRITE) != 0)
            wf_shader_note_output(r, output->builtin);
    }
    return true;
}
