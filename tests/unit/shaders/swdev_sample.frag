#version 460
layout(location = 0) in vec4 shade;
layout(location = 0) out vec4 target;

void main()
{
    target = gl_SampleID == 1 ? shade : vec4(0);
}
