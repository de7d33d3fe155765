#version 450
layout(set = 1, binding = 0, std430) buffer Storage {
    float values[];
} storage;
layout(location = 0) out vec4 color;

void main()
{
    storage.values[0] = gl_FragCoord.x;
    color = vec4(0.0);
}
