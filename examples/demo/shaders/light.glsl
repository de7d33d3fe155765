// One light with GGX highlights, and a sky.
const float PI = 3.14159265;
const vec3 LIGHT_COLOR = vec3(3.3, 3.05, 2.7);
const vec3 SKY = vec3(0.30, 0.36, 0.46);
const vec3 GROUND = vec3(0.11, 0.085, 0.075);

float highlight(vec3 normal, vec3 view, vec3 light, float roughness)
{
    const vec3 middle = normalize(light + view);
    const float a = roughness * roughness, a2 = a * a;
    const float n_dot_h = max(dot(normal, middle), 0.0);
    const float n_dot_l = max(dot(normal, light), 1e-3), n_dot_v = max(dot(normal, view), 1e-3);
    const float d = n_dot_h * n_dot_h * (a2 - 1.0) + 1.0;
    return a2 / (PI * d * d) * 0.5 / mix(2.0 * n_dot_l * n_dot_v, n_dot_l + n_dot_v, a);
}

float fresnel(float cosine)
{
    const float x = 1.0 - max(cosine, 0.0), x2 = x * x;
    return x2 * x2 * x;
}

// What polished things mirror: a dark room with a long window.
vec3 surroundings(vec3 direction, float roughness)
{
    const float blur = 0.04 + roughness;
    const vec3 room = mix(GROUND, SKY, clamp(direction.y / blur * 0.5 + 0.5, 0.0, 1.0));
    const float across = abs(direction.y - 0.45), along = abs(direction.x * 0.8 + direction.z * 0.6);
    const float window = (1.0 - smoothstep(0.12, 0.12 + blur * 0.5, across)) * (1.0 - smoothstep(0.5, 0.5 + blur, along));
    return room + vec3(1.9, 1.8, 1.6) * window * (1.0 - 0.7 * roughness);
}

// Filmic enough: linear in the dark, never beyond 1.
vec3 tone(vec3 color)
{
    const vec3 over = max(color - 0.7, 0.0);
    return min(color, 0.7) + over / (1.0 + over / 0.3);
}
