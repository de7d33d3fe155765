#version 460

layout(location = 0) in vec3 position;
layout(location = 1) in vec2 uv;
layout(location = 4) in vec4 shift; // per instance
layout(location = 0) out vec2 out_uv;

layout(set = 0, binding = 0) uniform Globals
{
    mat4 view;
};

layout(push_constant) uniform Root
{
    mat4 model;
};

void main()
{
    out_uv = uv;
    gl_Position = view * model * vec4(position, 1.0) + shift;
}
