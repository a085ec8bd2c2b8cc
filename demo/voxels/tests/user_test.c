/* What the editor makes of a user, without a device: what fits what is opened, panels and letters
 * by the size of the picture, and commands in their order with the mouse, whose picks come two
 * frames late. The world is one that only notes what is asked of it, with the true history of
 * edits.
 *
 * SPDX-License-Identifier: MIT */
#include "window/hud.h"
#include "view/pace.h"
#include "support/cases.h"

#include <stdlib.h>
#include <string.h>

/* ---- What fits ------------------------------------------------------------------------------ */

static Source sourceOf(uint32_t side, uint64_t payloads, bool terrain) {
    Source source = {.isTerrain = terrain, .terrainSize = terrain ? side : 0};
    for (int i = 0; i < 3; ++i) {
        source.size[i] = side;
        source.high[i] = side;
    }
    source.set.count = (size_t)payloads;
    source.set.voxelBytes = (size_t)(512 * payloads);
    return source;
}

static const WorldRoom fitting = {.undoMib = ROOM_FITS};
static const uint64_t mebibyte = 1 << 20;

/* Bytes that a world with these options has for sure. */
static uint64_t bytesOf(const WorldOptions *options) {
    return options->poolBytes + options->undoBytes + options->clipboardBytes +
           16 * (uint64_t)options->editBricks;
}

static void memory_fits_what_is_opened(void **state) {
    const Source tiny = sourceOf(3, 1, false);
    const Source medium = sourceOf(500, 60000, false);
    const Source huge = sourceOf(2000, 2000000, false);
    const Source terrain = sourceOf(512, 0, true);
    const WorldOptions small = fitWorld(&fitting, &tiny);
    const WorldOptions room = fitWorld(&fitting, &medium);
    const WorldOptions large = fitWorld(&fitting, &huge);
    const WorldOptions land = fitWorld(&fitting, &terrain);
    assert_true(bytesOf(&small) < 128 * mebibyte && small.tableStart <= 1 << 14);
    assert_true(4 * bytesOf(&small) < bytesOf(&land) && 2 * small.tableSlots < land.tableSlots);
    assert_true(small.floodBricks < land.floodBricks);
    /* What there is has room, and edits of it besides. */
    assert_in_range(room.poolBytes, 60000 * BRICK_BYTES + mebibyte, 64 * mebibyte);
    assert_true(large.poolBytes > 2000000ull * BRICK_BYTES * 11 / 10);
    assert_true(large.tableSlots >= 3000000);
    const uint64_t columns = 64 * 64;
    assert_true(land.poolBytes >= columns * 12 * BRICK_BYTES && land.tableSlots > columns * 24);
    assert_int_equal(land.editBricks, EDIT_MAX_BRICKS);
}

static void memory_that_is_asked_for_is_taken(void **state) {
    const Source tiny = sourceOf(3, 1, false);
    const WorldRoom asked = {.poolMib = 7,
                             .undoMib = 0,
                             .tableSlots = 99,
                             .tableStart = 9,
                             .floodBricks = 5,
                             .clipboardMib = 3};
    const WorldOptions options = fitWorld(&asked, &tiny);
    assert_true(options.poolBytes == 7 * mebibyte && options.undoBytes == 0);
    assert_true(options.tableSlots == 99 && options.tableStart == 9 && options.floodBricks == 5);
    assert_true(options.clipboardBytes == 3 * mebibyte);
    const WorldRoom replay = {.large = true, .undoMib = ROOM_FITS};
    const Source terrain = sourceOf(64, 0, true);
    const WorldOptions large = fitWorld(&replay, &tiny);
    const WorldOptions land = fitWorld(&fitting, &terrain);
    assert_true(bytesOf(&large) == bytesOf(&land));
}

