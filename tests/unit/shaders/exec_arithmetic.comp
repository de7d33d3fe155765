#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint o[]; };
layout(set = 0, binding = 1) buffer In { uint a[]; };

uint lane = gl_LocalInvocationIndex;
uint row = 0;

void put(uint v)
{
    o[row++ * 64 + lane] = v;
}
void put(int v)
{
    put(uint(v));
}
void put(float v)
{
    put(floatBitsToUint(v));
}
void put(bool v)
{
    put(v ? 1u : 0u);
}

void main()
{
    uint x = a[lane], y = a[64 + lane];
    int s = int(x), t = int(y);
    float f = uintBitsToFloat(a[128 + lane]), g = uintBitsToFloat(a[192 + lane]);
    put(x + y); // 0
    put(x - y);
    put(x * y);
    put(x / y);
    put(x % y);
    put(s / t); // 5
    put(s % t);
    put(x << (y & 31));
    put(x >> (y & 31));
    put(s >> (t & 31));
    put(x & y); // 10
    put(x | y);
    put(x ^ y);
    put(~x);
    put(-s);
    put(x < y); // 15
    put(x <= y);
    put(s < t);
    put(s >= t);
    put(x == y);
    put(f + g); // 20
    put(f - g);
    put(f * g);
    put(f / g);
    put(f < g);
    put(f <= g); // 25
    put(f == g);
    put(f != g);
    put(int(f));
    put(uint(f));
    put(float(s)); // 30
    put(float(x));
    put(f * g + 3.5);
    put(3.5 - f * g);
    put(f * g - f);
    uint high, low, carry; // 35
    umulExtended(x, y, high, low);
    put(high);
    int shigh, slow;
    imulExtended(s, t, shigh, slow);
    put(shigh);
    put(uaddCarry(x, y, carry));
    put(carry);
    put(usubBorrow(x, y, carry));
    put(carry); // 40
    put(bitfieldExtract(x, 3, 9));
    put(bitfieldExtract(s, 5, 7));
    put(bitfieldInsert(x, y, 4, 11));
    put(bitfieldReverse(x));
    put(bitCount(x)); // 45
    put(findLSB(x));
    put(findMSB(x));
    put(findMSB(s));
    put(mod(f, g));
    put(isnan(f)); // 50
    put(isinf(g));
    put(bool(x & 1) != bool(y & 1));
    put(x > 100u ? f : g);
}
