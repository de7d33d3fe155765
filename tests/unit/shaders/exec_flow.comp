#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
layout(set = 0, binding = 1) buffer In { uint a[]; };

uint collatz(uint n)
{
    uint steps = 0;
    while (n != 1) {
        n = (n & 1) != 0 ? 3 * n + 1 : n / 2;
        steps++;
    }
    return steps;
}

uint nested(uint n)
{
    uint sum = 0;
    for (uint i = 0; i < n; i++) {
        if (i % 7 == 3)
            continue;
        for (uint j = 0; j < i; j++) {
            if (j * i > 40)
                break;
            if (j == 2)
                continue;
            sum += j + i * 3;
        }
        if (sum > 500)
            break;
    }
    return sum;
}

uint fall(uint n)
{
    uint r = 1;
    switch (n % 9) {
    case 0:
        r += 10;
    case 1:
        r *= 3;
        break;
    case 2:
    case 3:
        r = 77;
        if (n > 30)
            break;
        r++;
    case 4:
        r += 1000;
        break;
    case 7:
        return 5;
    default:
        r = n;
    }
    return r * 2;
}

uint early(uint n)
{
    for (uint i = 0; i < 20; i++) {
        if (i * i > n)
            return i;
        if (n == 13)
            return 4242;
        for (;;) {
            if (n % 5 == i)
                return 100 + i;
            break;
        }
    }
    return 9999;
}

void twice(inout uint x, out uint y)
{
    y = x * 2;
    if (x > 20) {
        x = 1;
        return;
    }
    x += 5;
}

uint doloop(uint n)
{
    uint i = 0, last = 0;
    do {
        last = i;
        i += n % 4 + 1;
    } while (i < n);
    return last * 100 + i;
}

uint outlive(uint n)
{
    uint found = 0, seen = 0;
    for (uint i = 0; i < 100; i++) {
        uint q = i * n % 37;
        seen = q;
        if (q == 36) {
            found = i + 1;
            break;
        }
    }
    return found * 64 + seen;
}

// All lanes go the same way, and between some of these ends there is nothing at all.
uint chained(uint same, uint n)
{
    for (uint i = 0; i < 10; i++) {
        if (same > 0)
            if (same == 5) {
                n += 3;
                continue;
            } else if (same == 1) {
                n += 7;
                continue;
            }
    }
    return n;
}

void main()
{
    uint i = gl_LocalInvocationIndex, n = a[i];
    o[i] = collatz(n + 1);
    o[64 + i] = nested(n);
    o[128 + i] = fall(n);
    o[192 + i] = early(n);
    uint x = n, y;
    twice(x, y);
    o[256 + i] = x * 1000 + y;
    o[320 + i] = doloop(n);
    o[384 + i] = outlive(n);
    bool both = n > 10 && a[n % 64] < 40 || n == 3;
    o[448 + i] = both ? 1 : 0;
    o[576 + i] = chained(a[0], n);
    if (n % 3 == 0)
        return;
    o[512 + i] = 1;
}
