#version 450
layout(push_constant) uniform Root {
    mat4 transform;
} root;
layout(location = 0) in vec2 position;

void main()
{
    gl_Position = root.transform * vec4(position, 0.0, 1.0);
}
