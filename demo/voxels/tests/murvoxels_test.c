/* Tests murvoxels as a program: small worlds with the validation layers, invalid input, full
 * tables. The program compares itself with a model on the CPU and fails if they differ. These tests
 * check its messages and files.
 * SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* strsep */
#include "model/vox.h"
#include "shot.h"
#include "vox_writer.h"
#include "voxels_run.h"
#include "support/cases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Reads a picture. Fails the test unless it has this size. */
static Shot readPicture(const char *name, unsigned width, unsigned height) {
    const Shot shot = shotRead(pathIn(folder, name));
    assert_int_equal(shot.width, width);
    assert_int_equal(shot.height, height);
    return shot;
}

/* Columns of the CSV file. */
enum {
    KIND,
    FRAME,
    NAME,
    MS,
    VOXELS,
    CHANGES,
    RATE,
    BRICKS = 9,
    SLOTS,
    LOAD,
    MEMORY = 15,
    COLUMNS
};

enum { ROWS = 128 };

typedef struct Row {
    const char *fields[COLUMNS];
} Row;

/* Returns the number in a column; -1: the field is empty. */
static double figure(const Row *row, int column) {
    return *row->fields[column] ? strtod(row->fields[column], NULL) : -1;
}

/* Reads the CSV's rows of one kind. Returns their number. Rows are valid until four more files. */
static size_t readRows(const char *name, const char *kind, Row rows[ROWS]) {
    char *rest = fileRead(pathIn(folder, name));
    size_t count = 0;
    assert_string_equal(strsep(&rest, "\n"),
                        "kind,frame,name,ms,voxels,bricks_changed,voxels_per_second,"
                        "pool_failed,table_failed,bricks,table_slots,load_factor,pool_used,"
                        "pool_bricks,undo_bytes_reserved,memory_bytes");
    while (rest && *rest) {
        char *line = strsep(&rest, "\n");
        Row row;
        for (int i = 0; i < COLUMNS; ++i) {
            row.fields[i] = strsep(&line, ",");
            assert_non_null(row.fields[i]);
        }
        assert_true(figure(&row, SLOTS) > 0 && figure(&row, MEMORY) > 0);
        if (strcmp(row.fields[KIND], kind) == 0) {
            assert_true(count < ROWS);
            rows[count++] = row;
        }
    }
    return count;
}

/* Another seed makes another world. With --times, the program reports the state of the clocks. */
static void times_say_how_the_clocks_were(Checksums *checks) {
    Program program;
    const char *const times[] = {
        "--headless", "--terrain-size", "64",    "--seed",    "8", "--size",   "16x9", "--times",
        "--count",    "--screenshot",   "a.png", "--samples", "2", SMALL_ROOM, NULL};
    programRun(REFERENCE, times, folder, &program); /* without layers, for --times */
    assert_int_equal(program.status, 0);
    assert_non_null(strstr(program.out, "\nclocks: "));
    assert_true(strstr(program.out, "clocks: not watched") ||
                strstr(program.out, " of busy work; reference "));
    readChecksums(&program, false, checks);
}

