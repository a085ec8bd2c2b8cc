/* Tests all types of edits by replays on the GPU. At each check, voxels_reference compares the
 * state with a model on the CPU, and checks the counters of its tables and its pool.
 * SPDX-License-Identifier: MIT */
#include "voxels_run.h"
#include "support/cases.h"

#include <stdio.h>
#include <string.h>

/* The checksums of a replay of several texts. next: index of the next text's first checksum. */
typedef struct Parts {
    Checksums all;
    size_t next;
} Parts;

#define PLAY_VERIFIED(program, parts, undoMib, ...) \
    playVerified(program, parts, undoMib, (const char *const[]){__VA_ARGS__, NULL})

/* Plays texts one after another in one world. */
static void playVerified(Program *program, Parts *parts, const char *undoMib,
                         const char *const *texts) {
    char text[1 << 14] = "";
    for (; *texts; ++texts) {
        assert_true(strlen(text) + strlen(*texts) < sizeof text);
        (void)strcat(text, *texts);
    }
    PLAY(program, text, "--no-picture", SMALL_ROOM, "--verify", "--undo-mib", undoMib);
    if (program->status != 0 && program->status != 2) {
        fail_msg("status %d, stderr: %s\n", program->status, program->error);
    }
    readChecksums(program, true, &parts->all);
    parts->next = 0;
}

/* Checks the checksums of the next text by expectSums, and returns them. */
static Checksums part(Parts *parts, const char *letters) {
    Checksums part = {.count = strlen(letters)};
    expectSums(&parts->all, parts->next, letters);
    memcpy(part.voxels, parts->all.voxels + parts->next, part.count * sizeof *part.voxels);
    parts->next += part.count;
    return part;
}

static const char everyTool[] = "check\n"
                                "add sphere 30 60 30 radius 24 color 5\ncheck\n"
                                "add sphere 20 70 30 radius 9 color 81 bands 16\ncheck\n"
                                "dig sphere 40 50 30 radius 14\ncheck\n"
                                "paint sphere 20 50 20 radius 18 color 9\ncheck\n"
                                "paint box 50 40 40 radius 12 color 30 bands 5\ncheck\n"
                                "add box 100 50 50 radius 19 color 7\ncheck\n"
                                "paint box 100 50 50 radius 12 color 8\ncheck\n"
                                "dig box 100 50 50 radius 16\ncheck\n"
                                "add cuboid 99 31 70 to 70 0 99 color 12\ncheck\n"
                                "paint cuboid 80 8 80 to 95 23 95 color 13\ncheck\n"
                                "dig cuboid 72 0 72 to 79 31 79\ncheck\n"
                                "smooth sphere 60 60 60 radius 24\ncheck\n"
                                "smooth box 30 30 30 radius 15\ncheck\n"
                                "smooth cuboid 0 20 0 to 63 60 9\ncheck\n";

static const char lines[] = "check\n"
                            "add sphere 0 80 0 to 90 100 120 radius 5 color 40\ncheck\n"
                            "add box 90 80 0 to 0 100 120 radius 6 color 41 bands 3\ncheck\n"
                            "add sphere 10 10 10 to 10 90 10 radius 10 color 42\ncheck\n"
                            "dig sphere 10 90 0 to 60 85 100 radius 9\ncheck\n"
                            "dig box 60 20 10 to 10 20 60 radius 4\ncheck\n"
                            "paint sphere 0 30 0 to 63 30 63 radius 10 color 3\ncheck\n"
                            "smooth sphere 0 60 63 to 63 30 0 radius 6\ncheck\n"
                            "add sphere -900 100 20 to 900 110 30 radius 2 color 9\ncheck\n"
                            "undo 8\ncheck\n";

static const char copies[] =
    "check\n"
    "copy 5 40 7 to 41 75 29\n"
    "paste 200 30 40\ncheck\n"
    "paste 200 100 40 turn 1\ncheck\n"
    "paste 203 107 45 turn 2 replace\ncheck\n"
    "paste 100 103 43 turn 3\ncheck\n"
    "paste 90 80 90 turn 27\npaste -60 90 70 turn 44 replace\npaste -60 90 7 turn 4\ncheck\n"
    "dig cuboid 0 0 0 to 63 150 63\ncheck\n" /* must not change the copy */
    "paste 5 40 7\ncheck\n"
    "copy 200 30 40 to 200 30 40\npaste 300 30 40 replace\ncopy 190 20 20 to 301 110 60\n"
    "paste -50 0 -10\npaste -30 20 0 turn 1\ncheck\n"
    "undo 12\ncheck\n";

