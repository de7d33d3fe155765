#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words
{
    uint word[];
};
layout(push_constant) uniform Root
{
    Words source;
    Words result;
};

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    result.word[i] = source.word[i] + 1;
}
