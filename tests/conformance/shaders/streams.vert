#version 460
// A column for each instance; the color is put together from three streams.
layout(push_constant) uniform Root {
    float columns;
} root;
layout(location = 0) in vec2 corner;
layout(location = 2) in vec2 red_green;
layout(location = 5) in float blue;
layout(location = 0) flat out vec4 value;

void main()
{
    gl_Position = vec4((gl_InstanceIndex + corner.x) / root.columns * 2 - 1, corner.y, 0, 1);
    value = vec4(red_green, blue, 1);
}
