#version 460

layout(constant_id = 0) const int steps = 1;

layout(location = 0) out vec4 color;

// A different shader for each number of steps and the tint that comes of it.
void main()
{
    vec4 value = gl_FragCoord * 0.01;
    for (int i = 0; i < (steps & 7); ++i)
        value = sin(value * 1.5 + float(steps)) + value.yzwx * 0.25;
    color = value / float(steps + 1);
}
