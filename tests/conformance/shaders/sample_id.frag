#version 460
// Sample 0 gives 0.125, sample 1 gives 0.25, sample 2 gives 0.5, sample 3 gives 1.
layout(location = 0) out vec4 color;

void main()
{
    color = vec4(exp2(float(gl_SampleID) - 3), gl_SampleID == 2 ? 1 : 0, 0, 1);
}
