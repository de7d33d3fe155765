// A root block of 128 bytes, read in every way there is.
struct Part {
    vec2 first;
    vec2 second;
};
layout(push_constant) uniform Root {
    uvec2 cell; ///< Of a target that is `across` cells wide and high.
    uint choice;
    float across;
    mat4 colors;
    Part parts[3];
} root;

vec4 joined(Part part)
{
    return vec4(part.first, part.second);
}

vec4 chosen()
{
    const mat4 all = root.colors; // as a whole, and a column of it
    return (root.choice < 2 ? all[root.choice] : root.colors[root.choice]) + joined(root.parts[root.choice % 3]);
}

vec4 corner(uint i)
{
    const vec2 at = (vec2(root.cell) + vec2(i & 1u, i >> 1)) / root.across;
    return vec4(2 * at.x - 1, 1 - 2 * at.y, 0.5, 1);
}
