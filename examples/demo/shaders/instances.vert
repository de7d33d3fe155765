#version 460
#extension GL_GOOGLE_include_directive : require
#include "globals.glsl"

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec2 in_uv;
layout(location = 3) in vec4 instance_place; // w: scale
layout(location = 4) in vec4 instance_turn;  // a quaternion
layout(location = 5) in vec4 instance_color;

layout(location = 0) out vec3 out_position;
layout(location = 1) out vec3 out_normal;
layout(location = 2) out vec2 out_uv;
layout(location = 3) out vec3 out_color;

vec3 turn(vec3 v)
{
    return v + 2.0 * cross(instance_turn.xyz, cross(instance_turn.xyz, v) + instance_turn.w * v);
}

void main()
{
    out_position = turn(in_position * instance_place.w) + instance_place.xyz;
    out_normal = turn(in_normal);
    out_uv = in_uv;
    out_color = instance_color.rgb;
    gl_Position = globals.view_projection * vec4(out_position, 1.0);
}
