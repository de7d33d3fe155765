#version 460
// The squares of the interpolated place within its texel.
layout(location = 0) sample in vec2 place;
layout(location = 0) out vec4 color;

void main()
{
    const vec2 at = fract(place);
    color = vec4(at * at, 0, 1);
}
