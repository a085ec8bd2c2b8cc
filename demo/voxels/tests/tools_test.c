/* Tests the editor's tools: the order of commands and mouse picks, which arrive two frames late,
 * and the exact edits that result.
 * SPDX-License-Identifier: MIT */
#include "notes.h"
#include "window/events.h"

#define TEST(name) TEST_BETWEEN(name, begin, NULL)

/* A key waits for the result of earlier mouse input: G moves the new selection, not the old one. */
TEST(keys_come_after_the_mouse) {
    want(COMMAND_TOOL_SELECT);
    dragGround(5, 9);
    settle();
    assert_true(tools.selected && tools.low[0] == 5 && tools.high[0] == 9);
    want(COMMAND_PRESS);
    frame(20);
    WANT(COMMAND_RELEASE, COMMAND_MOVE);
    frame(30);
    settle();
    expectNotes("c");
    assert_int_equal(notes[0].edit.ax, 20);
    assert_int_equal(notes[0].edit.bx, 30);
    assert_true(tools.moving && tools.tool == TOOL_PASTE);
    want(COMMAND_CANCEL); /* repeated cancels are harmless */
    want(COMMAND_CANCEL);
    key(COMMAND_CANCEL);
    assert_false(tools.selected);
    tools.selected = true; /* but a hidden selection stays */
    want(COMMAND_TOOL_FIRST);
    key(COMMAND_CANCEL);
    assert_true(tools.selected);
}

/* In slow frames, events keep their order and positions. Each press, release and key applies to the
 * position that the mouse had. Later events wait for later frames. */
TEST(buttons_keep_their_places) {
    static const Event done[] = {
        {COMMAND_UNDO, 0, 0, 9, 9, false},
        {COMMAND_PRESS, 0, 0, 10, 20, false},
        {.wheel = 2},
        {COMMAND_SHAPE, 0, 0, 11, 21, false},
        {COMMAND_RELEASE, 0, 0, 30, 20, false},
        {.wheel = 1},
        {COMMAND_REDO, 0, 0, 50, 60, false},
        {COMMAND_PRESS, 0, 0, 5, 6, true},
        {COMMAND_RELEASE, 0, 0, 5, 6, false},
        {COMMAND_PRESS, 0, 0, 5, 6, false},
        {COMMAND_RELEASE, 0, 0, 5, 7, false},
        {COMMAND_MIRROR_HERE, 0, 0, 1, 2, false},
        {COMMAND_SHAPE, 0, 0, 3, 4, false},
        {COMMAND_COLOR_PICK, 0, 0, 5, 6, false},
        {COMMAND_PRESS, 0, 0, 5, 6, false},
        {COMMAND_FRAME_PICK, 0, 0, 5, 5, false},
    };
    static const struct {
        double x, y;
        uint32_t commands;
        Command last;
        float wheel;
        bool held, still, shift; /* Shift is down before each frame except the fourth */
    } expected[] = {{10, 20, 3, COMMAND_SHAPE, 2, true, true, false},
                    {30, 20, 1, COMMAND_RELEASE, 0, true, false, true},
                    {70, 80, 1, COMMAND_REDO, 1, false, false, true},
                    {5, 6, 2, COMMAND_RELEASE, 0, true, false, true},
                    {5, 6, 1, COMMAND_PRESS, 0, true, true, false},
                    {5, 7, 1, COMMAND_RELEASE, 0, true, false, true},
                    {1, 2, 2, COMMAND_SHAPE, 0, false, false, true},
                    {5, 6, 2, COMMAND_PRESS, 0, true, true, false},
                    {5, 5, 1, COMMAND_FRAME_PICK, 0, true, true, true},
                    {70, 80, 0, COMMAND_NONE, 0, true, true, true}};
    Events events = {0};
    for (size_t i = 0; i < sizeof done / sizeof *done; ++i) {
        eventsAdd(&events, &done[i]);
    }
    for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
        Input taken = {.shift = i != 3};
        double place[2] = {70, 80};
        eventsTake(&events, place, &taken);
        assert_true(place[0] == expected[i].x && place[1] == expected[i].y);
        assert_int_equal(taken.commandCount, expected[i].commands);
        if (taken.commandCount) {
            assert_int_equal(taken.commands[taken.commandCount - 1], expected[i].last);
        }
        assert_true(taken.wheel == expected[i].wheel && taken.held == expected[i].held);
        assert_int_equal(taken.shift, expected[i].shift);
        assert_int_equal(events.held, expected[i].still);
    }
}

