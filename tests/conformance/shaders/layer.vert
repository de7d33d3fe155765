#version 460
#extension GL_ARB_shader_viewport_layer_array : require
// A rectangle in clip space for each instance, in a layer of its own: `first` + instance × `step`.
layout(push_constant) uniform Root {
    vec4 rect;
    float depth;
    int first, step;
} root;
layout(location = 0) flat out vec4 color;

void main()
{
    const uint corner = uint[6](0u, 1u, 2u, 2u, 1u, 3u)[gl_VertexIndex % 6];
    gl_Position = vec4((corner & 1u) == 0u ? root.rect.x : root.rect.z,
                       (corner & 2u) == 0u ? root.rect.y : root.rect.w, root.depth, 1);
    gl_Layer = root.first + gl_InstanceIndex * root.step;
    color = vec4(gl_InstanceIndex + 1, 10 * (gl_InstanceIndex + 1), 0, 255) / 255.0;
}
