#version 460
// The same count of operations on values that differ between lanes, so that nothing is uniform and
// no multiply meets an add: what a plain operation costs.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Values { float v[]; };

#define STEP x = x + y; y = y * z; z = z + x;
#define STEPS(s) s s s s s s s s s s

void main()
{
    float x = v[gl_LocalInvocationIndex], y = v[gl_LocalInvocationIndex ^ 1],
          z = v[gl_LocalInvocationIndex ^ 2];
    STEPS(STEPS(STEP))
    STEPS(STEPS(STEP))
    STEPS(STEPS(STEP))
    STEPS(STEP STEP STEP) STEPS(STEP) x = x + y;
    v[gl_LocalInvocationIndex] = x + z;
}
