#include "camera.h"

#include <stdlib.h>
#include <string.h>

/// Part of the image's side that the model fills, in its larger direction.
#define COVERAGE 0.85f
/// Half the vertical field of view of the automatic camera.
#define HALF_FOV (0.5f * 35 * VEC_PI / 180)
/// Three quarters from the front, a little from above.
#define AUTO_AZIMUTH   (30 * VEC_PI / 180)
#define AUTO_ELEVATION (18 * VEC_PI / 180)
/// Directions tried for a turntable's distance.
#define TURN_STEPS 24

// ---- the choice ---------------------------------------------------------------------------------

/// How many numbers, with commas between them, the text is: up to 3; 0: it is none such.
static int parse_numbers(const char *text, float values[3])
{
    int count = 0;
    for (const char *at = text; count < 3;) {
        char *end;
        values[count] = strtof(at, &end);
        if (end == at || !isfinite(values[count]))
            return 0;
        count++;
        if (*end == 0)
            break;
        if (*end != ',' || count == 3)
            return 0;
        at = end + 1;
    }
    return count;
}

/// NULL, or what is wrong.
static const char *parse_angles(const char *text, struct camera_choice *out)
{
    float values[3] = {0};
    const int count = parse_numbers(text, values);
    if (count < 2)
        return "give AZIMUTH,ELEVATION[,DISTANCE], the angles in degrees";
    if (fabsf(values[1]) > 90)
        return "the elevation is -90 to 90 degrees";
    if (count == 3 && !(values[2] > 0))
        return "the distance is above 0";
    *out = (struct camera_choice){.kind = CAMERA_ANGLES,
                                  .azimuth = fmodf(values[0], 360) * VEC_PI / 180,
                                  .elevation = values[1] * VEC_PI / 180,
                                  .distance = values[2]};
    return NULL;
}

bool camera_parse(const char *text, const struct scene *scene, struct camera_choice *out,
                  struct failure *why)
{
    *out = (struct camera_choice){
        .kind = CAMERA_AUTO, .azimuth = AUTO_AZIMUTH, .elevation = AUTO_ELEVATION};
    if (strcmp(text, "auto") == 0)
        return true;
    const bool is_angles = strchr(text, ',') != NULL;
    const char *wrong = is_angles ? parse_angles(text, out) : NULL;
    if (is_angles && !wrong)
        return true;
    for (uint32_t i = 0; i < scene->camera_count; i++)
        if (strcmp(scene->cameras[i].name, text) == 0) {
            *out = (struct camera_choice){.kind = CAMERA_OF_FILE, .index = i};
            return true;
        }
    char *end;
    const unsigned long index = strtoul(text, &end, 10);
    if (text[0] >= '0' && text[0] <= '9' && *end == 0 && index < scene->camera_count) {
        *out = (struct camera_choice){.kind = CAMERA_OF_FILE, .index = (uint32_t)index};
        return true;
    }
    if (wrong)
        return failure_set(why, "camera \"%s\": %s", text, wrong);
    return failure_set(why,
                       "camera \"%s\": the model has %u camera%s; give auto, a number below that, "
                       "a name, or angles",
                       text, scene->camera_count, scene->camera_count == 1 ? "" : "s");
}

// ---- fitting ------------------------------------------------------------------------------------

static void set_axes(struct camera *camera, float azimuth, float elevation)
{
    const float ca = cosf(azimuth), sa = sinf(azimuth), ce = cosf(elevation), se = sinf(elevation);
    camera->back = (struct vec3){sa * ce, se, ca * ce};
    camera->right = (struct vec3){ca, 0, -sa};
    camera->up = vec_cross(camera->back, camera->right);
}

/// Calls `visit` with each drawn vertex in camera axes (z forward), seen from `origin`.
static void visit_vertices(const struct scene *scene, const struct camera *camera,
                           struct vec3 origin, void (*visit)(void *user, float x, float y, float z),
                           void *user)
{
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const struct scene_mesh *mesh = &scene->meshes[scene->instances[i].mesh];
        const struct mat4 *world = &scene->instances[i].world;
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            const float *p = mesh->vertices[v].position;
            const struct vec3 at =
                vec_sub(mat_point(world, (struct vec3){p[0], p[1], p[2]}), origin);
            visit(user, vec_dot(at, camera->right), vec_dot(at, camera->up),
                  -vec_dot(at, camera->back));
        }
    }
}

