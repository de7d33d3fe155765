// Slot 0, of the pass. stage.h has the same structure in C.
layout(set = 0, binding = 0, std140) uniform Globals {
    mat4 view_projection;
    mat4 to_shadow; // world to the shadow map's texture coordinates and depth
    vec4 eye;
    vec4 light;     // direction to it
    vec4 fog;       // color
} globals;
