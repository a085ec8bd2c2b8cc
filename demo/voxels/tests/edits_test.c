/* Replays on the GPU. The program compares each checked state with its model on the CPU and checks
 * its tables' and its pool's books; these cases make it do all that edits can do.
 *
 * SPDX-License-Identifier: MIT */
#include "voxels_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Plays a text, verified if more says nothing else. */
static void play(Program *program, const char *text, const char *more, const char *value) {
    fileWrite(pathIn(folder, "a.replay"), text, strlen(text));
    const char *const arguments[] = {"--replay", "a.replay", "--no-picture", more, value};
    run(program, arguments, more ? (value ? 5 : 4) : 3);
}

static void playVerified(Program *program, const char *text, Checksums *checksums) {
    play(program, text, "--verify", NULL);
    if (program->status != 0 && program->status != 2) {
        fail_msg("status %d, stderr: %s\n", program->status, program->error);
    }
    readChecksums(program, true, checksums);
}

/* Two states next to each other in a replay differ, so that what leads from one to the other did
 * something. */
static void expectAllDifferent(const Checksums *checksums, size_t count) {
    for (size_t i = 1; i < count; ++i) {
        if (strcmp(checksums->sums[i], checksums->sums[i - 1]) == 0) {
            print_error("nothing happened before check %zu\n", i);
            fail();
        }
    }
}

static void every_tool_and_shape(void **state) {
    (void)state;
    Program program;
    Checksums checks;
    playVerified(&program,
                 "world terrain 64 3\ncheck\n"
                 "add sphere 30 60 30 radius 40 color 5\ncheck\n"
                 "add sphere 20 70 30 radius 9 color 81 bands 16\ncheck\n"
                 "dig sphere 40 50 30 radius 20\ncheck\n"
                 "paint sphere 20 50 20 radius 30 color 9\ncheck\n"
                 "paint box 50 40 40 radius 12 color 30 bands 5\ncheck\n"
                 "add box 100 50 50 radius 33 color 7\ncheck\n"
                 "paint box 100 50 50 radius 20 color 8\ncheck\n"
                 "dig box 100 50 50 radius 30\ncheck\n"
                 "add cuboid 99 31 70 to 70 0 99 color 12\ncheck\n"
                 "paint cuboid 80 8 80 to 95 23 95 color 13\ncheck\n"
                 "dig cuboid 72 0 72 to 79 31 79\ncheck\n"
                 "smooth sphere 60 60 60 radius 40\ncheck\n"
                 "smooth box 30 30 30 radius 15\ncheck\n"
                 "smooth cuboid 0 0 0 to 63 90 20\ncheck\n",
                 &checks);
    expectSuccess(&program);
    assert_int_equal(checks.count, 16);
    expectAllDifferent(&checks, 15);
}

static void lines_of_every_shape(void **state) {
    (void)state;
    Program program;
    Checksums checks;
    playVerified(&program,
                 "world terrain 64\ncheck\n"
                 "add sphere 0 80 0 to 90 100 120 radius 5 color 40\ncheck\n"
                 "add box 90 80 0 to 0 100 120 radius 6 color 41 bands 3\ncheck\n"
                 "add sphere 10 10 10 to 10 90 10 radius 16 color 42\ncheck\n"
                 "dig sphere 10 90 0 to 60 85 100 radius 9\ncheck\n"
                 "dig box 60 20 10 to 10 20 60 radius 4\ncheck\n"
                 "paint sphere 0 30 0 to 63 30 63 radius 10 color 3\ncheck\n"
                 "smooth sphere 0 60 63 to 63 30 0 radius 12\ncheck\n"
                 "add sphere -900 100 20 to 900 110 30 radius 2 color 9\ncheck\n"
                 "undo 8\ncheck\n",
                 &checks);
    expectSuccess(&program);
    expectAllDifferent(&checks, 10);
    assert_string_equal(checks.sums[0], checks.sums[9]);
}

