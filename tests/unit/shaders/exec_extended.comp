#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { float o[]; };
layout(set = 0, binding = 1) buffer In { vec4 a[]; };
layout(set = 0, binding = 2) buffer Bits { uint b[]; };

uint i = gl_LocalInvocationIndex;
uint row = 0;

void put(float v)
{
    o[row++ * 64 + i] = v;
}

void main()
{
    vec3 x = a[i].xyz, y = a[i + 64].xyz;
    put(length(x)); // 0
    put(distance(x, y));
    put(cross(x, y).x);
    put(cross(x, y).y);
    put(normalize(x).z);
    put(faceforward(x, y, vec3(0, 1, 0)).x); // 5
    put(reflect(x, normalize(y)).y);
    vec3 r = refract(normalize(x), normalize(y), 0.9);
    put(r.x);
    put(r.y);
    put(dot(x, y));
    put(length(x.x)); // 10
    put(determinant(mat2(x.xy, y.xy)));
    put(determinant(mat3(x, y, vec3(1, 2, 3))));
    mat3 m = inverse(mat3(x, y, vec3(1, 2, 3))) * mat3(x, y, vec3(1, 2, 3));
    put(m[1][1]);
    put(m[2][0]);
    uint n = b[i]; // 15
    put(unpackUnorm4x8(n).y);
    put(unpackSnorm4x8(n).w);
    put(unpackUnorm2x16(n).x);
    put(unpackSnorm2x16(n).y);
    put(unpackHalf2x16(n & 0x7bff7bff).y);
    b[64 + i] = packUnorm4x8(a[i] * 0.3);
    b[128 + i] = packSnorm4x8(a[i] * 0.3);
    b[192 + i] = packUnorm2x16(a[i].xy * 0.3);
    b[256 + i] = packSnorm2x16(a[i].xy * 0.3);
    b[320 + i] = packHalf2x16(a[i].xy);
    float w;
    put(modf(x.x, w)); // 20
    put(w);
    int e;
    put(frexp(x.y, e));
    put(float(e));
    put(mix(x, y, vec3(0.25, 0.5, 0.75)).z);
    put(mod(x, 0.7).x); // 25
    ivec3 s = ivec3(x * 100.0), t = ivec3(y * 100.0);
    put(float(max(s, t).x));
    put(float(clamp(s, ivec3(-50), ivec3(60)).y));
    put(float(abs(s).z));
    put(float(sign(s).x));
    put(float(min(uvec3(abs(s)), uvec3(abs(t))).y)); // 30
}
