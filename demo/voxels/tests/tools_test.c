/* Tools in a user's hands: commands in their order with the mouse, whose picks come two frames
 * late, and the edits that come of them, exactly.
 *
 * SPDX-License-Identifier: MIT */
#include "notes.h"
#include "window/events.h"

#include <string.h>

/* A key right after the mouse, before the frame that tells what the mouse did: G moves what has
 * just been selected, not what was before. */
static void keys_come_after_the_mouse(void **state) {
    want(COMMAND_TOOL_LAST);
    want(COMMAND_PRESS);
    frame(5);
    want(COMMAND_RELEASE);
    frame(9);
    settle();
    assert_true(tools.selected && tools.low[0] == 5 && tools.high[0] == 9);
    want(COMMAND_PRESS);
    frame(20);
    want(COMMAND_RELEASE);
    want(COMMAND_MOVE);
    frame(30);
    settle();
    expectNotes("c");
    assert_int_equal(notes[0].edit.ax, 20);
    assert_int_equal(notes[0].edit.bx, 30);
    assert_true(tools.moving && tools.tool == TOOL_PASTE);
    want(COMMAND_CANCEL); /* and at once again */
    want(COMMAND_CANCEL);
    want(COMMAND_CANCEL);
    settle();
    assert_false(tools.selected);
}

/* However slow frames are: a button goes down and up where it did, the wheel turns before or after
 * that, and what comes then is for later frames. */
static void buttons_keep_their_places(void **state) {
    static const Event done[] = {
        {COMMAND_UNDO, 0, 0, 9, 9},
        {COMMAND_PRESS, 0, 0, 10, 20},
        {.wheel = 2},
        {COMMAND_SHAPE, 0, 0, 11, 21},
        {COMMAND_RELEASE, 0, 0, 30, 40},
        {.wheel = 1},
        {COMMAND_REDO, 0, 0, 50, 60},
        {COMMAND_PRESS, 0, 0, 5, 6},
        {COMMAND_RELEASE, 0, 0, 5, 6},
    };
    static const struct {
        double x, y;
        uint32_t commands;
        Command last;
        float wheel;
        bool held, still;
    } expected[] = {{10, 20, 3, COMMAND_SHAPE, 2, true, true},
                    {30, 40, 1, COMMAND_RELEASE, 0, true, false},
                    {5, 6, 3, COMMAND_RELEASE, 1, true, false},
                    {70, 80, 0, COMMAND_NONE, 0, false, false}};
    Events events = {0};
    for (size_t i = 0; i < sizeof done / sizeof *done; ++i) {
        eventsAdd(&events, &done[i]);
    }
    for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
        Input taken = {0};
        double place[2] = {70, 80};
        eventsTake(&events, place, &taken);
        assert_true(place[0] == expected[i].x && place[1] == expected[i].y);
        assert_int_equal(taken.commandCount, expected[i].commands);
        if (taken.commandCount) {
            assert_int_equal(taken.commands[taken.commandCount - 1], expected[i].last);
        }
        assert_true(taken.wheel == expected[i].wheel && taken.held == expected[i].held);
        assert_int_equal(events.held, expected[i].still);
    }
    for (uint32_t i = 0; i < 2 * INPUT_COMMANDS; ++i) { /* too many: the release is kept */
        eventsAdd(&events, &(Event){.command = COMMAND_PRESS});
    }
    eventsAdd(&events, &(Event){.command = COMMAND_RELEASE});
    Input taken = {0};
    eventsTake(&events, (double[2]){0}, &taken);
    assert_int_equal(taken.commandCount, INPUT_COMMANDS);
    assert_int_equal(taken.commands[INPUT_COMMANDS - 1], COMMAND_RELEASE);
}

/* A box goes from where the button went down to where it went up, whatever the mouse does then. */
static void strokes_end_with_the_button(void **state) {
    want(COMMAND_SHAPE);
    want(COMMAND_SHAPE);
    want(COMMAND_PRESS);
    frame(5);
    want(COMMAND_RELEASE);
    frame(9);
    input.wheel = 3;
    frame(20);
    input.wheel = 0;
    settle();
    expectNotes("e");
    expectBox(&notes[0].edit, 5, 4, 7, 9, 4, 7);
}

static void expectMeasure(int32_t x, int32_t y, int32_t z, int32_t wide, int32_t high,
                          int32_t deep) {
    const int32_t expected[6] = {x, y, z, wide, high, deep};
    int32_t found[6];
    assert_true(toolsMeasure(&tools, found, found + 3));
    assert_memory_equal(found, expected, sizeof found);
}

