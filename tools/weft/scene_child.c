#include "scene_child.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- sending and receiving ----------------------------------------------------------------------

static bool send_array(FILE *to, const void *array, uint32_t count, size_t size)
{
    return fwrite(&count, sizeof count, 1, to) == 1 && fwrite(array, size, count, to) == count;
}

/// The array is malloc()ed, also if it is empty.
static bool receive_array(FILE *from, void **array, uint32_t *count, size_t size)
{
    uint32_t wanted;
    if (fread(&wanted, sizeof wanted, 1, from) != 1)
        return false;
    *array = malloc(size * wanted + 1);
    if (!*array || fread(*array, size, wanted, from) != wanted)
        return false;
    *count = wanted;
    return true;
}

static bool send_images(FILE *to, const struct scene *scene)
{
    bool fine = fwrite(&scene->image_count, sizeof scene->image_count, 1, to) == 1;
    for (uint32_t i = 0; fine && i < scene->image_count; i++) {
        const struct image *image = &scene->images[i];
        fine = fwrite(&image->width, sizeof image->width, 1, to) == 1 &&
               send_array(to, image->texels, image->width * image->height, 4);
    }
    return fine &&
           send_array(to, scene->materials, scene->material_count, sizeof *scene->materials);
}

static bool receive_images(FILE *from, struct scene *scene)
{
    uint32_t count;
    if (fread(&count, sizeof count, 1, from) != 1)
        return false;
    scene->images = calloc((size_t)count + 1, sizeof *scene->images);
    for (uint32_t i = 0; scene->images && i < count; i++) {
        struct image *image = &scene->images[i];
        uint32_t texels = 0;
        scene->image_count = i + 1;
        if (fread(&image->width, sizeof image->width, 1, from) != 1 ||
            !receive_array(from, (void **)&image->texels, &texels, 4) || image->width == 0 ||
            image->width > IMAGE_MAX_SIDE || texels % image->width)
            return false;
        image->height = texels / image->width;
    }
    return scene->images && receive_array(from, (void **)&scene->materials, &scene->material_count,
                                          sizeof *scene->materials);
}

static bool send_meshes(FILE *to, const struct scene *scene)
{
    bool fine = fwrite(&scene->mesh_count, sizeof scene->mesh_count, 1, to) == 1;
    for (uint32_t i = 0; fine && i < scene->mesh_count; i++) {
        const struct scene_mesh *mesh = &scene->meshes[i];
        fine = fwrite(&mesh->material, sizeof mesh->material, 1, to) == 1 &&
               send_array(to, mesh->vertices, mesh->vertex_count, sizeof *mesh->vertices) &&
               send_array(to, mesh->indices, mesh->index_count, sizeof *mesh->indices);
    }
    return fine &&
           send_array(to, scene->instances, scene->instance_count, sizeof *scene->instances);
}

static bool receive_meshes(FILE *from, struct scene *scene)
{
    uint32_t count;
    if (fread(&count, sizeof count, 1, from) != 1)
        return false;
    scene->meshes = calloc((size_t)count + 1, sizeof *scene->meshes);
    for (uint32_t i = 0; scene->meshes && i < count; i++) {
        struct scene_mesh *mesh = &scene->meshes[i];
        scene->mesh_count = i + 1;
        if (fread(&mesh->material, sizeof mesh->material, 1, from) != 1 ||
            !receive_array(from, (void **)&mesh->vertices, &mesh->vertex_count,
                           sizeof *mesh->vertices) ||
            !receive_array(from, (void **)&mesh->indices, &mesh->index_count,
                           sizeof *mesh->indices))
            return false;
    }
    return scene->meshes && receive_array(from, (void **)&scene->instances, &scene->instance_count,
                                          sizeof *scene->instances);
}

static bool map_is_sound(const struct scene *scene, const struct scene_texture *map)
{
    return map->image >= -1 && map->image < (int64_t)scene->image_count && map->uv_set <= 1 &&
           (uint32_t)map->wrap_u <= SCENE_CLAMP && (uint32_t)map->wrap_v <= SCENE_CLAMP;
}

static bool material_is_sound(const struct scene *scene, const struct scene_material *material)
{
    return map_is_sound(scene, &material->base_color_map) &&
           map_is_sound(scene, &material->metal_rough_map) &&
           map_is_sound(scene, &material->normal_map) &&
           map_is_sound(scene, &material->occlusion_map) &&
           map_is_sound(scene, &material->emissive_map) &&
           (uint32_t)material->alpha <= SCENE_BLEND &&
           memchr(material->name, 0, sizeof material->name);
}

/// A child that assimp has damaged may say anything: every number must name something.
static bool is_sound(const struct scene *scene)
{
    for (uint32_t i = 0; i < scene->material_count; i++)
        if (!material_is_sound(scene, &scene->materials[i]))
            return false;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const struct scene_mesh *mesh = &scene->meshes[i];
        if (mesh->material >= scene->material_count || mesh->index_count % 3)
            return false;
        for (uint32_t k = 0; k < mesh->index_count; k++)
            if (mesh->indices[k] >= mesh->vertex_count)
                return false;
    }
    for (uint32_t i = 0; i < scene->instance_count; i++)
        if (scene->instances[i].mesh >= scene->mesh_count)
            return false;
    return true;
}

// ---- the child ----------------------------------------------------------------------------------

/// What the child says first.
enum { ANSWER_SCENE = 1, ANSWER_REASON };

static _Noreturn void be_child(scene_work *work, void *user, struct scene *scene, int pipe)
{
    const bool had_materials = scene->material_count > 0;
    struct failure why;
    FILE *to = fdopen(pipe, "wb");
    bool sent = to != NULL;
    if (sent && work(user, scene, &why))
        sent = fputc(ANSWER_SCENE, to) != EOF && (had_materials || send_images(to, scene)) &&
               send_meshes(to, scene);
    else if (sent)
        sent = fputc(ANSWER_REASON, to) != EOF && fwrite(&why, sizeof why, 1, to) == 1;
    _exit(sent && fclose(to) == 0 ? EXIT_FINE : EXIT_FAILED);
}

static bool receive(FILE *from, struct scene *out, struct failure *why)
{
    const bool had_materials = out->material_count > 0;
    const int answer = fgetc(from);
    if (answer == ANSWER_REASON && fread(why, sizeof *why, 1, from) == 1) {
        why->text[sizeof why->text - 1] = 0;
        return false;
    }
    if (answer == ANSWER_SCENE && (had_materials || receive_images(from, out)) &&
        receive_meshes(from, out) && is_sound(out))
        return true;
    return failure_set(why, "assimp crashed on it, or ran out of memory");
}

bool scene_child_run(scene_work *work, void *user, struct scene *out, struct failure *why)
{
    int ends[2];
    if (pipe(ends) != 0)
        return failure_set(why, "no pipe: %s", strerror(errno));
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        be_child(work, user, out, ends[1]);
    }
    close(ends[1]);
    FILE *from = child > 0 ? fdopen(ends[0], "rb") : NULL;
    const bool fine =
        from ? receive(from, out, why) : failure_set(why, "no process: %s", strerror(errno));
    if (from)
        (void)fclose(from);
    else
        close(ends[0]);
    if (child > 0)
        waitpid(child, NULL, 0);
    return fine;
}