static void brush_and_speed_fit_what_is_opened(void **state) {
    static const uint32_t low[3] = {100, 100, 100};
    static const struct {
        uint32_t high[3], least, most; /* of the radius */
        float slowest, fastest;
    } cases[] = {
        {{103, 101, 102}, 0, 0, 1, 6},      /* a few voxels: one at a time */
        {{120, 163, 120}, 0, 0, 10, 40},    /* a figure */
        {{612, 248, 612}, 4, 16, 100, 300}, /* a landscape */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        Tools tools;
        Source source = sourceOf(0, 0, false);
        memcpy(source.low, low, sizeof low);
        memcpy(source.high, cases[i].high, sizeof low);
        toolsStart(&tools, &source);
        assert_in_range(tools.radius, cases[i].least, cases[i].most);
        const float speed = fitSpeed(low, cases[i].high);
        assert_true(speed >= cases[i].slowest && speed <= cases[i].fastest);
        assert_true(tools.room.around > (float)(cases[i].high[0] - low[0]));
    }
}

/* ---- Panels and letters --------------------------------------------------------------------- */

typedef struct Screen {
    Hud hud;
    Text text;
    Tools tools;
    Source source;
    HudNumbers numbers;
} Screen;

static void write(Screen *screen, uint32_t width, uint32_t height, float scale) {
    screen->numbers.width = width;
    screen->numbers.height = height;
    screen->numbers.scale = scale;
    hudWrite(&screen->hud, &screen->text, &screen->numbers, &screen->tools, &screen->source,
             VIEW_FLAT);
}

static Screen *openScreen(void) {
    Screen *screen = calloc(1, sizeof *screen);
    assert_non_null(screen);
    screen->source = sourceOf(64, 0, false);
    screen->numbers.device = "device";
    screen->text.host = calloc(TEXT_CELLS, sizeof *screen->text.host);
    assert_non_null(screen->text.host);
    toolsStart(&screen->tools, &screen->source);
    return screen;
}

static void closeScreen(Screen *screen) {
    free(screen->text.host);
    free(screen);
}

/* Each thing that can be clicked is under a mouse that points at its middle. */
static void expectAreas(const Screen *screen) {
    const Text *text = &screen->text;
    for (uint32_t i = 0; i < screen->hud.areaCount; ++i) {
        const HudArea *area = &screen->hud.areas[i];
        const TextPanel *panel = &text->panels[area->panel];
        const uint32_t wide = panel->columns * text->cellWidth;
        const uint32_t high = panel->rows * text->cellHeight;
        assert_true(wide <= text->width && high <= text->height);
        const float x = panel->left * (float)(text->width - wide) +
                        ((float)area->column + (float)area->columns / 2) * (float)text->cellWidth;
        const float y = panel->top * (float)(text->height - high) +
                        ((float)area->row + 0.5f) * (float)text->cellHeight;
        HudArea found;
        float fraction;
        assert_true(hudFind(&screen->hud, text, x, y, &found, &fraction));
        if (area->command != COMMAND_LARGER) { /* whose left part is another */
            assert_int_equal(found.command, area->command);
            assert_int_equal(found.value, area->value);
        }
    }
}

/* Tools, palette and numbers: none lies on another, in windows of any size. */
static void panels_lie_apart(void **state) {
    Screen *screen = openScreen();
    const Text *text = &screen->text;
    for (uint32_t i = 0; i < 40; ++i) {
        const uint32_t width = 320 + i / 2 * 80;
        screen->hud.numbers = i % 2 != 0;
        write(screen, width, width * 3 / 4, 1);
        for (uint32_t y = 4; y < text->height; y += 8) {
            for (uint32_t x = 4; x < text->width; x += 8) {
                uint32_t over = 0;
                for (uint32_t p = 0; p < text->panelCount; ++p) {
                    Text alone = *text;
                    uint32_t panel, row;
                    float column;
                    alone.panels[0] = text->panels[p];
                    alone.panelCount = 1;
                    over += textFind(&alone, (float)x, (float)y, &panel, &row, &column);
                }
                assert_in_range(over, 0, 1);
            }
        }
    }
    closeScreen(screen);
}

