#version 460
#extension GL_EXT_nonuniform_qualifier : require

layout(constant_id = 3) const int N = 4;
layout(constant_id = 4) const bool flag = true;
layout(constant_id = 7) const float scale = 1.5;
const int LENGTH = N * 2 + 1;

layout(location = 0) in vec2 uv;
layout(location = 1) flat in uint id;
layout(location = 2) in vec3 normals[2];
layout(location = 0) out vec4 color;

layout(set = 3, binding = 0) uniform texture2D textures[];
layout(set = 3, binding = 2) uniform sampler samplers[];
layout(set = 1, binding = 0) uniform sampler2D base;
layout(set = 1, binding = 1) uniform sampler2DShadow shadow;
layout(set = 1, binding = 2, rgba8) uniform writeonly image2D picture;
layout(set = 1, binding = 3, r32ui) uniform uimage2D counters;
layout(set = 1, binding = 4) buffer Store
{
    uint count;
    vec4 data[];
} store;
layout(set = 2, binding = 0) uniform Unused
{
    vec4 never;
};

float table[LENGTH];

vec4 sample_all()
{
    vec4 c = texture(sampler2D(textures[nonuniformEXT(id)], samplers[0]), uv);
    c += texture(base, uv) + textureGather(base, uv, 1) + texelFetch(base, ivec2(uv), 0) +
         textureGrad(base, uv, dFdx(uv), dFdy(uv));
    c.x += texture(shadow, vec3(uv, 0.5));
    return c;
}

void main()
{
    for (int i = 0; i < LENGTH; i++)
        table[i] = float(i) * scale;
    vec4 c = sample_all();
    imageStore(picture, ivec2(uv), c);
    uint before = imageAtomicAdd(counters, ivec2(uv), 1u);
    atomicAdd(store.count, before);
    c += store.data[before % store.data.length()];
    if (c.a < 0.1 && flag)
        discard;
    int exponent;
    c.x = frexp(c.x, exponent);
    float whole;
    c.y = modf(c.y, whole);
    c.z = ldexp(c.z, exponent) + length(normals[0]) + distance(normals[0], normals[1]) + unpackHalf2x16(before).x +
          float(packUnorm4x8(c));
    mat3 m = mat3(normals[0], normals[1], normals[0]);
    m = inverse(transpose(m)) * determinant(m) * outerProduct(normals[0], normals[1]);
    uint carry;
    uint sum = uaddCarry(before, id, carry);
    c.xyz += m * normals[0] + normals[1] * m + float(bitfieldExtract(sum, 2, 3) + bitCount(carry) + findMSB(sum));
    color = c + table[int(id)] + textureSize(base, 0).xyxy + float(textureQueryLevels(base)) +
            textureQueryLod(base, uv).xyxy + interpolateAtCentroid(uv).xyxy;
}
