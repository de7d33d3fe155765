#version 460
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 value;
layout(location = 0) noperspective out float first;
layout(location = 1) noperspective out vec2 second;
layout(location = 2) out float fourth;
layout(location = 3) noperspective out vec3 third;

void main()
{
    gl_Position = position;
    first = value.x;
    second = value.xy;
    third = value.xyz;
    fourth = value.w;
    if (value.x > 0)
        return;
    third = vec3(0, 0, value.z);
}
