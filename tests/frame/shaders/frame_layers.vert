#version 460
#extension GL_ARB_shader_viewport_layer_array : require
// A rectangle over the left of each layer, `first` + instance, at a depth of its own.
layout(push_constant) uniform Root {
    float right, depth;
    int first;
} root;
layout(location = 0) flat out vec4 color;

void main()
{
    const uint corner = uint[6](0u, 1u, 2u, 2u, 1u, 3u)[gl_VertexIndex % 6];
    gl_Position = vec4((corner & 1u) == 0u ? -1 : root.right, (corner & 2u) == 0u ? -1 : 1,
                       root.depth, 1);
    gl_Layer = root.first + gl_InstanceIndex;
    color = vec4(100 + 10 * gl_InstanceIndex, 255 * root.depth, 0, 255) / 255.0;
}
