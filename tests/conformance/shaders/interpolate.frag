#version 460
// One of three kinds of interpolation, or the place, as the root's first word says.
layout(push_constant) uniform Root {
    uint kind;
} root;
layout(location = 0) in vec4 smooth_value;
layout(location = 1) noperspective in vec4 linear_value;
layout(location = 2) flat in vec4 flat_value;
layout(location = 0) out vec4 color;

void main()
{
    if (root.kind == 0)
        color = smooth_value;
    else if (root.kind == 1)
        color = linear_value;
    else if (root.kind == 2)
        color = flat_value;
    else
        color = gl_FragCoord;
}