/* A box of a tool on a face of voxel 10, 20, 30, by a mouse that goes 3 voxels on, 2 back on it,
 * over other voxels, and with a wheel that turns by half of way twice. */
static void dragBoxOn(Command tool, int axis, int32_t normal, int32_t way) {
    static const Pick other = {.hit = PICK_VOXEL, .x = 40, .y = 50, .z = 45, .nx = 1};
    const Pick face = voxelPick(10, 20, 30, axis, normal);
    const int b = (axis + 1) % 3;
    const int c = (axis + 2) % 3;
    float at[3] = {10.5f, 20.5f, 30.5f};
    int32_t low[3] = {10, 20, 30};
    int32_t high[3] = {10, 20, 30};
    at[axis] += (float)normal / 2;
    want(tool);
    want(COMMAND_PRESS);
    input.held = true;
    frameOn(&face, at[0], at[1], at[2]);
    at[b] += 3;
    at[c] -= 2;
    for (int i = 0; i < 4; ++i) {
        input.wheel = i < 2 ? 0.5f * (float)way : 0;
        frameOn(&other, at[0], at[1], at[2]);
    }
    low[axis] += tool == COMMAND_TOOL_FIRST ? normal : 0;
    high[axis] = low[axis];
    *(way * normal < 0 ? &low[axis] : &high[axis]) += way * normal;
    low[c] -= 2;
    high[b] += 3;
    expectMeasure(low[0] - 1, low[1] - 2, low[2] - 3, high[0] - low[0] + 1, high[1] - low[1] + 1,
                  high[2] - low[2] + 1);
    want(COMMAND_RELEASE);
    frameOn(&other, at[0], at[1], at[2]);
    input.held = false;
    settle();
    if (tool == COMMAND_TOOL_LAST) {
        assert_true(tools.selected && !noted);
        assert_memory_equal(tools.low, low, sizeof low);
        assert_memory_equal(tools.high, high, sizeof high);
    } else {
        expectNotes("e");
        assert_int_equal(notes[0].edit.tool, tool - COMMAND_TOOL_FIRST);
        int32_t found[6];
        editBounds(&notes[0].edit, found, found + 3);
        assert_memory_equal(found, low, sizeof low);
        assert_memory_equal(found + 3, high, sizeof high);
    }
    noted = 0;
}

/* So a room is hollowed in one drag. */
static void boxes_have_depth(void **state) {
    static const Command boxTools[] = {COMMAND_TOOL_FIRST, COMMAND_TOOL_FIRST + 1,
                                       COMMAND_TOOL_FIRST + 2, COMMAND_TOOL_LAST};
    for (uint32_t i = 0; i < 3; ++i) {
        source.origin[i] = i + 1;
    }
    want(COMMAND_SHAPE);
    want(COMMAND_SHAPE);
    for (uint32_t i = 0; i < 4 * 6; ++i) {
        dragBoxOn(boxTools[i % 4], (int)(i / 8), i & 4 ? 1 : -1, 3);
        dragBoxOn(boxTools[i % 4], (int)(i / 8), i & 4 ? 1 : -1, -5);
    }
}

/* Voxels 20 to 21, 30 to 33, 40 to 44: wide, high and deep by 2, 4 and 5. */
static void selectBox(void) {
    tools.selected = true;
    tools.moved = 0;
    for (int i = 0; i < 3; ++i) {
        tools.low[i] = 20 + 10 * i;
        tools.high[i] = (const int32_t[]){21, 33, 44}[i];
    }
    want(COMMAND_TOOL_LAST);
}

/* As the window shows it. */
static void expectSelected(int32_t ax, int32_t ay, int32_t az, int32_t bx, int32_t by, int32_t bz) {
    View view = {0};
    toolsShow(&tools, &world, &source, &view);
    assert_int_equal(view.brushShape, BRUSH_BOX);
    const Vec4 *at = &view.brush;
    const Vec4 *half = &view.brushHalf;
    assert_true(tools.selected && at->x - half->x == (float)ax && at->x + half->x == (float)bx);
    assert_true(at->y - half->y == (float)ay && at->y + half->y == (float)by);
    assert_true(at->z - half->z == (float)az && at->z + half->z == (float)bz);
}