/* Draws, edits, saves, loads and again edits a terrain. */
TEST(terrain_is_drawn_saved_and_loaded) {
    Program program;
    Checksums checks[3];
    writeText("a.replay", "world terrain 64\ncheck\ncamera -120 60 1.5\npicture b.png\n"
                          "camera 45 30 1\npicture c.png\n"
                          "add sphere 9 60 9 radius 20 color 4\n"
                          "dig sphere 40 40 40 radius 15\n");
    writeText("b.replay", "add sphere 9 90 9 radius 5 color 4\nundo\n");
    RUN(&program, "--replay", "a.replay", "--count", "--size", "96x54", "--samples", "1",
        "--screenshot", "a.png", "--save", "a.world", "--export", "a.vox", SMALL_ROOM);
    expectSuccess(&program);
    assert_non_null(strstr(program.out, "picture: a.png"));
    readChecksums(&program, false, &checks[0]);
    assert_true(checks[0].voxels[0] > 64 * 64 * 20);
    const Shot first = readPicture("c.png", 96, 54), second = readPicture("b.png", 96, 54);
    assert_true(shotColors(&first) > 100);
    assert_int_not_equal(shotsDiffer(&first, &second, 8), 0);
    RUN(&program, "--load", "a.world", "--replay", "b.replay", "--verify", "--no-picture", "--save",
        "b.world", "--export", "a.glb", SMALL_ROOM);
    expectSuccess(&program);
    assert_non_null(strstr(program.out, "a dense grid: 1.0 MiB\n")); /* for the box of all bricks */
    assert_memory_equal(fileRead(pathIn(folder, "a.glb")), "glTF", 4);
    readChecksums(&program, true, &checks[1]);
    assert_string_equal(checks[1].sums[0], checks[0].sums[1]);
    /* The file does not depend on the order of bricks on the GPU. */
    char *a = fileRead(pathIn(folder, "a.world"));
    char *b = fileRead(pathIn(folder, "b.world"));
    assert_memory_equal(a, b, 16000);
    fileWrite(pathIn(folder, "c.world"), a, 16000);
    EXPECT_ERROR(&program, "c.world: ", "--load", "c.world", "--screenshot", "c.png");
    assert_string_equal(program.out, "");
    RUN(&program, "--vox", "a.vox", "--verify", "--no-picture", SMALL_ROOM);
    expectSuccess(&program);
    readChecksums(&program, true, &checks[2]);
    assert_true(checks[2].voxels[0] == checks[0].voxels[1]);
    times_say_how_the_clocks_were(&checks[2]);
    assert_string_not_equal(checks[0].sums[0], checks[2].sums[0]);
}

TEST(numbers_of_frames_and_edits_are_written) {
    Program program;
    Row rows[ROWS];
    writeText("a.replay", "world empty 64\nframes 3\nadd sphere 0 0 0 radius 20 color 4\n"
                          "drag 10 dig sphere 0 0 0 to 30 0 0 radius 4\nundo\n"
                          "eye 0 0 60 0 0\nfly 3 0 9 60 10 -5\n");
    RUN(&program, "--replay", "a.replay", "--size", "16x9", "--screenshot", "a.png", "--stats",
        "a.csv", "--samples", "1", SMALL_ROOM);
    expectSuccess(&program);
    assert_null(strstr(program.out, "random reads"));
    assert_int_equal(readRows("a.csv", "edit", rows), 12);
    const double voxels = figure(rows, VOXELS), rate = 1e3 * voxels / figure(rows, MS);
    assert_string_equal(rows[0].fields[NAME], "add sphere 20");
    assert_string_equal(rows[0].fields[FRAME], "3");
    assert_true(voxels >= 33401 && voxels <= 37000); /* full bricks count 512 voxels */
    assert_true(figure(rows, CHANGES) > 60 && figure(rows, MS) > 0);
    assert_true(figure(rows, RATE) > 0.99 * rate && figure(rows, RATE) < 1.01 * rate);
    assert_string_equal(rows[1].fields[NAME], "dig sphere 4");
    assert_string_equal(rows[11].fields[NAME], "undo");
    assert_true(figure(&rows[11], LOAD) > 0 && figure(&rows[11], LOAD) < 1);
    const size_t frames = readRows("a.csv", "frame", rows);
    size_t dragged = 0;
    for (size_t i = 0; i < frames; ++i) {
        assert_true(figure(&rows[i], FRAME) == (double)i && figure(&rows[i], MS) >= 0);
        dragged += strcmp(rows[i].fields[NAME], "drag dig sphere 4") == 0;
    }
    assert_true(frames >= 15);
    assert_int_equal(dragged, 10);
    assert_int_equal(readRows("a.csv", "stage", rows), 3);
    assert_non_null(strstr(program.out, "drag dig sphere 4"));
    assert_int_equal(readRows("a.csv", "fly", rows), 3);
    assert_true(figure(&rows[2], MS) > 0);
    assert_non_null(strstr(program.out, "\nfly                               3 "));
}

