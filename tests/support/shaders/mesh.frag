#version 460

layout(constant_id = 3) const int mode = 4;
layout(constant_id = 4) const bool flag = true;

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;

layout(set = 1, binding = 0) uniform sampler2D base;
layout(set = 1, binding = 1) uniform Material
{
    vec4 factor;
    vec4 more[3];
};

layout(push_constant) uniform Root
{
    layout(offset = 64) vec4 tint;
};

void main()
{
    color = texture(base, uv) * factor * tint + more[mode % 3] * float(flag);
}