/* Brushes that reach out of the world, at its corners and beyond. */
static void edits_at_the_ends_of_the_world(void **state) {
    (void)state;
    Program program;
    Checksums checks;
    playVerified(&program,
                 "world empty 64\ncheck\n" /* its corner is 64 below the world's middle */
                 "add sphere -32704 -8128 -32704 radius 30 color 3\ncheck\n"
                 "add sphere 32831 8255 32831 radius 40 color 4\ncheck\n"
                 "add box 32831 -8128 0 radius 90 color 5 bands 3\ncheck\n"
                 "smooth sphere -32704 -8128 -32704 radius 40\ncheck\n"
                 "flood -32696 -8120 -32696 color 9\ncheck\n"
                 "add box 40000 0 0 radius 90 color 5\n"
                 "dig sphere -40000 0 0 radius 90\ncheck\n",
                 &checks);
    assert_true(checks.voxels[1] > 1000 && checks.voxels[2] > checks.voxels[1]);
    expectAllDifferent(&checks, 6);
    assert_string_equal(checks.sums[6], checks.sums[5]);
}

static void floods_go_where_colours_lead(void **state) {
    (void)state;
    Program program;
    Checksums checks;
    playVerified(&program,
                 "world empty 64\n"
                 /* a block with walls that leave a winding way of one colour */
                 "add cuboid 0 0 0 to 79 31 79 color 1\n"
                 "add cuboid 10 0 0 to 12 31 70 color 2\nadd cuboid 20 0 9 to 22 31 79 color 2\n"
                 "add cuboid 30 0 0 to 32 31 70 color 2\nadd cuboid 40 0 9 to 42 25 79 color 2\n"
                 "add sphere 60 16 40 radius 12 color 2\nadd sphere 60 16 40 radius 9 color 1\n"
                 "check\n"
                 "flood 0 0 0 color 3\ncheck\n"    /* all but the inner ball, over the last wall */
                 "flood 60 16 40 color 4\ncheck\n" /* the ball */
                 "flood 11 5 5 color 3\ncheck\n"   /* a wall joins */
                 "flood 0 0 0 color 5\ncheck\n"
                 "undo 2\ncheck\nredo 1\ncheck\n"
                 "flood 0 50 0 color 5\nflood 60 16 40 color 4\ncheck\n", /* air; the same colour */
                 &checks);
    expectSuccess(&program);
    expectAllDifferent(&checks, 7);
    assert_string_equal(checks.sums[7], checks.sums[6]);
    for (size_t i = 1; i < checks.count; ++i) {
        assert_true(checks.voxels[i] == checks.voxels[0]);
    }
}

static void boxes_are_copied_and_pasted(void **state) {
    (void)state;
    Program program;
    Checksums checks;
    playVerified(&program,
                 "world terrain 64 5\nadd sphere 20 60 20 radius 11 color 81 bands 16\n"
                 "check\n"
                 "copy 5 40 7 to 41 75 29\n"
                 "paste 200 30 40\ncheck\n"
                 "paste 200 100 40 turn 1\ncheck\n"
                 "paste 203 107 45 turn 2 replace\ncheck\n"
                 "paste 100 103 43 turn 3\ncheck\n"
                 "dig cuboid 0 0 0 to 63 150 63\ncheck\n" /* the copy stays */
                 "paste 5 40 7\ncheck\n"
                 "copy 200 30 40 to 200 30 40\npaste 300 30 40 replace\ncopy 0 0 0 to 300 140 90\n"
                 "paste -150 0 -45\npaste -100 20 0 turn 1\ncheck\n"
                 "undo 9\ncheck\n",
                 &checks);
    expectSuccess(&program);
    expectAllDifferent(&checks, 8);
    assert_string_equal(checks.sums[8], checks.sums[0]);
}

