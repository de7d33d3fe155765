#version 450
// As fuzz_floats, with integers in the upper locations.
layout(location = 0) out vec4 values[4];
layout(location = 4) flat out ivec4 ints[2];
layout(location = 6) flat out uvec4 uints[2];
void main()
{
    const vec2 at = vec2((gl_VertexIndex << 1) & 2, gl_VertexIndex & 2);
    for (int i = 0; i < 4; i++)
        values[i] = vec4(at, float(i), 1.0);
    for (int i = 0; i < 2; i++) {
        ints[i] = ivec4(i - 1, 1 << 30, gl_VertexIndex, -2147483648);
        uints[i] = uvec4(i, 1, 0xffffffffu, gl_InstanceIndex);
    }
    gl_Position = vec4(at * 2.0 - 1.0, 0.5, 1.0);
}
