#version 460
#extension GL_EXT_nonuniform_qualifier : require

layout(set = 0, binding = 0) uniform sampler2D images[];
layout(push_constant) uniform Root
{
    int chosen;
};
layout(location = 0) out vec4 color;

void main()
{
    color = texture(images[chosen], vec2(0.5));
}
