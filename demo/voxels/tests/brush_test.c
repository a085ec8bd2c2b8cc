/* Tests of the voxels that brushes cover, against plain searches; of the number of bricks that an
 * edit can touch; and of the text of replays.
 * SPDX-License-Identifier: MIT */
#include "edit/edit.h"
#include "edit/replay.h"
#include "shaders/view_layout.h"
#include "support/cases.h"
#include "support/random.h"

#include <string.h>

static int32_t within(Random *random, int32_t low, int32_t high) {
    return low + (int32_t)random_below(random, (uint32_t)(high - low + 1));
}

/* ---- Voxels of a brush ---------------------------------------------------------------------- */

/* Returns whether the distance from p to the segment from 0 to d is at most the radius. */
static bool plainCapsule(const int64_t d[3], const int64_t p[3], int64_t radius) {
    int64_t along = 0;
    int64_t length = 0;
    int64_t fromA = 0;
    int64_t fromB = 0;
    for (int i = 0; i < 3; ++i) {
        along += p[i] * d[i];
        length += d[i] * d[i];
        fromA += p[i] * p[i];
        fromB += (p[i] - d[i]) * (p[i] - d[i]);
    }
    const int64_t reach = radius * radius + radius;
    if (along <= 0) {
        return fromA <= reach;
    }
    return along >= length ? fromB <= reach : fromA * length - along * along <= reach * length;
}

/* Returns whether some t from 0 to 1 has |p - t d| <= radius on each axis. It suffices to try 0, 1
 * and the ends of each axis's interval of t. */
static bool plainSweptBox(const int64_t d[3], const int64_t p[3], int64_t radius) {
    for (int i = -2; i < 6; ++i) {
        /* t = numerator / denominator */
        int64_t numerator = i == -2 ? 0 : 1;
        int64_t denominator = 1;
        if (i >= 0) {
            denominator = d[i / 2];
            numerator = p[i / 2] + (i % 2 ? radius : -radius);
        }
        if (denominator < 0) {
            denominator = -denominator;
            numerator = -numerator;
        }
        bool fits = denominator != 0 && numerator >= 0 && numerator <= denominator;
        for (int axis = 0; axis < 3 && fits; ++axis) {
            fits = llabs(p[axis] * denominator - numerator * d[axis]) <= radius * denominator;
        }
        if (fits) {
            return true;
        }
    }
    return false;
}

/* A line has one voxel per step of its longest axis: the nearest one, or of two the upper. Returns
 * whether p is such a voxel. */
static bool plainThread(const int64_t d[3], const int64_t p[3]) {
    int64_t length = 0;
    for (int i = 0; i < 3; ++i) {
        length = llabs(d[i]) > length ? llabs(d[i]) : length;
    }
    for (int64_t step = 0; step <= length; ++step) {
        bool there = true;
        for (int i = 0; i < 3; ++i) {
            const double at = length ? (double)(d[i] * step) / (double)length : 0;
            there = there && (double)p[i] <= at + 0.5 && (double)p[i] > at - 0.5;
        }
        if (there) {
            return true;
        }
    }
    return false;
}

static bool plainCuboid(const Edit *e, int64_t x, int64_t y, int64_t z) {
    return llabs(2 * x - e->ax - e->bx) <= llabs((long long)e->bx - e->ax) &&
           llabs(2 * y - e->ay - e->by) <= llabs((long long)e->by - e->ay) &&
           llabs(2 * z - e->az - e->bz) <= llabs((long long)e->bz - e->az);
}

static Edit randomEdit(Random *random, uint32_t shape, int32_t length, int32_t radius) {
    Edit edit = {.shape = shape, .radius = (uint32_t)within(random, 0, radius)};
    edit.ax = within(random, -20, 20);
    edit.ay = within(random, -20, 20);
    edit.az = within(random, -20, 20);
    bool line = random_below(random, 4) != 0;
    edit.bx = edit.ax + (line ? within(random, -length, length) : 0);
    edit.by = edit.ay + (line && random_below(random, 4) ? within(random, -length, length) : 0);
    edit.bz = edit.az + (line && random_below(random, 4) ? within(random, -length, length) : 0);
    return edit;
}

