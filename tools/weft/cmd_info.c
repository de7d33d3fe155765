// weft info: adapters and their capabilities.
#include "cli.h"

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    weft_format_caps bit;
    const char *name;
} format_caps[] = {
    {WEFT_FORMAT_CAN_SAMPLE, "sample"},       {WEFT_FORMAT_CAN_FILTER, "filter"},
    {WEFT_FORMAT_CAN_STORE, "store"},         {WEFT_FORMAT_CAN_ATOMIC, "atomic"},
    {WEFT_FORMAT_CAN_RENDER, "render"},       {WEFT_FORMAT_CAN_BLEND, "blend"},
    {WEFT_FORMAT_CAN_DEPTH_STENCIL, "depth"}, {WEFT_FORMAT_CAN_RESOLVE, "resolve"},
    {WEFT_FORMAT_CAN_COPY, "copy"},           {WEFT_FORMAT_CAN_MSAA_2, "msaa2"},
    {WEFT_FORMAT_CAN_MSAA_4, "msaa4"},        {WEFT_FORMAT_CAN_MSAA_8, "msaa8"},
    {WEFT_FORMAT_CAN_LOAD_TEXELS, "texels"},  {WEFT_FORMAT_CAN_STORE_TEXELS, "texel_stores"},
};

static const char *type_name(weft_adapter_type type)
{
    static const char *const names[] = {"unknown", "discrete", "integrated",
                                        "virtual", "cpu",      "none"};
    return (unsigned)type < sizeof names / sizeof *names ? names[type] : "unknown";
}

/// One number of weft_limits.
static const struct limit {
    const char *name;
    size_t offset;
    enum { LIMIT_U32, LIMIT_U64, LIMIT_FLOAT } type;
} limit_table[] = {
#define LIMIT(field)                                                                               \
    {                                                                                              \
#field, offsetof(weft_limits, field),                                                      \
            _Generic(((weft_limits *)0)->field, uint64_t                                           \
                     : LIMIT_U64, float                                                            \
                     : LIMIT_FLOAT, default                                                        \
                     : LIMIT_U32)                                                                  \
    }
    LIMIT(max_buffer_size),
    LIMIT(max_texture_1d),
    LIMIT(max_texture_2d),
    LIMIT(max_texture_3d),
    LIMIT(max_texture_layers),
    LIMIT(max_color_targets),
    LIMIT(max_samples),
    LIMIT(max_root_bytes),
    LIMIT(max_vertex_streams),
    LIMIT(max_vertex_attributes),
    LIMIT(max_vertex_stride),
    LIMIT(max_dynamic_offsets),
    LIMIT(max_uniform_range),
    LIMIT(max_storage_range),
    LIMIT(uniform_offset_alignment),
    LIMIT(storage_offset_alignment),
    LIMIT(max_texel_elements),
    LIMIT(texel_offset_alignment),
    LIMIT(copy_offset_alignment),
    LIMIT(copy_row_alignment),
    LIMIT(max_uniform_buffers),
    LIMIT(max_storage_buffers),
    LIMIT(max_sampled_textures),
    LIMIT(max_storage_textures),
    LIMIT(max_samplers),
    LIMIT(max_heap_textures),
    LIMIT(max_heap_samplers),
    LIMIT(max_workgroup_size[0]),
    LIMIT(max_workgroup_size[1]),
    LIMIT(max_workgroup_size[2]),
    LIMIT(max_workgroup_invocations),
    LIMIT(max_workgroup_memory),
    LIMIT(max_workgroups),
    LIMIT(max_mesh_workgroups),
    LIMIT(max_mesh_workgroups_total),
    LIMIT(max_mesh_workgroup_size[0]),
    LIMIT(max_mesh_workgroup_size[1]),
    LIMIT(max_mesh_workgroup_size[2]),
    LIMIT(max_mesh_workgroup_invocations),
    LIMIT(max_mesh_workgroup_memory),
    LIMIT(max_task_payload),
    LIMIT(max_mesh_output_vertices),
    LIMIT(max_mesh_output_primitives),
    LIMIT(max_mesh_output_components),
    LIMIT(max_geometries),
    LIMIT(max_geometry_primitives),
    LIMIT(max_instances),
    LIMIT(max_acceleration_structures),
    LIMIT(max_heap_accelerations),
    LIMIT(max_indirect_count),
    LIMIT(max_viewport),
    LIMIT(max_clip_distances),
    LIMIT(subgroup_size),
    LIMIT(max_anisotropy),
    LIMIT(timestamp_period),
#undef LIMIT
};

