/* The editor's commands, without a window: the view, the panels, what is asked before work is lost.
 *
 * SPDX-License-Identifier: MIT */
#include "window/editor_internal.h"
#include "notes.h"

#include <string.h>

static Editor editor;
static bool forgotten; /* the work that was not saved */

void documentForget(Document *document) {
    forgotten = true;
}

float editorAspect(const Editor *e) {
    return 1.5f;
}

/* With what there is to see in a box. */
static int open(void **state) {
    static const uint32_t low[3] = {100, 200, 300};
    static const uint32_t high[3] = {180, 230, 340};
    memset(&editor, 0, sizeof editor);
    editor.camera.halfHeight = 0.45f;
    memcpy(editor.low, low, sizeof low);
    memcpy(editor.high, high, sizeof high);
    toolsStart(&editor.tools, &editor.source);
    return 0;
}

/* From the front, the back, the right, the left, above, below: outside of the box, towards it. */
static void views_are_along_axes(void **state) {
    static const int axes[6] = {2, 2, 0, 0, 1, 1};
    for (uint32_t i = 0; i < 6; ++i) {
        const int axis = axes[i];
        editorCommand(&editor, COMMAND_SIDE_FIRST + i);
        const double at = editor.camera.position[axis];
        const float forward = cameraAxes(&editor.camera).forward[axis];
        assert_true(i % 2 ? at < editor.low[axis] : at > editor.high[axis]);
        assert_true(i % 2 ? forward > 0.99f : forward < -0.99f);
    }
}

/* The view turns about what was under the mouse when the button went down. */
static void views_turn_about_one_place(void **state) {
    static const Drag drags[] = {DRAG_NONE, DRAG_ORBIT, DRAG_ORBIT, DRAG_PAN, DRAG_NONE, DRAG_NONE};
    for (int i = 0; i < 6; ++i) { /* the last frame knows that the button is up */
        editor.tools.pick = voxelPick(i < 2 ? 110 : 170, 210, 310, 1, 1);
        editor.input.drag = drags[i];
        editorMoveView(&editor);
        const double right[3] = {i < 5 ? 110.5 : 170.5, 210.5, 310.5};
        assert_memory_equal(editor.pivot, right, sizeof right);
    }
}

/* The right mouse goes around a model, but stands in a landscape; with Ctrl it does the other. */
static void the_right_mouse_orbits_models(void **state) {
    editor.pivot[0] = 30;
    for (int i = 0; i < 4; ++i) {
        editor.source.isTerrain = i & 1;
        editor.input = (Input){.drag = DRAG_LOOK, .turn = {0.1f, 0.1f}, .control = i >> 1};
        const Camera before = editor.camera;
        editorMoveView(&editor);
        assert_true(editor.camera.yaw != before.yaw && editor.camera.pitch != before.pitch);
        assert_int_equal(editor.camera.position[0] != before.position[0], i == 0 || i == 3);
    }
}

/* Walls take strokes in an empty world, while they are drawn. */
static void walls_go_with_the_panels(void **state) {
    for (int empty = 0; empty < 2; ++empty) {
        editor.source.isEmpty = empty;
        toolsStart(&editor.tools, &editor.source);
        for (int i = 0; i < 4; ++i) {
            assert_int_equal(editor.hud.hidden, i % 2);
            assert_int_equal(editor.tools.room.walls, empty && i % 2 == 0);
            editorCommand(&editor, COMMAND_PANELS);
        }
    }
}

/* A view counts from its base, and mirrors in halves of a voxel. */
static void mirrors_are_drawn_where_they_are(void **state) {
    static const int32_t low[3] = {101, 203, 305};
    static const int32_t high[3] = {117, 219, 321};
    static const int32_t sums[3] = {219, 421, 628};
    View view = {.base = {64, 128, 256, 0}};
    viewRoom(&view, low, high, false, 5, sums);
    const float found[10] = {view.roomLow.x,  view.roomLow.y,  view.roomLow.z, view.roomHigh.x,
                             view.roomHigh.y, view.roomHigh.z, view.mirror.x,  view.mirror.y,
                             view.mirror.z,   view.mirror.w};
    const float right[10] = {37, 75, 49, 53, 91, 65, 45.5f, 82.5f, 58, 5};
    assert_memory_equal(found, right, sizeof right);
    assert_int_equal(view.flags & VIEW_ROOM, 0);
    viewRoom(&view, low, high, true, 0, sums);
    assert_true(view.flags & VIEW_ROOM && view.mirror.w == 0);
}

/* What follows from yes, no and Esc. */
static void answers_are_obeyed(void **state) {
    static const Asked wishes[] = {ASKED_LEAVE, ASKED_OPEN};
    static const Command answers[] = {COMMAND_CONFIRM, COMMAND_REFUSE, COMMAND_CANCEL};
    for (int i = 0; i < 6; ++i) {
        const Asked wish = wishes[i / 3];
        editor.leaves = editor.opens = editor.save = forgotten = false;
        editor.document.unsaved = true;
        editorWish(&editor, wish);
        assert_true(editor.asked == wish && editor.hud.question[0]);
        editorCommand(&editor, COMMAND_DELETE); /* is no answer */
        assert_true(editor.asked == wish && editor.tools.now.wantedCount == 0);
        editorCommand(&editor, answers[i % 3]);
        assert_true(!editor.asked && !editor.hud.question[0]);
        assert_int_equal(editor.leaves, wish == ASKED_LEAVE && i % 3 < 2);
        assert_int_equal(editor.opens, wish == ASKED_OPEN && i % 3 < 2);
        assert_int_equal(editor.save, i % 3 == 0);
        assert_int_equal(forgotten, i % 3 == 1);
    }
    editor.leaves = editor.opens = editor.document.unsaved = false;
    editorWish(&editor, ASKED_LEAVE); /* nothing is lost */
    assert_true(editor.leaves && !editor.asked && !editor.opens && !editor.save);
}

#define TEST(function) cmocka_unit_test_setup(function, open)

TEST_GROUP(main, "editor", NULL, NULL, TEST(views_are_along_axes), TEST(views_turn_about_one_place),
           TEST(the_right_mouse_orbits_models), TEST(walls_go_with_the_panels),
           TEST(mirrors_are_drawn_where_they_are), TEST(answers_are_obeyed))
