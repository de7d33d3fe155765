#version 460
// White if the shader, which runs for each sample, is told of that one alone.
layout(location = 0) out vec4 color;

void main()
{
    color = vec4(vec3(gl_SampleMaskIn[0] == 1 << gl_SampleID), 1);
}
