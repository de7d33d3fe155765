#version 450
#extension GL_GOOGLE_include_directive : require
#define CLUSTER 32
#include "subgroup.glsl"
#include "subgroup_clustered.glsl"