/// The tightest pyramid of slopes kx, ky that holds all points: how far each side must lie out.
struct pyramid {
    float kx, ky;
    float right, left, top, bottom; ///< Largest x - kx z, -x - kx z, and so on.
    float nearest, farthest;        ///< Least and largest z.
};

static void pyramid_visit(void *user, float x, float y, float z)
{
    struct pyramid *p = user;
    p->right = fmaxf(p->right, x - p->kx * z);
    p->left = fmaxf(p->left, -x - p->kx * z);
    p->top = fmaxf(p->top, y - p->ky * z);
    p->bottom = fmaxf(p->bottom, -y - p->ky * z);
    p->nearest = fminf(p->nearest, z);
    p->farthest = fmaxf(p->farthest, z);
}

static struct pyramid measure(const struct scene *scene, const struct camera *camera,
                              struct vec3 origin, float aspect)
{
    const float ky = COVERAGE * tanf(HALF_FOV), low = -INFINITY;
    struct pyramid pyramid = {ky * aspect, ky, low, low, low, low, INFINITY, -INFINITY};
    visit_vertices(scene, camera, origin, pyramid_visit, &pyramid);
    return pyramid;
}

/// Projected extent from a given eye.
struct extent {
    float ex, ey, ez;
    float min_x, max_x, min_y, max_y;
};

static void extent_visit(void *user, float x, float y, float z)
{
    struct extent *e = user;
    const float depth = z - e->ez;
    e->min_x = fminf(e->min_x, (x - e->ex) / depth);
    e->max_x = fmaxf(e->max_x, (x - e->ex) / depth);
    e->min_y = fminf(e->min_y, (y - e->ey) / depth);
    e->max_y = fmaxf(e->max_y, (y - e->ey) / depth);
}

static struct vec3 middle(const struct scene *scene)
{
    return vec_scale(vec_add(scene->min, scene->max), 0.5f);
}

static struct vec3 from_axes(const struct camera *camera, struct vec3 origin, float x, float y,
                             float z)
{
    return vec_add(vec_add(origin, vec_scale(camera->right, x)),
                   vec_sub(vec_scale(camera->up, y), vec_scale(camera->back, z)));
}

/// Least distance in front of everything, so that a flat model seen along its plane is in view.
static float radius_of(const struct scene *scene)
{
    const float radius = 0.5f * vec_length(vec_sub(scene->max, scene->min));
    return radius > 0 ? radius : 1;
}

/// Puts the eye where the model fills COVERAGE of the image in its larger direction, and is
/// centred. Exact in the direction that decides: two opposite sides of the pyramid touch the model.
static void fit(const struct scene *scene, float aspect, struct camera *camera)
{
    const struct vec3 origin = middle(scene);
    const struct pyramid p = measure(scene, camera, origin, aspect);
    float z = fminf(-(p.right + p.left) / (2 * p.kx), -(p.top + p.bottom) / (2 * p.ky));
    z = fminf(z, p.nearest - 0.05f * radius_of(scene));
    float x = (p.right - p.left) / 2, y = (p.top - p.bottom) / 2;
    for (int i = 0; i < 4; i++) { // the direction with room to spare is centred step by step
        struct extent e = {x, y, z, INFINITY, -INFINITY, INFINITY, -INFINITY};
        visit_vertices(scene, camera, origin, extent_visit, &e);
        x += (e.min_x + e.max_x) / 2 * -z;
        y += (e.min_y + e.max_y) / 2 * -z;
    }
    camera->eye = from_axes(camera, origin, x, y, z);
}

/// The distance from the middle at which the model fits from every side.
static float turntable_distance(const struct scene *scene, float elevation, float aspect)
{
    float distance = 0;
    for (int i = 0; i < TURN_STEPS; i++) {
        struct camera camera;
        set_axes(&camera, 2 * VEC_PI * (float)i / TURN_STEPS, elevation);
        const struct pyramid p = measure(scene, &camera, middle(scene), aspect);
        distance = fmaxf(distance, fmaxf(p.right, p.left) / p.kx);
        distance = fmaxf(distance, fmaxf(p.top, p.bottom) / p.ky);
    }
    return distance;
}

