#version 460
#extension GL_GOOGLE_include_directive : require
#include "globals.glsl"
#include "material.glsl"
#include "light.glsl"

layout(set = 0, binding = 1) uniform sampler2D shadow_map;

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec2 in_uv;
layout(location = 3) in vec3 in_color;

layout(location = 0) out vec4 out_color;

// Part of the light that arrives: 3x3 texels of the map, weighted so that the edge is smooth.
float lit(vec3 normal)
{
    const vec3 at = (globals.to_shadow * vec4(in_position + normal * 0.03, 1.0)).xyz;
    const vec2 texel = at.xy * vec2(textureSize(shadow_map, 0)) - 0.5;
    const vec2 base = floor(texel), part = texel - base;
    const ivec2 limit = textureSize(shadow_map, 0) - 1;
    float sum = 0.0;
    for (int y = -1; y <= 2; y++)
        for (int x = -1; x <= 2; x++) {
            const float depth = texelFetch(shadow_map, clamp(ivec2(base) + ivec2(x, y), ivec2(0), limit), 0).r;
            const vec2 weight = mix(vec2(1.0), mix(1.0 - part, part, greaterThan(ivec2(x, y), ivec2(0))),
                                    notEqual(ivec2(x, y) * ivec2(x - 1, y - 1), ivec2(0)));
            sum += at.z - 0.002 <= depth ? weight.x * weight.y : 0.0;
        }
    return sum / 9.0;
}

void main()
{
    const float metallic = material.params.x, roughness = material.params.y;
    const vec3 base = material.color.rgb * in_color * texture(picture, in_uv * material.params.z).rgb;
    const vec3 normal = normalize(in_normal), to_eye = globals.eye.xyz - in_position, view = normalize(to_eye);
    const float n_dot_l = dot(normal, globals.light.xyz);
    const vec3 f0 = mix(vec3(0.04), base, metallic), diffuse = base * (1.0 - metallic);

    vec3 color = diffuse * mix(GROUND, SKY, normal.y * 0.5 + 0.5);
    const vec3 mirror = f0 + (max(vec3(1.0 - roughness), f0) - f0) * fresnel(dot(normal, view));
    color += mirror * surroundings(reflect(-view, normal), roughness) * (1.0 - 0.5 * roughness);
    if (n_dot_l > 0.0) {
        const vec3 arriving = LIGHT_COLOR * n_dot_l * lit(normal);
        color += arriving * (diffuse / PI + f0 * highlight(normal, view, globals.light.xyz, roughness));
    }
    const float away = material.params.w * smoothstep(7.0, 17.0, length(in_position.xz));
    out_color = vec4(mix(tone(color), globals.fog.rgb, away), 1.0);
}
