/// \file scene_obj.h
/// Materials of an OBJ model, as assimp read them from its .mtl file.
#pragma once

#include "scene.h"

struct aiScene;

/// Fills the scene's materials and images; textures are looked for beside `path`.
bool scene_obj_materials(const struct aiScene *in, const char *path, struct scene *out,
                         struct failure *why);
