#version 460
// Sums and products of pairs, in doubles.
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) readonly buffer From { dvec2 from[]; };
layout(set = 0, binding = 1) writeonly buffer To { dvec2 to[]; };

void main()
{
    const uint i = gl_GlobalInvocationID.x;
    to[i] = dvec2(from[i].x + from[i].y, from[i].x * from[i].y);
}