/* Checks whether the edit covers the voxel. */
static void expectVoxel(const Edit *e, int32_t x, int32_t y, int32_t z) {
    const int64_t d[3] = {e->bx - e->ax, e->by - e->ay, e->bz - e->az}; /* relative to a */
    const int64_t p[3] = {x - e->ax, y - e->ay, z - e->az};
    bool expected = e->shape != SHAPE_CUBOID && e->radius == 0 ? plainThread(d, p)
                    : e->shape == SHAPE_SPHERE                 ? plainCapsule(d, p, e->radius)
                    : e->shape == SHAPE_BOX                    ? plainSweptBox(d, p, e->radius)
                                                               : plainCuboid(e, x, y, z);
    if (brushHas(*e, x, y, z) != expected) {
        fail_msg("%s from %d %d %d to %d %d %d radius %u, voxel %d %d %d: expected %d",
                 editShapeName(e->shape), e->ax, e->ay, e->az, e->bx, e->by, e->bz, e->radius, x, y,
                 z, expected);
    }
}

PLAIN_TEST(brushes_cover_what_they_say) {
    Random seed = {1};
    for (uint32_t i = 0; i < 3000; ++i) {
        const bool large = i % 3 == 0;
        const Edit edit = randomEdit(&seed, i % SHAPE_COUNT, large ? BRUSH_MAX_LINE : 30,
                                     large ? BRUSH_MAX_RADIUS : 12);
        int32_t low[3];
        int32_t high[3];
        editBounds(&edit, low, high);
        for (uint32_t j = 0; j < 300; ++j) {
            expectVoxel(&edit, within(&seed, low[0] - 2, high[0] + 2),
                        within(&seed, low[1] - 2, high[1] + 2),
                        within(&seed, low[2] - 2, high[2] + 2));
        }
        /* Tests voxels at which rounding errors would show: on the axes, at the surface of both
         * ends. */
        for (int32_t j = -1; j <= 1; ++j) {
            const int32_t rim = (int32_t)edit.radius + j;
            expectVoxel(&edit, edit.ax + rim, edit.ay, edit.az);
            expectVoxel(&edit, edit.ax, edit.ay - rim, edit.az);
            expectVoxel(&edit, edit.bx, edit.by, edit.bz + rim);
        }
    }
}

/* A brush of radius 0 covers one voxel. If it is dragged, it covers a line: one voxel per step
 * along the longest axis. */
PLAIN_TEST(single_voxels_and_threads) {
    Random seed = {9};
    for (uint32_t i = 0; i < 200; ++i) {
        const Edit edit = randomEdit(&seed, i % 2 ? SHAPE_BOX : SHAPE_SPHERE, 12, 0);
        int32_t low[3], high[3];
        editBounds(&edit, low, high);
        for (int32_t at = 0; at < 15 * 15 * 15; ++at) {
            expectVoxel(&edit, low[0] - 1 + at % 15, low[1] - 1 + at / 15 % 15,
                        low[2] - 1 + at / 225);
        }
    }
}

static bool isPlanned(const Edit *edit, int32_t x, int32_t y, int32_t z) {
    int32_t low[3];
    int32_t high[3];
    editBounds(edit, low, high);
    return x + 7 >= low[0] && x <= high[0] && y + 7 >= low[1] && y <= high[1] && z + 7 >= low[2] &&
           z <= high[2];
}

/* Checks brushMeetsBrick and brushFillsBrick for all bricks around an edit. Returns the number of
 * bricks in the edit's box that it meets. */
