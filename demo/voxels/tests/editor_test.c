/* Tests the editor's commands without a window: view, panels, questions before work is lost.
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "window/editor_internal.h"
#include "model/output.h"
#include "notes.h"

#include <string.h>

static Editor editor;
static bool forgotten;        /* true if the editor discarded unsaved work */
static DocumentAnswer answer; /* result that documentSave returns */
static bool readable;         /* whether the world can be opened */
static int lockThen;          /* lock of the document when it was opened */
static char happened[64];     /* one letter per call of a replaced function */

/* Replacements of functions that need a device or a disk. They do nothing and report success. */
#define IDLE(name, ...)      \
    void name(__VA_ARGS__) { \
    }
IDLE(outputClose, Output *output)
IDLE(sourceClose, Source *from)
IDLE(editorStart, Editor *e)
IDLE(editorDocument, Editor *e)
IDLE(editorTitle, Editor *e)
IDLE(pictureDestroy, Gpu *gpu, Picture *picture)
#define WELL(name, ...)      \
    bool name(__VA_ARGS__) { \
        return true;         \
    }
WELL(outputOpen, const char *path, Output *output)
WELL(outputKeep, Output *output)
WELL(editorOpenWorld, Editor *e)
WELL(buildExport, World *w, const Source *from, FILE *file, const char *path)
WELL(documentWrite, const char *path, World *w, const Source *from, DocumentWriter *write)
WELL(tracerPicture, Tracer *tracer, const WorldRef *ref, const View *view, uint32_t frames,
     Picture *picture)
WELL(pngWrite, FILE *file, uint8_t *pixels, uint32_t width, uint32_t height, bool alpha)
WELL(outputFailed, const char *path)

const char *windowClipboard(Window *window) {
    return "#12aB9f\nmore";
}

void documentForget(Document *document) {
    forgotten = true;
}

static void happens(const char *what) {
    assert_true(strlen(happened) + strlen(what) < sizeof happened);
    strcat(happened, what);
}

DocumentAnswer documentSave(Document *document, const char *as, DocumentAnswer sure, World *w,
                            const Source *from) {
    happens("s");
    assert_int_equal(sure, DOCUMENT_CHANGED);
    return answer;
}

void documentFreeName(const Document *document, const char *ending, char path[DOCUMENT_PATH]) {
    happens((const char[]){ending[1], '\0'});
}

void documentOpen(Document *document, const SourceOptions *from, const char *wanted,
                  const Document *before, double every) {
    *document = (Document){.lock = lockThen};
}

void documentClose(Document *document) {
    happens((const char[]){(char)('0' + document->lock), '\0'});
}

void documentChanged(Document *document) {
    happens("c");
}

bool documentWait(Document *document, World *w, const Source *from, double seconds) {
    happens("w"); /* for the autosave */
    return true;
}

bool sourceOpen(const SourceOptions *options, Source *from) {
    happens(readable ? "o" : "");
    return readable;
}

static VKAPI_ATTR VkResult VKAPI_CALL wait(VkDevice device) {
    return VK_SUCCESS;
}

void lightForget(Light *light) {
    happens("l");
}

float editorAspect(const Editor *e) {
    return 1.5f;
}

/* Opens an editor with this box of visible voxels. */
static int open(void **state) {
    static const uint32_t low[3] = {100, 200, 300};
    static const uint32_t high[3] = {180, 230, 340};
    static const Settings settings;
    memset(&editor, 0, sizeof editor);
    editor.settings = &settings;
    editor.world = &world;
    vkDeviceWaitIdle = wait;
    (void)unsetenv("XDG_STATE_HOME"); /* no file is remembered */
    (void)unsetenv("HOME");
    editor.camera.halfHeight = 0.45f;
    memcpy(editor.low, low, sizeof low);
    memcpy(editor.high, high, sizeof high);
    toolsStart(&editor.tools, &editor.source);
    return 0;
}

#define TEST(name) TEST_BETWEEN(name, open, NULL)

