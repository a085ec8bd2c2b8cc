/* SPDX-License-Identifier: MIT */
#include "stroke.h"

#include <math.h>
#include <string.h>

static const float far = 8192;

static int32_t at(const Ray *ray, float t, int axis) {
    return (int32_t)floorf(ray->origin[axis] + t * ray->direction[axis]);
}

static void setPick(Pick *pick, const int32_t voxel[3], int axis, int32_t normal) {
    *pick = (Pick){.hit = PICK_PLANE, .at = {voxel[0], voxel[1], voxel[2]}};
    pick->normal[axis] = normal;
}

static float groundPick(const Room *room, const Ray *ray, float limit, Pick *pick) {
    const float above = ray->origin[1] - (float)room->low[1];
    const float t = ray->direction[1] < 0 ? -above / ray->direction[1] : limit;
    if (above <= 0 || t >= limit) {
        return limit;
    }
    const float x = ray->origin[0] + t * ray->direction[0] -
                    (float)(room->low[0] + room->high[0]) / 2;
    const float z = ray->origin[2] + t * ray->direction[2] -
                    (float)(room->low[2] + room->high[2]) / 2;
    if (x * x + z * z > room->around * room->around) {
        return limit;
    }
    setPick(pick, (const int32_t[]){at(ray, t, 0), room->low[1] - 1, at(ray, t, 2)}, 1, 1);
    return t;
}

/* The inner face of the box through which the ray leaves it. */
static float wallPick(const Room *room, const Ray *ray, float limit, Pick *pick) {
    float enter = 0;
    float leave = limit;
    int axis = -1;
    for (int i = 0; i < 3; ++i) {
        const float d = ray->direction[i];
        const float near = (float)(d > 0 ? room->low[i] : room->high[i]) - ray->origin[i];
        const float back = (float)(d > 0 ? room->high[i] : room->low[i]) - ray->origin[i];
        if (d == 0) {
            enter = (near < 0) == (back < 0) ? limit : enter;
            continue;
        }
        enter = near / d > enter ? near / d : enter;
        axis = back / d < leave ? i : axis;
        leave = back / d < leave ? back / d : leave;
    }
    if (axis < 0 || enter >= leave) {
        return limit;
    }
    int32_t voxel[3];
    for (int i = 0; i < 3; ++i) {
        const int32_t v = at(ray, leave, i);
        voxel[i] = v < room->low[i] ? room->low[i] : v < room->high[i] ? v : room->high[i] - 1;
    }
    const bool up = ray->direction[axis] > 0;
    voxel[axis] = up ? room->high[axis] : room->low[axis] - 1;
    setPick(pick, voxel, axis, up ? -1 : 1);
    return leave;
}

float roomPick(const Room *room, const Ray *ray, float limit, Pick *pick) {
    *pick = (Pick){0};
    const float ground = groundPick(room, ray, limit, pick);
    return room->walls ? wallPick(room, ray, ground, pick) : ground;
}

bool strokePlace(uint32_t tool, const Pick *pick, int32_t place[3]) {
    const int32_t step = tool == TOOL_ADD || tool == TOOL_PASTE || pick->hit == PICK_PLANE;
    for (int i = 0; i < 3; ++i) {
        place[i] = pick->at[i] + step * pick->normal[i];
    }
    return pick->hit != PICK_NOTHING;
}

void strokeBegin(Stroke *stroke, const Edit *brush) {
    *stroke = (Stroke){.active = true, .brush = *brush};
}

/* Has the stroke changed the voxel that was hit? */
static bool hitsOwn(const Stroke *stroke, const Pick *pick) {
    const uint32_t count = stroke->stampCount < STROKE_STAMPS ? stroke->stampCount : STROKE_STAMPS;
    const int dug = stroke->brush.tool == TOOL_DIG; /* then the place before the hit is its own */
    bool own = false;
    for (uint32_t i = 0; i < count && !own; ++i) {
        own = brushHas(stroke->stamps[i], pick->at[0] + dug * pick->normal[0],
                       pick->at[1] + dug * pick->normal[1], pick->at[2] + dug * pick->normal[2]);
    }
    return own && pick->hit == PICK_VOXEL && stroke->brush.tool <= TOOL_DIG;
}

