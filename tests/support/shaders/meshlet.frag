#version 460
#extension GL_EXT_mesh_shader : require
layout(location = 0) in vec4 value;
layout(location = 1) perprimitiveEXT in flat uint number;
layout(location = 0) out vec4 color;

layout(push_constant) uniform Root {
    layout(offset = 16) vec4 scale;
} root;

void main()
{
    color = value * root.scale * number;
}
