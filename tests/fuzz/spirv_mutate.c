// Mutations that leave SPIR-V modules good more often than bytes alone do, for every target that
// reads them.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
/// libFuzzer's own mutations; absent when the corpus is replayed.
// NOLINTNEXTLINE(readability-identifier-naming)
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/// Bytes alone rarely make another good module, so half of the time one operand becomes another id
/// or number, or one instruction is copied over, removed or repeated.
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    uint32_t state = seed;
    uint32_t starts[1024];
    uint32_t count = 0;
    uint32_t word = 0;
    const uint32_t words = (uint32_t)(size / 4);
    for (uint32_t at = 5; at < words && count < 1024; at += word >> 16) {
        memcpy(&word, data + (size_t)at * 4, 4);
        if (word >> 16 == 0 || word >> 16 > words - at)
            break;
        starts[count++] = at;
    }
    if (count < 2 || next_random(&state) % 2 == 0)
        return LLVMFuzzerMutate ? LLVMFuzzerMutate(data, size, max_size) : size;

    const uint32_t pick = next_random(&state) % (count - 1);
    uint8_t *at = data + (size_t)starts[pick] * 4;
    const size_t length = (size_t)(starts[pick + 1] - starts[pick]) * 4;
    const size_t after = size - ((size_t)starts[pick] * 4 + length);
    switch (next_random(&state) % 4) {
    case 0: // removed
        memmove(at, at + length, after);
        return size - length;
    case 1: // repeated
        if (size + length > max_size)
            return size;
        memmove(at + length, at, after + length);
        return size + length;
    default: // an operand changed
        if (length > 4) {
            const uint32_t value =
                next_random(&state) % (next_random(&state) % 4 == 0 ? 8 : count + 8);
            memcpy(at + 4 + next_random(&state) % (length / 4 - 1) * 4, &value, 4);
        }
        return size;
    }
}
