/* Tests full pools and full tables. An edit is then partial, nothing is corrupted, and the program
 * continues and prints which option helps. The voxels that a partial edit omits vary, so each check
 * compares the counters and not the voxels.
 * SPDX-License-Identifier: MIT */
#include "support/seed.h"
#include "voxels_run.h"
#include "support/cases.h"

#include <stdio.h>
#include <string.h>

/* Plays a text with SMALL_ROOM and one more option. */
static void play(Program *program, Checksums *checks, const char *text, const char *option,
                 const char *value) {
    PLAY(program, text, "--count", "--no-picture", SMALL_ROOM, option, value);
    readChecksums(program, false, checks);
    assert_int_equal(program->status, 2);
}

/* Fills the pool with and without undo records. Without records, a dig frees bricks for edits. */
TEST(full_pool_makes_edits_partial) {
    Program program;
    Checksums checks;
    play(&program, &checks,
         "world empty 64\nundo-mib 4\ncheck\n"
         "add sphere 0 0 0 radius 60 color 3 bands 200\nframes 2\n"
         "add sphere 150 0 0 radius 60 color 3 bands 200\nframes 2\n"
         "add sphere 300 0 0 radius 60 color 3 bands 200\nframes 2\n"
         "add sphere 450 0 0 radius 60 color 3 bands 200\ncheck\n" /* needs four times 1.3 MiB */
         "undo\ncheck\nredo\ncheck\nundo\ncheck\nredo\n"
         "smooth sphere 450 0 0 radius 65 no-undo\ncheck\n"
         "dig sphere 450 0 0 radius 70 no-undo\ndig sphere 0 0 0 radius 70 no-undo\ncheck\n"
         "add sphere 0 0 0 radius 20 color 3 bands 200 no-undo\ncheck\n",
         "--pool-mib", "1");
    assert_true(lineCount(program.error) >= 2);
    assert_non_null(strstr(program.error, "add sphere 60 bands: partial: "));
    assert_non_null(strstr(program.error, "the brick pool is full (more: --pool-mib)"));
    assert_true(checks.voxels[1] > checks.voxels[2] && checks.voxels[2] > 1000000);
    expectSums(&checks, 0, "abcbcdef");
    assert_true(checks.voxels[7] - checks.voxels[6] > 33000);
    assert_null(strstr(program.error, "add sphere 20"));
}

/* A table that starts small is full only after it has grown to its limit. */
static void fill_grown_table(void) {
    Program program;
    Checksums checks;
    play(&program, &checks,
         "world empty 64\n\ncheck\n"
         "add box 0 0 0 radius 50 color 7\ncheck\n" /* 2,197 bricks */
         "add box 200 0 0 radius 50 color 7\nadd box 0 200 0 radius 50 color 7\ncheck\n"
         "dig sphere 0 0 0 radius 30\nundo 4\ncheck\nframes 70\n"
         "add box 0 0 0 radius 50 color 7\ncheck\n",
         "--table-slots", "5000");
    EXPECT_SAID(&program, 1,
                "add box 50: partial: ", "the brick table is full (more: --table-slots)");
    assert_non_null(strstr(program.out, ", moved "));
    assert_null(strstr(program.out, ", moved 0"));
    assert_true(checks.voxels[2] > 2 * checks.voxels[1] && checks.voxels[2] < 3 * checks.voxels[1]);
    assert_true(checks.voxels[3] == 0);
    expectSums(&checks, 0, "abcab"); /* tombstones were removed */
}

