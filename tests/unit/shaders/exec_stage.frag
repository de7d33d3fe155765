#version 460
#extension GL_EXT_demote_to_helper_invocation : require
layout(location = 0) in vec2 uv;
layout(location = 1) flat in uint kind;
layout(location = 0, index = 0) out vec4 color;
layout(location = 0, index = 1) out vec4 factor;
layout(location = 1) out uvec2 words;
layout(set = 0, binding = 0) buffer Out { uint o[]; };

void main()
{
    color = vec4(dFdx(uv.x), dFdy(uv.y), fwidth(uv.x * uv.y), gl_FragCoord.z);
    factor = gl_FrontFacing ? vec4(1.0) : vec4(2.0);
    words = uvec2(kind, 7);
    if (kind == 3)
        discard;
    if (kind == 4)
        demote;
    o[uint(gl_FragCoord.x)] = helperInvocationEXT() ? 9 : 1;
    gl_FragDepth = gl_FragCoord.z * 0.5;
    words.y = uint(dFdxCoarse(uv.x) * 10.0) * 100 + uint(dFdxFine(uv.x) * 10.0);
}
