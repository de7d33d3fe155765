#version 460
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 shade;
layout(push_constant) uniform Root
{
    vec2 offset;
};

void main()
{
    gl_Position = vec4(position.xy + offset + vec2(gl_InstanceIndex, 0), position.z, 1);
    gl_PointSize = 1;
    shade = color;
}
