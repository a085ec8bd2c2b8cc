/* Tests the selection: the user copies, pastes, moves and turns boxes and marked voxels. The edits
 * must be exactly as expected.
 * SPDX-License-Identifier: MIT */
#include "notes.h"

#include <string.h>

#define TEST(name) TEST_BETWEEN(name, begin, NULL)

/* Run frames until the mouse is known to be on the middle of this face. click also clicks. */
static void point(const Pick *pick) {
    for (int f = 0; f < 3; ++f) {
        frameOn(pick, (float)pick->at[0] + 0.5f + 0.5f * (float)pick->normal[0],
                (float)pick->at[1] + 0.5f + 0.5f * (float)pick->normal[1],
                (float)pick->at[2] + 0.5f + 0.5f * (float)pick->normal[2]);
    }
}

static void click(const Pick *pick) {
    WANT(COMMAND_PRESS, COMMAND_RELEASE);
    point(pick);
}

/* A box of 2 x 4 x 5 voxels. */
static const int32_t boxLow[3] = {20, 30, 40}, boxHigh[3] = {21, 33, 44};

static void selectBox(void) {
    tools.selected = true;
    tools.moved = 0;
    memcpy(tools.low, boxLow, sizeof boxLow);
    memcpy(tools.high, boxHigh, sizeof boxHigh);
    want(COMMAND_TOOL_SELECT);
}

/* Checks the selection that the window shows. */
static void expectSelected(int32_t ax, int32_t ay, int32_t az, int32_t bx, int32_t by, int32_t bz) {
    View view = {0};
    toolsShow(&tools, &world, &source, &view);
    assert_true(tools.selected);
    assert_int_equal(view.preview.edit.flags, tools.marked && !tools.moved ? EDIT_MARKED : 0);
    assert_memory_equal(&view.preview.low, &((Int4){ax, ay, az, 0}), sizeof(Int4));
    assert_memory_equal(&view.preview.high, &((Int4){bx, by, bz, 0}), sizeof(Int4));
}

/* A paste touches the face under the mouse, moved by nudges. Its preview, the ghost, shows it. */
TEST(pastes_stand_on_the_face) {
    static const int32_t lows[6][3] = {{8, 20, 28}, {11, 20, 28}, {9, 16, 28},
                                       {9, 21, 28}, {9, 20, 25},  {9, 20, 31}};
    selectBox();
    want(COMMAND_COPY);
    key(COMMAND_TOOL_SELECT - 1);
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
        point(&face);
        const int32_t at[3] = {low[0] + nudged, low[1] + 2 * nudged, low[2]};
        expectMeasure(at[0], at[1], at[2], 2, 4, 5);
        toolsShow(&tools, &world, &source, &view);
        expectBox(&view.preview.edit, at[0], at[1], at[2], at[0] + 1, at[1] + 3, at[2] + 4);
        assert_int_equal(view.preview.edit.tool, TOOL_PASTE);
        click(&face);
        settle();
        expectNotes("e");
        expectBox(&notes[0].edit, at[0], at[1], at[2], at[0] + 1, at[1] + 3, at[2] + 4);
    }
    const Pick face = voxelPick(10, 20, 30, 1, 1);
    want(COMMAND_NUDGE_FIRST);
    click(&face);
    want(COMMAND_NUDGE_FIRST);
    want(COMMAND_TOOL_SELECT - 1); /* drops the nudges */
    point(&face);
    expectMeasure(9, 21, 28, 2, 4, 5);
    noted = 0;
    world.flood.runs = true; /* a waiting paste is no move */
    click(&face);
    want(COMMAND_TOOL_SELECT);
    key(COMMAND_NUDGE_FIRST);
    world.flood.runs = false;
    settle();
    expectNotes("ecee");
    expectBox(&notes[0].edit, 9, 21, 28, 10, 24, 32);
}