/* On all six faces, and as far from there as it was nudged; the ghost shows where. */
static void pastes_stand_on_the_face(void **state) {
    static const int32_t lows[6][3] = {{8, 20, 28}, {11, 20, 28}, {9, 16, 28},
                                       {9, 21, 28}, {9, 20, 25},  {9, 20, 31}};
    static World *const shown = &world;
    selectBox();
    want(COMMAND_COPY);
    want(COMMAND_TOOL_LAST - 1);
    settle();
    expectNotes("c");
    for (uint32_t i = 0; i < 12; ++i) {
        const int32_t *low = lows[i / 2];
        const bool nudged = i & 1;
        const Pick face = voxelPick(10, 20, 30, (int)i / 4, i / 2 & 1 ? 1 : -1);
        View view = {0};
        noted = 0;
        if (nudged) {
            want(COMMAND_NUDGE_FIRST);     /* right */
            want(COMMAND_NUDGE_FIRST + 2); /* up */
            want(COMMAND_NUDGE_FIRST + 2);
        }
        for (int f = 0; f < 3; ++f) {
            frameOn(&face, 10, 20, 30);
        }
        const int32_t at[3] = {low[0] + nudged, low[1] + 2 * nudged, low[2]};
        expectMeasure(at[0], at[1], at[2], 2, 4, 5);
        toolsShow(&tools, shown, &source, &view);
        assert_int_equal(view.brushShape, BRUSH_GHOST);
        assert_true(view.brush.x == (float)at[0] + 0.5f && view.brushHalf.x == 0.5f);
        assert_true(view.brush.y == (float)at[1] + 1.5f && view.brushHalf.y == 1.5f);
        assert_true(view.brush.z == (float)at[2] + 2 && view.brushHalf.z == 2);
        want(COMMAND_PRESS);
        want(COMMAND_RELEASE);
        frameOn(&face, 10, 20, 30);
        settle();
        expectNotes("e");
        expectBox(&notes[0].edit, at[0], at[1], at[2], at[0] + 1, at[1] + 3, at[2] + 4);
    }
}

static void expectStroke(uint32_t first, uint32_t count) {
    for (uint32_t i = first + 1; i < first + count; ++i) {
        assert_int_equal(notes[i].stroke, notes[first].stroke);
    }
}

/* By a voxel or by eight, along the axis of the world that is nearest to the key's in the picture;
 * one undo. */
static void what_is_selected_is_nudged(void **state) {
    static const int32_t ways[6][4][3] = {
        {{1, 0, 0}, {0, 0, -1}, {-1, 0, 0}, {0, 0, 1}},
        {{-1, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 0, -1}},
        {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0}},
        {{0, -1, 0}, {0, -1, 0}, {0, -1, 0}, {0, -1, 0}},
        {{0, 0, 1}, {1, 0, 0}, {0, 0, -1}, {-1, 0, 0}},
        {{0, 0, -1}, {-1, 0, 0}, {0, 0, 1}, {1, 0, 0}},
    };
    for (uint32_t i = 0; i < 6 * 4 * 2; ++i) {
        const int32_t *way = ways[i / 8][i / 2 % 4];
        const int32_t by = i & 1 ? 8 : 1;
        camera.yaw = 90.0f * (float)(i / 2 % 4) + (i & 1 ? 30 : -360 - 30);
        input.straight = by == 8;
        noted = 0;
        selectBox();
        want(COMMAND_NUDGE_FIRST + i / 8);
        settle();
        expectNotes("cee");
        expectStroke(1, 2);
        expectBox(&notes[0].edit, 20, 30, 40, 21, 33, 44);
        assert_int_equal(notes[1].edit.tool, TOOL_DIG);
        expectBox(&notes[1].edit, 20, 30, 40, 21, 33, 44);
        assert_int_equal(notes[2].edit.tool, TOOL_PASTE);
        const int32_t x = 20 + by * way[0];
        const int32_t y = 30 + by * way[1];
        const int32_t z = 40 + by * way[2];
        expectBox(&notes[2].edit, x, y, z, x + 1, y + 3, z + 4);
        expectSelected(x, y, z, x + 1, y + 3, z + 4);
    }
}

/* The next one takes the last one back, so that what was met on the way is whole again, and all are
 * one undo; but not if something else was done since, or undone. */
