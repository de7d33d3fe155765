#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require

struct Thing {
    vec2 at; // Cell of a 16 × 16 grid.
    float size;
    uint wanted; // Is to be drawn.
    vec4 color;
};
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Things
{
    Thing things[];
};