static void expectStroke(uint32_t first, uint32_t count) {
    for (uint32_t i = first + 1; i < first + count; ++i) {
        assert_int_equal(notes[i].stroke, notes[first].stroke);
    }
}

/* A nudge moves the selection by one voxel or by eight, along the world's axis that is nearest to
 * the key's direction in the picture. It is one undo. */
TEST(what_is_selected_is_nudged) {
    static const int32_t ways[3][4][3] = {{{1, 0, 0}, {0, 0, -1}, {-1, 0, 0}, {0, 0, 1}},
                                          {{0, 1, 0}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0}},
                                          {{0, 0, 1}, {1, 0, 0}, {0, 0, -1}, {-1, 0, 0}}};
    for (uint32_t i = 0; i < 6 * 4 * 2; ++i) {
        const int32_t *way = ways[i / 16][i / 2 % 4];
        const int32_t by = (i & 1 ? 8 : 1) * (i & 8 ? -1 : 1);
        camera.yaw = 90.0f * (float)(i / 2 % 4) + (i & 1 ? 30 : -360 - 30);
        input.shift = i & 1;
        noted = 0;
        selectBox();
        key(COMMAND_NUDGE_FIRST + i / 8);
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

/* A move first undoes the previous move. Voxels between are then restored, and both moves are one
 * undo. This does not happen if another action or an undo came between. */
TEST(moves_leave_no_trace) {
    selectBox();
    key(COMMAND_NUDGE_FIRST);
    want(COMMAND_NUDGE_FIRST + 3);
    want(COMMAND_NUDGE_FIRST + 2); /* waiting moves become one */
    key(COMMAND_NUDGE_FIRST + 2);
    expectNotes("ceeuee");
    expectStroke(4, 2);
    expectBox(&notes[4].edit, 20, 30, 40, 21, 33, 44); /* moves from the first position */
    expectBox(&notes[5].edit, 21, 31, 40, 22, 34, 44);
    key(COMMAND_UNDO);
    expectSelected(20, 30, 40, 21, 33, 44);
    noted = 0;
    WANT(COMMAND_NUDGE_FIRST, COMMAND_TOOL_FIRST, COMMAND_PRESS, COMMAND_RELEASE,
         COMMAND_TOOL_SELECT);
    key(COMMAND_NUDGE_FIRST);
    expectNotes("ceeecee");
    expectBox(&notes[5].edit, 21, 30, 40, 22, 33, 44);
    expectBox(&notes[6].edit, 22, 30, 40, 23, 33, 44);
    noted = 0;
    key(COMMAND_DELETE); /* at the present position */
    expectNotes("ue");
    expectBox(&notes[1].edit, 21, 30, 40, 22, 33, 44);
    expectSelected(22, 30, 40, 23, 33, 44);
    noted = 0;
    key(COMMAND_NUDGE_FIRST);
    source.set.palette[tools.color][0] = 10; /* a colour is another action */
    toolsWant(&tools, &(Wanted){.command = COMMAND_CHANNEL, .level = 70});
    key(COMMAND_UNDO);
    expectNotes("cee");
    assert_int_equal(source.set.palette[tools.color][0], 10);
    key(COMMAND_NUDGE_FIRST);
    world.history.next -= 2; /* so is a move that changed nothing */
    world.history.newest = world.history.next;
    key(COMMAND_NUDGE_FIRST);
    expectNotes("ceeceeee");
    world.store.options.undoBytes = 0; /* no undo */
    noted = 0;
    key(COMMAND_NUDGE_FIRST);
    expectNotes("cee");
    expectBox(&notes[1].edit, 25, 30, 40, 26, 33, 44);
}

/* Turns the selection about the world's axes next to the vertical, the direction of view and the
 * third axis, and flips it along each. It turns about its middle and keeps its lowest level. Each
 * turn or flip is one undo. */
TEST(what_is_selected_is_turned) {
    static const int axes[4][3] = {{0, 1, 2}, {2, 1, 0}, {0, 1, 2}, {2, 1, 0}};
    static const bool backs[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}};
    static const int32_t boxes[3][6] = {/* turned about x, y, z */
                                        {20, 30, 40, 21, 34, 43},
                                        {19, 30, 41, 23, 33, 42},
                                        {19, 30, 40, 22, 31, 44}};
    for (uint32_t i = 0; i < 4 * 6; ++i) {
        const uint32_t quarter = i / 6;
        const uint32_t about = i % 3;
        const int axis = axes[quarter][about];
        const bool flips = i % 6 > 2;
        const int32_t *box = boxes[axis];
        uint32_t turn = flips ? editFlipped(0, axis) : editTurned(0, axis);
        turn = backs[quarter][about] && !flips ? editTurned(editTurned(turn, axis), axis) : turn;
        camera.yaw = 90.0f * (float)quarter + 20;
        noted = 0;
        selectBox();
        key((flips ? COMMAND_FLIP_FIRST : COMMAND_TURN_FIRST) + about);
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
        key(COMMAND_DUPLICATE); /* keeps the turn */
        assert_int_equal(tools.turn, turn);
        expectNotes("cee");
    }
    noted = 0;
    selectBox();
    for (int i = 0; i < 4; ++i) {
        key(COMMAND_TURN_FIRST + 1);
    }
    assert_int_equal(notes[noted - 1].edit.turn, 0);
    expectSelected(20, 30, 40, 21, 33, 44); /* the first box */
}

