#version 460
layout(constant_id = 3) const float red = 0;
layout(constant_id = 4) const bool green = false;
layout(constant_id = 9) const uint blue = 51;
layout(location = 0) out vec4 color;

void main()
{
    color = vec4(red, green ? 1 : 0, blue / 255.0, 1);
}