static uint64_t checkBricks(const Edit *edit) {
    int32_t low[3];
    int32_t high[3];
    uint64_t met = 0;
    editBounds(edit, low, high);
    for (int i = 0; i < 3; ++i) {
        low[i] = (low[i] >> 3) * 8 - 8;
        high[i] += 8;
    }
    for (int32_t z = low[2]; z <= high[2]; z += 8) {
        for (int32_t y = low[1]; y <= high[1]; y += 8) {
            for (int32_t x = low[0]; x <= high[0]; x += 8) {
                uint32_t covered = 0;
                for (int32_t i = 0; i < 512; ++i) {
                    covered += brushHas(*edit, x + (i & 7), y + (i >> 3 & 7), z + (i >> 6));
                }
                assert_int_equal(brushFillsBrick(*edit, x, y, z), covered == 512);
                assert_true(covered == 0 || brushMeetsBrick(*edit, x, y, z));
                met += isPlanned(edit, x, y, z) && brushMeetsBrick(*edit, x, y, z);
            }
        }
    }
    return met;
}

PLAIN_TEST(bricks_are_met_and_filled) {
    Random seed = {2};
    for (uint32_t i = 0; i < 60; ++i) {
        const Edit edit = randomEdit(&seed, i % SHAPE_COUNT, 40, 22);
        const uint64_t met = checkBricks(&edit);
        if (met > editMaxBricks(&edit)) {
            fail_msg("edit %u meets %llu bricks, more than %llu", i, (unsigned long long)met,
                     (unsigned long long)editMaxBricks(&edit));
        }
    }
}

/* The largest brushes must not exceed the bricks of one edit. */
PLAIN_TEST(bounds_are_tight_enough) {
    const Edit sphere = {.shape = SHAPE_SPHERE, .radius = 512};
    const Edit box = {.shape = SHAPE_BOX, .radius = 512};
    const Edit small = {.shape = SHAPE_SPHERE, .radius = 1};
    assert_in_range(editMaxBricks(&sphere), 1098000, 1400000);
    assert_in_range(editMaxBricks(&box), 129 * 129 * 129, EDIT_MAX_BRICKS);
    assert_in_range(editMaxBricks(&small), 8, 8);
}

PLAIN_TEST(colours_are_bands_from_below) {
    const Edit edit = {.shape = SHAPE_SPHERE, .radius = 40, .colors = 10 | 8 << 8};
    uint32_t counts[256] = {0};
    for (int32_t y = -40; y <= 40; ++y) {
        for (int32_t x = 0; x < 50; ++x) {
            uint32_t color = brushColor(edit, x, y, 3);
            assert_in_range(color, 10, 17);
            ++counts[color];
        }
    }
    for (uint32_t i = 10; i < 18; ++i) {
        assert_true(counts[i] > 50 * 81 / 8 / 2);
    }
    assert_int_equal(brushColor(edit, 0, -40, 0), 10);
    assert_int_equal(brushColor(edit, 0, 40, 0), 17);
}

/* The voxels of a pasted copy. Each voxel of the copy has its own number. */
enum { COPY_VOXELS = 2 * 3 * 4 };
typedef struct Pasted {
    int32_t size[3];
    int voxels[COPY_VOXELS];
} Pasted;

static Pasted pastedAt(uint32_t turn) {
    static const uint32_t copied[3] = {2, 3, 4};
    const Edit start = {.tool = TOOL_PASTE, .ax = 5, .ay = -3, .az = 1, .turn = turn};
    const Edit edit = editPasted(&start, copied);
    Pasted pasted;
    int i = 0;
    editPasteSize(copied, turn, pasted.size);
    for (int z = 0; z < pasted.size[2]; ++z) {
        for (int y = 0; y < pasted.size[1]; ++y) {
            for (int x = 0; x < pasted.size[0]; ++x) {
                const Spot from = pasteFrom(edit, (Spot){5 + x, y - 3, 1 + z}, (Spot){2, 3, 4});
                assert_true(from.x >= 0 && from.x < 2 && from.y >= 0 && from.y < 3 && from.z >= 0 &&
                            from.z < 4);
                pasted.voxels[i++] = (from.z * 3 + from.y) * 2 + from.x;
            }
        }
    }
    assert_int_equal(i, COPY_VOXELS);
    return pasted;
}

