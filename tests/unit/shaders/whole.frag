#version 450
layout(set = 1, binding = 0) uniform sampler2D image;
layout(location = 0) in vec4 shade;
layout(location = 1) in vec2 at;
layout(location = 2) flat in uint which;
layout(location = 0) out vec4 color;
void main()
{
    const vec4 texel = texture(image, at);
    if (texel.r + shade.g < 0.2)
        discard;
    color = vec4(texel.rgb * shade.rgb + sin(at.x * 7.0 + float(which)) * 0.1, shade.a);
}
