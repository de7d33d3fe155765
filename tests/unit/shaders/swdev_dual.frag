#version 460
layout(location = 0) in vec4 shade;
layout(location = 0, index = 0) out vec4 target;
layout(location = 0, index = 1) out vec4 second;

void main()
{
    target = shade;
    second = vec4(0.2, 0.4, 0.6, 0.8);
}
