// Tinted glass: what is behind shows through, the edges and highlights do not. Premultiplied.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "globals.glsl"
#include "material.glsl"
#include "light.glsl"

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec2 in_uv;
layout(location = 3) in vec3 in_color;

layout(location = 0) out vec4 out_color;

void main()
{
    const vec3 normal = normalize(in_normal), view = normalize(globals.eye.xyz - in_position);
    const float edge = fresnel(dot(normal, view));
    const float alpha = clamp(material.color.a * texture(picture, in_uv).r + edge, 0.0, 1.0);
    vec3 color = material.color.rgb * (0.35 + 0.4 * max(dot(normal, globals.light.xyz), 0.0)) * alpha;
    color += surroundings(reflect(-view, normal), 0.05) * (0.08 + 0.9 * edge);
    color += LIGHT_COLOR * highlight(normal, view, globals.light.xyz, 0.15) * 0.04;
    out_color = vec4(tone(color), alpha);
}
