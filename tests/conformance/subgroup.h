/// \file subgroup.h
/// What a subgroup's invocations have, as the shaders that include subgroup.glsl tell where they
/// are, and a run of such a shader.
#pragma once

#include "conform.h"

enum { SUBGROUP_MAX = 128, SUBGROUP_WORDS = 64, SUBGROUP_FIRST = 3 };

/// Any result will do: the operation leaves it undefined here.
#define SUBGROUP_ANY UINT64_MAX

/// An invocation and the subgroup that it is in.
struct subgroup {
    uint32_t invocation, lane, size;
    uint32_t id, subgroups;     ///< Its number, of how many.
    uint32_t group;             ///< Invocations of the workgroup.
    bool out;                   ///< It does not take part.
    bool there[SUBGROUP_MAX];   ///< There is such an invocation.
    bool in[SUBGROUP_MAX];      ///< And it takes part.
    uint32_t who[SUBGROUP_MAX]; ///< Its number in the workgroup.
    uint32_t x[SUBGROUP_MAX];   ///< Its value.
};

/// What an invocation is to give, in order after its place; returns how many.
typedef uint32_t subgroup_expected(const struct subgroup *s, uint64_t *want);

/// The value of an invocation, as in subgroup.glsl.
uint32_t subgroup_value(uint32_t invocation);
/// Runs the shader in workgroups of several sizes, with all invocations and with some.
void subgroup_run(struct conform *c, weft_shader shader, subgroup_expected *expected);
/// The same for one size; who has a bit of `chosen` in its number, from one, stays out.
void subgroup_run_one(struct conform *c, weft_shader shader, const uint32_t size_and_chosen[2],
                      subgroup_expected *expected);
