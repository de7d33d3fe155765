#version 460
#extension GL_EXT_ray_query : require
// White where a ray along z from the texel meets nothing, gray where it does.
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(location = 0) out vec4 color;

void main()
{
    rayQueryEXT query;
    rayQueryInitializeEXT(query, scene, gl_RayFlagsOpaqueEXT | gl_RayFlagsTerminateOnFirstHitEXT, 0xff,
                          vec3(gl_FragCoord.xy, -1), 0.0, vec3(0, 0, 1), 100.0);
    rayQueryProceedEXT(query);
    const bool met = rayQueryGetIntersectionTypeEXT(query, true) != gl_RayQueryCommittedIntersectionNoneEXT;
    color = vec4(vec3(met ? 51 : 255) / 255, 1);
}