bool strokeOnPlane(const Stroke *stroke, const Ray *ray, int32_t place[3]) {
    const int axis = stroke->axis;
    const float t = ((float)stroke->face - ray->origin[axis]) / ray->direction[axis];
    if (stroke->normal == 0 || !(t > 0 && t < far)) {
        return false;
    }
    for (int i = 0; i < 3; ++i) {
        place[i] = i == axis ? stroke->level : at(ray, t, i);
    }
    return true;
}

/* The place on the normal that is nearest to the ray. */
float strokePull(const Stroke *stroke, const Ray *from, const Ray *ray) {
    const int axis = stroke->axis;
    const float t = ((float)stroke->face - from->origin[axis]) / from->direction[axis];
    const float slope = ray->direction[axis] * (float)stroke->normal;
    const float steep = 1 - slope * slope;
    float along = 0;
    for (int i = 0; i < 3; ++i) {
        along += ray->direction[i] * (from->origin[i] + t * from->direction[i] - ray->origin[i]);
    }
    const float away = ((float)stroke->face - ray->origin[axis]) * (float)stroke->normal;
    const float pull = steep > 0.01f ? (slope * along - away) / steep : 0; /* it looks along it */
    return fminf(fmaxf(pull, -BRUSH_MAX_LINE), BRUSH_MAX_LINE);
}

static void setPlane(Stroke *stroke, const Pick *pick, const int32_t place[3]) {
    stroke->axis = pick->normal[0] ? 0 : pick->normal[2] ? 2 : 1;
    stroke->normal = pick->normal[0] + pick->normal[1] + pick->normal[2];
    stroke->level = place[stroke->axis];
    stroke->face = pick->at[stroke->axis] + (stroke->normal > 0);
}

static float depthOf(const Ray *ray, const int32_t place[3]) {
    float sum = 0;
    for (int i = 0; i < 3; ++i) {
        const float away = (float)place[i] + 0.5f - ray->origin[i];
        sum += away * away;
    }
    return sqrtf(sum);
}

/* May a line lead from the last place to this one? On one face, or as far as the mouse moved;
 * not from something near through the air to a place behind it. */
static bool isNear(const Stroke *stroke, const int32_t place[3], bool samePlane, float depth,
                   float moved) {
    float sum = 0;
    for (int i = 0; i < 3; ++i) {
        const int32_t step = place[i] - stroke->last[i];
        if (step < -BRUSH_MAX_LINE || step > BRUSH_MAX_LINE) {
            return false;
        }
        sum += (float)step * (float)step;
    }
    const float nearer = depth < stroke->depth ? depth : stroke->depth;
    const float reach = 4 + 2 * (float)stroke->brush.radius + 4 * moved * nearer;
    return samePlane || sum <= reach * reach;
}

bool strokeTo(Stroke *stroke, const Ray *ray, const Pick *pick, float moved, Edit *edit) {
    int32_t place[3];
    const int32_t axis = stroke->axis;
    const int32_t normal = stroke->normal;
    const int32_t level = stroke->level;
    if (hitsOwn(stroke, pick)) {
        if (!strokeOnPlane(stroke, ray, place)) {
            return false;
        }
    } else if (strokePlace(stroke->brush.tool, pick, place)) {
        setPlane(stroke, pick, place);
    } else {
        stroke->joined = false; /* over nothing */
        return false;
    }
    if (stroke->joined && memcmp(place, stroke->last, sizeof place) == 0) {
        return false;
    }
    const float depth = depthOf(ray, place);
    const bool samePlane = axis == stroke->axis && normal == stroke->normal &&
                           level == stroke->level;
    const bool joined = stroke->joined && isNear(stroke, place, samePlane, depth, moved);
    *edit = stroke->brush;
    editSetEnds(edit, joined ? stroke->last : place, place);
    memcpy(stroke->last, place, sizeof place);
    stroke->depth = depth;
    stroke->joined = true;
    stroke->stamps[stroke->stampCount++ % STROKE_STAMPS] = *edit;
    return true;
}