static void moves_leave_no_trace(void **state) {
    selectBox();
    want(COMMAND_NUDGE_FIRST);
    want(COMMAND_NUDGE_FIRST + 2);
    settle();
    settle();
    expectNotes("ceeuee");
    expectStroke(4, 2);
    expectBox(&notes[4].edit, 20, 30, 40, 21, 33, 44); /* from where it was at first */
    expectBox(&notes[5].edit, 21, 31, 40, 22, 34, 44);
    want(COMMAND_UNDO);
    settle();
    expectSelected(20, 30, 40, 21, 33, 44);
    noted = 0;
    want(COMMAND_NUDGE_FIRST);
    want(COMMAND_TOOL_FIRST);
    want(COMMAND_PRESS);
    want(COMMAND_RELEASE);
    want(COMMAND_TOOL_LAST);
    want(COMMAND_NUDGE_FIRST);
    settle();
    expectNotes("ceeecee");
    expectBox(&notes[5].edit, 21, 30, 40, 22, 33, 44);
    expectBox(&notes[6].edit, 22, 30, 40, 23, 33, 44);
    noted = 0;
    want(COMMAND_DELETE); /* where it is */
    settle();
    expectNotes("ue");
    expectBox(&notes[1].edit, 21, 30, 40, 22, 33, 44);
    expectSelected(22, 30, 40, 23, 33, 44);
    noted = 0;
    want(COMMAND_NUDGE_FIRST);
    settle();
    want(COMMAND_NUDGE_FIRST);
    frame(0);
    frame(0);
    world.history.next = world.history.oldest; /* what changed nothing is no stroke to take back */
    settle();
    expectNotes("ceeee");
    world.store.options.undoBytes = 0; /* nothing can be taken back */
    noted = 0;
    want(COMMAND_NUDGE_FIRST);
    settle();
    expectNotes("cee");
    expectBox(&notes[1].edit, 24, 30, 40, 25, 33, 44);
}

/* About the vertical, the way one looks, and the third one, and flipped along each: the axis of the
 * world that is nearest, by how the camera looks. What is selected turns about its middle, on the
 * ground; one undo. */
static void what_is_selected_is_turned(void **state) {
    static const int axes[4][3] = {{0, 1, 2}, {2, 1, 0}, {0, 1, 2}, {2, 1, 0}};
    static const bool backs[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}};
    static const int32_t boxes[3][6] = {/* turned about x, y, z */
                                        {20, 30, 40, 21, 34, 43},
                                        {19, 30, 41, 23, 33, 42},
                                        {19, 30, 40, 22, 31, 44}};
    for (uint32_t i = 0; i < 4 * 6; ++i) {
        const uint32_t quarter = i / 6;
        const uint32_t key = i % 3;
        const int axis = axes[quarter][key];
        const bool flips = i % 6 > 2;
        const int32_t *box = boxes[axis];
        uint32_t turn = flips ? editFlipped(0, axis) : editTurned(0, axis);
        turn = backs[quarter][key] && !flips ? editTurned(editTurned(turn, axis), axis) : turn;
        camera.yaw = 90.0f * (float)quarter + 20;
        noted = 0;
        selectBox();
        want((flips ? COMMAND_FLIP_FIRST : COMMAND_TURN_FIRST) + key);
        settle();
        expectNotes("cee");
        expectStroke(1, 2);
        expectBox(&notes[1].edit, 20, 30, 40, 21, 33, 44);
        assert_int_equal(notes[2].edit.turn, turn);
        if (flips) {
            expectBox(&notes[2].edit, 20, 30, 40, 21, 33, 44);
        } else {
            expectBox(&notes[2].edit, box[0], box[1], box[2], box[3], box[4], box[5]);
        }
        const Edit *turned = &notes[2].edit;
        expectSelected(turned->ax, turned->ay, turned->az, turned->bx, turned->by, turned->bz);
    }
    noted = 0;
    selectBox();
    for (int i = 0; i < 4; ++i) {
        want(COMMAND_TURN_FIRST + 1);
        settle();
    }
    assert_int_equal(notes[noted - 1].edit.turn, 0);
    expectSelected(20, 30, 40, 21, 33, 44); /* it came back */
}

/* The ghost turns before it is placed, and stands on its face in each orientation; what is moved
 * comes once, though there are mirrors, and what is pasted with its images. */
