#version 460
// Every atomic of images, all invocations on the same texels.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, r32ui) uniform uimage2D unsigned_image;
layout(set = 0, binding = 1, r32i) uniform iimage2D signed_image;

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    imageAtomicAdd(unsigned_image, ivec2(0, 0), i);
    imageAtomicMin(unsigned_image, ivec2(1, 0), i + 5u);
    imageAtomicMax(unsigned_image, ivec2(2, 0), i);
    imageAtomicAnd(unsigned_image, ivec2(3, 0), ~(1u << (i % 32u)) | 1u);
    imageAtomicOr(unsigned_image, ivec2(4, 0), 1u << (i % 31u));
    imageAtomicXor(unsigned_image, ivec2(5, 0), i);
    imageAtomicExchange(unsigned_image, ivec2(6, 0), 9u);
    imageAtomicCompSwap(unsigned_image, ivec2(7, 0), 7u, 70u);
    imageAtomicAdd(signed_image, ivec2(0, 0), -int(i));
    imageAtomicMin(signed_image, ivec2(1, 0), -int(i));
    imageAtomicMax(signed_image, ivec2(2, 0), -int(i) - 3);
}
