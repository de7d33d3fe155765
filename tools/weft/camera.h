/// \file camera.h
/// Where a picture is taken from.
#pragma once

#include "scene.h"

enum camera_kind { CAMERA_AUTO = 0, CAMERA_ANGLES, CAMERA_OF_FILE };

/// What the command line asks for.
struct camera_choice {
    enum camera_kind kind;
    float azimuth, elevation; ///< Radians; 0, 0 is the front (+z); azimuth turns to +x.
    float distance;           ///< From the middle of the model; 0: as the model needs.
    uint32_t index;           ///< Into scene.cameras.
    bool turntable;           ///< It will be turned: keep one distance that fits from every side.
};

/// A camera ready for use.
struct camera {
    struct vec3 eye, right, up, back;
    struct mat4 view_projection;
    bool orthographic;
};

/// Reads "auto", "AZIMUTH,ELEVATION[,DISTANCE]" in degrees, or a camera's number or name.
bool camera_parse(const char *text, const struct scene *scene, struct camera_choice *out,
                  struct failure *why);

/// The camera, turned around the model by `turn` radians.
bool camera_place(const struct camera_choice *choice, const struct scene *scene, float aspect,
                  float turn, struct camera *out, struct failure *why);

/// Half the vertical field of view of every camera that is not the file's, in radians.
float camera_half_fov(void);

/// A camera that looks at a point; the angles are those of camera_choice.
struct camera_place {
    struct vec3 target;
    float azimuth, elevation, distance;
};

/// The camera there. Cheap.
void camera_look(const struct camera_place *place, const struct scene *scene, float aspect,
                 struct camera *out);
