// Acceleration structures and the ray queries of shaders. Rays run along z, one through the middle
// of each of 8 by 8 cells, from z = -1 on, so that what is at z is met at t = z + 1.
#include "cases.h"
#include "ray.h"

#include <math.h>

static bool near(float a, double b)
{
    return fabs(a - b) < 1e-4; // far above the rounding of a few float operations on such numbers
}

static void expect_none(struct conform *c, const struct ray_hit *hit, uint32_t x, uint32_t y)
{
    if (hit->type != RAY_NONE)
        conform_fail(c, "the ray of cell %u, %u meets something (type %u, t %g)", x, y, hit->type,
                     (double)hit->t);
}

/// The triangle or box that a ray is to meet.
struct wanted {
    uint32_t type, instance, geometry, primitive;
    double t;
};

static void expect_hit(struct conform *c, const struct ray_hit *hit, const struct wanted *wanted,
                       uint32_t x, uint32_t y)
{
    if (hit->type != wanted->type || hit->instance != wanted->instance ||
        hit->geometry != wanted->geometry || hit->primitive != wanted->primitive ||
        !near(hit->t, wanted->t))
        conform_fail(c,
                     "the ray of cell %u, %u meets type %u, instance %u, geometry %u, primitive %u "
                     "at %g, not %u, %u, %u, %u at %g",
                     x, y, hit->type, hit->instance, hit->geometry, hit->primitive, (double)hit->t,
                     wanted->type, wanted->instance, wanted->geometry, wanted->primitive,
                     wanted->t);
}

#define EACH_CELL(x, y)                                                                            \
    for (uint32_t y = 0; (y) < 8; (y)++)                                                           \
        for (uint32_t x = 0; (x) < 8; (x)++)

/// One bottom level alone, where it is.
static weft_acceleration_structure
scene_of(struct conform *c, const weft_acceleration_geometry *geometries, uint32_t count)
{
    const weft_acceleration_instance instance =
        ray_instance(c, ray_bottom(c, geometries, count), 0, 0, 0);
    return ray_top(c, &instance, 1);
}

/// A quad over x0 to x1 of all rows.
static weft_acceleration_geometry column(struct conform *c, float x0, float x1, float z,
                                         weft_geometry_flags flags)
{
    float vertices[6][3];
    ray_quad(vertices, x0, 0, x1, 8, z);
    return ray_triangles(c, (const float(*)[3])vertices, 6, flags);
}

// ---- triangles ---------------------------------------------------------------------------------

/// The nearest of two geometries; where on the triangle.
void case_ray_triangles(struct conform *c)
{
    static const float half[][3] = {{99, 99, 99}, {0, 0, 3}, {7.75F, 0, 3}, {0, 7.75F, 3}};
    static const uint16_t order[] = {9, 9, 1, 2, 3, 0};
    float quad[6][3];
    ray_quad(quad, 4, 0, 8, 4, 5);
    weft_acceleration_geometry g[2] = {
        {.flags = WEFT_GEOMETRY_OPAQUE,
         .count = 1,
         .buffer = conform_buffer(c, WEFT_BUFFER_USAGE_ACCELERATION, sizeof half, half),
         .vertex_count = 4,
         .format = WEFT_VERTEX_FORMAT_FLOAT32X3,
         .index_type = WEFT_INDEX_UINT16,
         .indices = conform_buffer(c, WEFT_BUFFER_USAGE_ACCELERATION, sizeof order, order),
         .index_offset = 4},
        ray_triangles(c, (const float(*)[3])quad, 6, WEFT_GEOMETRY_OPAQUE)};
    struct ray_hit hits[8][8];
    if (!ray_trace(c, scene_of(c, g, 2), NULL, hits))
        return;
    EACH_CELL(x, y)
    {
        const struct ray_hit *hit = &hits[y][x];
        const bool in_half = x + y <= 6, in_quad = x >= 4 && y < 4;
        if (!in_half && !in_quad) {
            expect_none(c, hit, x, y);
            continue;
        }
        const uint32_t second = x - 4 + y >= 4; // of the quad: x + y < 8 lies in the first
        const bool edge = !in_half && x - 4 + y + 1 == 4;
        const struct wanted wanted = {RAY_TRIANGLE, 0, !in_half,
                                      in_half ? 0
                                      : edge  ? hit->primitive
                                              : second,
                                      in_half ? 4 : 6};
        expect_hit(c, hit, &wanted, x, y);
        if (in_half && (!near(hit->at[0], (x + 0.5) / 7.75) || !near(hit->at[1], (y + 0.5) / 7.75)))
            conform_fail(c, "the ray of cell %u, %u meets the triangle at %g, %g", x, y,
                         (double)hit->at[0], (double)hit->at[1]);
    }
}

