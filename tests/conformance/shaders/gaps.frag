#version 460
layout(location = 1) out vec4 one;
layout(location = 3) out vec4 three;

void main()
{
    one = vec4(1, 0, 0, 1);
    three = vec4(0, 0, 1, 1);
}
