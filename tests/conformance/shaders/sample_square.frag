#version 460
// The squares of the sample's place in its texel.
layout(location = 0) out vec4 color;

void main()
{
    const vec2 at = fract(gl_FragCoord.xy);
    color = vec4(at * at, 0, 1);
}