static double limit_value(const struct limit *limit, const weft_limits *limits)
{
    const char *at = (const char *)limits + limit->offset;
    uint64_t wide;
    uint32_t narrow;
    float real;
    switch (limit->type) {
    case LIMIT_U64:
        memcpy(&wide, at, sizeof wide);
        return (double)wide;
    case LIMIT_FLOAT:
        memcpy(&real, at, sizeof real);
        return (double)real;
    default:
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    }
}

// ---- text ---------------------------------------------------------------------------------------

/// Words in columns of a fixed width, 80 characters a line.
struct columns {
    unsigned at;
};

static void print_word(struct columns *columns, const char *word)
{
    const unsigned width = (unsigned)strlen(word) / 26 * 26 + 26;
    if (columns->at + width > 80) {
        printf("\n");
        columns->at = 0;
    }
    if (columns->at == 0)
        printf("  ");
    printf("%-*s", (int)width, word);
    columns->at += width;
}

static void print_features(weft_feature_set features)
{
    struct columns with = {0}, without = {0};
    printf("Features\n");
    for (uint32_t bit = 0; bit < 64; bit++)
        if (weft_feature_name(bit) && features >> bit & 1)
            print_word(&with, weft_feature_name(bit));
    printf("%s\nNot available\n", with.at ? "" : "  none");
    for (uint32_t bit = 0; bit < 64; bit++)
        if (weft_feature_name(bit) && !(features >> bit & 1))
            print_word(&without, weft_feature_name(bit));
    printf("%s\n", without.at ? "" : "  nothing");
}

static void print_limits(const weft_limits *limits)
{
    printf("Limits\n");
    for (size_t i = 0; i < sizeof limit_table / sizeof *limit_table; i++)
        printf("  %-28s %.15g\n", limit_table[i].name, limit_value(&limit_table[i], limits));
}

static void print_formats(const weft_capabilities *adapter)
{
    printf("Formats\n");
    for (int format = 1; format < WEFT_FORMAT_COUNT; format++) {
        const weft_format_caps caps = adapter->formats[format];
        if (!caps)
            continue;
        printf("  %-22s", weft_format_get_info((weft_format)format)->name);
        for (size_t i = 0; i < sizeof format_caps / sizeof *format_caps; i++)
            printf(" %-*s", (int)strlen(format_caps[i].name),
                   caps & format_caps[i].bit ? format_caps[i].name : "-");
        printf("\n");
    }
}

static void print_adapter(const weft_capabilities *adapter)
{
    printf("%s: %s\n", weft_backend_name(adapter->backend), adapter->name);
    printf("  driver %s, type %s", adapter->driver, type_name(adapter->type));
    if (adapter->memory)
        printf(", %.1f GiB of memory", (double)adapter->memory / (1024.0 * 1024 * 1024));
    printf("\n  queues: %u graphics, %u compute, %u copy\n", adapter->graphics_queues,
           adapter->compute_queues, adapter->copy_queues);
    for (const char *at = adapter->withheld; *at; at += strspn(at, "; ")) {
        const size_t length = strcspn(at, ";");
        printf("  withheld: %.*s\n", (int)length, at);
        at += length;
    }
    print_features(adapter->features);
    print_limits(&adapter->limits);
    print_formats(adapter);
}

// ---- JSON ---------------------------------------------------------------------------------------

static json_t *features_json(weft_feature_set features)
{
    json_t *object = json_object();
    for (uint32_t bit = 0; bit < 64; bit++)
        if (weft_feature_name(bit))
            json_object_set_new(object, weft_feature_name(bit), json_boolean(features >> bit & 1));
    return object;
}

static json_t *limits_json(const weft_limits *limits)
{
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof limit_table / sizeof *limit_table; i++) {
        const double value = limit_value(&limit_table[i], limits);
        const bool whole = value < 9e15 && value == (double)(json_int_t)value;
        json_object_set_new(object, limit_table[i].name,
                            whole ? json_integer((json_int_t)value) : json_real(value));
    }
    return object;
}

