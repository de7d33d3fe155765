#version 460
// What the inputs are, and where the fragment is.
layout(location = 0) in vec4 smooth_value;
layout(location = 1) noperspective in vec4 linear_value;
layout(location = 2) flat in vec4 flat_value;
layout(location = 3) centroid in vec4 centroid_value;
layout(location = 0) out vec4 smooth_color;
layout(location = 1) out vec4 linear_color;
layout(location = 2) out vec4 place;
layout(location = 3) out vec4 centroid_color;

void main()
{
    smooth_color = vec4(smooth_value.xyz, flat_value.w);
    linear_color = linear_value;
    place = gl_FragCoord;
    centroid_color = centroid_value;
}
