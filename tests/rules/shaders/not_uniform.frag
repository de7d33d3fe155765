#version 460
#extension GL_EXT_nonuniform_qualifier : require

layout(set = 3, binding = 0) uniform texture2D textures[];
layout(set = 3, binding = 2) uniform sampler samplers[];
layout(location = 0) flat in uint id;
layout(location = 0) out vec4 color;

void main()
{
    color = texture(sampler2D(textures[id], samplers[0]), vec2(0.5));
}
