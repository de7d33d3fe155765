#version 450
// One mip out of the one above: the average of the texels that a texel covers, by area. KIND is 1,
// 2 or 3 dimensions; of arrays, one layer.
#extension GL_EXT_samplerless_texture_functions : require

#if KIND == 1
layout(set = 0, binding = 0) uniform texture1DArray source;
#elif KIND == 2
layout(set = 0, binding = 0) uniform texture2DArray source;
#else
layout(set = 0, binding = 0) uniform texture3D source;
#endif

layout(push_constant) uniform Root {
    ivec3 from; // Size of the mip above.
    int slice;  // Layer, or slice of the target.
    ivec3 to;   // Size of the target.
};
layout(location = 0) out vec4 color;

// Weights of the three texels from 2 * i on, along a side.
vec3 weights(int i, int from, int to)
{
    if (from == 1)
        return vec3(1.0, 0.0, 0.0);
    if (from % 2 == 0)
        return vec3(0.5, 0.5, 0.0);
    return vec3(to - i, to, i + 1) / float(from);
}

vec4 texel(ivec3 at)
{
    at = min(at, from - 1);
#if KIND == 1
    return texelFetch(source, ivec2(at.x, slice), 0);
#elif KIND == 2
    return texelFetch(source, ivec3(at.xy, slice), 0);
#else
    return texelFetch(source, at, 0);
#endif
}

void main()
{
    const ivec3 at = ivec3(gl_FragCoord.xy, KIND == 3 ? slice : 0);
    const vec3 x = weights(at.x, from.x, to.x);
    const vec3 y = weights(at.y, from.y, to.y);
    const vec3 z = weights(at.z, from.z, to.z);
    color = vec4(0.0);
    for (int k = 0; k < (KIND == 3 ? 3 : 1); k++)
        for (int j = 0; j < (KIND == 1 ? 1 : 3); j++)
            for (int i = 0; i < 3; i++) {
                const float weight = x[i] * y[j] * z[k];
                if (weight > 0.0)
                    color += weight * texel(2 * at + ivec3(i, j, k));
            }
}
