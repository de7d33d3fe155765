#version 460
// Varyings of several sizes, read whole and in parts, three of them without perspective; the place
// is not asked for.
layout(location = 0) noperspective in float first;
layout(location = 1) noperspective in vec2 second;
layout(location = 2) in float fourth;
layout(location = 3) noperspective in vec3 third;
layout(location = 0) out vec4 color;

void main()
{
    const vec3 all = third;
    color = vec4(first, second.y, all.z, fourth);
}
