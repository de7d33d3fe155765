#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Words
{
    uint64_t product;
    double third;
    uint half_sum;
};

void main()
{
    product = 0x123456789ul * uint64_t(0x10001u + gl_NumWorkGroups.y - 1);
    third = double(gl_NumWorkGroups.x) / 3.0lf;
    half_sum = uint(float16_t(1000.25 + float(gl_NumWorkGroups.x)) * float16_t(2));
}
