// What every probing shader has: a result for each probe.
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 16) in;

struct Probe {
    vec4 at;   // Coordinates; the level of detail in w, unless the kind needs four.
    vec4 more; // What the operation needs besides.
};
layout(set = 0, binding = 0, std430) readonly buffer Probes
{
    Probe probes[];
};
layout(set = 0, binding = 1, std430) writeonly buffer Results
{
    RESULT results[];
};
layout(push_constant) uniform Root
{
    uint op;
    uint count;
} root;

// As in probe.h.
const uint LOD = 0, GRADIENT = 1, FETCH = 2, SIZE = 3, OFFSET = 4, GATHER = 5;
const uint GATHER_OFFSET = 9, GATHER_OFFSETS = 10;
