// What a file holds beyond what is drawn: said, so that nothing is missing in silence.
#include "gltf.h"

#include <string.h>

static void warn_count(const struct gltf *gltf, size_t count, const char *what)
{
    if (count > 0)
        say_warning("%s: %zu %s", gltf->path, count, what);
}

/// Extensions that the file uses and the tool does nothing with.
static bool is_drawn_extension(const char *name)
{
    static const char *const drawn[] = {"KHR_texture_transform", "KHR_materials_unlit",
                                        "KHR_materials_emissive_strength"};
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
        if (strcmp(name, drawn[i]) == 0)
            return true;
    return false;
}

static void warn_extensions(const struct gltf *gltf)
{
    size_t i;
    json_t *used;
    json_array_foreach(json_object_get(gltf->root, "extensionsUsed"), i, used)
    {
        const char *name = json_string_value(used);
        if (name && !is_drawn_extension(name))
            say_warning("%s: the extension %s is ignored", gltf->path, name);
    }
}

void gltf_warn_ignored(const struct gltf *gltf)
{
    size_t thin = 0, morphed = 0;
    for (size_t m = 0; m < gltf_length(gltf, "meshes"); m++) {
        size_t p;
        json_t *primitive;
        json_array_foreach(json_object_get(gltf_object(gltf, "meshes", m), "primitives"), p,
                           primitive)
        {
            thin += json_integer_value(json_object_get(primitive, "mode")) < 4 &&
                    json_object_get(primitive, "mode");
            morphed += json_array_size(json_object_get(primitive, "targets")) > 0;
        }
    }
    warn_count(gltf, thin, "primitive(s) of points or lines are not drawn");
    warn_count(gltf, morphed, "primitive(s) with morph targets are drawn without them");
    warn_count(gltf, gltf_length(gltf, "skins"),
               "skin(s) are not applied: meshes stand as modelled");
    warn_count(gltf, gltf_length(gltf, "animations"), "animation(s) are not played");
    warn_extensions(gltf);
}
