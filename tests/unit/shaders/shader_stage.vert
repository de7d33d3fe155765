#version 460
#extension GL_EXT_buffer_reference : require

layout(location = 0) in vec3 position;
layout(location = 1) in vec2 uv;
layout(location = 2) in uvec4 joints;
layout(location = 0) out vec2 out_uv;
layout(location = 1) out flat uint out_id;
layout(location = 2) out vec3 out_normals[2];

layout(set = 0, binding = 0) uniform Globals
{
    mat4 view;
    layout(row_major) mat3x2 odd;
    vec4 offsets[3];
} globals;

layout(buffer_reference, std430) buffer Node;
layout(buffer_reference, std430) buffer Node
{
    Node next;
    vec4 value;
};

layout(push_constant) uniform Root
{
    mat4 model;
    Node node;
    uint kind;
} root;

struct Pair {
    vec3 a;
    float b[2];
};

Pair pair_of(vec3 x, inout float y)
{
    Pair pair;
    pair.a = x * 2.0;
    pair.b[0] = y;
    y += 1.0;
    pair.b[1] = dot(x, x);
    return pair;
}

void main()
{
    float y = 3.0;
    Pair pair = pair_of(position, y);
    for (int i = 0; i < 4; i++) {
        if (pair.a[i % 3] > y)
            continue;
        if (i == 3 && y > 2.0)
            break;
        y += float(i);
        pair.b[i & 1] = y;
    }
    switch (root.kind) {
    case 0:
        y = 1.0;
        break;
    case 1:
        y = 2.0;
    default:
        y = y * 2.0;
    }
    Node node = root.node.next;
    gl_Position = globals.view * root.model * vec4(position, 1.0) + node.value * y +
                  globals.offsets[joints.x % 3] + vec4(globals.odd * pair.a, 0.0, 1.0);
    out_uv = uv;
    out_id = joints.y + gl_InstanceIndex;
    out_normals[0] = pair.a;
    out_normals[1] = vec3(pair.b[0], pair.b[1], y);
}
