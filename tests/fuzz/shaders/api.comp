#version 450
layout(local_size_x_id = 1) in;
layout(constant_id = 2) const int count = 3;
layout(set = 0, binding = 0, std430) buffer Data { uint data[]; };
layout(set = 0, binding = 1, rgba8) uniform image2D image;
layout(push_constant) uniform Root { uint start; } root;
void main()
{
    for (int i = 0; i < count; i++)
        data[root.start + gl_GlobalInvocationID.x * 3u + uint(i)] += 5u;
    imageStore(image, ivec2(gl_GlobalInvocationID.xy), imageLoad(image, ivec2(1, 2)) + 0.25);
}
