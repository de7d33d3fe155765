#version 460
// One column of the target for each instance, in the attribute's value.
layout(push_constant) uniform Root {
    float columns;
} root;
layout(location = 0) in uvec4 value;
layout(location = 0) flat out uvec4 out_value;

void main()
{
    const vec2 corner = vec2[6](vec2(0, -1), vec2(1, -1), vec2(0, 1), vec2(0, 1), vec2(1, -1), vec2(1, 1))[gl_VertexIndex % 6];
    gl_Position = vec4((gl_InstanceIndex + corner.x) / root.columns * 2 - 1, corner.y, 0, 1);
    out_value = value;
}
