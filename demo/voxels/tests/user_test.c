/* What the editor makes of a user, without a device: what fits what is opened, panels and letters
 * by the size of the picture, what a frame draws.
 *
 * SPDX-License-Identifier: MIT */
#include "window/hud.h"
#include "view/pace.h"
#include "notes.h"

#include <stdlib.h>
#include <string.h>

/* ---- What fits ------------------------------------------------------------------------------ */

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
        source = sourceOf(0, 0, false);
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

#define TEST(function) cmocka_unit_test(function)

TEST_GROUP(main, "user", NULL, NULL, TEST(memory_fits_what_is_opened),
           TEST(memory_that_is_asked_for_is_taken), TEST(brush_and_speed_fit_what_is_opened),
           TEST(panels_lie_apart), TEST(panels_grow_with_the_picture), TEST(messages_fade),
           TEST(quick_devices_draw_it_all), TEST(slow_devices_draw_parts))
