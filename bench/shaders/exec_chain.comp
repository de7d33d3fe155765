#version 460
// A chain of 1000 dependent float operations: 500 multiplies, 500 adds.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Values { float v[]; };
layout(push_constant) uniform Root { float a, b; };

#define STEP x = x * a; x = x + b;
#define STEPS(s) s s s s s s s s s s

void main()
{
    float x = v[gl_LocalInvocationIndex];
    STEPS(STEPS(STEP))
    STEPS(STEPS(STEP))
    STEPS(STEPS(STEP))
    STEPS(STEPS(STEP))
    STEPS(STEPS(STEP))
    v[gl_LocalInvocationIndex] = x;
}