TEST(releases_are_kept) {
    Events events = {0};
    for (uint32_t i = 0; i < 2 * INPUT_COMMANDS; ++i) { /* more than fit */
        eventsAdd(&events, &(Event){.command = COMMAND_PRESS});
    }
    eventsAdd(&events, &(Event){.command = COMMAND_RELEASE});
    Input taken = {0};
    eventsTake(&events, (double[2]){0}, &taken);
    assert_int_equal(taken.commandCount, INPUT_COMMANDS);
    assert_int_equal(taken.commands[INPUT_COMMANDS - 1], COMMAND_RELEASE);
    eventsAdd(&events, &(Event){.command = COMMAND_PRESS});
    for (int i = 0; i < 2; ++i) { /* the button stays down */
        taken = (Input){0};
        eventsTake(&events, (double[2]){0}, &taken);
        assert_true(taken.held);
    }
}

/* A box extends from the press to the release of the button. Later moves do not change it. */
TEST(strokes_end_with_the_button) {
    WANT(COMMAND_SHAPE, COMMAND_SHAPE);
    dragGround(5, 9);
    input.wheel = 3;
    frame(20);
    input.wheel = 0;
    settle();
    expectNotes("e");
    expectBox(&notes[0].edit, 5, 4, 7, 9, 4, 7);
    want(COMMAND_PRESS); /* a cancelled box is no edit */
    frame(5);
    want(COMMAND_CANCEL);
    frame(9);
    want(COMMAND_RELEASE);
    frame(20);
    settle();
    expectNotes("e");
}

/* Drags a box on a face of voxel 10, 20, 30. The mouse moves 3 and -2 voxels along the face, across
 * other voxels. The wheel turns twice by way / 2. Checks the box. */
