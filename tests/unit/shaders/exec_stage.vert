#version 460
layout(location = 0) in vec3 position;
layout(location = 1) in uvec2 tag;
layout(location = 0) out vec4 color;
layout(location = 2) flat out uint id;
layout(location = 3) out float parts[2];
layout(push_constant) uniform Root { mat4 m; };
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; };

void main()
{
    gl_Position = m * vec4(position, 1.0);
    gl_ClipDistance[1] = position.x;
    gl_ClipDistance[0] = -1.0;
    color = vec4(position.zyx, 0.5);
    id = tag.y + uint(gl_VertexIndex) * 10 + uint(gl_InstanceIndex) * 1000;
    parts[1] = 3.0;
    if (tag.x > 5)
        parts[1] = position.y;
}
