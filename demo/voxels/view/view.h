/* The tracer's input for a picture: the scene's look and the point of view.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_VIEW_H
#define MURVOXELS_VIEW_H

#include "camera.h"
#include "edit/edit.h"
#include "shaders/view_layout.h"
#include "model/source.h"

/* The look of a source: its colours, the plane that it stands on, the sun. The sun stands over the
 * left shoulder of a camera of this yaw. */
View viewScene(const Source *source, float yaw);

/* The first view. orbit: yaw, pitch, distance, if they were given. Else a camera stands over
 * the land of a terrain and looks across it, if that is wide enough, or around the world. */
Camera viewStart(const Source *source, const float *orbit, float halfHeight, float aspect);

/* Puts the sun in the direction of a camera of that yaw, so high over the horizon, in degrees. */
void viewSun(View *view, float yaw, float height);

/* Its colours alone, again. Did those that give light change? */
bool viewPalette(View *view, const Source *source);

/* The same, seen by a camera in a picture of this size. */
View viewFrom(const View *scene, const Camera *camera, uint32_t width, uint32_t height);

/* Shows a preview of an edit. A paste also needs the clipboard, an edit of marked voxels the
 * marks. */
void viewEdit(View *view, const Edit *edit, const float color[4]);

/* Shows the edges of a box from low up to before high, if wanted, and planes of mirrors in it: on
 * these axes, twice where they are. */
void viewRoom(View *view, const int32_t low[3], const int32_t high[3], bool edges, uint32_t mirror,
              const int32_t sums[3]);

#endif
