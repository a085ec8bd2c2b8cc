/* Tests decisions of the editor without a device: defaults for the opened world, the part of a
 * picture that a frame draws, the undo history.
 * SPDX-License-Identifier: MIT */
#include "window/tools.h"
#include "view/pace.h"
#include "notes.h"

#include <string.h>

/* ---- Defaults for a world ------------------------------------------------------------------- */

static const WorldRoom fitting = {.undoMib = ROOM_FITS};
static const uint64_t mebibyte = 1 << 20;

/* Returns the minimum number of bytes of a world with these options. */
static uint64_t bytesOf(const WorldOptions *options) {
    return options->poolBytes + options->undoBytes + options->clipboardBytes +
           16 * (uint64_t)options->editBricks;
}

PLAIN_TEST(memory_fits_what_is_opened) {
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
    /* Pool and table must have memory for the world and for further edits. */
    assert_in_range(room.poolBytes, 60000 * BRICK_BYTES + mebibyte, 64 * mebibyte);
    assert_true(large.poolBytes > 2000000ull * BRICK_BYTES * 11 / 10);
    assert_true(large.tableSlots >= 3000000);
    const uint64_t columns = 64 * 64;
    assert_true(land.poolBytes >= columns * 12 * BRICK_BYTES && land.tableSlots > columns * 24);
    assert_int_equal(land.editBricks, EDIT_MAX_BRICKS);
}

PLAIN_TEST(memory_that_is_asked_for_is_taken) {
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

PLAIN_TEST(brush_and_speed_fit_what_is_opened) {
    static const uint32_t low[3] = {100, 100, 100};
    static const struct {
        uint32_t high[3], least, most; /* least, most: radius of the brush */
        float slowest, fastest;
    } cases[] = {
        {{103, 101, 102}, 0, 0, 1, 6},      /* a few voxels: brush of one */
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

/* ---- The part of a picture that a frame draws ------------------------------------------------ */

enum { ACROSS = 640, DOWN = 403 };

/* Draws a frame on a device that draws `speed` pixels per millisecond. */
static Part draw(Pace *pace, double speed, bool changes) {
    const Part part = paceNext(pace, ACROSS, DOWN, changes);
    const double pixels = (double)((ACROSS + part.side - 1) / part.side) * part.rows;
    paceTook(pace, pixels, pixels / speed);
    return part;
}

PLAIN_TEST(quick_devices_draw_it_all) {
    Pace pace = paceStart();
    for (int i = 0; i < 8; ++i) {
        (void)draw(&pace, 1e6, false);
    }
    for (int i = 0; i < 4; ++i) {
        const Part part = draw(&pace, 1e6, i % 2);
        assert_true(part.side == 1 && part.row == 0 && part.rows == DOWN && pace.whole);
    }
    pace = paceStart(); /* devices without timestamps */
    paceTook(&pace, 100, -1);
    assert_int_equal(paceNext(&pace, ACROSS, DOWN, true).rows, DOWN);
}

/* Each frame of a slow device takes about the same time. While the picture changes, pixels are
 * larger and do not become smaller. At rest, frames draw rows until all rows are complete. */
PLAIN_TEST(slow_devices_draw_parts) {
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

/* ---- The undo history ------------------------------------------------------------------------ */

/* Edits that changed nothing leave no record. The records of a stroke are dropped together. */
PLAIN_TEST(undo_records_go_by_strokes) {
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
    const Records undo = historyUndo(&history);
    assert_true(undo.first <= 4 && undo.first >= 3 && undo.end == 6);
    const HistoryRoom taken = {0, 10};
    Records excess = historyExcess(&history, taken, (HistoryRoom){UINT64_MAX, 22}, 4);
    assert_true(excess.first == 0 && excess.end == 2);
    excess = historyExcess(&history, taken, (HistoryRoom){UINT64_MAX, 26}, 4);
    assert_int_equal(excess.end, 2); /* not the first record alone */
    excess = historyExcess(&history, taken, (HistoryRoom){UINT64_MAX, 26}, 1);
    assert_int_equal(excess.end, 1); /* unless the stroke goes on */
    assert_int_equal(historyExcess(&history, taken, (HistoryRoom){UINT64_MAX, 30}, 4).end, 0);
}

/* The GPU's ring holds one record less than it has indices, even if records are small. */
PLAIN_TEST(undo_records_fill_the_ring_but_one) {
    static History history;
    const HistoryRoom room = {UINT64_MAX, UINT64_MAX};
    memset(&history, 0, sizeof history);
    for (uint32_t i = 1; i < EDIT_RECORDS; ++i) {
        assert_int_equal(historyExcess(&history, (HistoryRoom){0}, room, i).end, 0);
        historyAdd(&history, &(Record){.sequence = i, .stroke = i});
    }
    assert_int_equal(historyExcess(&history, (HistoryRoom){0}, room, EDIT_RECORDS).end, 1);
}
