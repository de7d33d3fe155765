#version 450
#extension GL_GOOGLE_include_directive : require
#include "subgroup.glsl"

#define ALL(op, x)                                                                                 \
    give(subgroup##op(x));                                                                         \
    give(subgroupInclusive##op(x));                                                                \
    give(subgroupExclusive##op(x));

void main()
{
    const uint x = value();
    const int y = int(x) - 50;
    const float z = float(y) * 0.25;
    give_place();
    if (stays_out())
        return;
    ALL(Add, x)
    ALL(Mul, x | 1)
    ALL(Min, x)
    ALL(Max, x)
    ALL(And, x | 96)
    ALL(Or, x)
    ALL(Xor, x)
    ALL(Add, y)
    ALL(Min, y)
    ALL(Max, y)
    ALL(Add, z)
    ALL(Mul, (x & 1) != 0 ? 2.0 : 0.5)
    ALL(Min, z)
    ALL(Max, z)
    ALL(And, (x & 3) != 0)
    ALL(Xor, (x & 1) != 0)
}
