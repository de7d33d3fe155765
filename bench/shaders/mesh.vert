#version 450

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;

layout(push_constant) uniform Root {
    mat4 clip_from_world;
    vec4 eye;
    vec4 light;
} root;

layout(location = 0) out vec3 world;
layout(location = 1) out vec3 facing;

void main()
{
    world = position;
    facing = normal;
    gl_Position = root.clip_from_world * vec4(position, 1.0);
}