/* 70 edits, all the way back and forth, several times. */
static void undo_to_the_start_and_back(void **state) {
    (void)state;
    char text[16384];
    Program program;
    Checksums checks;
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
    playVerified(&program, text, &checks);
    expectWarnings(&program, 3, "there is nothing more to"); /* some of the 70 change nothing */
    assert_string_equal(checks.sums[2], checks.sums[0]);
    assert_string_equal(checks.sums[3], checks.sums[1]);
    assert_string_equal(checks.sums[6], checks.sums[1]);
    assert_string_equal(checks.sums[8], checks.sums[0]);
    assert_string_not_equal(checks.sums[1], checks.sums[0]);
    assert_string_not_equal(checks.sums[4], checks.sums[5]);
}

/* With no room for all, the oldest are forgotten, and what is left is exact. */
static void oldest_undo_records_are_forgotten_first(void **state) {
    (void)state;
    Program program;
    Checksums checks;
    playVerified(&program,
                 "world terrain 64\nundo-mib 1\n"
                 "drag 60 add sphere 0 60 0 to 60 40 60 radius 14 color 81 bands 16\ncheck\n"
                 "undo 200\ncheck\nredo 200\ncheck\n",
                 &checks);
    expectWarnings(&program, 2, "there is nothing more to");
    assert_string_not_equal(checks.sums[0], checks.sums[1]);
    assert_string_equal(checks.sums[0], checks.sums[2]);
}

static void too_large_for_undo_is_said_before(void **state) {
    (void)state;
    Program program;
    Checksums checks;
    playVerified(&program,
                 "world terrain 64\nundo-mib 1\ncheck\n"
                 "add sphere 0 60 0 radius 5 color 9\ncheck\n"
                 "dig sphere 30 40 30 radius 170\ncheck\n" /* refused */
                 "undo\ncheck\nredo\n"
                 "dig sphere 30 40 30 radius 60 no-undo\ncheck\n" /* done, and forgets all */
                 "undo\n",
                 &checks);
    assert_int_equal(lineCount(program.error), 2);
    assert_non_null(strstr(program.error, "line 6: the edit could not be undone"));
    assert_non_null(strstr(program.error, "line 13: there is nothing more to undo"));
    assert_string_equal(checks.sums[1], checks.sums[2]);
    assert_string_equal(checks.sums[0], checks.sums[3]);
    assert_true(checks.voxels[4] < checks.voxels[0]);
}

static void no_undo_at_all(void **state) {
    (void)state;
    Program program;
    play(&program,
         "world terrain 64\nadd sphere 0 60 0 radius 30 color 9 bands 9\n"
         "dig sphere 0 60 0 radius 30\nundo\n",
         "--undo-mib", "0");
    expectWarnings(&program, 1, "nothing more to undo");
}

/* What changes nothing is no edit: nobody has to undo it, and what can be redone stays so. */
static void what_changes_nothing_is_no_edit(void **state) {
    (void)state;
    Program program;
    Checksums checks;
    playVerified(&program,
                 "world empty 64\nadd sphere 30 30 30 radius 5 color 3\ncheck\n"
                 "add box 30 40 30 radius 2 color 4\ncheck\n"
                 "paint sphere 0 60 0 radius 3 color 9\ndig box 60 60 60 radius 2\n"
                 "add sphere 30 30 30 radius 4 color 3\nflood 0 0 0 color 7\n"
                 "smooth sphere 0 60 0 radius 2\nflood 30 30 30 color 3\n"
                 "undo\ncheck\n"
                 "paint sphere 0 60 0 radius 3 color 9\nflood 0 0 0 color 7\n"
                 "flood 30 30 30 color 3\ndig box 60 60 60 radius 2\nredo\ncheck\n"
                 "undo\npaint sphere 30 30 30 radius 1 color 5\ncheck\nredo\n" /* forgotten */
                 "undo 2\ncheck\n",
                 &checks);
    expectWarnings(&program, 1, "nothing more to redo");
    assert_string_equal(checks.sums[2], checks.sums[0]);
    assert_string_equal(checks.sums[3], checks.sums[1]);
    assert_string_not_equal(checks.sums[4], checks.sums[0]);
    assert_true(checks.voxels[5] == 0);
}

