#version 460
// Red: whether the centroid's values are within 0 and 1, as all corners' are. Green: the center's.
layout(location = 0) centroid in vec4 inside;
layout(location = 1) in vec4 middle;
layout(location = 0) out vec4 color;

bool is_within(vec4 v)
{
    return all(greaterThan(v, vec4(-1e-4))) && all(lessThan(v, vec4(1 + 1e-4)));
}

void main()
{
    color = vec4(is_within(inside), is_within(middle), 0, 1);
}
