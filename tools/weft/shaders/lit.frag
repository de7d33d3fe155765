// Metallic-roughness as glTF defines it, under two lights that travel with the camera and a sky.
// The target is premultiplied.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lit.glsl"

layout(constant_id = 0) const bool BASE_COLOR_MAP = false;
layout(constant_id = 1) const bool METAL_ROUGH_MAP = false;
layout(constant_id = 2) const bool NORMAL_MAP = false;
layout(constant_id = 3) const bool OCCLUSION_MAP = false;
layout(constant_id = 4) const bool EMISSIVE_MAP = false;
layout(constant_id = 5) const bool UNLIT = false;
layout(constant_id = 6) const bool ALPHA_MASK = false;
layout(constant_id = 7) const bool ALPHA_BLEND = false;

layout(set = 1, binding = 1) uniform sampler2D base_color_map;
layout(set = 1, binding = 2) uniform sampler2D metal_rough_map;
layout(set = 1, binding = 3) uniform sampler2D normal_map;
layout(set = 1, binding = 4) uniform sampler2D occlusion_map;
layout(set = 1, binding = 5) uniform sampler2D emissive_map;

layout(location = 0) in vec3 in_position;
layout(location = 1) in vec3 in_normal;
layout(location = 2) in vec4 in_tangent;
layout(location = 3) in vec4 in_uv;
layout(location = 4) in vec4 in_color;

layout(location = 0) out vec4 out_color;

const float PI = 3.14159265;
const vec3 KEY_COLOR = vec3(2.75, 2.62, 2.42);
const vec3 FILL_COLOR = vec3(0.26, 0.31, 0.42);
const vec3 SKY_COLOR = vec3(0.25, 0.285, 0.34);
const vec3 GROUND_COLOR = vec3(0.11, 0.095, 0.085);

vec2 uv_of(uint set)
{
    return set == 0u ? in_uv.xy : in_uv.zw;
}

struct Surface {
    vec3 normal, view;
    vec3 diffuse, f0;
    float alpha; // roughness squared
    float n_dot_v;
};

vec3 surface_normal()
{
    vec3 normal = normalize(in_normal);
    if (NORMAL_MAP) {
        const vec3 bitangent = cross(normal, in_tangent.xyz) * in_tangent.w;
        vec3 texel = texture(normal_map, uv_of(material.uv_sets.z)).xyz * 2.0 - 1.0;
        texel.xy *= material.factors.z;
        normal = normalize(normalize(in_tangent.xyz) * texel.x + normalize(bitangent) * texel.y + normal * texel.z);
    }
    return gl_FrontFacing ? normal : -normal;
}

float power5(float x)
{
    const float x2 = x * x;
    return x2 * x2 * x;
}

// GGX, Smith (height-correlated, Hammon's fit), Schlick; times the cosine.
vec3 light(Surface s, vec3 direction, vec3 color)
{
    const float n_dot_l = dot(s.normal, direction);
    if (n_dot_l <= 0.0)
        return vec3(0.0);
    const vec3 middle = normalize(direction + s.view);
    const float n_dot_h = max(dot(s.normal, middle), 0.0);
    const float v_dot_h = max(dot(s.view, middle), 0.0);
    const float a2 = s.alpha * s.alpha;
    const float d = n_dot_h * n_dot_h * (a2 - 1.0) + 1.0;
    const float visibility = 0.5 / mix(2.0 * n_dot_l * s.n_dot_v, n_dot_l + s.n_dot_v, s.alpha);
    const vec3 fresnel = s.f0 + (1.0 - s.f0) * power5(1.0 - v_dot_h);
    const vec3 specular = fresnel * (a2 / (PI * d * d) * visibility);
    return ((1.0 - fresnel) * s.diffuse / PI + specular) * color * n_dot_l;
}

// A sky above, a ground below, a soft band of light near the horizon that polished metal mirrors.
vec3 sky(vec3 direction, float roughness)
{
    const float softness = 0.12 + roughness;
    const float up = clamp(direction.y / softness * 0.5 + 0.5, 0.0, 1.0);
    const float band = max(1.0 - abs(direction.y - 0.35) / (0.3 + 0.7 * roughness), 0.0);
    return mix(GROUND_COLOR, SKY_COLOR, up) + SKY_COLOR * (band * 0.9 * (1.0 - 0.6 * roughness));
}

vec3 ambient(Surface s, float roughness)
{
    const vec3 diffuse = s.diffuse * mix(GROUND_COLOR, SKY_COLOR, s.normal.y * 0.5 + 0.5);
    // Karis' fit of the integral over the hemisphere.
    const vec4 r = roughness * vec4(-1.0, -0.0275, -0.572, 0.022) + vec4(1.0, 0.0425, 1.04, -0.04);
    const float a = min(r.x * r.x, exp2(-9.28 * s.n_dot_v)) * r.x + r.y;
    const vec2 fit = vec2(-1.04, 1.04) * a + r.zw;
    return diffuse + sky(reflect(-s.view, s.normal), roughness) * (s.f0 * fit.x + fit.y);
}

// Linear up to 0.8, then ever flatter towards 1.
vec3 shoulder(vec3 color)
{
    const vec3 over = max(color - 0.8, 0.0);
    return min(color, 0.8) + over / (1.0 + over * 5.0);
}

vec3 shade(vec3 base)
{
    float metallic = material.factors.x, roughness = material.factors.y, occlusion = 1.0;
    if (METAL_ROUGH_MAP) {
        const vec3 texel = texture(metal_rough_map, uv_of(material.uv_sets.y)).rgb;
        metallic *= texel.b;
        roughness *= texel.g;
    }
    if (OCCLUSION_MAP)
        occlusion = 1.0 + material.factors.w * (texture(occlusion_map, uv_of(material.uv_sets.w)).r - 1.0);
    roughness = clamp(roughness, 0.05, 1.0);

    Surface s;
    s.normal = surface_normal();
    s.view = normalize(globals.eye.xyz - globals.eye.w * in_position);
    s.diffuse = base * (1.0 - metallic);
    s.f0 = mix(vec3(0.04), base, metallic);
    s.alpha = roughness * roughness;
    s.n_dot_v = max(dot(s.normal, s.view), 1e-3);

    vec3 color = ambient(s, roughness) * occlusion;
    color += light(s, globals.key_direction.xyz, KEY_COLOR);
    color += light(s, globals.fill_direction.xyz, FILL_COLOR);
    vec3 emissive = material.emissive.rgb;
    if (EMISSIVE_MAP)
        emissive *= texture(emissive_map, uv_of(material.more_uv_sets.x)).rgb;
    return shoulder(color + emissive);
}

void main()
{
    vec4 base = in_color;
    if (BASE_COLOR_MAP)
        base *= texture(base_color_map, uv_of(material.uv_sets.x));
    if (ALPHA_MASK && base.a < material.emissive.w)
        discard;
    const vec3 color = UNLIT ? base.rgb : shade(base.rgb);
    const float alpha = ALPHA_BLEND ? base.a : 1.0;
    out_color = vec4(color * alpha, alpha);
}
