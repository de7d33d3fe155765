#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Out { uint64_t o[]; };
layout(set = 0, binding = 1) buffer In { uint64_t a[]; };
layout(set = 0, binding = 2) buffer Doubles { double d[]; };
layout(set = 0, binding = 3) buffer Narrow { uint8_t b[64]; int16_t s[64]; float16_t h[64]; };

uint i = gl_LocalInvocationIndex;
uint row = 0;

void put(uint64_t v)
{
    o[row++ * 64 + i] = v;
}
void put(int64_t v)
{
    put(uint64_t(v));
}
void put(double v)
{
    put(doubleBitsToUint64(v));
}
void put(bool v)
{
    put(v ? uint64_t(1) : uint64_t(0));
}

void main()
{
    uint64_t x = a[i], y = a[64 + i];
    int64_t p = int64_t(x), q = int64_t(y);
    put(x + y); // 0
    put(x - y);
    put(x * y);
    put(x / y);
    put(x % y);
    put(p / q); // 5
    put(x << 13);
    put(x >> 21);
    put(p >> 35);
    put(~x ^ y);
    put(-p); // 10
    put(x < y);
    put(p < q);
    put(x == y);
    put(p >= q);
    put(float(p) > 0.0); // 15
    put(uint64_t(float(uint(x))));
    put(uint64_t(uint(x)));
    put(int64_t(int(uint(x))));
    put(max(p, q));
    put(min(x, y)); // 20
    put(abs(p));
    double f = d[i], g = d[64 + i];
    put(f + g); // 22
    put(f - g);
    put(f * g);
    put(f / g); // 25
    put(sqrt(abs(f)));
    put(floor(f));
    put(f < g);
    put(int64_t(f));
    put(double(float(f))); // 30
    put(fma(f, g, 1.0lf));
    put(f > 0 ? f : -g);
    dvec3 v = dvec3(f, g, 1.0);
    put(dot(v, v));
    put(double(i) * 0.25lf);
    uint8_t c = b[i]; // 35
    int16_t t = s[i];
    put(uint64_t(uint8_t(c + uint8_t(200))));
    put(int64_t(int16_t(t * int16_t(7))));
    put(int64_t(t / int16_t(3)));
    put(int64_t(t >> 2));
    put(t < int16_t(0)); // 39
    put(uint64_t(c / uint8_t(7)));
    float16_t k = h[i];
    put(double(k * float16_t(3.0) + float16_t(0.1))); // 41
    put(uint64_t(float16BitsToUint16(k)));
    put(double(sqrt(abs(k))));
    b[i] = uint8_t(c + uint8_t(1)); // 44
    s[i] = int16_t(-t);
    h[i] = k * float16_t(0.5);
}