static void ghosts_are_turned(void **state) {
    const Pick wall = voxelPick(10, 20, 30, 0, -1);
    selectBox();
    want(COMMAND_MOVE);
    want(COMMAND_TURN_FIRST);
    want(COMMAND_FLIP_FIRST + 1);
    want(COMMAND_TURN_FIRST + 2);
    const uint32_t turn = editTurned(editFlipped(editTurned(0, 0), 1), 2);
    for (int f = 0; f < 3; ++f) {
        frameOn(&wall, 10, 20, 30);
    }
    expectMeasure(5, 20, 28, 5, 2, 4);
    source.mirror = 1;
    source.mirrorSum[0] = 9;
    for (int copies = 0; copies < 2; ++copies) {
        View view = {0};
        for (int f = 0; f < 3; ++f) {
            frameOn(&wall, 10, 20, 30);
        }
        toolsShow(&tools, &world, &source, &view);
        assert_true(view.brushShape == BRUSH_GHOST && view.clipTurn == turn);
        noted = 0;
        want(COMMAND_PRESS);
        want(COMMAND_RELEASE);
        frameOn(&wall, 10, 20, 30);
        settle();
        expectNotes("ee");
        assert_int_equal(notes[0].edit.tool, copies ? TOOL_PASTE : TOOL_DIG);
        const Edit *paste = &notes[1 - copies].edit;
        assert_int_equal(paste->turn, turn);
        expectBox(paste, 5, 20, 28, 9, 21, 31);
        assert_int_equal(tools.tool, copies ? TOOL_PASTE : TOOL_SELECT);
        if (!copies) {
            expectSelected(5, 20, 28, 9, 21, 31);
        }
        assert_true(!copies || notes[1].edit.turn == editFlipped(turn, 0));
        want(COMMAND_TOOL_LAST - 1);
        settle();
    }
}

/* J puts those that are on through a face, or through the middle of a voxel; arrows move them by
 * half a voxel where nothing is selected. They are the source's, which is saved. */
static void mirrors_are_moved_by_hand(void **state) {
    const Pick wall = voxelPick(10, 20, 30, 0, 1);
    const int32_t before = source.mirrorSum[1];
    source.mirrorSum[0] = source.mirrorSum[2] = 7;
    want(COMMAND_MIRROR_HERE); /* none is on */
    settle();
    assert_true(tools.words && source.mirrorSum[0] == 7);
    want(COMMAND_MIRROR_X);
    want(COMMAND_MIRROR_Z);
    want(COMMAND_MIRROR_HERE);
    frameOn(&wall, 11, 20.5f, 30.5f);
    settle();
    assert_int_equal(source.mirror, 5);
    assert_int_equal(source.mirrorSum[0], 22);
    assert_int_equal(source.mirrorSum[1], before);
    assert_int_equal(source.mirrorSum[2], 61);
    want(COMMAND_NUDGE_FIRST);     /* right */
    want(COMMAND_NUDGE_FIRST + 2); /* up: not on */
    want(COMMAND_NUDGE_FIRST + 5); /* away */
    settle();
    assert_true(source.mirrorSum[0] == 23 && source.mirrorSum[1] == before);
    assert_int_equal(source.mirrorSum[2], 60);
    source.mirrorSum[0] = 1;
    want(COMMAND_NUDGE_FIRST + 1); /* not out of the world */
    settle();
    assert_int_equal(source.mirrorSum[0], 1);
    want(COMMAND_MIRROR_Y);
    want(COMMAND_PRESS);
    want(COMMAND_RELEASE);
    source.mirrorSum[0] = 8;
    source.mirrorSum[1] = 20;
    source.mirrorSum[2] = 31;
    frame(5);
    settle();
    assert_int_equal(noted, 8);
    expectBox(&notes[0].edit, 5, 4, 7, 5, 4, 7);
    expectBox(&notes[5].edit, 2, 15, 23, 2, 15, 23);
}

/* What cannot be copied is not dug away either; nor is what is not selected. */
static void what_is_too_large_stays(void **state) {
    static const Command commands[] = {COMMAND_NUDGE_FIRST, COMMAND_CUT, COMMAND_MOVE,
                                       COMMAND_DUPLICATE, COMMAND_COPY};
    for (uint32_t i = 0; i < 10; ++i) {
        selectBox();
        tools.high[0] = 200;
        tools.selected = i & 1;
        tools.words = NULL;
        want(commands[i / 2]);
        settle();
        expectNotes("");
        assert_true(tools.words && tools.tool == TOOL_SELECT && tools.high[0] == 200);
    }
    tools.selected = true;
    want(COMMAND_DELETE);
    settle();
    expectNotes("e");
}

