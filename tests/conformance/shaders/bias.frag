#version 460
// The level of detail follows from the screen: `color` is the scale of x and y, a bias, and whether
// the level is asked for instead of sampled.
layout(set = 0, binding = 0) uniform texture2D tex;
layout(set = 0, binding = 1) uniform sampler smp;
layout(push_constant) uniform Root {
    vec4 rect;
    float depth;
    vec4 color;
} root;

layout(location = 0) out vec4 color;

void main()
{
    const vec2 at = gl_FragCoord.xy * root.color.xy;
    const vec2 lod = textureQueryLod(sampler2D(tex, smp), at);
    color = texture(sampler2D(tex, smp), at, root.color.z);
    if (root.color.w != 0)
        color = vec4(lod, 0, 1);
}