/* A ghost can be turned before it is placed. It touches the face in each orientation. With mirrors,
 * a paste has mirror images, but a move has none. */
TEST(ghosts_are_turned) {
    const Pick wall = voxelPick(10, 20, 30, 0, -1);
    selectBox();
    WANT(COMMAND_MOVE, COMMAND_TURN_FIRST, COMMAND_FLIP_FIRST + 1, COMMAND_TURN_FIRST + 2);
    const uint32_t turn = editTurned(editFlipped(editTurned(0, 0), 1), 2);
    point(&wall);
    expectMeasure(5, 20, 28, 5, 2, 4);
    source.mirror = 1;
    source.mirrorSum[0] = 9;
    for (int copies = 0; copies < 2; ++copies) {
        View view = {0};
        point(&wall);
        toolsShow(&tools, &world, &source, &view);
        assert_int_equal(view.preview.edit.turn, turn);
        noted = 0;
        click(&wall);
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
        key(COMMAND_MOVE); /* another tool ends the move */
        key(COMMAND_TOOL_SELECT - 1);
    }
}

/* A click marks touching voxels, a face or a colour. Copy, dig and move apply to the marked voxels
 * and not to their box. Keys wait until the marks are known. */
TEST(what_is_marked_is_selected) {
    static const uint32_t kinds[] = {MARK_TOUCH, MARK_FACE, MARK_COLOR, MARK_SAME};
    Pick pick = voxelPick(20, 31, 42, 2, 1);
    pick.color = 7;
    want(COMMAND_TOOL_SELECT);
    for (uint32_t i = 0; i < 4; ++i) {
        noted = 0;
        click(&pick);
        expectNotes("e");
        const Edit *mark = &notes[0].edit;
        assert_true(mark->tool == TOOL_MARK && mark->shape == kinds[i] && mark->turn == 5);
        assert_int_equal(mark->colors, 7);
        expectBox(mark, 20, 31, 42, 20, 31, 42);
        key(COMMAND_NUDGE_FIRST);
        assert_int_equal(noted, 1);
        View view = {0};
        toolsShow(&tools, &world, &source, &view);
        assert_int_equal(view.preview.low.y, view.preview.high.y); /* not yet known */
        findMarks(boxLow, boxHigh);
        settle();
        key(COMMAND_NUDGE_FIRST);
        expectNotes("emeeuee");
        assert_true(notes[2].edit.tool == TOOL_DIG && notes[2].edit.flags == EDIT_MARKED);
        assert_true(notes[5].edit.tool == TOOL_DIG && notes[5].edit.flags == EDIT_MARKED);
        expectBox(&notes[6].edit, 22, 30, 40, 23, 33, 44);
        expectSelected(22, 30, 40, 23, 33, 44);
        key(COMMAND_UNDO); /* restores the marks */
        expectSelected(20, 30, 40, 21, 33, 44);
        want(COMMAND_SHAPE);
    }
    click(&pick);
    want(COMMAND_TURN_FIRST); /* waiting edits keep their order */
    want(COMMAND_TURN_FIRST + 1);
    settle();
    findMarks(boxLow, boxHigh);
    settle();
    assert_int_equal(notes[noted - 1].edit.turn, editTurned(editTurned(0, 0), 1));
}

