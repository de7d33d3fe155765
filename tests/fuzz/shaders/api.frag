#version 450
layout(location = 0) in vec2 at;
layout(set = 1, binding = 0) uniform sampler2D image;
layout(set = 1, binding = 1) uniform Block { vec4 tint[3]; } block;
layout(location = 0) out vec4 color;
void main()
{
    color = texture(image, at) * block.tint[int(at.x) & 1];
}
