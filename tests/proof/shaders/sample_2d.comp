#version 460
// Samples at each probe: at a level, by gradients, or a gather.
layout(local_size_x = 64) in;
struct Probe {
    vec4 at, more; // Coordinates and level; gradients.
};
layout(set = 0, binding = 0, std430) readonly buffer Probes
{
    Probe probes[];
};
layout(set = 0, binding = 1, std430) writeonly buffer Results
{
    vec4 results[];
};
layout(set = 0, binding = 2) uniform texture2D tex;
layout(set = 0, binding = 3) uniform sampler samp;
layout(push_constant) uniform Root
{
    uint op;
} root;

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    const Probe p = probes[i];
    if (root.op == 0)
        results[i] = textureLod(sampler2D(tex, samp), p.at.xy, p.at.w);
    else if (root.op == 1)
        results[i] = textureGrad(sampler2D(tex, samp), p.at.xy, p.more.xy, p.more.zw);
    else
        results[i] = textureGather(sampler2D(tex, samp), p.at.xy, 0);
}
