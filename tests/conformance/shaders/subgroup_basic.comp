#version 450
#extension GL_GOOGLE_include_directive : require
#include "subgroup.glsl"

void main()
{
    give_place();
    give(gl_SubgroupSize);
    give(gl_NumSubgroups);
    give(gl_SubgroupEqMask.x);
    give(gl_SubgroupGeMask.x);
    give(gl_SubgroupGtMask.x);
    give(gl_SubgroupLeMask.x);
    give(gl_SubgroupLtMask.x);
    give(gl_SubgroupEqMask.y | gl_SubgroupLtMask.y | gl_SubgroupEqMask.z | gl_SubgroupGeMask.w);
    give(subgroupElect());
    if (stays_out())
        return;
    give(subgroupElect());
}
