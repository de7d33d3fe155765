#version 460

// In mesh.frag this is a uniform buffer.
layout(set = 1, binding = 1) buffer Material
{
    vec4 factor;
};
layout(location = 0) out vec2 uv;

void main()
{
    uv = vec2(0.0);
    gl_Position = factor;
}