/// Vertices in other formats, further apart than they are long, and moved by a transform.
void case_ray_formats(struct conform *c)
{
    static const struct {
        weft_vertex_format format;
        uint16_t one[2]; ///< The number 1,
        uint32_t words;  ///< in so many words,
        bool w;          ///< which a fourth component is.
    } rows[] = {{WEFT_VERTEX_FORMAT_FLOAT16X2, {0x3c00}, 1, false},
                {WEFT_VERTEX_FORMAT_FLOAT16X4, {0x3c00}, 1, true},
                {WEFT_VERTEX_FORMAT_SNORM16X2, {0x7fff}, 1, false},
                {WEFT_VERTEX_FORMAT_SNORM16X4, {0x7fff}, 1, true},
                {WEFT_VERTEX_FORMAT_FLOAT32X2, {0, 0x3f80}, 2, false}};
    // To 7.75 in x and y, and 2 in z.
    static const float to[12] = {7.75F, 0, 0, 0, 0, 7.75F, 0, 0, 0, 0, 1, 2};
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint16_t vertices[3][6] = {{0}}; // 0, 0; 1, 0; 0, 1
        for (uint32_t k = 0; k < rows[i].words; k++) {
            vertices[1][k] = rows[i].one[k];
            vertices[2][rows[i].words + k] = rows[i].one[k];
        }
        for (uint32_t k = 0; rows[i].w && k < 3; k++)
            vertices[k][3] = rows[i].one[0];
        const weft_acceleration_geometry g = {
            .flags = WEFT_GEOMETRY_OPAQUE,
            .count = 1,
            .buffer = conform_buffer(c, WEFT_BUFFER_USAGE_ACCELERATION, sizeof vertices, vertices),
            .stride = sizeof vertices[0],
            .vertex_count = 3,
            .format = rows[i].format,
            .transformed = true,
            .transform = conform_buffer(c, WEFT_BUFFER_USAGE_ACCELERATION, sizeof to, to)};
        struct ray_hit hits[8][8];
        if (!ray_trace(c, scene_of(c, &g, 1), NULL, hits))
            continue;
        EACH_CELL(x, y)
        {
            if (x + y <= 6)
                expect_hit(c, &hits[y][x], &(struct wanted){RAY_TRIANGLE, 0, 0, 0, 3}, x, y);
            else
                expect_none(c, &hits[y][x], x, y);
        }
    }
}

/// Triangles that are turned round face the other way, and each flag culls one kind.
void case_ray_facing(struct conform *c)
{
    float vertices[6][3];
    ray_quad(vertices, 0, 0, 4, 8, 2);
    for (uint32_t i = 0; i < 3; i++) { // the second, moved to the right, has two swapped
        vertices[3 + i][0] = vertices[i == 0 ? 0 : 3 - i][0] + 4;
        vertices[3 + i][1] = vertices[i == 0 ? 0 : 3 - i][1];
    }
    const weft_acceleration_geometry g =
        ray_triangles(c, (const float(*)[3])vertices, 6, WEFT_GEOMETRY_OPAQUE);
    weft_acceleration_instance instance = ray_instance(c, ray_bottom(c, &g, 1), 0, 0, 0);
    const weft_acceleration_structure plain = ray_top(c, &instance, 1);
    instance.record_and_flags = (uint32_t)WEFT_INSTANCE_FLIP << 24;
    const weft_acceleration_structure flipped = ray_top(c, &instance, 1);
    instance.record_and_flags = (uint32_t)WEFT_INSTANCE_NO_CULL << 24;
    const weft_acceleration_structure all = ray_top(c, &instance, 1);
    struct ray_hit before[8][8], hits[8][8];
    const struct ray_root back = {RAY_CULL_BACK, 0xff, 0, -1, 100};
    const struct ray_root front = {RAY_CULL_FRONT, 0xff, 0, -1, 100};
    if (!ray_trace(c, plain, NULL, before))
        return;
    // Cells 0, 0 and 4, 0 lie in one each.
    CONFORM_EXPECT(c, before[0][0].type == RAY_TRIANGLE && before[0][4].type == RAY_TRIANGLE);
    CONFORM_EXPECT(c, before[0][0].front != before[0][4].front);
    const uint32_t faces = before[0][0].front ? 0 : 4;
    ray_trace(c, flipped, NULL, hits);
    CONFORM_EXPECT(c, !hits[0][faces].front && hits[0][4 - faces].front);
    ray_trace(c, plain, &back, hits);
    CONFORM_EXPECT(c, hits[0][faces].type == RAY_TRIANGLE && hits[0][4 - faces].type == RAY_NONE);
    ray_trace(c, plain, &front, hits);
    CONFORM_EXPECT(c, hits[0][faces].type == RAY_NONE && hits[0][4 - faces].type == RAY_TRIANGLE);
    ray_trace(c, flipped, &front, hits);
    CONFORM_EXPECT(c, hits[0][faces].type == RAY_TRIANGLE && hits[0][4 - faces].type == RAY_NONE);
    ray_trace(c, all, &back, hits);
    CONFORM_EXPECT(c, hits[0][0].type == RAY_TRIANGLE && hits[0][4].type == RAY_TRIANGLE);
}

