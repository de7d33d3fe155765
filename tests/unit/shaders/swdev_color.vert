#version 460
layout(location = 0) in vec2 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 shade;
layout(push_constant) uniform Root
{
    vec2 offset;
};

void main()
{
    gl_Position = vec4(position + offset + vec2(gl_InstanceIndex, 0), 0.5, 1);
    shade = color;
}
