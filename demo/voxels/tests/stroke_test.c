/* Tests strokes of a brush: hits of rays become edits without gaps, on the face where the stroke
 * began. Also tests the ground and walls, which can be picked without voxels, and mirrors.
 * SPDX-License-Identifier: MIT */
#include "edit/stroke.h"
#include "notes.h"

#include <math.h>
#include <string.h>

static const Edit single = {.tool = TOOL_ADD, .shape = SHAPE_SPHERE, .colors = 3};

/* Returns a ray from a point high above to this point. */
static Ray rayTo(float x, float y, float z) {
    Ray ray = {.origin = {50, 60, 90}};
    const float to[3] = {x - 50, y - 60, z - 90};
    const float length = sqrtf(to[0] * to[0] + to[1] * to[1] + to[2] * to[2]);
    for (int i = 0; i < 3; ++i) {
        ray.direction[i] = to[i] / length;
    }
    return ray;
}

static Pick top(int x, int y, int z) {
    return voxelPick(x, y, z, 1, 1);
}

/* Continues a stroke by a ray that has this hit. Returns the edit. */
static Edit strokeOn(Stroke *stroke, Pick pick, Ray ray, float moved) {
    Edit edit;
    assert_true(strokeTo(stroke, &ray, &pick, moved, &edit));
    return edit;
}

PLAIN_TEST(stamps_are_joined) {
    Stroke stroke;
    strokeBegin(&stroke, &single);
    const Pick pick = top(10, 9, 20);
    const Ray ray = rayTo(10.5f, 10, 20.5f);
    Edit edit = strokeOn(&stroke, pick, ray, 0);
    expectBox(&edit, 10, 10, 20, 10, 10, 20);
    assert_false(strokeTo(&stroke, &ray, &pick, 0, &edit)); /* the mouse did not move */
    edit = strokeOn(&stroke, top(40, 9, 25), rayTo(40.5f, 10, 25.5f), 0);
    expectBox(&edit, 10, 10, 20, 40, 10, 25);
}

/* If the mouse moves from a near voxel to a far one, or across the sky, no line joins the two. */
PLAIN_TEST(stamps_are_not_joined_through_the_air) {
    Stroke stroke;
    strokeBegin(&stroke, &single);
    (void)strokeOn(&stroke, top(10, 30, 80), rayTo(10, 31, 80), 0);
    const Ray ray = rayTo(11, 10, -300);
    Edit edit = strokeOn(&stroke, top(11, 9, -300), ray, 0.01f);
    expectBox(&edit, 11, 10, -300, 11, 10, -300);
    const Pick nothing = {0};
    assert_false(strokeTo(&stroke, &ray, &nothing, 0.01f, &edit));
    edit = strokeOn(&stroke, top(15, 9, -300), ray, 0.01f);
    expectBox(&edit, 15, 10, -300, 15, 10, -300);
}

/* If a ray hits voxels that this stroke added, the stroke continues on the ground below them. */
PLAIN_TEST(what_is_added_is_no_ground) {
    Stroke stroke;
    Edit brush = single;
    brush.radius = 4;
    strokeBegin(&stroke, &brush);
    (void)strokeOn(&stroke, top(40, 9, 40), rayTo(40.5f, 10, 40.5f), 0);
    /* The hit is on the ball that the stroke added. */
    const Edit edit = strokeOn(&stroke, top(40, 13, 41), rayTo(40.5f, 10, 38.5f), 0);
    expectBox(&edit, 40, 10, 40, 40, 10, 38);
}

/* If a ray enters a hole that this stroke dug, the stroke does not continue at its bottom. */
PLAIN_TEST(what_is_dug_does_not_lead_down) {
    Stroke stroke;
    Edit brush = single;
    brush.tool = TOOL_DIG;
    brush.radius = 4;
    strokeBegin(&stroke, &brush);
    Edit edit = strokeOn(&stroke, top(40, 9, 40), rayTo(40.5f, 10, 40.5f), 0);
    expectBox(&edit, 40, 9, 40, 40, 9, 40);
    /* The hit is the bottom of the hole. */
    edit = strokeOn(&stroke, top(40, 4, 39), rayTo(41.5f, 10, 38.5f), 0);
    expectBox(&edit, 40, 9, 40, 41, 9, 38);
}

/* A face is pulled along its normal, to the point nearest to the ray, unless both are parallel. */
PLAIN_TEST(faces_are_pulled) {
    Stroke stroke;
    strokeBegin(&stroke, &single);
    (void)strokeOn(&stroke, top(40, 9, 40), rayTo(40.5f, 10, 40.5f), 0);
    const Ray from = rayTo(40.5f, 10, 40.5f);
    for (int by = -4; by < 5; ++by) {
        Ray ray = rayTo(40.5f, 10 + (float)by, 40.5f);
        assert_true(fabsf(strokePull(&stroke, &from, &ray) - (float)by) < 1e-3f);
        ray = rayTo(40.5f + 30 * (60.0f - 10 - (float)by), 60, 90); /* does not meet the normal */
        assert_true(fabsf(strokePull(&stroke, &from, &ray)) <= BRUSH_MAX_LINE);
    }
    const Ray down = {.origin = {40.5f, 90, 41.5f}, .direction = {0, -1, 0}};
    assert_true(strokePull(&stroke, &from, &down) == 0);
}

