#version 460
// Four of the distances, as they are at the texel.
in float gl_ClipDistance[8];
layout(location = 0) out vec4 color;

void main()
{
    color = vec4(gl_ClipDistance[0], gl_ClipDistance[3], gl_ClipDistance[6], gl_ClipDistance[7]);
}