/// What a pass over two columns that lie one behind the other is to meet, the near one being not
/// opaque.
enum accepted { NOT, ACCEPTED, ALL_OPAQUE, NONE_OPAQUE };

static void expect_candidate(struct conform *c, const struct ray_hit *hit, enum accepted how,
                             uint32_t x, uint32_t y)
{
    const bool first = x < 4 && (how == ACCEPTED || how == ALL_OPAQUE);
    if (how == NONE_OPAQUE) {
        expect_none(c, hit, x, y); // candidates that are not confirmed
        CONFORM_EXPECT(c, hit->candidates >= (x < 4 ? 2u : 1u));
        return;
    }
    const struct wanted wanted = {RAY_TRIANGLE, 0, !first, hit->primitive, first ? 3 : 5};
    expect_hit(c, hit, &wanted, x, y);
    CONFORM_EXPECT(c, hit->candidates == 0 || (how != ALL_OPAQUE && x < 4));
}

/// What is not opaque is a hit only if the shader says so.
void case_ray_candidates(struct conform *c)
{
    static const uint32_t flags[] = {0, 0, RAY_OPAQUE, RAY_NO_OPAQUE};
    const weft_acceleration_geometry g[2] = {column(c, 0, 4, 2, WEFT_GEOMETRY_ONCE),
                                             column(c, 0, 8, 4, WEFT_GEOMETRY_OPAQUE)};
    const weft_acceleration_structure top = scene_of(c, g, 2);
    for (uint32_t how = NOT; how <= NONE_OPAQUE; how++) {
        const struct ray_root root = {flags[how], 0xff, how == ACCEPTED, -1, 100};
        struct ray_hit hits[8][8];
        if (!ray_trace(c, top, &root, hits))
            continue;
        EACH_CELL(x, y)
        expect_candidate(c, &hits[y][x], (enum accepted)how, x, y);
    }
}

/// A ray ends where it was told to, and starts where it was told to.
void case_ray_range(struct conform *c)
{
    const weft_acceleration_geometry g[2] = {column(c, 0, 8, 2, WEFT_GEOMETRY_OPAQUE),
                                             column(c, 0, 8, 6, WEFT_GEOMETRY_OPAQUE)};
    const weft_acceleration_structure top = scene_of(c, g, 2);
    static const struct {
        float start, most;
        double t; ///< Negative: none.
    } rows[] = {{-1, 100, 3}, {-1, 2.5F, -1}, {-1, 3.5F, 3}, {3, 100, 3}, {3, 2, -1}, {7, 100, -1}};
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ray_root root = {0, 0xff, 0, rows[i].start, rows[i].most};
        struct ray_hit hits[8][8];
        if (!ray_trace(c, top, &root, hits))
            continue;
        EACH_CELL(x, y)
        {
            if (rows[i].t < 0)
                expect_none(c, &hits[y][x], x, y);
            else
                CONFORM_EXPECT(c, near(hits[y][x].t, rows[i].t));
        }
    }
}

// ---- boxes -------------------------------------------------------------------------------------

