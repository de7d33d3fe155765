/// \file scene_child.h
/// Runs a part of the loading in a process of its own: assimp crashes on some broken files, and a
/// crash there must end as a reason here.
#pragma once

#include "scene.h"

/// Fills meshes and instances of `out`, and images and materials if it had none.
typedef bool scene_work(void *user, struct scene *out, struct failure *why);

/// Calls `work` in a child process and takes over what it made. Images and materials that `out` has
/// are there for it to see, and stay. There must be no other thread.
bool scene_child_run(scene_work *work, void *user, struct scene *out, struct failure *why);