/* At each size the same part of the picture, and all of it can be clicked; so on displays whose
 * pixels are half as large. */
static void panels_grow_with_the_picture(void **state) {
    static const struct {
        uint32_t width, height;
        float scale;
    } sizes[] = {{1280, 720, 1},  {1920, 1080, 1}, {2560, 1440, 1}, {3840, 2160, 1},
                 {2560, 1440, 2}, {5120, 2880, 2}, {7680, 4320, 1}};
    Screen *screen = openScreen();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        for (int numbers = 0; numbers < 2; ++numbers) {
            screen->hud.numbers = numbers;
            write(screen, sizes[i].width, sizes[i].height, sizes[i].scale);
            assert_int_equal(screen->text.panelCount, 3 + numbers);
            assert_true(screen->hud.areaCount > 255 + 15);
            expectAreas(screen);
        }
        const double letter = (double)screen->text.cellHeight / sizes[i].height;
        assert_true(letter > 1.0 / 70 && letter < 1.0 / 40);
        screen->hud.help = true;
        write(screen, sizes[i].width, sizes[i].height, sizes[i].scale);
        const TextPanel *help = &screen->text.panels[screen->text.panelCount - 1];
        assert_true(help->columns * screen->text.cellWidth <= sizes[i].width);
        assert_true(help->rows * screen->text.cellHeight <= sizes[i].height);
        screen->hud.help = screen->hud.numbers = false;
    }
    write(screen, 2560, 1440, 1);
    const uint32_t plain = screen->text.cellHeight;
    write(screen, 2560, 1440, 2); /* pixels half as large */
    assert_true(screen->text.cellHeight > plain);
    write(screen, 3840, 2160, 1);
    const uint32_t letter = screen->text.cellHeight;
    screen->hud.zoom = 0.5f;
    write(screen, 3840, 2160, 1);
    assert_true(screen->text.cellHeight < letter);
    write(screen, 400, 300, 1); /* no room: the picture is not hidden */
    assert_int_equal(screen->hud.areaCount, 0);
    closeScreen(screen);
}

/* A message is news when it comes and when it goes, and wakes nobody between. */
static void messages_fade(void **state) {
    Screen *screen = openScreen();
    hudSay(&screen->hud, HUD_PLAIN, "saved");
    assert_true(screen->hud.news);
    write(screen, 1280, 720, 1);
    const uint32_t panels = screen->text.panelCount;
    hudPass(&screen->hud, 2);
    assert_false(screen->hud.news);
    hudPass(&screen->hud, 5);
    assert_true(screen->hud.news);
    write(screen, 1280, 720, 1);
    assert_int_equal(screen->text.panelCount, panels - 1);
    hudPass(&screen->hud, 5);
    assert_false(screen->hud.news);
    closeScreen(screen);
}

/* ---- What a frame draws ---------------------------------------------------------------------- */

enum { ACROSS = 640, DOWN = 403 };

/* A frame on a device that draws so many pixels a millisecond. */
static Part draw(Pace *pace, double speed, bool changes) {
    const Part part = paceNext(pace, ACROSS, DOWN, changes);
    const double pixels = (double)((ACROSS + part.side - 1) / part.side) * part.rows;
    paceTook(pace, pixels, pixels / speed);
    return part;
}

static void quick_devices_draw_it_all(void **state) {
    Pace pace = paceStart();
    for (int i = 0; i < 8; ++i) {
        (void)draw(&pace, 1e6, false);
    }
    for (int i = 0; i < 4; ++i) {
        const Part part = draw(&pace, 1e6, i % 2);
        assert_true(part.side == 1 && part.row == 0 && part.rows == DOWN && pace.whole);
    }
    pace = paceStart(); /* and those that cannot tell */
    paceTook(&pace, 100, -1);
    assert_int_equal(paceNext(&pace, ACROSS, DOWN, true).rows, DOWN);
}

