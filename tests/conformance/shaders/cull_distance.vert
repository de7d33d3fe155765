#version 460
// Four rectangles side by side. Of each one's cull distances all or some are below 0.
out float gl_CullDistance[2];

void main()
{
    const vec2 corner = vec2[6](vec2(0, -1), vec2(1, -1), vec2(0, 1), vec2(0, 1), vec2(1, -1), vec2(1, 1))[gl_VertexIndex % 6];
    gl_Position = vec4((gl_InstanceIndex + corner.x) / 2 - 1, corner.y, 0, 1);
    // 0: none below; 1: the first below at some corners; 2: the second below at all; 3: each below
    // at other corners, so that neither is below at all of them.
    gl_CullDistance[0] = gl_InstanceIndex == 1 || gl_InstanceIndex == 3 ? corner.x - 0.5 : 1;
    gl_CullDistance[1] = gl_InstanceIndex == 2 ? -1 : gl_InstanceIndex == 3 ? 0.5 - corner.x : 1;
}
