#version 460
#extension GL_EXT_ray_query : require
// A ray along z through the middle of each cell of a grid; what it met, in words.
layout(local_size_x = 8, local_size_y = 8) in;

layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
struct Hit {
    uint type;    ///< 0: none, 1: triangle, 2: generated.
    uint instance, custom, geometry, primitive;
    float t;
    vec2 at;      ///< Barycentrics.
    uint front;
    float origin; ///< x of the ray's, in the space of the bottom level.
    uint candidates;
};
layout(set = 0, binding = 1) writeonly buffer Hits {
    Hit hits[];
};
layout(push_constant) uniform Root {
    uint flags, mask;
    uint accept; ///< Candidates that are confirmed: bit 0 triangles, bit 1 boxes.
    float start, most;
} root;

void main()
{
    const uvec2 cell = gl_GlobalInvocationID.xy;
    const uint index = cell.y * gl_NumWorkGroups.x * 8 + cell.x;
    rayQueryEXT query;
    rayQueryInitializeEXT(query, scene, root.flags, root.mask, vec3(cell + 0.5, root.start), 0.0, vec3(0, 0, 1),
                          root.most);
    uint candidates = 0;
    while (rayQueryProceedEXT(query)) {
        candidates++;
        if (rayQueryGetIntersectionTypeEXT(query, false) == gl_RayQueryCandidateIntersectionTriangleEXT) {
            if ((root.accept & 1) != 0)
                rayQueryConfirmIntersectionEXT(query);
        } else if ((root.accept & 2) != 0) {
            rayQueryGenerateIntersectionEXT(query, 2.5);
        }
    }
    Hit hit = Hit(0, 0, 0, 0, 0, 0.0, vec2(0), 0, 0.0, candidates);
    hit.type = rayQueryGetIntersectionTypeEXT(query, true);
    if (hit.type != gl_RayQueryCommittedIntersectionNoneEXT) {
        hit.instance = rayQueryGetIntersectionInstanceIdEXT(query, true);
        hit.custom = rayQueryGetIntersectionInstanceCustomIndexEXT(query, true);
        hit.geometry = rayQueryGetIntersectionGeometryIndexEXT(query, true);
        hit.primitive = rayQueryGetIntersectionPrimitiveIndexEXT(query, true);
        hit.t = rayQueryGetIntersectionTEXT(query, true);
        hit.origin = rayQueryGetIntersectionObjectRayOriginEXT(query, true).x;
        if (hit.type == gl_RayQueryCommittedIntersectionTriangleEXT) {
            hit.at = rayQueryGetIntersectionBarycentricsEXT(query, true);
            hit.front = rayQueryGetIntersectionFrontFaceEXT(query, true) ? 1 : 0;
        }
    }
    hits[index] = hit;
}
