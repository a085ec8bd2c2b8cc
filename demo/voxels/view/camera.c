/* SPDX-License-Identifier: MIT */
#include "camera.h"

#include <math.h>

static const float filled = 0.94f; /* of the picture by its content */

typedef struct Box {
    const uint32_t *low, *high;
} Box;

static float dot(const float a[3], const double b[3]) {
    return a[0] * (float)b[0] + a[1] * (float)b[1] + a[2] * (float)b[2];
}

CameraAxes cameraAxes(const Camera *camera) {
    const float yaw = camera->yaw * 0.0174532925f;
    const float pitch = camera->pitch * 0.0174532925f;
    return (CameraAxes){
        .forward = {-sinf(yaw) * cosf(pitch), -sinf(pitch), -cosf(yaw) * cosf(pitch)},
        .right = {cosf(yaw), 0, -sinf(yaw)},
        .up = {-sinf(yaw) * sinf(pitch), cosf(pitch), -cosf(yaw) * sinf(pitch)},
    };
}

/* From target to corner i of the box that must be seen. */
static void toCorner(const Box *box, const double target[3], int i, double to[3]) {
    for (int axis = 0; axis < 3; ++axis) {
        to[axis] = (i >> axis & 1 ? box->high[axis] : box->low[axis]) - target[axis];
    }
}

/* The distance from target at which all corners are in the picture, and how far their middle is
 * above the picture's, in units of that distance. */
static float fit(const Box *box, const CameraAxes *axes, const double target[3], float halfHeight,
                 float aspect, float *above) {
    double to[3];
    float distance = 1;
    for (int i = 0; i < 8; ++i) {
        toCorner(box, target, i, to);
        float x = fabsf(dot(axes->right, to)) / (halfHeight * aspect * filled);
        float y = fabsf(dot(axes->up, to)) / (halfHeight * filled);
        distance = fmaxf(distance, fmaxf(x, y) - dot(axes->forward, to));
    }
    float low = INFINITY;
    float high = -INFINITY;
    for (int i = 0; i < 8; ++i) {
        toCorner(box, target, i, to);
        float y = dot(axes->up, to) / (distance + dot(axes->forward, to));
        low = fminf(low, y);
        high = fmaxf(high, y);
    }
    *above = (low + high) / 2;
    return distance;
}

Camera cameraAround(const uint32_t low[3], const uint32_t high[3], const Orbit *orbit,
                    float halfHeight, float aspect) {
    const Box box = {low, high};
    Camera camera = {.yaw = orbit->yaw, .pitch = orbit->pitch, .halfHeight = halfHeight};
    const CameraAxes axes = cameraAxes(&camera);
    double target[3];
    for (int axis = 0; axis < 3; ++axis) {
        target[axis] = ((double)low[axis] + high[axis]) / 2;
    }
    float above;
    float distance = fit(&box, &axes, target, halfHeight, aspect, &above);
    for (int i = 0; i < 8; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            target[axis] += (double)(axes.up[axis] * above * distance);
        }
        distance = fit(&box, &axes, target, halfHeight, aspect, &above);
    }
    for (int axis = 0; axis < 3; ++axis) {
        camera.position[axis] = target[axis] -
                                (double)(axes.forward[axis] * distance * orbit->distance);
    }
    return camera;
}

Camera cameraBeside(const uint32_t low[3], const uint32_t high[3], const Orbit *orbit,
                    float halfHeight, float aspect, const float part[2]) {
    Camera camera = cameraAround(low, high, orbit, halfHeight, aspect * (part[1] - part[0]));
    const CameraAxes axes = cameraAxes(&camera);
    double away = 0; /* of the middle */
    for (int i = 0; i < 3; ++i) {
        away += (double)axes.forward[i] * (((double)low[i] + high[i]) / 2 - camera.position[i]);
    }
    cameraMove(&camera, 0, (1 - part[0] - part[1]) * halfHeight * aspect * (float)away, 0);
    return camera;
}

void cameraMove(Camera *camera, float forward, float right, float up) {
    const CameraAxes axes = cameraAxes(camera);
    for (int axis = 0; axis < 3; ++axis) {
        camera->position[axis] += (double)(axes.forward[axis] * forward + axes.right[axis] * right);
    }
    camera->position[1] += (double)up;
}

void cameraTurn(Camera *camera, float yaw, float pitch) {
    camera->yaw = fmodf(camera->yaw + yaw, 360);
    camera->pitch = fminf(fmaxf(camera->pitch + pitch, -89), 89);
}

void cameraOrbit(Camera *camera, const double pivot[3], float yaw, float pitch) {
    const CameraAxes before = cameraAxes(camera);
    double away[3];
    for (int axis = 0; axis < 3; ++axis) {
        away[axis] = camera->position[axis] - pivot[axis];
    }
    const float right = dot(before.right, away);
    const float up = dot(before.up, away);
    const float forward = dot(before.forward, away);
    cameraTurn(camera, yaw, pitch);
    const CameraAxes after = cameraAxes(camera);
    for (int axis = 0; axis < 3; ++axis) {
        camera->position[axis] = pivot[axis] +
                                 (double)(right * after.right[axis] + up * after.up[axis] +
                                          forward * after.forward[axis]);
    }
}

static double distance(const Camera *camera, const double pivot[3]) {
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
        sum += (camera->position[axis] - pivot[axis]) * (camera->position[axis] - pivot[axis]);
    }
    return sqrt(sum);
}

void cameraZoom(Camera *camera, const double pivot[3], float times) {
    if (distance(camera, pivot) * (double)times < 2 && times < 1) {
        return;
    }
    for (int axis = 0; axis < 3; ++axis) {
        camera->position[axis] = pivot[axis] +
                                 (camera->position[axis] - pivot[axis]) * (double)times;
    }
}

void cameraPan(Camera *camera, const double pivot[3], float right, float down) {
    const CameraAxes axes = cameraAxes(camera);
    const double scale = 2 * (double)camera->halfHeight * distance(camera, pivot);
    for (int axis = 0; axis < 3; ++axis) {
        camera->position[axis] -= scale * (double)(axes.right[axis] * right - axes.up[axis] * down);
    }
}