/* Pictures of an empty world by a replay: only sky, then a wall in colours that the replay sets. */
TEST(lines_say_what_pictures_show) {
    Program program;
    writeText("a.replay", "world empty 64\nsun 0 0 0\nsky 0.2 0.2 0.2\nground off\ngrain 0\n"
                          "eye 32 32 60.5 0 30\npicture a.png frames 1\n"
                          "add cuboid 0 0 0 to 63 63 3 color 7\npalette 7 250 20 10\n"
                          "fly 2 32 32 30 0 0\npicture b.png flat frames 1\n"
                          "palette 7 9 20 200 light 100\npicture c.png frames 1\n");
    RUN(&program, "--replay", "a.replay", "--size", "40x24", "--no-picture", SMALL_ROOM);
    expectSuccess(&program);
    const Shot sky = readPicture("a.png", 40, 24), wall = readPicture("b.png", 40, 24);
    const Shot light = readPicture("c.png", 40, 24);
    assert_int_equal(shotColors(&sky), 1);
    assert_int_equal(shotColors(&wall), 1);
    assert_memory_equal(wall.pixels, ((const uint8_t[]){250, 20, 10}), 3);
    assert_true(light.pixels[2] > 230 && light.pixels[0] < light.pixels[2]);
}

enum { GROWTH_EDITS = 26 };

/* Writes a replay of edits by every tool except paint: one per frame, of at most 216 bricks. */
static size_t writeGrowth(char *text, size_t size) {
    size_t used = (size_t)snprintf(text, size,
                                   "world empty 64\ncheck\n"
                                   "add box 0 0 0 radius 20 color 3 bands 9\nframes 3\n"
                                   "copy -10 -10 -10 to 10 10 10\n");
    for (int i = 1; i < 12; ++i) {
        const int x = 50 * i;
        used += (size_t)snprintf(text + used, size - used, "add box %d 0 0 radius 20 color %d\n", x,
                                 2 * i);
        used += i % 4 == 0
                    ? (size_t)snprintf(
                          text + used, size - used,
                          "mark same %d 0 0\npaint marked color 99\nsmooth box %d 20 0 radius 10\n",
                          x, x + 20)
                    : (size_t)snprintf(text + used, size - used, "paste %d 30 0\n", x);
    }
    return used +
           (size_t)snprintf(text + used, size - used, "dig sphere 150 0 0 radius 17\ncheck\n");
}

/* Returns the number after a word in the program's message about its table. */
static unsigned saidOfTable(const Program *program, const char *word) {
    const char *line = strstr(program->out, "bricks: ");
    const char *found = line ? strstr(line, word) : NULL;
    assert_non_null(found);
    return (unsigned)strtoul(found + strlen(word), NULL, 10);
}

/* The table begins small and grows with the edits. Undo and redo are exact although moves change
 * the slots. After all undos, the table shrinks. */
