#version 460
layout(local_size_x = 64) in;

struct Part {
    vec3 position;
    float weight;
    uint tags[3];
    mat3x2 m;
};

layout(set = 0, binding = 0, std430) buffer Out { uint o[]; };
layout(set = 0, binding = 1, std430) readonly buffer In { uint a[]; };
layout(set = 0, binding = 2, std140) uniform Block {
    vec4 rows[4];
    layout(row_major) mat4 rowm;
    mat4 colm;
    float scale[3];
    Part part;
} u;
layout(set = 0, binding = 3, std430) buffer Parts { uint count; Part parts[]; } p;
layout(push_constant) uniform Root { vec2 xy; uint index; uint more[4]; } root;

uint lane = gl_LocalInvocationIndex;
uint row = 0;

void put(float v)
{
    o[row++ * 64 + lane] = floatBitsToUint(v);
}

float pick(vec4 v, uint i)
{
    return v[i & 3];
}

void main()
{
    const float table[6] = float[](1.0, 2.0, 4.0, 8.0, 16.0, 32.0);
    uint n = a[lane];
    put(u.rows[2].z); // 0
    put(u.rows[n & 3].y);
    put(u.rowm[1][2]);
    put(u.rowm[n & 3][(n >> 2) & 3]);
    put(u.colm[n & 3][(n >> 2) & 3]);
    vec4 col = u.rowm[2]; // 5
    put(col.w);
    vec4 moved = u.colm * vec4(root.xy, float(n), 1.0);
    put(moved.x);
    put(moved.w);
    vec4 back = vec4(root.xy, float(n), 1.0) * u.rowm;
    put(back.y);
    put(u.scale[root.index]);
    put(u.part.m[2].y); // 10
    put(table[n % 6]);
    put(pick(moved, n));
    float local[9];
    for (uint i = 0; i < 9; i++)
        local[i] = float(i * i);
    local[n % 9] = -1.0;
    put(local[(n + 1) % 9]);
    put(local[n % 9]);
    Part q = p.parts[n & 3]; // 15
    q.tags[1] += 5;
    q.position.y = 9.0;
    put(q.position.x + q.position.y * q.weight);
    put(float(q.tags[0] + q.tags[1]));
    put(q.m[1].x);
    put(float(p.parts.length()));
    put(float(root.more[n & 3]));
    mat4 mm = transpose(u.colm) * u.rowm; // 20
    put(mm[3][1]);
    put(determinant(u.colm));
    mat4 inv = inverse(u.colm) * u.colm;
    put(inv[2][2]);
    vec3 v = vec3(1.0, 2.0, 3.0);
    v[n % 3] = 10.0;
    put(v.x * 100.0 + v.y * 10.0 + v.z);
    put(outerProduct(v, root.xy)[1][0]);
    if ((n & 1) != 0) // 25
        p.parts[lane & 3].tags[2] = 7;
    Part copy = q;
    put(copy.weight);
    bvec3 less = lessThan(v, vec3(2.5));
    put(any(less) ? 1.0 : 0.0);
    put(all(less) ? 1.0 : 0.0);
    vec3 m = mix(v, vec3(0.0), less);
    put(m.x + m.y + m.z);
}
