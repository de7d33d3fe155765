#version 460

// Does not fit shader_stage.frag: see the test.
layout(location = 0) out vec2 uv;
layout(location = 1) out float id;
layout(location = 2) out vec2 short_normal;
layout(set = 1, binding = 0) uniform Globals
{
    mat4 view;
};

void main()
{
    uv = vec2(0.0);
    id = 1.0;
    short_normal = vec2(1.0);
    gl_Position = view[0];
    gl_PointSize = 2.0;
}
