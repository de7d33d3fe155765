#version 460
#extension GL_ARB_fragment_shader_interlock : require

layout(location = 0) out vec4 color;

void main()
{
    beginInvocationInterlockARB();
    color = vec4(1.0);
    endInvocationInterlockARB();
}
