/* SPDX-License-Identifier: MIT */
#include "view.h"

#include "common/say.h"

#include <math.h>
#include <string.h>

GPU_SPIRV(voxels_spv_picture);

enum {
    BANDS = 24
}; /* submissions a picture, so that slow devices show progress and trip no watchdog */

static const float halfAngle = 0.26f; /* tangent of half the vertical field of view */
static const float filled = 0.94f;    /* of the picture by what it shows */

static Vec4 add(Vec4 a, Vec4 b, float scale) {
    return (Vec4){a.x + scale * b.x, a.y + scale * b.y, a.z + scale * b.z, 0};
}

static float dot(Vec4 a, Vec4 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Vec4 cross(Vec4 a, Vec4 b) {
    return (Vec4){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x, 0};
}

static Vec4 normalized(Vec4 a) {
    return add((Vec4){0, 0, 0, 0}, a, 1 / sqrtf(dot(a, a)));
}

/* Corner i of what must be seen, relative to the view's corner. */
static Vec4 corner(const Source *source, const View *view, int i) {
    return (Vec4){
        (float)((i & 1 ? source->high[0] : source->low[0]) - view->lowX),
        (float)((i & 2 ? source->high[1] : source->low[1]) - view->lowY),
        (float)((i & 4 ? source->high[2] : source->low[2]) - view->lowZ),
        0,
    };
}

/* The distance from target at which all corners are in the picture, and how far their middle is
 * above the picture's, in units of that distance. */
static float fit(const Source *source, const View *view, Vec4 target, float aspect, float *above) {
    float distance = 1;
    for (int i = 0; i < 8; ++i) {
        Vec4 to = add(corner(source, view, i), target, -1);
        float depth = dot(to, view->forward);
        float x = fabsf(dot(to, view->right)) / (halfAngle * aspect * filled);
        float y = fabsf(dot(to, view->up)) / (halfAngle * filled);
        distance = fmaxf(distance, fmaxf(x, y) - depth);
    }
    float low = INFINITY;
    float high = -INFINITY;
    for (int i = 0; i < 8; ++i) {
        Vec4 to = add(corner(source, view, i), target, -1);
        float y = dot(to, view->up) / (distance + dot(to, view->forward));
        low = fminf(low, y);
        high = fmaxf(high, y);
    }
    *above = (low + high) / 2;
    return distance;
}

static void aim(const Source *source, const Camera *camera, float aspect, View *view) {
    float yaw = camera->yaw * 0.0174532925f;
    float pitch = camera->pitch * 0.0174532925f;
    Vec4 back = {sinf(yaw) * cosf(pitch), sinf(pitch), cosf(yaw) * cosf(pitch), 0};
    view->forward = add((Vec4){0, 0, 0, 0}, back, -1);
    view->right = normalized(cross(view->forward, (Vec4){0, 1, 0, 0}));
    view->up = cross(view->right, view->forward);
    Vec4 target = add(corner(source, view, 0), corner(source, view, 7), 1);
    target = add((Vec4){0, 0, 0, 0}, target, 0.5f);
    float above;
    float distance = fit(source, view, target, aspect, &above);
    for (int i = 0; i < 8; ++i) {
        target = add(target, view->up, above * distance);
        distance = fit(source, view, target, aspect, &above);
    }
    view->eye = add(target, back, distance * camera->distance);
    view->up = add((Vec4){0, 0, 0, 0}, view->up, halfAngle);
    view->right = add((Vec4){0, 0, 0, 0}, view->right, halfAngle * aspect);
}

View viewMake(const Source *source, const Camera *camera, uint32_t width, uint32_t height) {
    const uint32_t region = ~((1u << REGION_SHIFT) - 1);
    View view = {
        .lowX = source->low[0] & region,
        .lowY = source->low[1] & region,
        .lowZ = source->low[2] & region,
        .waterFirst = source->waterFirst,
        .samples = 2,
    };
    view.sizeX = source->high[0] - view.lowX;
    view.sizeY = source->high[1] - view.lowY;
    view.sizeZ = source->high[2] - view.lowZ;
    aim(source, camera, (float)width / (float)height, &view);
    /* The sun comes over the camera's left shoulder. */
    float yaw = (camera->yaw - 72) * 0.0174532925f;
    view.sun = normalized((Vec4){sinf(yaw), 0.70f, cosf(yaw), 0});
    view.sun.w = 0.012f;
    Vec4 a = corner(source, &view, 0);
    Vec4 b = corner(source, &view, 7);
    Vec4 across = add(b, a, -1);
    view.ground = (Vec4){(a.x + b.x) / 2, (float)(source->origin[1] - view.lowY), (a.z + b.z) / 2,
                         3 * sqrtf(dot(across, across))};
    for (int i = 0; i < 256; ++i) {
        const uint8_t *entry = source->palette[i];
        view.palette[i] = (uint32_t)entry[0] | (uint32_t)entry[1] << 8 | (uint32_t)entry[2] << 16;
    }
    return view;
}

bool pictureCreate(Gpu *gpu, uint32_t width, uint32_t height, Picture *picture) {
    memset(picture, 0, sizeof *picture);
    picture->gpu = gpu;
    return gpuCreateTarget(gpu, width, height, &picture->target) &&
           gpuCreatePass(gpu, "picture", picture->target.renderPass, voxels_spv_picture,
                         voxels_spv_picture_size, sizeof(PicturePush), &picture->pass) &&
           gpuCreateBuffer(gpu, sizeof(View), GPU_DEVICE, "view", &picture->view);
}

void pictureDestroy(Picture *picture) {
    if (picture->gpu) {
        gpuDestroyBuffer(picture->gpu, &picture->view);
        gpuDestroyPass(picture->gpu, &picture->pass);
        gpuDestroyTarget(picture->gpu, &picture->target);
    }
    *picture = (Picture){0};
}

static bool drawBand(Picture *picture, const PicturePush *push, const View *view, uint32_t first,
                     uint32_t count) {
    Gpu *gpu = picture->gpu;
    if (!gpuBegin(gpu)) {
        return false;
    }
    if (first == 0) {
        vkCmdUpdateBuffer(gpu->cmd, picture->view.buffer, 0, sizeof *view, view);
        gpuClearTarget(gpu, &picture->target);
        gpuFragmentBarrier(gpu);
    }
    gpuTimestamp(gpu, 0);
    gpuDrawRows(gpu, &picture->target, &picture->pass, push, first, count);
    gpuTimestamp(gpu, 1);
    if (first + count == picture->target.height) {
        gpuReadTarget(gpu, &picture->target);
    }
    if (!gpuSubmit(gpu)) {
        return false;
    }
    double milliseconds = gpuMilliseconds(gpu, 0, 1);
    picture->milliseconds = milliseconds < 0 ? -1 : picture->milliseconds + milliseconds;
    return true;
}

bool pictureDraw(Picture *picture, const World *world, const View *view) {
    const uint32_t height = picture->target.height;
    const uint32_t band = (height + BANDS - 1) / BANDS;
    const PicturePush push = {
        .world = world->ref,
        .view = picture->view.address,
        .width = picture->target.width,
        .height = height,
    };
    picture->milliseconds = 0;
    for (uint32_t first = 0; first < height; first += band) {
        sayProgress("drawing", first, height);
        if (!drawBand(picture, &push, view, first, height - first < band ? height - first : band)) {
            return false;
        }
    }
    sayProgress("drawing", height, height);
    return true;
}