static json_t *formats_json(const weft_capabilities *adapter)
{
    json_t *object = json_object();
    for (int format = 1; format < WEFT_FORMAT_COUNT; format++) {
        json_t *names = json_array();
        for (size_t i = 0; i < sizeof format_caps / sizeof *format_caps; i++)
            if (adapter->formats[format] & format_caps[i].bit)
                json_array_append_new(names, json_string(format_caps[i].name));
        json_object_set_new(object, weft_format_get_info((weft_format)format)->name, names);
    }
    return object;
}

static json_t *adapter_json(const weft_capabilities *adapter)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:{s:i, s:i, s:i}, s:o, s:o, s:o}", "backend",
                     weft_backend_name(adapter->backend), "name", adapter->name, "driver",
                     adapter->driver, "withheld", adapter->withheld, "type",
                     type_name(adapter->type), "memory", (json_int_t)adapter->memory, "queues",
                     "graphics", (int)adapter->graphics_queues, "compute",
                     (int)adapter->compute_queues, "copy", (int)adapter->copy_queues, "features",
                     features_json(adapter->features), "limits", limits_json(&adapter->limits),
                     "formats", formats_json(adapter));
}

static void print_json(const weft_capabilities *adapters, uint32_t count, weft_backend_set wanted)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++)
        if (!wanted || wanted >> adapters[i].backend & 1)
            json_array_append_new(list, adapter_json(&adapters[i]));
    const uint32_t v = weft_version();
    char version[40];
    (void)snprintf(version, sizeof version, "%u.%u.%u", v >> 16, v >> 8 & 255, v & 255);
    json_t *root = json_pack("{s:s, s:o}", "version", version, "adapters", list);
    json_dumpf(root, stdout, JSON_INDENT(2));
    printf("\n");
    json_decref(root);
}

// ---- the command --------------------------------------------------------------------------------

static weft_capabilities *list_adapters(uint32_t *count, struct failure *why)
{
    *count = 0;
    const weft_result result = weft_adapter_list(NULL, count);
    weft_capabilities *adapters = calloc(*count + (size_t)1, sizeof *adapters);
    if (result == WEFT_OK && adapters && weft_adapter_list(adapters, count) == WEFT_OK)
        return adapters;
    free(adapters);
    failure_set(why, "cannot list the adapters: %s", weft_result_name(result));
    return NULL;
}

static int info(const char *backend, bool json)
{
    struct failure why;
    weft_backend_set wanted;
    uint32_t count, shown = 0;
    if (!cli_backend(backend, &wanted, &why))
        return say_error("%s", why.text);
    weft_capabilities *adapters = list_adapters(&count, &why);
    if (!adapters)
        return say_error("%s", why.text);
    if (json)
        print_json(adapters, count, wanted);
    for (uint32_t i = 0; i < count; i++)
        if (!wanted || wanted >> adapters[i].backend & 1) {
            if (!json) {
                printf("%s", shown ? "\n" : "");
                print_adapter(&adapters[i]);
            }
            shown++;
        }
    free(adapters);
    return shown ? EXIT_FINE
                 : say_error("no adapter%s%s on this machine", backend ? " of the backend " : "",
                             backend ? backend : "");
}

int cmd_info(int argc, const char **argv)
{
    char *backend = NULL;
    int json = 0;
    const struct poptOption options[] = {
        {"backend", 'b', POPT_ARG_STRING, &backend, 0, "Only this backend", "NAME"},
        {"json", 0, POPT_ARG_NONE, &json, 0, "Print JSON", NULL},
        POPT_TABLEEND,
    };
    struct cli cli;
    int code =
        cli_parse(&cli, argc, argv, options, "[OPTION...]",
                  "Lists the adapters of every backend in this build: features, limits, formats.");
    if (code == EXIT_FINE && !cli.done) {
        const char *extra = cli_argument(&cli);
        code = extra ? cli_usage_error(&cli, "unexpected argument \"%s\"", extra)
                     : info(backend, json);
    }
    cli_finish(&cli);
    free(backend);
    return code;
}