/* Edits a terrain by every tool and shape, by lines, and by copies and pastes in several turns. */
TEST(tools_lines_and_copies) {
    Program program;
    Parts parts;
    PLAY_VERIFIED(&program, &parts, "16", "world terrain 64 3\n", everyTool, lines, copies);
    expectSuccess(&program);
    (void)part(&parts, "abcdefghijklmno");
    (void)part(&parts, "abcdefghia");
    (void)part(&parts, "abcdefghia");
    assert_int_equal(parts.next + 1, parts.all.count); /* the replay adds one at its end */
}

/* Edits that change nothing leave no undo record, and do not clear the redo records. */
static const char nothings[] =
    "add sphere 30 30 30 radius 5 color 3\ncheck\n"
    "add box 30 40 30 radius 2 color 4\ncheck\n"
    "paint sphere 0 60 0 radius 3 color 9\ndig box 60 60 60 radius 2\n"
    "add sphere 30 30 30 radius 4 color 3\nmark same 0 0 0\npaint marked color 7\n"
    "smooth sphere 0 60 0 radius 2\nmark same 30 30 30\npaint marked color 3\n"
    "undo\ncheck\n"
    "paint sphere 0 60 0 radius 3 color 9\nmark same 30 30 30\npaint marked color 3\n"
    "dig box 60 60 60 radius 2\nredo\ncheck\n"
    "undo\npaint sphere 30 30 30 radius 1 color 5\ncheck\nredo\n" /* nothing to redo */
    "undo 2\ncheck\n";

static const char floods[] =
    /* A block whose walls leave a winding path of one colour. */
    "add cuboid 0 0 0 to 79 15 79 color 1\n"
    "add cuboid 10 0 0 to 12 15 70 color 2\nadd cuboid 20 0 9 to 22 15 79 color 2\n"
    "add cuboid 30 0 0 to 32 15 70 color 2\nadd cuboid 40 0 9 to 42 11 79 color 2\n"
    "add sphere 60 7 40 radius 6 color 2\nadd sphere 60 7 40 radius 4 color 1\n"
    "check\n"
    "mark same 0 0 0\npaint marked color 3\ncheck\n"   /* all except the inner ball */
    "mark same 60 7 40\npaint marked color 4\ncheck\n" /* the ball */
    "mark same 11 5 5\npaint marked color 3\ncheck\n"  /* adds a wall */
    "mark same 0 0 0\npaint marked color 5\ncheck\n"
    "undo 2\ncheck\nredo 1\ncheck\n";

/* Tests each type of marks and each edit of marked voxels. The test computes expected numbers. */
static const char marks[] =
    "add cuboid 200 200 200 to 219 209 229 color 70\n"
    "add cuboid 200 210 200 to 203 217 203 color 71\n" /* on top */
    "add cuboid 240 240 240 to 247 249 258 color 71\ncheck\n"
    "mark same 201 212 201\npaint marked color 72 bands 3\ncheck\n"
    "mark color 71\ndig marked\ncheck\n"
    "mark touch 201 212 201\ncopy marked\npaste 300 203 199 turn 29\ncheck\n"
    "mark same 210 205 210\ncopy marked\ndig marked\npaste 200 200 200 turn 10\ncheck\n"
    "mark face 210 209 210 +y\nextrude 3\ncheck\n"
    "mark face 200 205 210 -x\nextrude 2\ncheck\n"
    "mark face 219 205 210 +x\nextrude -1\ncheck\n"
    "mark face 210 200 210 -y\nextrude -2\ncheck\n"
    "mark face 210 205 200 -z\nextrude 1\ncheck\n"
    "mark face 210 205 229 +z\nextrude 1\ncheck\n"
    "add cuboid 210 215 210 to 210 215 210 color 9\n" /* in the way */
    "mark face 215 212 220 +y\nextrude 4\ncheck\n";

