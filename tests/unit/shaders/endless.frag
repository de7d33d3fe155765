#version 450
layout(location = 0) out vec4 color;
void main()
{
    float x = gl_FragCoord.x + 1.0;
    while (x > 0.0) // for ever
        x = fract(x * 1.7) + 1.0;
    color = vec4(x);
}
