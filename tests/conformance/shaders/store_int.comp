#version 460
// Writes texels of a format that only the layout knows.
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) uniform writeonly iimage2D image;
layout(set = 0, binding = 1, std430) readonly buffer Values
{
    ivec4 values[];
};

void main()
{
    const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    imageStore(image, at, values[at.y * 8 + at.x]);
}
