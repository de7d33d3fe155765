#version 460
#extension GL_EXT_nonuniform_qualifier : require

layout(set = 3, binding = 0) uniform sampler2D images[];
layout(location = 0) out vec4 color;

void main()
{
    color = texture(images[0], vec2(0.5));
}
