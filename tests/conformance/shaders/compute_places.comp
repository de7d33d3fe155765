#version 460
// Each invocation writes where it is, at a number that follows from it: built-in values of a
// dispatch of workgroups of 4 × 2 × 3.
layout(local_size_x = 4, local_size_y = 2, local_size_z = 3) in;
struct Place {
    uvec4 group, local, global; // w: the size in groups and in invocations, and the index.
};
layout(set = 0, binding = 0, std430) writeonly buffer Places
{
    Place places[];
};

void main()
{
    const uvec3 all = gl_NumWorkGroups * gl_WorkGroupSize, at = gl_GlobalInvocationID;
    const uint i = (at.z * all.y + at.y) * all.x + at.x;
    places[i].group = uvec4(gl_WorkGroupID, gl_NumWorkGroups.x + 100 * gl_NumWorkGroups.y + 10000 * gl_NumWorkGroups.z);
    places[i].local = uvec4(gl_LocalInvocationID, gl_WorkGroupSize.x + 100 * gl_WorkGroupSize.y + 10000 * gl_WorkGroupSize.z);
    places[i].global = uvec4(at, gl_LocalInvocationIndex);
}
