#version 460
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint ROUNDS = 3;
layout(set = 0, binding = 0) buffer Out { uint sum, maximum, rounds, ids[]; };
layout(set = 0, binding = 1) buffer Counters { uint added, ored, xored, smallest; int lowest; uint swapped, most, compared; };

shared uint part[1024];
shared uint total;

void main()
{
    uint i = gl_LocalInvocationIndex, n = gl_WorkGroupSize.x;
    part[i] = i * i + gl_WorkGroupID.x;
    barrier();
    // Halves, for any size.
    for (uint left = n; left > 1;) {
        uint upper = (left + 1) / 2;
        if (i < left - upper)
            part[i] += part[i + upper];
        left = upper;
        barrier();
    }
    if (i == 0)
        sum = part[0];
    barrier();
    for (uint r = 0; r < ROUNDS; r++) { // every invocation sees its neighbour's last value
        uint next = part[(i + 1) % n];
        barrier();
        part[i] = next + r;
        barrier();
    }
    atomicMax(maximum, part[i]);
    atomicAdd(total, 1);
    barrier();
    if (i == n - 1)
        rounds = total;
    ids[i] = gl_GlobalInvocationID.x;
    atomicAdd(added, i);
    atomicOr(ored, 1u << (i % 32));
    atomicXor(xored, i);
    atomicMin(smallest, i + 5);
    atomicMin(lowest, -int(i));
    uint was = atomicExchange(swapped, i + 1);
    if (was != 0)
        atomicAdd(most, 1);
    atomicCompSwap(compared, i, i + 1);
}