/* Shift shows the line to the last place before it is drawn, as it will be. */
static void lines_show_before_they_are_drawn(void **state) {
    View view = {0};
    tools.radius = 2;
    want(COMMAND_PRESS);
    want(COMMAND_RELEASE);
    frame(5);
    settle();
    for (int straight = 0; straight < 2; ++straight) {
        input.straight = straight;
        settle(); /* at 0 */
        toolsShow(&tools, &world, &source, &view);
        assert_int_equal(view.brushShape, straight ? BRUSH_LINE : BRUSH_SPHERE);
    }
    want(COMMAND_PRESS);
    want(COMMAND_RELEASE);
    frame(0);
    settle();
    expectNotes("ee");
    const Edit *line = &notes[1].edit;
    expectBox(line, 5, 4, 7, 0, 4, 7);
    assert_memory_equal(&view.lineFrom, &((Int4){line->ax, line->ay, line->az, SHAPE_SPHERE}),
                        sizeof(Int4));
    assert_memory_equal(&view.lineTo, &((Int4){line->bx, line->by, line->bz, 2}), sizeof(Int4));
    assert_true(view.brush.x == 2.5f && view.brushHalf.x == 4.5f && view.brushHalf.y == 2);
}

/* Undo at once after a click undoes that one; a press in the frame of its release is a click. */
static void undo_comes_after_the_mouse(void **state) {
    want(COMMAND_TOOL_FIRST);
    want(COMMAND_PRESS);
    want(COMMAND_RELEASE);
    want(COMMAND_UNDO);
    frame(5);
    settle();
    expectNotes("eu");
    assert_int_equal(notes[0].edit.ax, 5);
    assert_int_equal(notes[0].edit.ay, 4);
}

static void setRed(uint8_t level, bool goesOn) {
    toolsWant(&tools, &(Wanted){COMMAND_CHANNEL, 0, level, goesOn});
}

/* A colour is changed while an edit is on its way that will turn out to be none; the edit after
 * that is undone before the colour, and redone after it. */
static void colours_are_undone_in_their_order(void **state) {
    const uint32_t color = tools.color;
    source.palette[color][0] = 10;
    want(COMMAND_PRESS);
    want(COMMAND_RELEASE);
    setRed(70, false);
    frame(5);
    setRed(80, true);
    frame(0);
    frame(0);
    frame(0);
    assert_int_equal(source.palette[color][0], 80);
    learn(false); /* there was nothing to edit */
    want(COMMAND_PRESS);
    want(COMMAND_RELEASE);
    frame(6);
    settle();
    expectNotes("ee");
    want(COMMAND_UNDO);
    settle();
    expectNotes("eeu");
    assert_int_equal(source.palette[color][0], 80);
    want(COMMAND_UNDO);
    settle();
    expectNotes("eeu");
    assert_int_equal(source.palette[color][0], 10);
    want(COMMAND_REDO);
    settle();
    expectNotes("eeu");
    assert_int_equal(source.palette[color][0], 80);
    want(COMMAND_REDO);
    settle();
    expectNotes("eeur");
    setRed(90, false);
    settle();
    setRed(95, false); /* the bar again: another change */
    settle();
    want(COMMAND_UNDO);
    settle();
    assert_int_equal(source.palette[color][0], 90);
}

/* An edit that changes nothing leaves what can be redone; one that changes something does not. */
static void only_edits_forget_colours(void **state) {
    const uint32_t color = tools.color;
    for (int changes = 0; changes < 2; ++changes) {
        source.palette[color][0] = 10;
        setRed(70, false);
        settle();
        want(COMMAND_UNDO);
        settle();
        assert_int_equal(source.palette[color][0], 10);
        want(COMMAND_PRESS);
        want(COMMAND_RELEASE);
        want(COMMAND_REDO);
        frame(5);
        frame(0);
        frame(0);
        frame(0); /* it is not known yet */
        learn(changes);
        settle();
        assert_int_equal(source.palette[color][0], changes ? 10 : 70);
    }
}

#define TEST(function) cmocka_unit_test_setup(function, begin)

TEST_GROUP(main, "tools", NULL, NULL, TEST(keys_come_after_the_mouse),
           TEST(undo_comes_after_the_mouse), TEST(buttons_keep_their_places),
           TEST(strokes_end_with_the_button), TEST(boxes_have_depth),
           TEST(pastes_stand_on_the_face), TEST(what_is_selected_is_nudged),
           TEST(moves_leave_no_trace), TEST(what_is_selected_is_turned), TEST(ghosts_are_turned),
           TEST(mirrors_are_moved_by_hand), TEST(what_is_too_large_stays),
           TEST(lines_show_before_they_are_drawn), TEST(colours_are_undone_in_their_order),
           TEST(only_edits_forget_colours))