static void dragBoxOn(Command tool, int axis, int32_t normal, int32_t way) {
    static const Pick other = {PICK_VOXEL, {40, 50, 45}, {1}, 0};
    const Pick face = voxelPick(10, 20, 30, axis, normal);
    const int b = (axis + 1) % 3;
    const int c = (axis + 2) % 3;
    float at[3] = {10.5f, 20.5f, 30.5f};
    int32_t low[3] = {10, 20, 30};
    int32_t high[3] = {10, 20, 30};
    at[axis] += (float)normal / 2;
    WANT(tool, COMMAND_PRESS);
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
    if (tool == COMMAND_TOOL_SELECT) {
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

/* The wheel sets a box's depth, so that one drag can hollow a room. */
TEST(boxes_have_depth) {
    static const Command boxTools[] = {COMMAND_TOOL_FIRST, COMMAND_TOOL_FIRST + 1,
                                       COMMAND_TOOL_FIRST + 2, COMMAND_TOOL_SELECT};
    for (uint32_t i = 0; i < 3; ++i) {
        source.origin[i] = i + 1;
    }
    WANT(COMMAND_SHAPE, COMMAND_SHAPE);
    for (uint32_t i = 0; i < 4 * 6; ++i) {
        dragBoxOn(boxTools[i % 4], (int)(i / 8), i & 4 ? 1 : -1, 3);
        dragBoxOn(boxTools[i % 4], (int)(i / 8), i & 4 ? 1 : -1, -5);
    }
}

/* J moves the active mirrors to a face, or to the middle of a voxel. Without a selection, arrow
 * keys move them by half a voxel. The source contains the mirrors, so they are saved. */
TEST(mirrors_are_moved_by_hand) {
    const Pick wall = voxelPick(10, 20, 30, 0, 1);
    const int32_t before = source.mirrorSum[1];
    source.mirrorSum[0] = source.mirrorSum[2] = 7;
    key(COMMAND_MIRROR_HERE); /* no mirror is active */
    assert_true(tools.words && source.mirrorSum[0] == 7);
    WANT(COMMAND_MIRROR_X, COMMAND_MIRROR_Z, COMMAND_MIRROR_HERE);
    frameOn(&wall, 11, 20.5f, 30.5f);
    settle();
    assert_int_equal(source.mirror, 5);
    assert_int_equal(source.mirrorSum[0], 22);
    assert_int_equal(source.mirrorSum[1], before);
    assert_int_equal(source.mirrorSum[2], 61);
    want(COMMAND_NUDGE_FIRST);     /* right */
    want(COMMAND_NUDGE_FIRST + 2); /* up: not active */
    key(COMMAND_NUDGE_FIRST + 5);  /* away */
    assert_true(source.mirrorSum[0] == 23 && source.mirrorSum[1] == before);
    assert_int_equal(source.mirrorSum[2], 60);
    source.mirrorSum[0] = 1;
    key(COMMAND_NUDGE_FIRST + 1); /* stays in the world */
    assert_int_equal(source.mirrorSum[0], 1);
    WANT(COMMAND_MIRROR_Y, COMMAND_PRESS, COMMAND_RELEASE);
    source.mirrorSum[0] = 8;
    source.mirrorSum[1] = 20;
    source.mirrorSum[2] = 31;
    frame(5);
    settle();
    assert_int_equal(noted, 8);
    expectBox(&notes[0].edit, 5, 4, 7, 5, 4, 7);
    expectBox(&notes[5].edit, 2, 15, 23, 2, 15, 23);
}

/* Mouse and wheel extrude a face along its normal by whole layers. No layer is no edit; a negative
 * number digs. */
TEST(faces_are_extruded) {
    static const Pick other = {PICK_VOXEL, {40, 50, 45}, {1}, 0};
    want(COMMAND_TOOL_LAST);
    for (int i = 0; i < 6 * 3; ++i) {
        const int axis = i / 6;
        const int32_t normal = i & 1 ? 1 : -1;
        const int32_t by = (const int32_t[]){5, 0, -3}[i / 2 % 3];
        const Pick face = voxelPick(10, 20, 30, axis, normal);
        float at[3] = {10.5f, 20.5f, 30.5f};
        int32_t expected[6] = {8, 18, 28, 5, 5, 5};
        noted = 0;
        at[axis] += (float)normal / 2;
        want(COMMAND_PRESS);
        input.held = true;
        frameOn(&face, at[0], at[1], at[2]);
        at[axis] += (float)(normal * (by - 2));
        input.wheel = 2;
        frameOn(&other, at[0], at[1], at[2]);
        input.wheel = 0;
        frameOn(&other, at[0], at[1], at[2]);
        frameOn(&other, at[0], at[1], at[2]);
        expectMeasure(10, 20, 30, axis == 0 ? abs(by) : 1, axis == 1 ? abs(by) : 1,
                      axis == 2 ? abs(by) : 1);
        findMarks((const int32_t[]){axis ? 8 : 10, axis == 1 ? 20 : 18, axis == 2 ? 30 : 28},
                  (const int32_t[]){axis ? 12 : 10, axis == 1 ? 20 : 22, axis == 2 ? 30 : 32});
        frameOn(&other, at[0], at[1], at[2]);
        frameOn(&other, at[0], at[1], at[2]);
        const int32_t middle = 10 * (axis + 1);
        expected[axis] = by == 0  ? middle
                         : by > 0 ? middle + (normal > 0 ? 1 : -by)
                                  : middle + (normal > 0 ? by + 1 : 0);
        expected[axis + 3] = abs(by);
        expectMeasure(expected[0], expected[1], expected[2], expected[3], expected[4], expected[5]);
        want(COMMAND_RELEASE);
        frameOn(&other, at[0], at[1], at[2]);
        input.held = false;
        settle();
        expectNotes(by ? "ee" : "e");
        assert_true(notes[0].edit.shape == MARK_FACE);
        assert_int_equal(notes[0].edit.turn, 2 * axis + (normal > 0));
        assert_true(!by || (notes[1].edit.tool == TOOL_EXTRUDE && notes[1].edit.ax == by));
        assert_true(!tools.selected && !tools.words);
    }
    noted = 0;
    want(COMMAND_PRESS);
    frameOn(&(Pick){PICK_PLANE, {0}, {0, 1}, 0}, 10, 0, 10);
    settle();
    expectNotes("");
    assert_true(tools.words && !tools.boxing);
}

/* Clicks on the ground at x and settles. */
static void clickGround(int32_t x) {
    WANT(COMMAND_PRESS, COMMAND_RELEASE);
    frame(x);
    settle();
}

/* While Shift is held, the preview is the line from the last edit, exactly as it will be drawn. */
TEST(lines_show_before_they_are_drawn) {
    View view = {0};
    tools.radius = 2;
    clickGround(25);
    for (int straight = 0; straight < 2; ++straight) {
        input.shift = straight;
        settle(); /* the mouse is at x = 0 */
        toolsShow(&tools, &world, &source, &view);
        assert_int_equal(view.preview.edit.ax, straight ? 25 : 0);
    }
    clickGround(0);
    expectNotes("ee");
    const Edit *line = &notes[1].edit;
    expectBox(line, 25, 4, 7, 0, 4, 7);
    assert_memory_equal(&view.preview.edit, line, sizeof *line);
    assert_memory_equal(&view.preview.low, &((Int4){-2, 2, 5, 0}), sizeof(Int4));
    assert_memory_equal(&view.preview.high, &((Int4){27, 6, 9, 0}), sizeof(Int4));
    assert_true(view.preview.color.w > 0);
}

/* An undo right after a click undoes this click. Press and release in one frame are a click. */
TEST(undo_comes_after_the_mouse) {
    WANT(COMMAND_TOOL_FIRST, COMMAND_PRESS, COMMAND_RELEASE, COMMAND_UNDO);
    frame(5);
    settle();
    expectNotes("eu");
    assert_int_equal(notes[0].edit.ax, 5);
    assert_int_equal(notes[0].edit.ay, 4);
}

static void setRed(uint8_t level, bool goesOn) {
    toolsWant(&tools, &(Wanted){COMMAND_CHANNEL, 0, level, goesOn});
}

/* A colour changes before the result of an edit is known. The edit changed nothing. A later edit is
 * undone before the colour and redone after it. */
TEST(colours_are_undone_in_their_order) {
    const uint32_t color = tools.color;
    source.set.palette[color][0] = 10;
    WANT(COMMAND_PRESS, COMMAND_RELEASE);
    setRed(70, false);
    frame(5);
    setRed(80, true);
    frame(0);
    frame(0);
    frame(0);
    assert_int_equal(source.set.palette[color][0], 80);
    learn(false); /* the edit changed nothing */
    clickGround(6);
    expectNotes("ee");
    key(COMMAND_UNDO);
    expectNotes("eeu");
    assert_int_equal(source.set.palette[color][0], 80);
    key(COMMAND_UNDO);
    expectNotes("eeu");
    assert_int_equal(source.set.palette[color][0], 10);
    key(COMMAND_REDO);
    expectNotes("eeu");
    assert_int_equal(source.set.palette[color][0], 80);
    key(COMMAND_REDO);
    expectNotes("eeur");
    setRed(90, false);
    settle();
    setRed(95, false); /* a new drag of the bar: another change */
    settle();
    for (int i = 0; i < 4; ++i) { /* two drags, the edit, the first colour */
        key(COMMAND_UNDO);
        assert_int_equal(source.set.palette[color][0], i ? i < 3 ? 80 : 10 : 90);
        expectNotes(i < 2 ? "eeur" : "eeuru");
    }
    key(COMMAND_REDO);
    expectNotes("eeuru");
    key(COMMAND_REDO);
    expectNotes("eeurur");
    assert_int_equal(source.set.palette[color][0], 80);
}

/* Only an edit that changes something drops the redo records. */
TEST(only_edits_forget_colours) {
    const uint32_t color = tools.color;
    for (int changes = 0; changes < 2; ++changes) {
        source.set.palette[color][0] = 10;
        setRed(70, false);
        settle();
        key(COMMAND_UNDO);
        assert_int_equal(source.set.palette[color][0], 10);
        WANT(COMMAND_PRESS, COMMAND_RELEASE, COMMAND_REDO);
        frame(5);
        frame(0);
        frame(0);
        frame(0); /* not yet known */
        learn(changes);
        settle();
        assert_int_equal(source.set.palette[color][0], changes ? 10 : 70);
    }
}