TEST(table_grows_with_the_world_and_shrinks) {
    char text[4096];
    Program program;
    Checksums checks;
    Row rows[ROWS];
    unsigned growths = 0;
    const size_t used = writeGrowth(text, sizeof text);
    (void)snprintf(text + used, sizeof text - used,
                   "undo %d\ncheck\nredo %d\ncheck\nundo %d\nframes 140\ncheck\n", GROWTH_EDITS,
                   GROWTH_EDITS, GROWTH_EDITS);
    writeText("a.replay", text);
    RUN(&program, "--replay", "a.replay", "--verify", "--no-picture", "--stats", "a.csv",
        "--pool-mib", "16", "--undo-mib", "16", "--table-start", "512");
    expectSuccess(&program); /* each edit was one stroke */
    readChecksums(&program, true, &checks);
    assert_true(checks.voxels[0] == 0 && checks.voxels[1] > 750000);
    expectSums(&checks, 0, "ababa");
    assert_int_equal(saidOfTable(&program, "in a table of "), 512);
    assert_int_equal(saidOfTable(&program, "load 0.000, "), 0); /* tombstones */
    assert_true(readRows("a.csv", "edit", rows) > GROWTH_EDITS);
    assert_string_equal(rows[0].fields[SLOTS], "512");
    for (size_t i = 0; i < GROWTH_EDITS; ++i) {
        const double load = figure(&rows[i], LOAD), slots = figure(&rows[i], SLOTS);
        growths += i > 0 && slots > figure(&rows[i - 1], SLOTS);
        assert_true(fabs(load * slots - figure(&rows[i], BRICKS)) < 0.1 && load < 0.95);
    }
    assert_true(growths >= 3 && saidOfTable(&program, "moved ") >= 2 * growths);
    assert_true(figure(&rows[GROWTH_EDITS - 1], BRICKS) > 12 * 125);
}

/* Writes a model of two voxels that are farther apart than the world is high. */
static void writeFarDots(const char *name) {
    File file = startDot();
    putGroup(&file, 0, 2, (const uint32_t[]){1, 3});
    putPlaced(&file, 1, 0, "0 0 0", NULL);
    putPlaced(&file, 3, 0, "0 0 20000", NULL);
    storeFile(&file, pathIn(folder, name));
}

TEST(other_checksums_are_refused) {
    Program program;
    writeText("a.replay", "world empty 64\nadd sphere 0 0 0 radius 5 color 3\n"
                          "check 0123456789abcdef\n");
    EXPECT_ERROR(&program, "line 3: the checksum is not 0123456789abcdef", "--replay", "a.replay",
                 "--count", "--screenshot", "a.png", SMALL_ROOM);
    assert_false(fileExists(pathIn(folder, "a.png")));
}

static const char *const wrong[][3] = {
    {"--no-such-option", NULL, "unknown option"},
    {"-x", NULL, "unknown option"},
    {"stray", NULL, "unexpected argument"},
    {"--vox", NULL, "--vox wants a value"},
    {"--size", "100", "--size wants"},
    {"--size", "0x10", "--size wants"},
    {"--size", "10x10x10", "--size wants"},
    {"--size", "99999x10", "--size wants"},
    {"--device", "one", "--device wants"},
    {"--device", "999", "no device 999"},
    {"--device", "-1", "--device wants"},
    {"--terrain-size", "60", "--terrain-size wants"},
    {"--terrain-size", "70", "multiple of 8"},
    {"--terrain-size", "64k", "--terrain-size wants"},
    {"--seed", "", "--seed wants"},
    {"--camera", "1,2", "--camera wants"},
    {"--camera", "1,2,nan", "--camera wants"},
    {"--camera", "1,2,3,", "--camera wants"},
    {"--pool-mib", "0", "--pool-mib wants"},
    {"--table-slots", "0", "--table-slots wants"},
    {"--undo-mib", "-1", "--undo-mib wants"},
    {"--flood-bricks", "9999999", "--flood-bricks wants"},
    {"--clipboard-mib", "4096", "--clipboard-mib wants"},
    {"--empty", "0", "--empty wants"},
    {"--samples", "0", "--samples wants"},
    {"--mode", "pretty", "--mode wants"},
    {"--replay", NULL, "--replay wants a value"},
    {"--load", "no.such.world", "cannot read no.such.world"},
    {"--save", "a.png", "name the same file"},
    {"--stats", "a.png", "name the same file"},
    {"--save", "./a.png", "name the same file"},
    {"--save", ".", "Is a directory"},
    {"--load", ".", "Is a directory"},
    {"--pool-mib", "500000", "no room on the device for brick pool"},
    {"--table-slots", "1000", "--table-start is more than --table-slots"},
    {"--replay", "colorless.replay", "colorless.replay: line 2: add wants a color"},
    {"--replay", "missing.replay", "missing.replay"},
    {"--vox", "bad.vox", "bad.vox"},
    {"--vox", "missing.vox", "missing.vox"},
    {"--vox", "wide.vox", "the model is 20001 voxels long"},
    {"--stats", "no/such/folder/a.csv", "cannot write no/such/folder/a.csv"},
    {"--screenshot", "no/such/folder/a.png", "cannot write no/such/folder/a.png"},
};

