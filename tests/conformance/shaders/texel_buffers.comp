#version 460
// Buffers as rows of texels: some that are read, one that is written and counted in.
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) uniform textureBuffer floats;
layout(set = 0, binding = 1) uniform utextureBuffer uints;
layout(set = 0, binding = 2, r32ui) uniform uimageBuffer words;
layout(set = 0, binding = 3, std430) readonly buffer Places
{
    int places[16];
};
layout(set = 0, binding = 4, std430) buffer Results
{
    vec4 float_results[16];
    uvec4 uint_results[16];
    uint word_results[16];
    int sizes[4];
};
layout(push_constant) uniform Root
{
    uint op;
} root;

void main()
{
    const uint i = gl_LocalInvocationID.x;
    switch (root.op) {
    case 0:
        float_results[i] = texelFetch(floats, places[i]);
        uint_results[i] = texelFetch(uints, places[i]);
        word_results[i] = imageLoad(words, places[i]).x;
        if (i == 0) {
            sizes[0] = textureSize(floats);
            sizes[1] = textureSize(uints);
            sizes[2] = imageSize(words);
        }
        break;
    case 1:
        imageStore(words, places[i], uvec4(1000 + i));
        break;
    default:
        word_results[i] = imageAtomicAdd(words, places[i], 5u);
    }
}
