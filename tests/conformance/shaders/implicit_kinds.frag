#version 460
// Implicit levels of detail of textures that are not 2D: `color` is the scale of x, that of y, and
// which texture.
layout(set = 0, binding = 0) uniform sampler smp;
layout(set = 0, binding = 1) uniform texture1D line;
layout(set = 0, binding = 2) uniform texture2DArray array;
layout(set = 0, binding = 3) uniform texture3D volume;
layout(set = 0, binding = 4) uniform textureCube cube;
layout(push_constant) uniform Root {
    vec4 rect;
    float depth;
    vec4 color;
} root;

layout(location = 0) out vec4 color;

void main()
{
    const vec2 at = gl_FragCoord.xy * root.color.xy;
    switch (int(root.color.z)) {
    case 0:
        color = texture(sampler1D(line, smp), at.x);
        break;
    case 1:
        color = texture(sampler2DArray(array, smp), vec3(at, 1));
        break;
    case 2:
        color = texture(sampler3D(volume, smp), vec3(0.5, 0.5, at.x));
        break;
    case 3: // +X, whose sides are 2 long
        color = texture(samplerCube(cube, smp), vec3(1, at.y, at.x));
        break;
    case 4:
        color = textureOffset(sampler2DArray(array, smp), vec3(at, 1), ivec2(1, 0));
        break;
    default:
        color = textureProj(sampler3D(volume, smp), vec4(1, 1, at.x * 2, 2));
    }
}
