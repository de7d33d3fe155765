/// \file scene_mesh.h
/// Makes a mesh that can be drawn from loose triangles: normals, tangents, shared vertices.
#pragma once

#include "scene.h"

/// What the file gave; the rest is made.
struct scene_given {
    bool normals, tangents;
};

/// `mesh` holds three vertices of its own for each triangle, and no indices yet. Triangles without
/// an area are dropped, missing normals and tangents are made, equal vertices are joined.
bool scene_mesh_complete(struct scene_mesh *mesh, struct scene_given given, struct failure *why);
