#version 450
void main()
{
    float x = float(gl_VertexIndex) + 1.0;
    while (x > 0.0) // for ever
        x = fract(x * 1.7) + 1.0;
    gl_Position = vec4(x);
}
