#version 460
// One value for each kind of interpolation.
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 value;
layout(location = 0) out vec4 smooth_value;
layout(location = 1) noperspective out vec4 linear_value;
layout(location = 2) flat out vec4 flat_value;
layout(location = 3) out vec4 centroid_value;

void main()
{
    gl_Position = position;
    smooth_value = value;
    linear_value = value;
    flat_value = value;
    centroid_value = value;
}