/* Marks are positions. If a marked voxel has been removed, painting and extruding ignore it. An
 * edit that changes nothing keeps the redo records. */
static const char staleMarks[] =
    "undo\ncheck\npaint marked color 70\nredo\ncheck\nundo\npaint marked color 75\ncheck\n"
    "dig cuboid 205 212 205 to 209 212 209\nextrude 1\ncheck\npaint marked color 76\ncheck\n"
    "extrude -2\ncheck\nundo 1\n"
    "mark touch 210 211 210\npaint marked color 77\ncheck\nundo 1\ncheck\n"
    "mark same 250 250 250\ndig marked\ncopy marked\nextrude 1\n" /* no effect */
    "mark touch 201 212 201\nextrude 1\ncheck\n"                  /* no face */
    "mark touch 210 209 220\ncopy marked\ndig marked\ncheck\n"
    "paste 500 200 200\ncheck\n";

/* Brushes that extend beyond the world's corners, or lie outside. */
static const char ends[] = "check\n" /* corner: 64 below the middle */
                           "add sphere -32704 -8128 -32704 radius 20 color 3\ncheck\n"
                           "add sphere 32831 8255 32831 radius 26 color 4\ncheck\n"
                           "add box 32831 -8128 0 radius 20 color 5 bands 3\ncheck\n"
                           "smooth sphere -32704 -8128 -32704 radius 26\ncheck\n"
                           "mark same -32696 -8120 -32696\npaint marked color 9\ncheck\n"
                           "mark face -32704 -8120 -32696 -x\nextrude -2\ncheck\n"
                           "add box 40000 0 0 radius 50 color 5\n"
                           "dig sphere -40000 0 0 radius 50\ncheck\n";

static void expectMarked(Parts *parts) {
    static const int64_t more[] = {
        0,
        -8 * 10 * 19,                  /* the other block of this colour */
        20 * 10 * 30 + 128,            /* the copy */
        0,                             /* cut, and pasted with flips in x, y, z */
        3 * (20 * 30 - 16),            /* up, except under the tower */
        2 * (30 * 13 + 5 * 4),         /* the tower's side is in the same layer */
        -(30 * 13),                    /* in from +x */
        -2 * 21 * 30,                  /* from below */
        21 * 11 + 6 * 5,               /* towards -z, with the tower */
        21 * 11,                       /* towards +z */
        1 + 4 * (21 * 32 - 6 * 5) - 1, /* voxels in the way stay */
    };
    const Checksums checks = part(parts, "abcddefghijksklmnopnnqr");
    for (size_t i = 1; i < 12; ++i) {
        assert_int_equal((int64_t)(checks.voxels[i] - checks.voxels[i - 1]), more[i - 1]);
    }
    const unsigned long long *stale = checks.voxels + 12;
    assert_true(stale[2] == stale[0]);
    assert_int_equal(stale[3] - stale[2], 21 * 32 - 6 * 5 - 25 - 25);
    assert_true(stale[4] == stale[3]);
    assert_int_equal(stale[4] - stale[5], 2 * (21 * 32 - 6 * 5 - 25));
    assert_int_equal(stale[8] - stale[9], 8134); /* the block and its extrusions */
    assert_true(stale[10] == stale[8]);          /* other voxels in the box stay */
}

TEST(floods_and_the_ends_of_the_world) {
    Program program;
    Parts parts;
    PLAY_VERIFIED(&program, &parts, "16", "world empty 64\n", nothings, floods, marks, staleMarks,
                  ends);
    expectWarnings(&program, 6, "nothing ");
    assert_non_null(strstr(program.error, "nothing more to redo"));
    assert_true(part(&parts, "ababcd").voxels[5] == 0);
    const Checksums flooded = part(&parts, "abcdecd");
    for (size_t i = 1; i < flooded.count; ++i) {
        assert_true(flooded.voxels[i] == flooded.voxels[0]);
    }
    expectMarked(&parts);
    const Checksums end = part(&parts, "abcdefgg");
    assert_true(end.voxels[1] > end.voxels[0] + 1000 && end.voxels[2] > end.voxels[1]);
}

