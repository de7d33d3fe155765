#version 460
// Tested before it runs: the texel that it gives up has written its depth already.
layout(early_fragment_tests) in;
layout(location = 0) out vec4 color;

void main()
{
    if ((int(gl_FragCoord.x) & 1) == 1)
        discard;
    color = vec4(1);
}
