#version 460
// Counts how often each texel of a row of 16 is shaded.
layout(set = 0, binding = 0) buffer Counts { uint counts[]; };
layout(location = 0) out vec4 color;

void main()
{
    const uvec2 at = uvec2(gl_FragCoord.xy);
    atomicAdd(counts[at.y * 16u + at.x], 1u);
    color = vec4(1);
}
