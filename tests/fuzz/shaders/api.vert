#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in uint number;
layout(location = 0) out vec2 at;
layout(push_constant) uniform Root { vec4 scale; } root;
void main()
{
    at = position.xy + root.scale.zw;
    gl_Position = position * vec4(root.scale.xy, 1.0, 1.0) + vec4(float(number & 3u));
    gl_PointSize = position.w;
}
