/// \file orbit.h
/// A camera that a hand moves around a model. Until it is moved it is the one that was chosen, and
/// fits the model into whatever window there is.
#pragma once

#include "camera.h"

struct orbit {
    const struct scene *scene;
    struct camera_choice choice;
    bool moved;
    struct camera_place place; ///< Once it was moved.
    struct camera camera;      ///< The newest, for `aspect`.
    float aspect;              ///< 0: none yet.
};

/// Starts at a choice; camera_parse() made it.
void orbit_begin(struct orbit *orbit, const struct scene *scene,
                 const struct camera_choice *choice);
/// The camera for a window of this aspect.
bool orbit_camera(struct orbit *orbit, float aspect, struct camera *out, struct failure *why);

/// These need a camera to begin with: before the first one they do nothing. Each makes the next
/// orbit_camera() another one.
///
/// Turns by radians: to the right, and up.
void orbit_turn(struct orbit *orbit, float right, float up);
/// Moves the model in the picture, in heights of the window.
void orbit_pan(struct orbit *orbit, float right, float up);
/// Nearer by so many steps; away if below 0.
void orbit_zoom(struct orbit *orbit, float steps);
/// Back to the whole model, seen from where it is seen now.
void orbit_frame(struct orbit *orbit);