/* All edits of a stroke are one undo, even if some of them change nothing. */
static const char strokes[] =
    "add box 9 80 9 radius 1 color 3\ncheck\nstroke begin\n"
    "drag 40 add sphere 0 60 0 to 60 40 60 radius 6 color 81 bands 16\n"
    "paint sphere 0 200 0 radius 3 color 9\n"
    "dig box 0 60 0 to 60 40 60 radius 3\nadd sphere 5 50 5 to 44 60 9 radius 0 color 9\n"
    "dig sphere 0 200 0 radius 3\nstroke end\ncheck\n"
    "add box 9 90 9 radius 1 color 3\ncheck\n"
    "undo 2\ncheck\nundo\ncheck\nredo 2\ncheck\nredo\ncheck\nundo 3\ncheck\n";

/* Undoes and redoes all of 70 edits several times, then strokes. */
TEST(undo_to_the_start_and_back) {
    char text[8192];
    Program program;
    Parts parts;
    size_t used = (size_t)snprintf(text, sizeof text, "world terrain 64\ncheck\n");
    for (int i = 0; i < 70; ++i) {
        static const char *const tools[] = {"add", "dig", "paint", "smooth", "add"};
        const bool colored = i % 5 != 1 && i % 5 != 3;
        used += (size_t)snprintf(
            text + used, sizeof text - used, "%s %s %d %d %d radius %d%s%.0d%s\n", tools[i % 5],
            i % 3 ? "sphere" : "box", i * 37 % 64, 30 + i * 17 % 50, i * 23 % 64, 3 + i % 11,
            colored ? " color " : "", colored ? 1 + i * 3 : 0, i % 5 == 4 ? " bands 4" : "");
    }
    (void)snprintf(text + used, sizeof text - used,
                   "check\nundo 70\ncheck\nredo 70\ncheck\nundo 33\ncheck\nredo 12\nundo 40\n"
                   "check\nredo 61\ncheck\nundo 20\nadd sphere 9 70 9 radius 5 color 7\ncheck\n"
                   "undo 51\ncheck\n");
    PLAY_VERIFIED(&program, &parts, "16", text, strokes);
    expectWarnings(&program, 3, "there is nothing more to"); /* some of the 70 change nothing */
    (void)part(&parts, "ababcdbea");
    (void)part(&parts, "abcadbcd");
}

/* An edit whose records exceed the undo memory is rejected. With the option no-undo, it is executed
 * and all records are dropped. If the records of a smaller edit do not fit, the oldest records are
 * dropped, and undo of the others is exact. The records of one stroke are dropped together. */
TEST(little_room_for_undo) {
    Program program;
    Parts parts;
    PLAY_VERIFIED(&program, &parts, "1",
                  "world terrain 64\n\ncheck\n"
                  "add sphere 0 60 0 radius 5 color 9\ncheck\n"
                  "dig sphere 30 40 30 radius 170\ncheck\n" /* rejected */
                  "undo\ncheck\nredo\n"
                  "dig sphere 30 40 30 radius 60 no-undo\ncheck\n" /* drops all records */
                  "undo\n",
                  "drag 60 add sphere 0 60 0 to 60 40 60 radius 14 color 81 bands 16\ncheck\n"
                  "undo 200\ncheck\nredo 200\ncheck\n",
                  "stroke begin\n"
                  "drag 30 add sphere 0 60 0 to 60 40 60 radius 14 color 91 bands 16\n"
                  "stroke end\ncheck\nstroke begin\n"
                  "drag 30 add sphere 60 60 0 to 0 40 60 radius 14 color 81 bands 16\n"
                  "stroke end\ncheck\nundo 2\ncheck\n");
    EXPECT_SAID(&program, 5, "line 6: the edit could not be undone",
                "line 13: there is nothing more to undo");
    const Checksums large = part(&parts, "abbac");
    assert_true(large.voxels[4] < large.voxels[0]);
    (void)part(&parts, "aba");
    (void)part(&parts, "aba");
}

TEST(no_undo_at_all) {
    Program program;
    PLAY(&program,
         "world empty 64\nadd sphere 0 60 0 radius 30 color 9 bands 9\n"
         "dig sphere 0 60 0 radius 30\nundo\n",
         "--no-picture", SMALL_ROOM, "--undo-mib", "0");
    expectWarnings(&program, 1, "nothing more to undo");
}