TEST(wrong_options_are_refused) {
    Program program;
    writeText("colorless.replay", "world empty 64\nadd sphere 0 0 0 radius 5\n");
    writeText("bad.vox", "VOX nonsense");
    writeFarDots("wide.vox");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        const char *const arguments[] = {"--headless", "--screenshot",
                                         "a.png",      wrong[i][0],
                                         wrong[i][1],  wrong[i][1] ? "--table-start" : NULL,
                                         "5000",       NULL};
        programRun(MURVOXELS, arguments, folder, &program);
        expectError(&program, wrong[i][2]);
        assert_true(!fileExists(pathIn(folder, "a.png")) &&
                    !fileExists(pathIn(folder, "a.png.part")));
        assert_true(!program.out[0] || strstr(wrong[i][2], "device")); /* opens no device */
    }
}

/* On a full disk, the message names the cause, and the older file stays. */
TEST(full_disk_is_said) {
    Program program;
    fileWrite(pathIn(folder, "a.world"), "older", 5);
    assert_int_equal(symlink("/dev/full", pathIn(folder, "a.world.part")), 0);
    EXPECT_ERROR(&program, "cannot write a.world: No space left on device", "--empty", "1",
                 "--no-picture", "--save", "a.world", SMALL_ROOM);
    expectFile(pathIn(folder, "a.world"), "older");
    assert_false(fileExists(pathIn(folder, "a.world.part")));
}

TEST(file_with_parts_that_are_not_read_is_kept) {
    static const char *const options[] = {"--save", "--export"};
    Program program;
    VoxScene scene;
    char error[VOX_ERROR_SIZE];
    File file = startFile(150);
    putBlock(&file, 4, 4, 4);
    putDot(&file, 9);
    storeFile(&file, pathIn(folder, "two.vox"));
    for (size_t i = 0; i < 2; ++i) {
        EXPECT_ERROR(&program, "two.vox would lose parts that are not read (2 objects became one)",
                     "--vox", "two.vox", "--no-picture", options[i], "./two.vox", SMALL_ROOM);
        assert_string_equal(program.out, ""); /* rejected before any work */
        assert_false(fileExists(pathIn(folder, "two.vox.part")));
        assert_true(voxLoad(pathIn(folder, "two.vox"), &scene, error, sizeof error));
        assert_int_equal(scene.objects, 2);
        voxFree(&scene);
    }
    RUN(&program, "--vox", "two.vox", "--no-picture", "--save", "one.vox", SMALL_ROOM);
    expectSuccess(&program);
    assert_true(voxLoad(pathIn(folder, "one.vox"), &scene, error, sizeof error));
    assert_int_equal(scene.voxelCount, 64);
    voxFree(&scene);
}

TEST(nothing_is_no_mesh) {
    Program program;
    EXPECT_ERROR(&program, "a.glb: a mesh has from 1 to 31580000 rectangles, this world has not",
                 "--empty", "64", "--no-picture", "--export", "a.glb", SMALL_ROOM);
    assert_false(fileExists(pathIn(folder, "a.glb")));
}

TEST(missing_driver_is_said) {
    Program program;
    assert_int_equal(setenv("VK_DRIVER_FILES", "/nonexistent", 1), 0);
    programRun(MURVOXELS, (const char *const[]){"--headless", "--no-picture", NULL}, folder,
               &program);
    assert_int_equal(unsetenv("VK_DRIVER_FILES"), 0);
    expectError(&program, "there is no Vulkan driver");
}
