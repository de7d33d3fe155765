#version 460
// Three classes of numbers at once.
layout(location = 0) out vec4 a;
layout(location = 1) out uvec4 b;
layout(location = 2) out ivec4 c;
layout(location = 3) out vec4 d;

void main()
{
    a = vec4(0.2, 0.4, 0.6, 0.8);
    b = uvec4(1, 2, 300, 0xffffffffu);
    c = ivec4(-1, 2, -300, 4);
    d = vec4(1000, -0.5, 2, 3);
}
