#include "base/hash.h"

#include "base/bits.h"

/// Little-endian, at any address.
static uint64_t read_u64(const uint8_t *p)
{
    uint64_t x = 0;
    for (int i = 0; i < 8; i++)
        x |= (uint64_t)p[i] << 8 * i;
    return x;
}

static const uint64_t mix_a = 0x87c37b91114253d5u;
static const uint64_t mix_b = 0x4cf5ad432745937fu;

static uint64_t mix_low(uint64_t k)
{
    return wf_base_rotl64(k * mix_a, 31) * mix_b;
}

static uint64_t mix_high(uint64_t k)
{
    return wf_base_rotl64(k * mix_b, 33) * mix_a;
}

/// The last 0 to 15 bytes, as if zeros followed.
static void mix_tail(const uint8_t *p, size_t size, struct wf_base_hash128 *h)
{
    uint8_t block[16] = {0};
    for (size_t i = 0; i < size; i++)
        block[i] = p[i];
    h->high ^= mix_high(read_u64(block + 8));
    h->low ^= mix_low(read_u64(block));
}

struct wf_base_hash128 wf_base_hash_bytes128(const void *data, size_t size, uint32_t seed)
{
    struct wf_base_hash128 h = {seed, seed};
    const uint8_t *p = data;
    size_t left = size;
    for (; left >= 16; left -= 16, p += 16) {
        h.low ^= mix_low(read_u64(p));
        h.low = (wf_base_rotl64(h.low, 27) + h.high) * 5 + 0x52dce729u;
        h.high ^= mix_high(read_u64(p + 8));
        h.high = (wf_base_rotl64(h.high, 31) + h.low) * 5 + 0x38495ab5u;
    }
    mix_tail(p, left, &h);
    h.low ^= size;
    h.high ^= size;
    h.low += h.high;
    h.high += h.low;
    h.low = wf_base_hash_u64(h.low);
    h.high = wf_base_hash_u64(h.high);
    h.low += h.high;
    h.high += h.low;
    return h;
}

uint64_t wf_base_hash_bytes(const void *data, size_t size)
{
    return wf_base_hash_bytes128(data, size, 0).low;
}