/* Fills the table of bricks. Then fills the table of regions by one brick per region. */
TEST(full_tables_make_edits_partial) {
    char text[1 << 13] = "world empty 64\ncheck\n"
                         "add box 0 0 0 radius 32 color 7\ncheck\n" /* 729 uniform bricks */
                         "smooth box 0 0 0 radius 36\ncheck\n"
                         "add sphere 0 0 0 radius 26 color 3 bands 200\ncheck\n"
                         "dig sphere 0 0 0 radius 18\ncheck\nundo 4\ncheck\n"
                         "add box 0 0 0 radius 32 color 7\ncheck\nundo\ncheck\n";
    Program program;
    Checksums checks;
    for (int i = 0; i < 130; ++i) {
        char line[64];
        (void)snprintf(line, sizeof line, "add cuboid %d %d 0 to %d %d 0 color 3\n", i % 75 * 64,
                       i / 75 * 64, i % 75 * 64, i / 75 * 64);
        (void)strcat(text, line);
    }
    (void)strcat(text, "check\nundo 130\ncheck\n");
    PLAY(&program, text, "--count", "--no-picture", "--pool-mib", "16", "--table-slots", "300",
         "--undo-mib", "16", "--flood-bricks", "1024", "--clipboard-mib", "1");
    readChecksums(&program, false, &checks);
    assert_int_equal(program.status, 2);
    assert_non_null(strstr(program.error, "add box 32: partial: "));
    assert_non_null(strstr(program.error, "the brick table is full (more: --table-slots)"));
    assert_null(strstr(program.error, "pool"));
    assert_true(checks.voxels[1] >= 300 * 200);
    assert_true(checks.voxels[5] == 0); /* undo to the start, exactly */
    assert_true(checks.voxels[7] == 0);
    assert_in_range(checks.voxels[8], 300 / 8 + 64, 129);
    assert_true(checks.voxels[9] == 0);
    const char *at = program.error;
    size_t alone = 0;
    for (; (at = strstr(at, "add cuboid")) != NULL; ++at) {
        ++alone;
    }
    assert_int_equal(alone, 130 - checks.voxels[8]);
    if (test_full()) {
        fill_grown_table();
    }
}

/* A world that does not fit is rejected. The failed run does not change older files. */
TEST(worlds_that_do_not_fit_are_refused) {
    Program program;
    fileWrite(pathIn(folder, "a.png"), "older", 5);
    if (test_full()) {
        EXPECT_ERROR(&program, "the terrain: the brick pool is full", "--terrain-size", "128",
                     "--table-slots", "9999", "--pool-mib", "1", "--undo-mib", "0", "--screenshot",
                     "a.png");
    }
    EXPECT_ERROR(&program, "the terrain: the brick table is full", "--terrain-size", "64",
                 "--table-slots", "50", "--pool-mib", "16", "--undo-mib", "0", "--flood-bricks",
                 "1024", "--clipboard-mib", "1", "--screenshot", "a.png");
    assert_false(fileExists(pathIn(folder, "a.png.part")));
    expectFile(pathIn(folder, "a.png"), "older");
}

TEST(full_clipboard_and_flood_are_said) {
    Program program;
    Checksums checks;
    static const char text[] =
        "world empty 64\nadd box 0 0 0 radius 24 color 7\ncheck\n"
        "mark same 0 0 0\npaint marked color 8\ncheck\n"
        "add box 0 0 0 radius 5 color 9\ncheck\nmark same 0 0 0\npaint marked color 3\ncheck\nundo "
        "3\ncheck\n"
        "paste 0 0 0\ncopy 0 0 0 to 150 150 150\npaste 0 0 0\n"
        "add box 0 0 0 radius 24 color 7\ncheck\nadd box 90 90 90 radius 3 color 9\n"
        "mark color 9\nmark color 7\ndig marked\nmark touch 0 0 0\ndig marked\n"
        "undo\ncheck\n"; /* undoes the last addition, because nothing was dug */
    PLAY(&program, text, "--no-picture", SMALL_ROOM, "--clipboard-mib", "1", "--flood-bricks",
         "100", "--verify");
    readChecksums(&program, true, &checks);
    EXPECT_SAID(&program, 9, "mark: more touches than can be marked", "nothing is marked",
                "more: --clipboard-mib", "there is no copy");
    expectSums(&checks, 0, "aabcdaa"); /* the first flood had no effect */
    assert_true(checks.voxels[4] == 0);
}