static int voxelOf(const Pasted *pasted, const int32_t at[3]) {
    return pasted->voxels[(at[2] * pasted->size[1] + at[1]) * pasted->size[0] + at[0]];
}

/* All 48 orientations differ. A turn or a flip of an orientation moves each voxel as expected, and
 * results in another orientation. Orientations 0 to 3 are quarter turns about y. */
PLAIN_TEST(orientations_are_a_group) {
    for (uint32_t turn = 0; turn < BRUSH_TURNS; ++turn) {
        const Pasted from = pastedAt(turn);
        for (uint32_t other = 0; other < turn; ++other) {
            const Pasted otherwise = pastedAt(other);
            assert_true(memcmp(&from, &otherwise, sizeof from) != 0);
        }
        assert_true(turn > 3 || editTurned(turn, 1) == (turn + 1) % 4);
        for (int axis = 0; axis < 3; ++axis) {
            const int next = (axis + 1) % 3;
            const int last = (axis + 2) % 3;
            const Pasted turned = pastedAt(editTurned(turn, axis));
            const Pasted flipped = pastedAt(editFlipped(turn, axis));
            for (int i = 0; i < COPY_VOXELS; ++i) {
                const int32_t at[3] = {i % from.size[0], i / from.size[0] % from.size[1],
                                       i / (from.size[0] * from.size[1])};
                int32_t to[3] = {at[0], at[1], at[2]};
                to[axis] = from.size[axis] - 1 - at[axis];
                assert_int_equal(voxelOf(&flipped, to), voxelOf(&from, at));
                to[axis] = at[axis]; /* about y, z becomes -x */
                to[last] = from.size[next] - 1 - at[next];
                to[next] = at[last];
                assert_int_equal(voxelOf(&turned, to), voxelOf(&from, at));
            }
        }
    }
    const Pasted straight = pastedAt(0);
    for (int i = 0; i < COPY_VOXELS; ++i) {
        assert_int_equal(straight.voxels[i], i);
    }
}

PLAIN_TEST(wrong_edits_are_refused) {
    static const struct {
        Edit edit;
        const char *objection;
    } edits[] = {
        {{.tool = TOOL_PLACE}, "no such tool"},
        {{.shape = SHAPE_COUNT}, "no such tool"},
        {{.radius = 513, .colors = 1}, "radius"},
        {{.radius = 5, .colors = 0}, "colours"},
        {{.radius = 5, .colors = 250 | 7 << 8}, "colours"},
        {{.radius = 5, .colors = 1, .bx = 2049}, "apart"},
        {{.radius = 5, .colors = 1, .ax = 140000, .bx = 140000}, "far"},
        {{.tool = TOOL_PASTE, .turn = 48}, "turn"},
        {{.tool = TOOL_COUNT}, "no such tool"},
        {{.tool = TOOL_MARK, .shape = MARK_COUNT}, "no such tool"},
        {{.tool = TOOL_MARK, .shape = MARK_FACE, .turn = 6}, "turn"},
        {{.tool = TOOL_MARK, .shape = MARK_COLOR}, "colours"},
        {{.tool = TOOL_EXTRUDE, .turn = 6}, "turn"},
        {{.tool = TOOL_ADD, .colors = 1, .flags = EDIT_MARKED}, "only be dug and painted"},
    };
    for (size_t i = 0; i < sizeof edits / sizeof *edits; ++i) {
        const char *objection = editObjection(&edits[i].edit);
        assert_non_null(objection);
        assert_non_null(strstr(objection, edits[i].objection));
    }
    const Edit right = {.radius = 512, .colors = 250 | 6 << 8, .bx = 2048};
    const Edit wide = {.tool = TOOL_DIG, .bx = 9999, .flags = EDIT_MARKED};
    assert_null(editObjection(&right));
    assert_null(editObjection(&wide));
}

/* ---- Text of replays ------------------------------------------------------------------------ */

static bool readText(const char *text, Replay *replay, char error[REPLAY_ERROR_SIZE]) {
    return replayRead(text, strlen(text), replay, error);
}

