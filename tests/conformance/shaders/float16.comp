#version 460
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
// Sums and products of pairs, in halves.
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer From { vec2 from[]; };
layout(set = 0, binding = 1) writeonly buffer To { vec2 to[]; };

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    const float16_t a = float16_t(from[i].x), b = float16_t(from[i].y);
    to[i] = vec2(float(a + b), float(a * b));
}
