#version 460
#extension GL_GOOGLE_include_directive : require
#include "driven.glsl"
// Writes a draw for each thing that is wanted, in any order, and their number before them; what is
// written and what is read is known by address alone.
layout(local_size_x = 128) in; // One group is enough.

struct Draw {
    uint vertex_count, instance_count, first_vertex, first_instance;
};
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Draws
{
    uint count;
    uint gap[3];
    Draw draws[];
};
layout(push_constant) uniform Root {
    Things things;
    Draws draws;
    uint count;
} root;

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    if (i >= root.count || root.things.things[i].wanted == 0)
        return;
    const uint at = atomicAdd(root.draws.count, 1);
    root.draws.draws[at] = Draw(6, 1, 0, i);
}