// ---- placing ------------------------------------------------------------------------------------

/// The projection, with clip planes around these depths, as close as floats need.
static void project(struct camera *camera, float nearest, float farthest, float aspect, float size)
{
    const float far = fmaxf(farthest, 1e-6f);
    const float near = fmaxf(nearest, far * 1e-4f);
    const struct mat4 view = mat_view(camera->eye, camera->right, camera->up, camera->back);
    const struct mat4 projection =
        camera->orthographic ? mat_orthographic(size, aspect, fminf(near, nearest), far)
                             : mat_perspective(tanf(size), aspect, near, fmaxf(far, near * 1.001f));
    camera->view_projection = mat_multiply(&projection, &view);
}

/// The projection, with clip planes around the model.
static void finish(struct camera *camera, const struct scene *scene, float aspect,
                   bool orthographic, float size)
{
    const struct pyramid depth = measure(scene, camera, camera->eye, aspect);
    const float slack = 0.01f * radius_of(scene);
    camera->orthographic = orthographic;
    project(camera, depth.nearest - slack, depth.farthest + slack, aspect, size);
}

/// About the vertical axis.
static struct vec3 rotate_y(struct vec3 v, float angle)
{
    const float c = cosf(angle), s = sinf(angle);
    return (struct vec3){c * v.x + s * v.z, v.y, c * v.z - s * v.x};
}

/// Turned by `turn` around the model.
static bool place_of_file(const struct scene_camera *given, const struct scene *scene, float aspect,
                          float turn, struct camera *out, struct failure *why)
{
    out->right = vec_normalize(mat_column(&given->world, 0));
    out->back = vec_normalize(mat_column(&given->world, 2));
    out->up = vec_normalize(vec_cross(out->back, out->right));
    out->right = vec_cross(out->up, out->back);
    out->eye = mat_column(&given->world, 3);
    if (!(vec_length(out->right) > 0.5f && vec_length(out->up) > 0.5f) || !vec_is_finite(out->eye))
        return failure_set(why, "camera \"%s\": its transform has no direction", given->name);
    const struct vec3 axis = middle(scene);
    out->eye = vec_add(axis, rotate_y(vec_sub(out->eye, axis), turn));
    out->right = rotate_y(out->right, turn);
    out->up = rotate_y(out->up, turn);
    out->back = rotate_y(out->back, turn);
    finish(out, scene, aspect, given->orthographic,
           given->orthographic ? given->size : given->size / 2);
    return true;
}

bool camera_place(const struct camera_choice *choice, const struct scene *scene, float aspect,
                  float turn, struct camera *out, struct failure *why)
{
    if (choice->kind == CAMERA_OF_FILE)
        return place_of_file(&scene->cameras[choice->index], scene, aspect, turn, out, why);
    set_axes(out, choice->azimuth + turn, choice->elevation);
    float distance = choice->distance;
    if (choice->turntable && distance == 0)
        distance = turntable_distance(scene, choice->elevation, aspect);
    if (distance > 0)
        out->eye = from_axes(out, middle(scene), 0, 0, -distance);
    else
        fit(scene, aspect, out);
    finish(out, scene, aspect, false, HALF_FOV);
    return true;
}

float camera_half_fov(void)
{
    return HALF_FOV;
}

// In every frame, so it looks at the corners of the model's box, not at its vertices.
void camera_look(const struct camera_place *place, const struct scene *scene, float aspect,
                 struct camera *out)
{
    set_axes(out, place->azimuth, place->elevation);
    out->eye = vec_add(place->target, vec_scale(out->back, place->distance));
    out->orthographic = false;
    float nearest = INFINITY, farthest = -INFINITY;
    for (int corner = 0; corner < 8; corner++) {
        const struct vec3 at = {corner & 1 ? scene->max.x : scene->min.x,
                                corner & 2 ? scene->max.y : scene->min.y,
                                corner & 4 ? scene->max.z : scene->min.z};
        const float depth = -vec_dot(vec_sub(at, out->eye), out->back);
        nearest = fminf(nearest, depth);
        farthest = fmaxf(farthest, depth);
    }
    const float slack = 0.01f * radius_of(scene);
    project(out, nearest - slack, farthest + slack, aspect, HALF_FOV);
}
