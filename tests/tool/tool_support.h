/// \file tool_support.h
/// Models of make_models.py, for tests.
#pragma once

#include "scene.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

/// Path of a model; valid until the next call.
static inline const char *model_path(const char *name)
{
    static char path[1024];
    const char *folder = getenv("TOOL_MODELS");
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "models", name);
    return path;
}

static inline struct scene load_model(const char *name)
{
    struct scene scene;
    struct failure why;
    if (!scene_load(model_path(name), &scene, &why))
        test_fail(__FILE__, __LINE__, "%s", why.text);
    return scene;
}