/* Views from the front, back, right, left, above and below are outside of the box and face it. */
TEST(views_are_along_axes) {
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

/* The view turns about the voxel that was under the mouse when the button was pressed. */
TEST(views_turn_about_one_place) {
    static const Drag drags[] = {DRAG_NONE, DRAG_ORBIT, DRAG_ORBIT, DRAG_PAN, DRAG_NONE, DRAG_NONE};
    for (int i = 0; i < 6; ++i) { /* the button is released in the last frame */
        editor.tools.pick = voxelPick(i < 2 ? 110 : 170, 210, 310, 1, 1);
        editor.input.drag = drags[i];
        editorMoveView(&editor);
        const double right[3] = {i < 5 ? 110.5 : 170.5, 210.5, 310.5};
        assert_memory_equal(editor.pivot, right, sizeof right);
    }
}

/* After framing, the view turns about the framed object. */
TEST(what_is_framed_is_turned) {
    for (int i = 0; i < 2; ++i) {
        editor.tools.pick = voxelPick(150, 225, 330, 1, 1);
        editorCommand(&editor, i ? COMMAND_FRAME_PICK : COMMAND_SHOW_ALL);
        const double right[3] = {i ? 150 : 140, i ? 225 : 215, i ? 330 : 320};
        assert_memory_equal(editor.pivot, right, sizeof right);
        const CameraAxes axes = cameraAxes(&editor.camera);
        const double away = editor.camera.position[2] - right[2];
        assert_true(axes.forward[2] < 0 && (i ? away < 60 : away > 60));
    }
}

/* Panning moves the camera parallel to the picture. Commands change the size of letters. */
TEST(the_picture_is_moved) {
    editor.camera.position[2] = 100;
    editor.input = (Input){.drag = DRAG_PAN, .turn = {0.1f, 0.1f}};
    editorMoveView(&editor);
    const double *at = editor.camera.position;
    assert_true(at[0] < -1 && at[1] > 1 && at[2] == 100 && editor.camera.yaw == 0);
    editorCommand(&editor, COMMAND_TEXT_LARGER);
    assert_true(editor.hud.zoom > 1);
    editorCommand(&editor, COMMAND_TEXT_SMALLER);
    editorCommand(&editor, COMMAND_TEXT_SMALLER);
    assert_true(editor.hud.zoom < 1);
}

/* In a dialog, keys do not move the camera. The wheel scrolls, zooms, or changes brush or box. */
TEST(dialogs_take_keys_and_wheel) {
    editor.input = (Input){.seconds = 0.05, .move = {1}};
    for (int i = 0; i < 2; ++i) {
        const Camera before = editor.camera;
        editor.hud.asked = i ? ASKED_NOTHING : ASKED_NAME;
        editorMoveView(&editor);
        assert_int_equal(editor.camera.position[2] != before.position[2], i);
    }
    dialogAsk(&editor.hud.dialog, "", "");
    dialogAdd(&editor.hud.dialog, "a");
    dialogAdd(&editor.hud.dialog, "b");
    editor.pivot[0] = 100;
    for (int i = 0; i < 5; ++i) {
        const Camera before = editor.camera;
        editor.input = (Input){.wheel = i ? 1 : -1, .control = i == 2, .held = i == 3};
        editorMoveView(&editor);
        assert_int_equal(editor.hud.dialog.chosen, i == 0);
        assert_int_equal(memcmp(&editor.camera, &before, sizeof before) != 0, i == 4);
        if (i == 1) {
            dialogClose(&editor.hud.dialog);
        }
    }
}

/* Moves the mouse to the middle of a row of the only panel, at this fraction of its width. */
static void pointAt(uint32_t row, float part) {
    const Text *text = &editor.text;
    const TextPanel *panel = text->panels;
    const float wide = (float)(panel->columns * text->cellWidth) / (float)text->width;
    const float high = (float)text->cellHeight / (float)text->height;
    editor.input.cursor[0] = panel->left * (1 - wide) + part * wide;
    editor.input.cursor[1] = panel->top * (1 - high * (float)panel->rows) +
                             ((float)row + 0.5f) * high;
}

/* A press reaches the world only if no question is open and the mouse does not turn the view. A
 * colour bar keeps the mouse until the release. A press on a row of a list answers the dialog. */
TEST(buttons_are_of_what_they_went_down_on) {
    const Tools *hands = &editor.tools;
    for (int i = 0; i < 3; ++i) {
        editor.hud.asked = i == 0 ? ASKED_LEAVE : ASKED_NOTHING;
        editor.input.drag = i == 1 ? DRAG_LOOK : DRAG_NONE;
        editorCommand(&editor, COMMAND_PRESS);
        assert_int_equal(hands->now.wantedCount, i == 2);
    }
    editor.hud.asked = ASKED_LEAVE;
    editorCommand(&editor, COMMAND_RELEASE); /* must reach the world, to end a stroke */
    assert_int_equal(hands->now.wantedCount, 2);
    editor.hud.asked = ASKED_NOTHING;
    Text *text = &editor.text;
    text->host = calloc(TEXT_CELLS, sizeof *text->host);
    editor.swapchain.width = 640;
    editor.swapchain.height = 480;
    textBegin(text, 640, 480, 1);
    textPanel(text, 20, 2, 0.5f, 0.5f);
    for (uint32_t row = 0; row < 2; ++row) {
        editor.hud.areas[editor.hud.areaCount++] = (HudArea){0,   row, 0, 20, COMMAND_CHANNEL,
                                                             row, 0};
    }
    pointAt(0, 0.5f);
    editorCommand(&editor, COMMAND_PRESS);
    editor.input.held = true;
    pointAt(1, 0.5f);
    editorPanels(&editor);
    assert_int_equal(hands->now.wantedCount, 3);
    pointAt(0, 0.9f);
    editorPanels(&editor);
    assert_int_equal(hands->now.wantedCount, 4);
    const Wanted *last = &hands->now.wanted[3];
    assert_true(last->goesOn && last->value == 0 && last->level > 220 && last->level < 255);
    hudAskText(&editor.hud, ASKED_FILE, "", "");
    editor.hud.asks = HUD_ASKS_FILE;
    dialogAdd(&editor.hud.dialog, "a.world");
    textBegin(text, 640, 480, 1);
    dialogWrite(&editor.hud.dialog, text, "keys");
    pointAt(editor.hud.dialog.top, 0.5f);
    editor.working = 1;
    editorCommand(&editor, COMMAND_PRESS);
    assert_true(!editor.hud.asked && !editor.hud.dialog.open && editor.pending == ASKED_OPEN);
    assert_string_equal(editor.next.load, "a.world");
    free(text->host);
}

/* Ctrl+V inserts the first line of the clipboard into a dialog. */
TEST(colours_are_pasted) {
    editorCommand(&editor, COMMAND_COLOR_TYPE);
    editorCommand(&editor, COMMAND_PASTE);
    editorCommand(&editor, COMMAND_TOOL_FIRST + TOOL_PASTE); /* its key is a digit of the text */
    assert_string_equal(dialogAnswer(&editor.hud.dialog), "#12aB9f");
    editorCommand(&editor, COMMAND_CONFIRM);
    assert_int_equal(editor.tools.now.wanted[0].level, 0x12AB9F);
}

/* The right button turns the camera about a model, but in place in landscapes. Ctrl swaps both. */
TEST(the_right_mouse_orbits_models) {
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

/* In an empty world, strokes can hit the walls of the world's box while these are visible. */
TEST(walls_go_with_the_panels) {
    for (uint32_t empty = 0; empty < 2; ++empty) {
        editor.source.box = empty;
        toolsStart(&editor.tools, &editor.source);
        for (int i = 0; i < 4; ++i) {
            assert_int_equal(editor.hud.hidden, i % 2);
            assert_int_equal(editor.tools.room.walls, empty && i % 2 == 0);
            editorCommand(&editor, COMMAND_PANELS);
        }
    }
}

/* Coordinates in a view are relative to its base. Mirrors are given in halves of a voxel. */
TEST(mirrors_are_drawn_where_they_are) {
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

/* Tests the effects of the answers yes, no and Esc. */
TEST(answers_are_obeyed) {
    static const Asked wishes[] = {ASKED_LEAVE, ASKED_OPEN};
    static const Command answers[] = {COMMAND_CONFIRM, COMMAND_REFUSE, COMMAND_CANCEL};
    for (int i = 0; i < 6; ++i) {
        const Asked wish = wishes[i / 3];
        editor.leaves = editor.opens = editor.save = forgotten = false;
        editor.document.unsaved = true;
        editorWish(&editor, wish);
        assert_true(editor.hud.asked == wish && editor.hud.question[0]);
        editorCommand(&editor, COMMAND_DELETE); /* not an answer */
        assert_true(editor.hud.asked == wish && editor.tools.now.wantedCount == 0);
        editorCommand(&editor, answers[i % 3]);
        assert_true(!editor.hud.asked && !editor.hud.question[0]);
        assert_int_equal(editor.leaves, wish == ASKED_LEAVE && i % 3 < 2);
        assert_int_equal(editor.opens, wish == ASKED_OPEN && i % 3 < 2);
        assert_int_equal(editor.save, i % 3 == 0);
        assert_int_equal(forgotten, i % 3 == 1);
    }
    editor.leaves = editor.opens = editor.document.unsaved = false;
    editorWish(&editor, ASKED_LEAVE); /* nothing is lost */
    assert_true(editor.leaves && !editor.hud.asked && !editor.opens && !editor.save);
}

/* An action that requires a save waits for the save. If the save fails, the action is dropped. */
TEST(files_wait_for_each_other) {
    static const struct {
        DocumentAnswer answer;
        const char *happens;
        Asked asked;
        bool saves, opens;
    } rows[] = {
        {DOCUMENT_SAVED, "sol0w", ASKED_NOTHING, false, false},
        {DOCUMENT_FAILED, "sw", ASKED_NOTHING, false, false},
        {DOCUMENT_TAKEN, "sw", ASKED_NAME, true, true},
        {DOCUMENT_CHANGED, "sw", ASKED_CHANGED, true, true},
    };
    lockThen = 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        happened[0] = '\0';
        answer = rows[i].answer;
        editor.document.lock = 0;
        editor.save = editor.opens = readable = true;
        editor.sure = DOCUMENT_CHANGED; /* this answer applies to one save only */
        editor.unsettled = 1;           /* earlier input must be processed first */
        assert_true(editorBetweenFrames(&editor) && editor.save && !happened[0]);
        editor.unsettled = 0;
        assert_true(editorBetweenFrames(&editor));
        assert_string_equal(happened, rows[i].happens);
        assert_int_equal(editor.hud.asked, rows[i].asked);
        assert_int_equal(editor.sure, DOCUMENT_SAVED);
        assert_true(editor.save == rows[i].saves && editor.opens == rows[i].opens);
        editor.working = 0;
        (void)strcpy(editor.as, "other.world");
        editorDrop(&editor); /* also drops the name */
        assert_true(!editor.save && !editor.opens && !editor.as[0]);
    }
}

/* Opening a file releases the old file's lock, unless both are one file. If the new file is
 * unreadable, its own lock is released. */
TEST(locks_follow_what_is_opened) {
    static const char *const expected[] = {"1w", "ol0w", "w", "olw"};
    for (int i = 0; i < 4; ++i) {
        happened[0] = '\0';
        editor.document.lock = 0;
        lockThen = i < 2;
        readable = i & 1;
        editor.opens = true;
        assert_true(editorBetweenFrames(&editor));
        assert_string_equal(happened, expected[i]);
        assert_int_equal(editor.document.lock, i == 1);
        editor.working = 0;
    }
}

/* Recovered work counts as unsaved. Exports have names that derive from the file's name. */
TEST(files_are_recovered_and_exported) {
    static const Command commands[] = {COMMAND_EXPORT, COMMAND_EXPORT_MESH, COMMAND_PICTURE};
    static const char *const expected[] = {"w", "olcw", "vw", "gw", "pw"};
    for (int i = 0; i < 5; ++i) {
        happened[0] = '\0';
        readable = i == 1;
        editor.recovers = i < 2;
        if (i > 1) {
            editorCommand(&editor, commands[i - 2]);
        }
        for (int again = 0; again < 2; ++again) {
            editor.tools.boxing = again; /* must wait for the end of a stroke */
            assert_true(editorBetweenFrames(&editor));
            assert_string_equal(happened, expected[i]);
            editor.working = 0;
        }
    }
}

/* Typed texts and their results. NULL: the text is invalid, and the dialog shows the error. */
TEST(texts_are_answers) {
    static const struct {
        Asked asked;
        const char *text, *as;
    } rows[] = {
        {ASKED_NAME, "a.vox", "a.vox"}, {ASKED_NAME, "a.world", "a.world"},
        {ASKED_NAME, "a", "a.world"},   {ASKED_NAME, "a.glb", "a.glb.world"},
        {ASKED_NAME, "", NULL},         {ASKED_NAME, ".", NULL},
        {ASKED_NEW, "empty 24", ""},    {ASKED_NEW, "empty", NULL},
        {ASKED_COLOR, "#FF8000", ""},   {ASKED_COLOR, "#FF80", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        (void)open(state);
        hudAskText(&editor.hud, rows[i].asked, "", rows[i].text);
        editor.hud.asks = rows[i].asked == ASKED_COLOR ? HUD_ASKS_COLOR : HUD_ASKS_TEXT;
        editorCommand(&editor, COMMAND_CONFIRM);
        assert_int_equal(editor.hud.dialog.open, !rows[i].as);
        assert_int_equal(editor.hud.asked != ASKED_NOTHING, !rows[i].as);
        assert_int_equal(editor.hud.dialog.note[0] != '\0', !rows[i].as);
        assert_string_equal(editor.as, rows[i].as ? rows[i].as : "");
        assert_int_equal(editor.save, editor.as[0] != '\0');
        assert_int_equal(editor.opens, i == 6);
        assert_int_equal(editor.next.emptySize, i == 6 ? 24 : 0);
        assert_int_equal(editor.tools.now.wanted[0].level, i == 8 ? 0xFF8000 : 0);
        editorDrop(&editor);
    }
    editor.source.set.palette[5][2] = 9;
    editor.tools.color = 5;
    editorCommand(&editor, COMMAND_COLOR_TYPE);
    assert_string_equal(editor.hud.dialog.text, "#000009");
    editorWish(&editor, ASKED_OPEN); /* a dropped file replaces the dialog */
    assert_true(!editor.hud.asked && !editor.hud.dialog.open && editor.opens);
}

/* "Yes" confirms a question about saving; "no" asks for another name. */
TEST(doubts_are_asked_about) {
    (void)strcpy(editor.document.path, "/a.vox");
    (void)strcpy(editor.document.omitted, "2 objects became one");
    for (int i = 0; i < 8; ++i) {
        editor.sure = DOCUMENT_SAVED;
        editorAsk(&editor, ASKED_EXISTS + (Asked)(i / 2));
        assert_non_null(strstr(editor.hud.question, "a.vox"));
        assert_int_equal(!strstr(editor.hud.question, "2 objects became one)"),
                         editor.hud.asked != ASKED_PARTLY);
        editorCommand(&editor, i & 1 ? COMMAND_REFUSE : COMMAND_CONFIRM);
        assert_int_equal(editor.sure, i & 1 ? DOCUMENT_SAVED : DOCUMENT_EXISTS + i / 2);
        assert_int_equal(editor.hud.asked, i & 1 ? ASKED_NAME : ASKED_NOTHING);
        editorDrop(&editor);
    }
}

/* Edits that can add voxels extend the editor's box; digging and painting do not. */
TEST(there_is_more_to_see) {
    static const uint32_t makes[] = {TOOL_DIG, TOOL_PAINT, TOOL_ADD, TOOL_PASTE, TOOL_EXTRUDE};
    for (uint32_t i = 0; i < 5; ++i) {
        (void)open(state);
        Edit edit = {.tool = makes[i], .shape = SHAPE_CUBOID};
        editSetEnds(&edit, (const int32_t[]){-3, 210, 310}, (const int32_t[]){110, 250, 310});
        editorWiden(&editor, &edit);
        const uint32_t found[6] = {editor.low[0],  editor.low[1],  editor.low[2],
                                   editor.high[0], editor.high[1], editor.high[2]};
        const uint32_t right[6] = {i < 2 ? 100 : 0, 200, 300, 180, i < 2 ? 230 : 251, 340};
        assert_memory_equal(found, right, sizeof right);
    }
}

/* Colours change at once. viewPalette returns true if the entry emits or emitted light. */
TEST(lamps_change_all_light) {
    View *view = &editor.scene;
    uint8_t *entry = editor.source.set.palette[9];
    uint8_t *light = editor.source.set.glow[9];
    entry[0] = 1;
    assert_false(viewPalette(view, &editor.source));
    light[0] = 50;
    assert_true(viewPalette(view, &editor.source));
    entry[1] = 2;
    assert_true(viewPalette(view, &editor.source));
    assert_false(viewPalette(view, &editor.source));
    light[0] = 0;
    assert_true(viewPalette(view, &editor.source));
    assert_int_equal(view->palette[9], 0x201);
}