void case_ray_boxes(struct conform *c)
{
    // Two boxes further apart than they are long, the first over columns 0 to 2, the second 5 to 7.
    static const float boxes[2][8] = {{0, 0, 1, 3, 8, 2}, {5, 0, 1, 8, 8, 2}};
    const weft_acceleration_geometry g = {
        .kind = WEFT_GEOMETRY_BOXES,
        .count = 2,
        .stride = sizeof boxes[0],
        .buffer = conform_buffer(c, WEFT_BUFFER_USAGE_ACCELERATION, sizeof boxes, boxes)};
    const weft_acceleration_structure top = scene_of(c, &g, 1);
    for (uint32_t accept = 0; accept < 4; accept += 2) {
        const struct ray_root root = {0, 0xff, accept, -1, 100};
        struct ray_hit hits[8][8];
        if (!ray_trace(c, top, &root, hits))
            continue;
        EACH_CELL(x, y)
        {
            const bool inside = x < 3 || x >= 5;
            CONFORM_EXPECT(c, !inside || hits[y][x].candidates > 0);
            if (inside && accept)
                expect_hit(c, &hits[y][x], &(struct wanted){RAY_GENERATED, 0, 0, x >= 5, 2.5}, x,
                           y);
            else
                expect_none(c, &hits[y][x], x, y);
        }
    }
}

// ---- instances ---------------------------------------------------------------------------------

/// Three of one bottom level, moved and one of them scaled, each seen under masks of its own.
void case_ray_instances(struct conform *c)
{
    float vertices[6][3];
    ray_quad(vertices, 0, 0, 2, 2, 0);
    const weft_acceleration_geometry g =
        ray_triangles(c, (const float(*)[3])vertices, 6, WEFT_GEOMETRY_OPAQUE);
    const weft_acceleration_structure bottom = ray_bottom(c, &g, 1);
    weft_acceleration_instance instances[4] = {ray_instance(c, bottom, 0, 0, 1),
                                               ray_instance(c, bottom, 4, 0, 2),
                                               ray_instance(c, bottom, 0, 4, 3),
                                               {{0}, 0xff000000, 0, 0}};
    instances[2].transform[0] = 4; // eight wide
    static const uint32_t masks[3] = {1, 2, 4}, custom[3] = {7, 0xffffff, 1000};
    for (uint32_t i = 0; i < 3; i++)
        instances[i].index_and_mask = custom[i] | masks[i] << 24;
    const weft_acceleration_structure top = ray_top(c, instances, 4);
    for (uint32_t mask = 0; mask < 8; mask++) {
        const struct ray_root root = {0, mask | 0x80, 0, -1, 100};
        struct ray_hit hits[8][8];
        if (!ray_trace(c, top, &root, hits))
            continue;
        EACH_CELL(x, y)
        {
            const struct ray_hit *hit = &hits[y][x];
            const uint32_t i = y >= 4 ? 2 : x / 4;
            const bool there = i == 2 ? y < 6 : x % 4 < 2 && y < 2;
            if (!there || !(mask & masks[i])) {
                expect_none(c, hit, x, y);
                continue;
            }
            const struct wanted wanted = {RAY_TRIANGLE, i, 0, hit->primitive, i + 2};
            expect_hit(c, hit, &wanted, x, y);
            CONFORM_EXPECT(c, hit->custom == custom[i]);
            const double origin = i == 2 ? (x + 0.5) / 4 : i == 1 ? x + 0.5 - 4 : x + 0.5;
            CONFORM_EXPECT(c, near(hit->origin, origin));
        }
    }
}

/// A top level may have nothing in it, for all that it was created for.
void case_ray_empty(struct conform *c)
{
    const weft_acceleration_geometry g = column(c, 0, 8, 2, WEFT_GEOMETRY_OPAQUE);
    const weft_acceleration_instance instance = ray_instance(c, ray_bottom(c, &g, 1), 0, 0, 0);
    const weft_acceleration_structure top =
        ray_create(c, &(weft_acceleration_structure_desc){.level = WEFT_ACCELERATION_TOP,
                                                          .instance_count = 4});
    const weft_buffer buffer =
        conform_buffer(c, WEFT_BUFFER_USAGE_ACCELERATION, sizeof instance, &instance);
    for (uint32_t count = 0; count < 2; count++) {
        weft_command_buffer *cmd = conform_begin(c);
        ray_build(cmd, &(weft_acceleration_build){
                           .structure = top, .instances = buffer, .instance_count = count});
        conform_submit(c, cmd);
        struct ray_hit hits[8][8];
        if (!ray_trace(c, top, NULL, hits))
            continue;
        EACH_CELL(x, y)
        CONFORM_EXPECT(c, hits[y][x].type == (count ? RAY_TRIANGLE : RAY_NONE));
    }
}
