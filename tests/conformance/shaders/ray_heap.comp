#version 460
#extension GL_EXT_ray_query : require
#extension GL_EXT_nonuniform_qualifier : require
// Whether a ray along z through the middle of each of 8 by 8 cells meets anything in one of two structures of the heap.
layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 3, binding = 3) uniform accelerationStructureEXT scenes[];
layout(set = 0, binding = 0) writeonly buffer Results {
    uint met[64];
};
layout(push_constant) uniform Root {
    uint indices[2];
} root;

void main()
{
    const uvec2 cell = gl_LocalInvocationID.xy;
    const uint index = root.indices[cell.y & 1];
    rayQueryEXT query;
    rayQueryInitializeEXT(query, scenes[nonuniformEXT(index)], gl_RayFlagsOpaqueEXT | gl_RayFlagsTerminateOnFirstHitEXT,
                          0xff, vec3(cell + 0.5, -1), 0.0, vec3(0, 0, 1), 100.0);
    while (rayQueryProceedEXT(query)) {
    }
    met[cell.y * 8 + cell.x] = rayQueryGetIntersectionTypeEXT(query, true);
}
