/* SPDX-License-Identifier: MIT */
#include "view.h"

#include "shaders/terrain.h"

#include <math.h>

bool viewPalette(View *view, const Source *source) {
    bool relit = false;
    for (int i = 0; i < 256; ++i) {
        const uint8_t *entry = source->set.palette[i];
        const uint32_t now = (uint32_t)entry[0] | (uint32_t)entry[1] << 8 |
                             (uint32_t)entry[2] << 16 | (uint32_t)source->set.glow[i][0] << 24;
        relit = relit || (now != view->palette[i] && (now | view->palette[i]) >> 24);
        view->palette[i] = now;
    }
    return relit;
}

/* Above all land that is near on the way. */
static Camera overLand(const Source *source) {
    const int size = (int)source->terrainSize;
    Camera camera = {.yaw = 45, .pitch = 8, .halfHeight = 0.45f};
    int height = 16 * TERRAIN_SEA;
    for (int away = 0; away < size / 8; away += 8) {
        const int here = terrainHeight(size * 82 / 100 - away, size * 78 / 100 - away, size,
                                       source->seed);
        height = here > height ? here : height;
    }
    camera.position[0] = source->origin[0] + 0.82 * size;
    camera.position[1] = source->origin[1] + height / 16.0 + 0.09 * size;
    camera.position[2] = source->origin[2] + 0.78 * size;
    return camera;
}

Camera viewStart(const Source *source, const float *orbit, float halfHeight, float aspect) {
    const float *angles = orbit               ? orbit
                          : source->isTerrain ? (const float[]){45, 28, 0.97f}
                                              : (const float[]){38, 26, 0.95f};
    const Orbit around = {angles[0], angles[1], angles[2]};
    return !orbit && source->isTerrain && source->terrainSize >= 256
               ? overLand(source)
               : cameraAround(source->low, source->high, &around, halfHeight, aspect);
}

void viewSun(View *view, float yaw, float height) {
    const float degree = 0.0174532925f;
    const float flat = cosf(height * degree);
    view->sun = (Vec4){-sinf(yaw * degree) * flat, sinf(height * degree),
                       -cosf(yaw * degree) * flat, 0.012f};
}

View viewScene(const Source *source, float yaw) {
    View view = {
        .flags = VIEW_GROUND,
        .sunLight = {1.28f, 1.10f, 0.86f, 0},
        .zenith = {0.13f, 0.30f, 0.66f, 0.08f},
        .horizon = {0.42f, 0.56f, 0.74f, GLOW_RADIANCE},
        .waterFirst = source->waterFirst,
    };
    viewSun(&view, yaw + 108, 35);
    float across = 0;
    float middle[3];
    for (int axis = 0; axis < 3; ++axis) {
        const float size = (float)(source->high[axis] - source->low[axis]);
        middle[axis] = (float)source->low[axis] + size / 2;
        across += size * size;
    }
    view.ground = (Vec4){middle[0], (float)source->origin[1], middle[2], 0};
    view.sunLight.w = 12 * sqrtf(across);
    if (source->isTerrain) { /* the sea around it */
        view.ground.y += TERRAIN_SEA + 1;
        view.ground.w = (float)source->terrainSize / 2;
        view.sunLight.w = 2048 + 2 * sqrtf(across);
    }
    (void)viewPalette(&view, source);
    return view;
}

static Vec4 scaled(const float axis[3], float scale) {
    return (Vec4){axis[0] * scale, axis[1] * scale, axis[2] * scale, 0};
}

/* A place of the world, from the base on. */
static Vec4 placed(const View *view, double x, double y, double z) {
    return (Vec4){(float)(x - view->base.x), (float)(y - view->base.y), (float)(z - view->base.z),
                  0};
}

/* The region's corner that is below a place. */
static int32_t corner(double place) {
    return (int32_t)floor(place / (1 << REGION_SHIFT)) * (1 << REGION_SHIFT);
}

View viewFrom(const View *scene, const Camera *camera, uint32_t width, uint32_t height) {
    View view = *scene;
    const CameraAxes axes = cameraAxes(camera);
    const double *eye = camera->position;
    view.width = width;
    view.height = height;
    view.base = (Int4){corner(eye[0]), corner(eye[1]), corner(eye[2]), 0};
    view.eye = placed(&view, eye[0], eye[1], eye[2]);
    view.forward = scaled(axes.forward, 1);
    view.up = scaled(axes.up, camera->halfHeight);
    view.right = scaled(axes.right, camera->halfHeight * (float)width / (float)height);
    view.ground.x -= (float)view.base.x;
    view.ground.y -= (float)view.base.y;
    view.ground.z -= (float)view.base.z;
    return view;
}

static Int4 fromBase(const View *view, const int32_t at[3]) {
    return (Int4){at[0] - view->base.x, at[1] - view->base.y, at[2] - view->base.z, 0};
}

void viewEdit(View *view, const Edit *edit, const float color[4]) {
    Preview *preview = &view->preview;
    int32_t low[3];
    int32_t high[3];
    editBounds(edit, low, high);
    const Int4 a = fromBase(view, (const int32_t[]){edit->ax, edit->ay, edit->az});
    const Int4 b = fromBase(view, (const int32_t[]){edit->bx, edit->by, edit->bz});
    preview->color = (Vec4){color[0], color[1], color[2], color[3]};
    preview->low = fromBase(view, low);
    preview->high = fromBase(view, high);
    preview->edit = *edit;
    editSetEnds(&preview->edit, (const int32_t[]){a.x, a.y, a.z}, (const int32_t[]){b.x, b.y, b.z});
}

void viewRoom(View *view, const int32_t low[3], const int32_t high[3], bool edges, uint32_t mirror,
              const int32_t sums[3]) {
    view->flags |= edges ? VIEW_ROOM : 0;
    view->roomLow = placed(view, low[0], low[1], low[2]);
    view->roomHigh = placed(view, high[0], high[1], high[2]);
    view->mirror = placed(view, 0.5 * sums[0], 0.5 * sums[1], 0.5 * sums[2]);
    view->mirror.w = (float)mirror;
}