PLAIN_TEST(replays_are_read) {
    static const char text[] = "# a comment\r\n"
                               "world terrain 128 7\n"
                               "pool-mib 5\nundo-mib 6\ntable-slots 7000\n"
                               "\tundo # more\n"
                               "mark same 1 2 3\npaint marked color 4\n"
                               "repeat 2\ncopy 1 2 3 to 4 5 6\nredo 3\nend\n"
                               "check";
    static const ReplayVerb verbs[] = {REPLAY_UNDO, REPLAY_EDIT, REPLAY_EDIT, REPLAY_COPY,
                                       REPLAY_REDO, REPLAY_COPY, REPLAY_REDO, REPLAY_CHECK};
    static const Edit flood[] = {
        {.tool = TOOL_MARK, .shape = MARK_SAME, 1, 2, 3, 1, 2, 3},
        {.tool = TOOL_PAINT, .shape = SHAPE_CUBOID, .colors = 4 | 1 << 8, .flags = EDIT_MARKED}};
    char error[REPLAY_ERROR_SIZE];
    Replay replay;
    if (!readText(text, &replay, error)) {
        fail_msg("%s", error);
    }
    assert_int_equal(replay.source.terrainSize, 128);
    assert_int_equal(replay.source.seed, 7);
    assert_int_equal(replay.room.poolMib, 5);
    assert_int_equal(replay.room.undoMib, 6);
    assert_int_equal(replay.room.tableSlots, 7000);
    assert_int_equal(replay.count, sizeof verbs / sizeof *verbs);
    for (size_t i = 0; i < replay.count; ++i) {
        assert_int_equal(replay.lines[i].verb, verbs[i]);
    }
    assert_int_equal(replay.lines[0].number, 6);
    assert_memory_equal(&replay.lines[1].edit, &flood[0], sizeof *flood);
    assert_memory_equal(&replay.lines[2].edit, &flood[1], sizeof *flood);
    replayFree(&replay);
}