/* A box, new marks, changes of the marked voxels, or a click on nothing end a marked selection. */
TEST(what_was_marked_ends) {
    static const int32_t none[3] = {0};
    const Pick pick = voxelPick(20, 31, 42, 2, 1);
    want(COMMAND_TOOL_SELECT);
    tools.marked = true;
    dragGround(5, 9);
    settle();
    noted = 0;
    key(COMMAND_DELETE);
    expectNotes("e");
    assert_int_equal(notes[0].edit.flags, 0);
    const Pick ground = {PICK_PLANE, {0, -1}, {0, 1}, 0};
    for (uint32_t i = 0; i < 5; ++i) { /* ways to end it */
        want(COMMAND_TOOL_SELECT);
        click(&pick);
        findMarks(i < 4 ? boxLow : none, i < 4 ? boxHigh : none);
        settle();
        assert_int_equal(tools.selected, i < 4);
        if (i == 0) {
            click(&ground);
        } else if (i == 1) {
            want(COMMAND_UNDO);
        } else if (i == 2) { /* a colour does not end it */
            tools.color = 77;
            key(COMMAND_FILL);
            assert_int_equal(notes[noted - 1].edit.tool, TOOL_PAINT);
            assert_int_equal(notes[noted - 1].edit.flags, EDIT_MARKED);
            assert_int_equal(notes[noted - 1].edit.colors & 255, 77);
            assert_true(tools.selected);
            click(&ground);
        } else { /* an edit after a move */
            key(COMMAND_NUDGE_FIRST);
            want(COMMAND_TOOL_FIRST);
            click(&pick);
        }
        settle();
        assert_false(tools.selected);
    }
}

/* A duplicate is pasted like a move, but the original stays. A click on nothing ends it. */
TEST(doubles_are_pasted) {
    const Pick ground = voxelPick(5, 3, 7, 1, 1);
    selectBox();
    want(COMMAND_DUPLICATE);
    click(&ground);
    settle();
    expectNotes("ce");
    expectBox(&notes[1].edit, 4, 4, 5, 5, 7, 9);
    for (int i = 0; i < 2; ++i) {
        want(i ? COMMAND_TOOL_SELECT : COMMAND_TOOL_FIRST);
        selectBox();
        want(i ? COMMAND_TOOL_SELECT : COMMAND_TOOL_FIRST);
        click(&(Pick){0});
        assert_true(tools.selected != i && (tools.words != NULL) != i);
    }
}

/* A selection that is too large to copy is not erased. Without a selection, nothing is erased. */
TEST(what_is_too_large_stays) {
    static const Command commands[] = {COMMAND_NUDGE_FIRST, COMMAND_CUT, COMMAND_MOVE,
                                       COMMAND_DUPLICATE, COMMAND_COPY};
    for (uint32_t i = 0; i < 10; ++i) {
        selectBox();
        tools.high[0] = 200;
        tools.selected = i & 1;
        tools.words = NULL;
        key(commands[i / 2]);
        expectNotes("");
        assert_true(tools.words && tools.tool == TOOL_SELECT && tools.high[0] == 200);
    }
    tools.selected = true;
    key(COMMAND_DELETE);
    expectNotes("e");
}