PLAIN_TEST(ground_and_walls_can_be_picked) {
    Room room = {.low = {0, 0, 0}, .high = {64, 64, 64}, .around = 100};
    Pick pick;
    const Ray ray = rayTo(20.5f, 0, 30.5f);
    const float away = roomPick(&room, &ray, 1000, &pick);
    assert_int_equal(pick.hit, PICK_PLANE);
    assert_int_equal(pick.at[0], 20);
    assert_int_equal(pick.at[1], -1);
    assert_int_equal(pick.at[2], 30);
    assert_int_equal(pick.normal[1], 1);
    assert_true(fabsf(away - 89.5f) < 0.2f);
    int32_t at[3];
    assert_true(strokePlace(TOOL_DIG, &pick, at)); /* in front of the plane, also for dig */
    assert_int_equal(at[1], 0);
    Stroke stroke;
    Edit edit;
    Edit brush = single;
    brush.tool = TOOL_DIG;
    strokeBegin(&stroke, &brush);
    assert_true(strokeTo(&stroke, &ray, &pick, 0, &edit)); /* on the visible plane */
    assert_true(strokeOnPlane(&stroke, &ray, at));
    assert_true(at[0] == 20 && at[1] == 0 && at[2] == 30);
    assert_true(roomPick(&room, &ray, 50, &pick) == 50);
    assert_int_equal(pick.hit, PICK_NOTHING);
    const struct {
        Ray ray;
        float limit;
        bool walls;
    } nothings[] = {
        {rayTo(50, 61, 0), 1000, false},           /* the sky */
        {rayTo(0, 200, 90), 1000, true},           /* past the box */
        {rayTo(5000, 0, 90), 100000, true},        /* beyond the end of the ground */
        {{{20, -5, 20}, {0, -1, 0}}, 1000, false}, /* below the ground */
    };
    for (size_t i = 0; i < sizeof nothings / sizeof *nothings; ++i) {
        room.walls = nothings[i].walls;
        (void)roomPick(&room, &nothings[i].ray, nothings[i].limit, &pick);
        assert_int_equal(pick.hit, PICK_NOTHING);
    }
    room.walls = true;
    (void)roomPick(&room, &nothings[0].ray, 1000, &pick);
    assert_int_equal(pick.hit, PICK_PLANE); /* the back wall, from inside */
    assert_int_equal(pick.at[2], -1);
    assert_int_equal(pick.normal[2], 1);
    assert_in_range(pick.at[1], 59, 62);
}

PLAIN_TEST(mirrors_stand_in_the_middle) {
    const int32_t sums[3] = {100 + 120, 301, 200 + 209};
    Edit edits[8];
    Edit line = single;
    line.ax = line.bx = 100;
    line.az = 203;
    line.bz = 204;
    assert_int_equal(editMirrored(&line, 0, sums, edits), 1);
    assert_int_equal(editMirrored(&line, 1, sums, edits), 2);
    assert_int_equal(edits[1].ax, 119);
    assert_int_equal(editMirrored(&line, 5, sums, edits), 4);
    assert_int_equal(edits[3].ax + edits[2].ax, 219);
    for (int i = 2; i < 4; ++i) {
        assert_int_equal(edits[i].az, 205);
        assert_int_equal(edits[i].bz, 204); /* the mirror is in this voxel */
    }
    line.ay = 100;
    line.by = 155;
    assert_int_equal(editMirrored(&line, 7, sums, edits), 8);
    for (uint32_t i = 0; i < 8; ++i) { /* each of the eight has an image in every mirror */
        uint32_t same = 0;
        Edit back[8];
        assert_int_equal(editMirrored(&edits[i], 2, sums, back), 2);
        assert_int_equal(back[1].ay, 300 - edits[i].ay);
        assert_int_equal(back[1].by, 300 - edits[i].by);
        assert_int_equal(back[1].ax, edits[i].ax);
        (void)editMirrored(&edits[i], 7, sums, back);
        for (uint32_t j = 0; j < 8; ++j) {
            same += memcmp(&back[5], &edits[j], sizeof line) == 0;
        }
        assert_int_equal(same, 1);
    }
}

/* A mirrored paste has the position and orientation of the mirror image. */
PLAIN_TEST(pastes_are_mirrored) {
    const uint32_t copied[3] = {2, 3, 4};
    const Edit start = {.tool = TOOL_PASTE, .ax = 1, .ay = 2, .az = 3, .turn = 17};
    const Edit edit = editPasted(&start, copied);
    Edit edits[8];
    assert_int_equal(editMirrored(&edit, 7, (const int32_t[]){20, 31, 40}, edits), 8);
    const Edit full = editPasted(&edits[5], copied); /* in all three mirrors */
    assert_memory_equal(&full, &edits[5], sizeof full);
    const Spot a = pasteFrom(edit, (Spot){edit.ax, edit.by, 4}, (Spot){2, 3, 4});
    const Spot b = pasteFrom(full, (Spot){19 - edit.ax, 30 - edit.by, 35}, (Spot){2, 3, 4});
    assert_memory_equal(&a, &b, sizeof a);
}
