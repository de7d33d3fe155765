#version 460
#extension GL_GOOGLE_include_directive : require
#include "lit.glsl"

layout(push_constant) uniform Root {
    mat4 world;
} root;

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec4 in_tangent;
layout(location = 3) in vec4 in_uv; // sets 0 and 1
layout(location = 4) in vec4 in_color;

layout(location = 0) out vec3 out_position;
layout(location = 1) out vec3 out_normal;
layout(location = 2) out vec4 out_tangent;
layout(location = 3) out vec4 out_uv;
layout(location = 4) out vec4 out_color;

vec2 transform_uv(vec2 uv)
{
    const vec3 at = vec3(uv, 1.0);
    return vec2(dot(material.uv_row_u.xyz, at), dot(material.uv_row_v.xyz, at));
}

void main()
{
    const mat3 linear = mat3(root.world);
    const vec4 world = root.world * vec4(in_position, 1.0);
    gl_Position = globals.view_projection * world;
    out_position = world.xyz;
    // The cofactors: right for scales that are not uniform, and for mirrors up to the sign of the determinant.
    const mat3 cofactors = mat3(cross(linear[1], linear[2]), cross(linear[2], linear[0]), cross(linear[0], linear[1]));
    const float mirror = dot(linear[0], cofactors[0]) < 0.0 ? -1.0 : 1.0;
    out_normal = mirror * (cofactors * in_normal);
    out_tangent = vec4(linear * in_tangent.xyz, mirror * in_tangent.w);
    out_uv = vec4(transform_uv(in_uv.xy), transform_uv(in_uv.zw));
    out_color = in_color * material.base_color;
}
