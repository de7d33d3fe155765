#version 460
#extension GL_EXT_mesh_shader : require
layout(location = 0) in float height;
layout(location = 1) perprimitiveEXT in flat uint number;
layout(location = 0) out vec4 result;

void main()
{
    result = vec4((number >> 1) * 50 / 255.0, height, 1, 1);
}
