#version 460
// The layer itself, in red.
layout(location = 0) flat in vec4 color;
layout(location = 0) out vec4 result;

void main()
{
    result = vec4(float(gl_Layer) / 255.0, color.yzw);
}
