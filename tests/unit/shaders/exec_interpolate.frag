#version 460
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

void main()
{
    color.x = interpolateAtOffset(uv, vec2(0.25, -0.5)).x;
    color.y = interpolateAtCentroid(uv).y;
    color.zw = interpolateAtSample(uv, 3);
}
