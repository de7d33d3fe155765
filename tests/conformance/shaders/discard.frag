#version 460
// Every second texel, as on a chessboard, is given up.
layout(location = 0) out vec4 color;

void main()
{
    const ivec2 at = ivec2(gl_FragCoord.xy);
    if (((at.x + at.y) & 1) == 1)
        discard;
    color = vec4(1);
}
