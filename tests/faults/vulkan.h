/// The layer of vulkan.c, for pretend.c too.
#pragma once

#include "layer/layer.h"

extern struct layer *layer;

/// Loads it, and has the loader put it in front of every driver.
void find_layer(void);
/// The backend keeps one instance for good, from the first device on: it is no leak.
void keep_instance(void);
