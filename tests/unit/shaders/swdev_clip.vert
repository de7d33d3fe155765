#version 460
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 shade;
out gl_PerVertex
{
    vec4 gl_Position;
    float gl_ClipDistance[1];
};

void main()
{
    gl_Position = vec4(position, 1);
    gl_ClipDistance[0] = position.x;
    shade = color;
}
