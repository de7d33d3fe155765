#version 460
// Storage images that are not 2D: writes where each texel is, and their sizes.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 6) in;
layout(set = 0, binding = 0, r32ui) uniform uimage1D line;
layout(set = 0, binding = 1, r32ui) uniform uimage2DArray array;
layout(set = 0, binding = 2, r32ui) uniform uimage3D volume;
layout(set = 0, binding = 3, r32ui) uniform uimageCube cube;
layout(set = 0, binding = 4, std430) writeonly buffer Sizes
{
    uvec4 sizes[4];
};

void main()
{
    const ivec3 at = ivec3(gl_LocalInvocationID);
    const uvec4 value = uvec4(at.x + 16 * at.y + 256 * at.z);
    if (at.z == 0)
        imageStore(line, at.x + 4 * at.y, value);
    imageStore(array, at, value + 1u);
    imageStore(volume, at, value + 2u);
    imageStore(cube, at, value + 3u);
    if (gl_LocalInvocationIndex == 0) {
        sizes[0] = uvec4(imageSize(line), 0, 0, 0);
        sizes[1] = uvec4(imageSize(array), 0);
        sizes[2] = uvec4(imageSize(volume), 0);
        sizes[3] = uvec4(imageSize(cube), 0, 0);
    }
}
