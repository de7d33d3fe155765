#version 460
// What round `round` draws: a cell of a 16 × 16 grid, with the round's number wherever it is read.
layout(local_size_x = 6) in;
struct Vertex {
    vec4 position, color;
};
layout(set = 0, binding = 0, std430) writeonly buffer Vertices
{
    Vertex vertices[];
};
layout(set = 0, binding = 1, std430) writeonly buffer Indices
{
    uint indices[];
};
layout(set = 0, binding = 2, std430) writeonly buffer Arguments
{
    uint arguments[];
};
layout(set = 0, binding = 3, std430) writeonly buffer Words
{
    uint words[];
};
layout(set = 0, binding = 4, rgba8) uniform writeonly image2D image;
layout(push_constant) uniform Root {
    uint round;
} root;

void main()
{
    const uint i = gl_LocalInvocationIndex, at = root.round % 7; // never the same place as before
    const uint corner = uint[6](0u, 1u, 2u, 2u, 1u, 3u)[i];
    const vec2 cell = vec2(root.round % 16, root.round / 16) + vec2(corner & 1, corner >> 1);
    const float number = float(root.round + 1) / 255;
    vertices[at + 5 - i].position = vec4(cell / 8 - 1, 0.5, 1);
    vertices[at + 5 - i].color = vec4(number);
    indices[at + i] = at + 5 - i;
    if (i == 0) {
        arguments[0] = 6;
        arguments[1] = 1;
        arguments[2] = at;
        arguments[3] = 0;
        arguments[4] = 0;
        words[0] = root.round + 1;
        imageStore(image, ivec2(0), vec4(0, number, 0, 0));
    }
}