/* Each frame of a slow one takes about as long: larger pixels while the picture changes, and no
 * smaller ones before it rests; then rows, until each was drawn once. */
static void slow_devices_draw_parts(void **state) {
    const double speed = 200;
    Pace pace = paceStart();
    uint32_t side = 1;
    for (int i = 0; i < 8; ++i) {
        const Part part = draw(&pace, i < 4 ? speed : 2 * speed, true);
        assert_true(part.side >= side && part.row == 0 && part.side * part.rows >= DOWN);
        assert_false(pace.whole);
        side = part.side;
    }
    assert_in_range(side, 4, 8);
    while (draw(&pace, speed, false).side > 1) {
        assert_in_range(pace.calm, 0, 10);
    }
    for (int pictures = 0; pictures < 2; ++pictures) {
        uint32_t row = pictures ? 0 : pace.row;
        for (Part part = {0}; part.row + part.rows < DOWN; row = part.row + part.rows) {
            assert_true(pictures || !pace.whole);
            part = draw(&pace, speed, false);
            assert_true(part.side == 1 && part.row == row && part.rows > 0 && row % 8 == 0);
            assert_in_range(ACROSS * part.rows, 1, 160 * speed);
        }
        assert_true(pace.whole);
    }
    assert_true(draw(&pace, speed, true).side > 1 && !pace.whole);
}

/* ---- A world that notes --------------------------------------------------------------------- */

enum { NOTES = 64 };

typedef struct Note {
    char what; /* e: edit, u: undo, r: redo, c: copy */
    Edit edit;
} Note;

static World world;
static Tools tools;
static Source source;
static Note notes[NOTES];
static uint32_t noted, frames;

static EditAnswer note(char what, const Edit *edit) {
    assert_true(noted < NOTES);
    notes[noted++] = (Note){what, edit ? *edit : (Edit){0}};
    return EDIT_RECORDED;
}

EditAnswer worldRecordEdit(World *w, const Edit *edit, uint32_t stroke) {
    w->history.newest = w->history.next;
    historyAdd(&w->history, &(Record){.changes = 1,
                                      .sequence = ++w->traffic.sequence,
                                      .stroke = stroke,
                                      .edit = *edit});
    return note('e', edit);
}

bool worldIsSettled(const World *w) {
    return historyIsKnown(&w->history);
}

static EditAnswer swap(char what, Records records, uint64_t next) {
    if (records.first == records.end) {
        return EDIT_NOTHING;
    }
    world.history.next = next;
    return note(what, NULL);
}

EditAnswer worldRecordUndo(World *w) {
    const Records undo = historyUndo(&w->history);
    return swap('u', undo, undo.first);
}

EditAnswer worldRecordRedo(World *w) {
    const Records redo = historyRedo(&w->history);
    return swap('r', redo, redo.end);
}

EditAnswer worldRecordCopy(World *w, const int32_t low[3], const int32_t high[3]) {
    const Edit box = {
        .ax = low[0], .ay = low[1], .az = low[2], .bx = high[0], .by = high[1], .bz = high[2]};
    return note('c', &box);
}

void trafficPick(Traffic *traffic, Store *store, const float origin[3], const float direction[3],
                 float limit, const Pick *otherwise) {
}

static int begin(void **state) {
    memset(&world, 0, sizeof world);
    source = sourceOf(64, 0, false);
    toolsStart(&tools, &source);
    noted = frames = 0;
    return 0;
}

/* What a frame's mouse is on: the ground at x. It is known two frames later. */
static int32_t places[2];

static void frame(int32_t x) {
    const Camera camera = {.position = {32, 60, 90}, .pitch = 45, .halfHeight = 0.45f};
    const Input input = {.width = 100, .height = 100, .cursor = {0.5f, 0.5f}};
    world.traffic.pick = (Pick){
        .hit = PICK_VOXEL, .x = places[frames % 2], .y = 3, .z = 7, .ny = 1};
    places[frames % 2] = x;
    toolsFrame(&tools, &world, frames++ % 2, &camera, &input);
}

