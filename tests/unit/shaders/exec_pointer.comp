#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference2 : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;

layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Node {
    Node next;
    uint value;
    uint pad;
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint w[]; };
layout(set = 0, binding = 0) buffer Out { uint o[]; };
layout(push_constant) uniform Root { Node head; Words words; uvec2 raw; } root;

void main()
{
    uint i = gl_LocalInvocationIndex;
    Node n = root.head;
    uint sum = 0;
    for (uint k = 0; k < i % 5; k++)
        n = n.next;
    o[i] = n.value;
    Node all = root.head;
    for (uint k = 0; k < 5; k++) {
        sum += all.value;
        all = all.next;
    }
    o[64 + i] = sum;
    o[128 + i] = root.words.w[i * 2];
    Words far = Words(root.raw);
    o[192 + i] = far.w[i];
    root.words.w[i * 2 + 1] = i + 1000;
    Node second = root.head + 1;
    o[256 + i] = second.value;
    o[320 + i] = uint(uint64_t(second) - uint64_t(root.head));
    atomicAdd(root.words.w[200], 1);
    o[384 + i] = root.words.w[1000000 + i];
}
