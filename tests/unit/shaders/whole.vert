#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 color;
layout(location = 2) in vec2 uv;
layout(set = 0, binding = 0, std140) uniform Scene { vec4 scale, shift; };
layout(location = 0) out vec4 shade;
layout(location = 1) out vec2 at;
layout(location = 2) flat out uint which;
void main()
{
    const float w = 1.0 + 0.5 * color.a;
    gl_Position = vec4(position.xy * scale.xy + shift.xy * float(gl_InstanceIndex), position.z, 1.0);
    gl_Position *= w; // perspective matters
    shade = color;
    at = uv;
    which = uint(gl_InstanceIndex);
}
