// What lit.vert and lit.frag share: the argument blocks. renderer.h has the same structures in C.

layout(set = 0, binding = 0, std140) uniform Globals {
    mat4 view_projection;
    vec4 eye;            // of a perspective camera; w: 1. Orthographic: direction to it; w: 0.
    vec4 key_direction;  // to the light, in the world
    vec4 fill_direction;
} globals;

layout(set = 1, binding = 0, std140) uniform Material {
    vec4 base_color;
    vec4 emissive;       // w: alpha cutoff
    vec4 factors;        // metallic, roughness, normal scale, occlusion strength
    vec4 uv_row_u;       // u' = dot(xyz, (u, v, 1))
    vec4 uv_row_v;
    uvec4 uv_sets;       // base color, metallic-roughness, normal, occlusion
    uvec4 more_uv_sets;  // emissive
} material;