static void want(Command command) {
    toolsWant(&tools, &(Wanted){.command = command});
}

/* The last edit changed something, or nothing. */
static void learn(bool changed) {
    historyLearn(&world.history, world.traffic.sequence, changed, 0);
    historyTrim(&world.history);
}

static void settle(void) {
    for (int i = 0; i < 4; ++i) {
        frame(0);
        learn(true);
    }
}

static void expectNotes(const char *kinds) {
    assert_int_equal(noted, strlen(kinds));
    for (uint32_t i = 0; i < noted; ++i) {
        assert_int_equal(notes[i].what, kinds[i]);
    }
}

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
    assert_true(!tools.selected && tools.gaveUp);
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

/* What changed nothing is no undo; what must go takes the rest of its stroke with it. */
static void undo_records_go_by_strokes(void **state) {
    static History history;
    memset(&history, 0, sizeof history);
    for (uint32_t i = 0; i < 6; ++i) { /* strokes 1 1 2 2 3 3 */
        historyAdd(&history,
                   &(Record){.changes = 10, .retained = 1, .sequence = i + 1, .stroke = 1 + i / 2});
    }
    assert_false(historyIsKnown(&history));
    for (uint32_t i = 0; i < 6; ++i) {
        historyLearn(&history, i + 1, i == 3 ? 0 : 4, 1);
    }
    assert_true(historyIsKnown(&history));
    assert_int_equal(historyUndos(&history), 3);
    const Records undo = historyUndo(&history);
    assert_true(undo.first <= 4 && undo.first >= 3 && undo.end == 6);
    const HistoryRoom taken = {0, 10};
    Records excess = historyExcess(&history, taken, (HistoryRoom){UINT64_MAX, 22}, 4);
    assert_true(excess.first == 0 && excess.end == 2);
    excess = historyExcess(&history, taken, (HistoryRoom){UINT64_MAX, 26}, 4);
    assert_int_equal(excess.end, 2); /* not the first one alone */
    excess = historyExcess(&history, taken, (HistoryRoom){UINT64_MAX, 26}, 1);
    assert_int_equal(excess.end, 1); /* but where its stroke is still made */
    assert_int_equal(historyExcess(&history, taken, (HistoryRoom){UINT64_MAX, 30}, 4).end, 0);
}

/* However little they take: one index of the GPU's ring stays free. */
static void undo_records_fill_the_ring_but_one(void **state) {
    static History history;
    const HistoryRoom room = {UINT64_MAX, UINT64_MAX};
    memset(&history, 0, sizeof history);
    for (uint32_t i = 1; i < EDIT_RECORDS; ++i) {
        assert_int_equal(historyExcess(&history, (HistoryRoom){0}, room, i).end, 0);
        historyAdd(&history, &(Record){.sequence = i, .stroke = i});
    }
    assert_int_equal(historyExcess(&history, (HistoryRoom){0}, room, EDIT_RECORDS).end, 1);
}

#define TEST(function) cmocka_unit_test_setup(function, begin)

TEST_GROUP(main, "user", NULL, NULL, TEST(memory_fits_what_is_opened),
           TEST(memory_that_is_asked_for_is_taken), TEST(brush_and_speed_fit_what_is_opened),
           TEST(panels_lie_apart), TEST(panels_grow_with_the_picture), TEST(messages_fade),
           TEST(quick_devices_draw_it_all), TEST(slow_devices_draw_parts),
           TEST(keys_come_after_the_mouse), TEST(undo_comes_after_the_mouse),
           TEST(colours_are_undone_in_their_order), TEST(only_edits_forget_colours),
           TEST(undo_records_go_by_strokes), TEST(undo_records_fill_the_ring_but_one))
