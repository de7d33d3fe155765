#version 460
// One more than the texel above, in the mip below.
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform utexture2D above;
layout(set = 0, binding = 1, r32ui) uniform writeonly uimage2D below;

void main()
{
    const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    imageStore(below, at, texelFetch(above, 2 * at, 0) + 1u);
}
