#version 460
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint F = 0;
layout(set = 0, binding = 0) buffer Out { float o[]; };
layout(set = 0, binding = 1) buffer In { float a[]; };

float apply(float x, float y)
{
    switch (F) {
    case 0: return sin(x);
    case 1: return cos(x);
    case 2: return tan(x);
    case 3: return asin(x);
    case 4: return acos(x);
    case 5: return atan(x);
    case 6: return atan(x, y);
    case 7: return sinh(x);
    case 8: return cosh(x);
    case 9: return tanh(x);
    case 10: return asinh(x);
    case 11: return acosh(x);
    case 12: return atanh(x);
    case 13: return pow(x, y);
    case 14: return exp(x);
    case 15: return log(x);
    case 16: return exp2(x);
    case 17: return log2(x);
    case 18: return sqrt(x);
    case 19: return inversesqrt(x);
    case 20: return round(x);
    case 21: return roundEven(x);
    case 22: return trunc(x);
    case 23: return floor(x);
    case 24: return ceil(x);
    case 25: return fract(x);
    case 26: return abs(x);
    case 27: return sign(x);
    case 28: return radians(x);
    case 29: return degrees(x);
    case 30: return min(x, y);
    case 31: return max(x, y);
    case 32: return step(x, y);
    case 33: return fma(x, y, 0.125);
    case 34: return mix(x, y, 0.25);
    case 35: return clamp(x, -2.0, 3.0);
    case 36: return smoothstep(-3.0, 4.0, x);
    case 37: return ldexp(x, int(y));
    case 38: { int e; float m = frexp(x, e); return m * 1000.0 + float(e); }
    case 39: { float w; float f = modf(x, w); return w + f * 0.5; }
    default: return 0.0;
    }
}

void main()
{
    uint i = gl_GlobalInvocationID.x;
    o[i] = apply(a[i * 2], a[i * 2 + 1]);
}
