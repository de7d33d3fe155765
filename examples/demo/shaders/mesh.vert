#version 460
#extension GL_GOOGLE_include_directive : require
#include "globals.glsl"

layout(push_constant) uniform Root {
    mat4 world;
} root;

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec2 in_uv;

layout(location = 0) out vec3 out_position;
layout(location = 1) out vec3 out_normal;
layout(location = 2) out vec2 out_uv;
layout(location = 3) out vec3 out_color;

void main()
{
    const vec4 world = root.world * vec4(in_position, 1.0);
    const mat3 linear = mat3(root.world);
    out_position = world.xyz;
    out_normal = mat3(cross(linear[1], linear[2]), cross(linear[2], linear[0]), cross(linear[0], linear[1])) * in_normal;
    out_uv = in_uv;
    out_color = vec3(1.0);
    gl_Position = globals.view_projection * world;
}
