#version 460
// Every sample as a float vector, sample by sample.
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform texture2DMS tex;
layout(set = 0, binding = 1, std430) writeonly buffer Texels
{
    vec4 texels[];
};

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    const ivec2 size = textureSize(tex);
    const uint texel = i % uint(size.x * size.y), s = i / uint(size.x * size.y);
    if (s < uint(textureSamples(tex)))
        texels[i] = texelFetch(tex, ivec2(texel % uint(size.x), texel / uint(size.x)), int(s));
}
