#version 460

// What mesh.frag reads at location 0 is a float pair.
layout(location = 0) flat out ivec2 uv;

void main()
{
    uv = ivec2(1);
    gl_Position = vec4(0.0);
}
