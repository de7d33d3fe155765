#version 460
layout(location = 0) out vec3 color;

void main()
{
    const vec2 corners[3] = vec2[](vec2(-0.7, -0.6), vec2(0.7, -0.6), vec2(0.0, 0.7));
    gl_Position = vec4(corners[gl_VertexIndex], 0.0, 1.0);
    color = vec3(equal(ivec3(gl_VertexIndex), ivec3(0, 1, 2)));
}