enum { NONE = 1000 };
static const struct {
    const char *text;
    ReplayLine line; /* count: the default is 1, or 0 for NONE */
} rightLines[] = {
    {"add sphere -1 2 3 to 4 5 6 radius 7 color 8 bands 9",
     {REPLAY_EDIT, .edit = {TOOL_ADD, SHAPE_SPHERE, -1, 2, 3, 4, 5, 6, 7, 8 | 9 << 8, 0, 0}}},
    {"dig box 1 0 0 radius 2 no-undo",
     {REPLAY_EDIT,
      .edit = {TOOL_DIG, SHAPE_BOX, 1, 0, 0, 1, 0, 0, 2, 1 << 8, .flags = EDIT_NO_UNDO}}},
    {"paint cuboid 9 9 9 to 1 2 3 color 255",
     {REPLAY_EDIT, .edit = {TOOL_PAINT, SHAPE_CUBOID, 9, 9, 9, 1, 2, 3, .colors = 255 | 1 << 8}}},
    {"paste 7 8 9 turn 3 replace",
     {REPLAY_EDIT,
      .edit = {TOOL_PASTE, SHAPE_CUBOID, 7, 8, 9, 7, 8, 9, 0, 1 << 8, EDIT_REPLACE, 3}}},
    {"drag 100 smooth sphere 0 0 0 to 5000 0 0 radius 3",
     {REPLAY_DRAG, .edit = {TOOL_SMOOTH, SHAPE_SPHERE, .bx = 5000, .radius = 3, .colors = 1 << 8},
      .count = 100}},
    {"mark touch 4 5 6", {REPLAY_EDIT, .edit = {.tool = TOOL_MARK, MARK_TOUCH, 4, 5, 6, 4, 5, 6}}},
    {"mark face 1 2 3 +y",
     {REPLAY_EDIT, .edit = {TOOL_MARK, MARK_FACE, 1, 2, 3, 1, 2, 3, .turn = 3}}},
    {"mark color 9", {REPLAY_EDIT, .edit = {TOOL_MARK, MARK_COLOR, .colors = 9}}},
    {"paint marked color 7 bands 3",
     {REPLAY_EDIT, .edit = {TOOL_PAINT, SHAPE_CUBOID, .colors = 7 | 3 << 8, .flags = EDIT_MARKED}}},
    {"copy marked", {REPLAY_COPY, .edit = {.flags = EDIT_MARKED}}},
    {"extrude -4", {REPLAY_EDIT, .edit = {TOOL_EXTRUDE, .ax = -4}}},
    {"undo", {REPLAY_UNDO, .count = 1}},
    {"redo 3", {REPLAY_REDO, .count = 3}},
    {"frames 4", {REPLAY_FRAMES, .count = 4}},
    {"camera 45 -20.5 1.5", {REPLAY_CAMERA, .numbers = {45, -20.5f, 1.5f}}},
    {"picture a.png", {REPLAY_PICTURE, .path = "a.png", .count = NONE}},
    {"picture b.png flat frames 9",
     {REPLAY_PICTURE, .path = "b.png", .mode = VIEW_FLAT, .count = 9}},
    {"check", {.verb = REPLAY_CHECK}},
    {"check 0123456789abcdef", {REPLAY_CHECK, .hasSum = true, .sum = 0x0123456789ABCDEF}},
    {"palette 9 1 2 3 light 4", {REPLAY_PALETTE, .count = 9, .numbers = {1, 2, 3, 4}}},
    {"sky 1 2.5 3", {REPLAY_SKY, .numbers = {1, 2.5f, 3, 1, 2.5f, 3}}},
    {"sky 1 2 3 horizon 4 5 6", {REPLAY_SKY, .numbers = {1, 2, 3, 4, 5, 6}}},
    {"sun 1 2 3", {REPLAY_SUN, .numbers = {1, 2, 3}}},
    {"sun 1 2 3 45 -9", {REPLAY_SUN, .numbers = {1, 2, 3, 45, -9}, .given = true}},
    {"ground on", {REPLAY_GROUND, .count = 1}},
    {"ground off", {REPLAY_GROUND, .count = NONE}},
    {"grain 0.5", {REPLAY_GRAIN, .numbers = {0.5f}}},
    {"eye 1.5 2 3 45 9", {REPLAY_EYE, .numbers = {1.5f, 2, 3, 45, 9}}},
    {"fly 60 -1 2 3 45 9.5", {REPLAY_FLY, .count = 60, .numbers = {-1, 2, 3, 45, 9.5f}}},
};

PLAIN_TEST(lines_are_read) {
    for (size_t i = 0; i < sizeof rightLines / sizeof *rightLines; ++i) {
        const ReplayLine *right = &rightLines[i].line;
        char error[REPLAY_ERROR_SIZE];
        Replay replay;
        assert_true(readText(rightLines[i].text, &replay, error));
        const ReplayLine *line = replay.lines;
        const uint32_t count = right->count ? right->count % NONE : 1;
        if (replay.count != 1 || line->verb != right->verb || line->count != count ||
            memcmp(&line->edit, &right->edit, sizeof line->edit) != 0 ||
            memcmp(line->numbers, right->numbers, sizeof line->numbers) != 0 ||
            line->given != right->given || line->mode != right->mode ||
            strcmp(line->path, right->path) != 0 || line->hasSum != right->hasSum ||
            line->sum != right->sum) {
            fail_msg("%s", rightLines[i].text);
        }
        replayFree(&replay);
    }
}

