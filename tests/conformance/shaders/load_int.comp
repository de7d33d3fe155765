#version 460
// Reads texels; the host puts another format into the module.
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, rg8i) uniform readonly iimage2D image;
layout(set = 0, binding = 1, std430) writeonly buffer Values
{
    ivec4 values[];
};

void main()
{
    const ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    values[at.y * 8 + at.x] = imageLoad(image, at);
}
