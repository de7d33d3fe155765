#include "orbit.h"

/// A step of the wheel.
#define ZOOM 0.88f
/// Distances, in the model's diagonals.
#define NEAREST  1e-3f
#define FARTHEST 1e3f

void orbit_begin(struct orbit *orbit, const struct scene *scene, const struct camera_choice *choice)
{
    *orbit = (struct orbit){.scene = scene, .choice = *choice};
}

bool orbit_camera(struct orbit *orbit, float aspect, struct camera *out, struct failure *why)
{
    if (orbit->moved) {
        camera_look(&orbit->place, orbit->scene, aspect, &orbit->camera);
    } else if (orbit->aspect != aspect) { // it looks at every vertex: once for each size
        if (!camera_place(&orbit->choice, orbit->scene, aspect, 0, &orbit->camera, why))
            return false;
    }
    orbit->aspect = aspect;
    *out = orbit->camera;
    return true;
}

static float diagonal(const struct scene *scene)
{
    const float size = vec_length(vec_sub(scene->max, scene->min));
    return size > 0 ? size : 1;
}

/// From the chosen camera to the place that it is at: it turns around the point of its axis that is
/// nearest to the model's middle.
static bool take(struct orbit *orbit)
{
    if (orbit->aspect == 0)
        return false;
    if (orbit->moved)
        return true;
    const struct scene *scene = orbit->scene;
    const struct camera *camera = &orbit->camera;
    const struct vec3 middle = vec_scale(vec_add(scene->min, scene->max), 0.5f);
    const float along = vec_dot(vec_sub(camera->eye, middle), camera->back);
    const float distance = fmaxf(along, NEAREST * diagonal(scene)); // it may stand in the model
    orbit->place = (struct camera_place){
        .target = vec_sub(camera->eye, vec_scale(camera->back, distance)),
        .azimuth = atan2f(camera->back.x, camera->back.z),
        .elevation = asinf(fminf(fmaxf(camera->back.y, -1), 1)),
        .distance = distance,
    };
    orbit->moved = true;
    return true;
}

void orbit_turn(struct orbit *orbit, float right, float up)
{
    if (!take(orbit))
        return;
    const float limit = 0.5f * VEC_PI;
    orbit->place.azimuth = fmodf(orbit->place.azimuth - right, 2 * VEC_PI);
    orbit->place.elevation = fminf(fmaxf(orbit->place.elevation - up, -limit), limit);
}

void orbit_pan(struct orbit *orbit, float right, float up)
{
    if (!take(orbit))
        return;
    // At the target's distance, a window's height shows so much.
    const float shown = 2 * orbit->place.distance * tanf(camera_half_fov());
    const struct vec3 by = vec_add(vec_scale(orbit->camera.right, -right * shown),
                                   vec_scale(orbit->camera.up, -up * shown));
    orbit->place.target = vec_add(orbit->place.target, by);
}

void orbit_zoom(struct orbit *orbit, float steps)
{
    if (!take(orbit))
        return;
    const float size = diagonal(orbit->scene);
    const float distance = orbit->place.distance * powf(ZOOM, steps);
    orbit->place.distance = fminf(fmaxf(distance, NEAREST * size), FARTHEST * size);
}

void orbit_frame(struct orbit *orbit)
{
    if (orbit->moved)
        orbit->choice = (struct camera_choice){.kind = CAMERA_ANGLES,
                                               .azimuth = orbit->place.azimuth,
                                               .elevation = orbit->place.elevation};
    orbit->moved = false;
    orbit->aspect = 0;
}
