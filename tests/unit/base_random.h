/// Numbers for property tests, the same in every run.
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

static inline uint64_t random_u64(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u; // splitmix64
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/// Below `limit`, which is not 0.
static inline uint32_t random_below(uint64_t *state, uint32_t limit)
{
    return (uint32_t)((random_u64(state) >> 32) * limit >> 32);
}

#endif
