#version 460
#extension GL_ARB_shader_viewport_layer_array : require
void main()
{
    gl_Position = vec4(0, 0, 0, 1);
    gl_ViewportIndex = 1;
}