/* Edits that depend on each other, with some that change nothing between them, are one undo. */
static void a_stroke_is_one_undo(void **state) {
    (void)state;
    Program program;
    Checksums checks;
    playVerified(
        &program,
        "world terrain 64\nadd box 9 80 9 radius 1 color 3\ncheck\nstroke begin\n"
        "drag 40 add sphere 0 60 0 to 60 40 60 radius 6 color 81 bands 16\n"
        "paint sphere 0 200 0 radius 3 color 9\n"
        "dig box 0 60 0 to 60 40 60 radius 3\nadd sphere 5 50 5 to 44 60 9 radius 0 color 9\n"
        "dig sphere 0 200 0 radius 3\nstroke end\ncheck\n"
        "add box 9 90 9 radius 1 color 3\ncheck\n"
        "undo 2\ncheck\nundo\ncheck\nredo 2\ncheck\nredo\ncheck\nundo 3\ncheck\n",
        &checks);
    expectSuccess(&program);
    expectAllDifferent(&checks, 5);
    assert_string_equal(checks.sums[3], checks.sums[0]);
    assert_string_equal(checks.sums[5], checks.sums[1]);
    assert_string_equal(checks.sums[6], checks.sums[2]);
    assert_string_equal(checks.sums[7], checks.sums[4]);
}

/* The rest of a stroke whose beginning was forgotten goes with it. */
static void strokes_are_forgotten_whole(void **state) {
    (void)state;
    Program program;
    Checksums checks;
    playVerified(
        &program,
        "world terrain 64\nundo-mib 1\nstroke begin\n"
        "drag 30 add sphere 0 60 0 to 60 40 60 radius 14 color 81 bands 16\nstroke end\ncheck\n"
        "stroke begin\ndrag 30 add sphere 60 60 0 to 0 40 60 radius 14 color 81 bands 16\n"
        "stroke end\ncheck\nundo 2\ncheck\n",
        &checks);
    expectWarnings(&program, 1, "nothing more to undo");
    assert_string_equal(checks.sums[2], checks.sums[0]);
}

static void picks_start_edits_of_the_same_frame(void **state) {
    (void)state;
    Program program;
    Checksums checks;
    playVerified(&program,
                 "world terrain 64\ncheck\n"
                 "look 32 180 32 to 32 0 32\nadd sphere face 0 0 0 radius 6 color 90\ncheck\n"
                 "look 120 60 32 to 30 40 35\ndig sphere pick 0 0 0 radius 5\ncheck\n"
                 "look -90 50 33 to 40 30 20\nadd box pick 0 20 0 to 9 20 0 radius 3 color 3\n"
                 "check\nlook 32 180 32 to 32 0 32\nflood pick 0 0 0 color 4\ncheck\n"
                 "look 32 500 32 to 32 600 32\nadd sphere pick 0 0 0 radius 4 color 7\ncheck\n",
                 &checks);
    expectWarnings(&program, 1, "there is nothing where it should start");
    expectAllDifferent(&checks, 5);
    assert_string_equal(checks.sums[5], checks.sums[4]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(every_tool_and_shape),
        TEST(lines_of_every_shape),
        TEST(edits_at_the_ends_of_the_world),
        TEST(floods_go_where_colours_lead),
        TEST(boxes_are_copied_and_pasted),
        TEST(undo_to_the_start_and_back),
        TEST(oldest_undo_records_are_forgotten_first),
        TEST(too_large_for_undo_is_said_before),
        TEST(no_undo_at_all),
        TEST(what_changes_nothing_is_no_edit),
        TEST(a_stroke_is_one_undo),
        TEST(strokes_are_forgotten_whole),
        TEST(picks_start_edits_of_the_same_frame),
    };
    return cmocka_run_group_tests_name("edits", tests, NULL, NULL);
}
