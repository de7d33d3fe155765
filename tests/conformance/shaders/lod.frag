#version 460
// The middle of the texture, at the level of detail that the root's red says.
layout(push_constant) uniform Root {
    vec4 rect;
    float depth;
    vec4 color;
} root;
layout(set = 0, binding = 0) uniform texture2D source;
layout(set = 0, binding = 1) uniform sampler how;
layout(location = 0) out vec4 color;

void main()
{
    color = textureLod(sampler2D(source, how), vec2(0.5), root.color.r);
}
