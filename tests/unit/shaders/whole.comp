#version 450
#extension GL_EXT_samplerless_texture_functions : require
// Counts and sums a picture by blocks of 8x8, in shared memory.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform texture2D image;
layout(set = 0, binding = 1, std430) buffer Counts { uint bins[16]; vec4 sums[]; };
shared uint counted[16];
shared vec4 part[64];
void main()
{
    const uint i = gl_LocalInvocationIndex;
    const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (i < 16u)
        counted[i] = 0u;
    const vec4 texel = texelFetch(image, ivec2(gl_GlobalInvocationID.xy), 0);
    part[i] = texel;
    barrier();
    atomicAdd(counted[uint(texel.g * 15.0)], 1u);
    for (uint step = 32u; step > 0u; step >>= 1) {
        if (i < step)
            part[i] += part[i + step];
        barrier();
    }
    if (i < 16u)
        atomicAdd(bins[i], counted[i]);
    if (i == 0u)
        sums[group] = part[0] * exp2(-part[0].x);
}