static const char *const wrongLines[][2] = {
    {"flee 1 2 3", "line 1: \"flee\" is not known"},
    {"\n\nadd", "line 3: add wants sphere"},
    {"add cone 1 2 3 radius 4 color 1", "add wants sphere"},
    {"add sphere 1 2 radius 4 color 1", "a place wants"},
    {"add sphere 1 2 3 radius -1 color 1", "radius wants"},
    {"add sphere 1 2 3 radius 513 color 1", "radius wants"},
    {"add sphere 1 2 3 color 1", "add wants a radius"},
    {"add sphere 1 2 3 radius 4", "add wants a color"},
    {"flood 1 2 3 color 4", "flood"},
    {"paint marked", "paint wants a color"},
    {"add sphere 1 2 3 radius 4 color 256", "color wants"},
    {"add sphere 1 2 3 radius 4 color 1 colour 2", "not expected"},
    {"add sphere 0 0 0 to 2049 0 0 radius 4 color 1", "apart"},
    {"add sphere 1e2 2 3 radius 4 color 1", "a place wants"},
    {"paste 0 0 0 turn 48", "turn wants"},
    {"mark", "mark wants same"},
    {"mark color 256", "color wants"},
    {"mark face 1 2 3", "a face wants a side"},
    {"mark same 1 2 3 +x", "not expected"},
    {"add marked color 3", "only be dug and painted"},
    {"extrude", "extrude wants"},
    {"undo 0", "wants a whole number"},
    {"undo 1 2", "not expected"},
    {"frames", "wants a whole number"},
    {"camera 1 2", "camera wants"},
    {"camera 1 2 nan", "camera wants"},
    {"camera 1 99 1", "camera wants"},
    {"picture", "picture wants a file"},
    {"picture a.png pretty", "not expected"},
    {"check 12", "check wants"},
    {"check 0123456789ABCDEF", "check wants"},
    {"repeat 2\nrepeat 2\nend", "a repeat within"},
    {"repeat 2\nundo", "a repeat has no end"},
    {"end", "end without"},
    {"stroke", "stroke wants begin or end"},
    {"copy 1 2 3 4 5 6", "\"to\""},
    {"drag 10 add cuboid 0 0 0 to 9 9 9 color 1", "cannot be dragged"},
    {"drag 10 mark same 0 0 0", "drag wants"},
    {"drag 1 add sphere 0 0 0 to 9 9 9 radius 1 color 1", "drag wants"},
    {"world terrain 100", "multiple of 8"},
    {"world flat 64", "world wants"},
    {"world empty", "empty wants"},
    {"pool-mib 0", "pool-mib wants"},
    {"fly 1 2 3", "fly wants FRAMES X Y Z"},
    {"fly 0 1 2 3 4 5", "fly wants a whole number"},
    {"\neye 1 2 3 4", "line 2: eye wants X Y Z"},
    {"eye 1 2 3 4 90", "eye wants X Y Z YAW PITCH, not \"90\""},
    {"eye 1 2 3 4 5 6", "not expected"},
    {"palette 0 1 2 3", "palette wants"},
    {"palette 1 2 3", "a channel wants"},
    {"palette 1 2 3 256", "a channel wants"},
    {"palette 1 2 3 4 light 101", "light wants"},
    {"palette 1 2 3 4 glow 1", "not expected"},
    {"sky 1 2", "sky wants R G B"},
    {"sky 1 2 -3", "sky wants R G B"},
    {"sky 1 2 3 horizon 1 2", "sky wants R G B"},
    {"sun 1 2", "sun wants R G B"},
    {"sun 1 2 inf", "sun wants R G B"},
    {"sun 1 2 3 4", "sun wants R G B [YAW HEIGHT]"},
    {"ground", "ground wants on or off"},
    {"grain 1.1", "grain wants"},
    {"picture a.png frames 0", "frames wants"},
};

PLAIN_TEST(wrong_replays_are_refused) {
    char error[REPLAY_ERROR_SIZE];
    Replay replay;
    for (size_t i = 0; i < sizeof wrongLines / sizeof *wrongLines; ++i) {
        const bool read = readText(wrongLines[i][0], &replay, error);
        if (read || !strstr(error, wrongLines[i][1])) {
            fail_msg("\"%s\": %s\n", wrongLines[i][0], read ? "was read" : error);
        }
        assert_int_equal(replay.count, 0);
    }
    char longLine[1000];
    memset(longLine, 'x', sizeof longLine - 1);
    longLine[sizeof longLine - 1] = '\0';
    assert_false(readText(longLine, &replay, error));
    assert_false(replayRead("undo\0", 5, &replay, error));
}
