#version 450

layout(location = 0) in vec3 world;
layout(location = 1) in vec3 facing;

layout(push_constant) uniform Root {
    mat4 clip_from_world;
    vec4 eye;
    vec4 light;
} root;

layout(location = 0) out vec4 color;

// One light with a highlight over a sky from above.
void main()
{
    vec3 n = normalize(facing);
    vec3 view = normalize(root.eye.xyz - world);
    vec3 to_light = root.light.xyz;
    vec3 base = 0.5 + 0.5 * sin(world * 4.0 + vec3(0.0, 1.0, 2.0));
    float diffuse = max(dot(n, to_light), 0.0);
    float shine = pow(max(dot(n, normalize(view + to_light)), 0.0), 40.0);
    vec3 sky = mix(vec3(0.1, 0.08, 0.06), vec3(0.3, 0.35, 0.45), 0.5 + 0.5 * n.y);
    color = vec4(base * (sky + 0.8 * diffuse) + 0.4 * shine, 1.0);
}
