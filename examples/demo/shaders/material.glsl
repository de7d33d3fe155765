// Slot 1, of the material. stage.h has the same structure in C.
layout(set = 1, binding = 0, std140) uniform Material {
    vec4 color;
    vec4 params; // metallic, roughness, texture repeats, floor: fades into the fog
} material;
layout(set = 1, binding = 1) uniform sampler2D picture;
