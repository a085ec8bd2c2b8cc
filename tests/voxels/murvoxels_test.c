/* murvoxels as a user runs it: small worlds with the validation layers on, wrong input, full
 * tables. The program compares itself with the CPU and fails if they differ; these tests look at
 * what it says and writes.
 *
 * Environment: MUR_TEST_DEVICE and MUR_TEST_NO_VALIDATION as for the other GPU tests.
 *
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "program.h"
#include "vox_writer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <png.h>

static char folder[64];

static bool isSet(const char *name) {
    const char *value = getenv(name);
    return value && *value && strcmp(value, "0") != 0;
}

/* Runs with these arguments and those that the environment asks for. */
static void run(Program *program, const char *const *arguments, size_t count) {
    const char *all[PROGRAM_ARGUMENTS + 1] = {"--headless"};
    size_t used = 1;
    if (!isSet("MUR_TEST_NO_VALIDATION")) {
        all[used++] = "--validation";
    }
    if (getenv("MUR_TEST_DEVICE")) {
        all[used++] = "--device";
        all[used++] = getenv("MUR_TEST_DEVICE");
    }
    assert_true(used + count <= PROGRAM_ARGUMENTS);
    for (size_t i = 0; i < count; ++i) {
        all[used++] = arguments[i];
    }
    programRun(MURVOXELS, all, folder, program);
}

#define RUN(program, ...)                            \
    run(program, (const char *const[]){__VA_ARGS__}, \
        sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static void expectSuccess(const Program *program) {
    if (program->status != 0 || program->error[0] != '\0') {
        print_error("status %d, stderr: %s\n", program->status, program->error);
    }
    assert_int_equal(program->status, 0);
    assert_string_equal(program->error, "");
}

/* An error is one line that begins with the program's name and has this text in it. */
static void expectError(const Program *program, const char *text) {
    if (program->status != 1 || lineCount(program->error) != 1 || !strstr(program->error, text)) {
        print_error("expected one line with \"%s\"; status %d, stderr: %s\n", text, program->status,
                    program->error);
    }
    assert_int_equal(program->status, 1);
    assert_int_equal(lineCount(program->error), 1);
    assert_int_equal(strncmp(program->error, "murvoxels: ", 11), 0);
    assert_non_null(strstr(program->error, text));
}

/* "checksum SUM of VOXELS voxels, as on the CPU" */
static void readChecksum(const Program *program, char sum[17], unsigned *voxels) {
    const char *line = strstr(program->out, "checksum ");
    assert_non_null(line);
    assert_int_equal(sscanf(line, "checksum %16[0-9a-f] of %u voxels, as on the CPU", sum, voxels),
                     2);
    assert_int_equal(strlen(sum), 16);
}

/* A picture's pixels, RGB; fails the test unless it has this size. */
static uint8_t *readPicture(const char *name, unsigned width, unsigned height) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, pathIn(folder, name)));
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    image.format = PNG_FORMAT_RGB;
    uint8_t *pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(pixels);
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    return pixels;
}

static unsigned differentColors(const uint8_t *pixels, unsigned count) {
    static uint8_t seen[1 << 12]; /* by the upper four bits of each channel */
    unsigned different = 0;
    memset(seen, 0, sizeof seen);
    for (unsigned i = 0; i < count; ++i) {
        const uint8_t *p = pixels + 3 * i;
        uint8_t *entry = &seen[(unsigned)p[0] >> 4 << 8 | (unsigned)p[1] >> 4 << 4 | p[2] >> 4];
        different += !*entry;
        *entry = 1;
    }
    return different;
}

enum { STAGES = 4 };
static const char *const stageNames[STAGES] = {"build", "sphere_add", "sphere_dig", "render"};

typedef struct Stage {
    double milliseconds, load;
    unsigned voxels, bricks, live, capacity;
    unsigned long long bytes;
} Stage;

static void readStats(const char *name, Stage stages[STAGES]) {
    char *text = fileRead(pathIn(folder, name));
    assert_int_equal(lineCount(text), 1 + STAGES);
    char *line = strtok(text, "\n");
    assert_string_equal(line, "stage,ms,voxels,bricks,table_live,table_capacity,load_factor,"
                              "memory_bytes");
    for (int i = 0; i < STAGES; ++i) {
        Stage *s = &stages[i];
        char stage[32];
        line = strtok(NULL, "\n");
        assert_int_equal(sscanf(line, "%31[^,],%lf,%u,%u,%u,%u,%lf,%llu", stage, &s->milliseconds,
                                &s->voxels, &s->bricks, &s->live, &s->capacity, &s->load,
                                &s->bytes),
                         8);
        assert_string_equal(stage, stageNames[i]);
        assert_true(s->milliseconds > 0);
        assert_int_equal(s->live, s->bricks);
        assert_true(s->load > 0 && s->load <= 1 && s->bytes > 576ull * s->bricks);
    }
    free(text);
}

static void terrain_is_built_edited_and_drawn(void **state) {
    (void)state;
    Program program;
    Stage stages[STAGES];
    char sum[17];
    unsigned voxels;
    RUN(&program, "--terrain-size", "64", "--size", "160x90", "--screenshot", "a.png", "--stats",
        "a.csv");
    expectSuccess(&program);
    assert_non_null(strstr(program.out, "picture: a.png"));
    readChecksum(&program, sum, &voxels);
    readStats("a.csv", stages);
    assert_true(stages[0].voxels > 64 * 64 * 20);
    assert_true(stages[1].voxels > stages[0].voxels);
    assert_true(stages[2].voxels < stages[1].voxels);
    assert_int_equal(stages[2].voxels, voxels);
    uint8_t *pixels = readPicture("a.png", 160, 90);
    assert_true(differentColors(pixels, 160 * 90) > 100);
    free(pixels);
}

static void two_runs_agree_and_seeds_differ(void **state) {
    (void)state;
    Program program;
    char sums[3][17];
    unsigned voxels[3];
    static const char *const seeds[3] = {"7", "7", "8"};
    for (int i = 0; i < 3; ++i) {
        RUN(&program, "--terrain-size", "64", "--seed", seeds[i], "--size", "16x9", "--screenshot",
            "a.png");
        expectSuccess(&program);
        readChecksum(&program, sums[i], &voxels[i]);
    }
    assert_string_equal(sums[0], sums[1]);
    assert_int_equal(voxels[0], voxels[1]);
    assert_string_not_equal(sums[0], sums[2]);
}

static void default_terrain_has_ten_million_voxels(void **state) {
    (void)state;
    Program program;
    Stage stages[STAGES];
    const char *const arguments[] = {"--size", "32x18", "--screenshot", "a.png", "--stats",
                                     "a.csv",  NULL};
    programRun(MURVOXELS, arguments, folder, &program); /* without layers: it is large */
    expectSuccess(&program);
    readStats("a.csv", stages);
    assert_true(stages[0].voxels >= 10000000);
    assert_true(stages[0].bricks >= 20000);
}

/* A model of a floor of 20 x 12 x 2 voxels and a dot at its corner. */
static void writeModel(const char *name) {
    uint8_t voxels[20 * 12 * 2 + 1][4];
    uint32_t count = 0;
    for (uint32_t i = 0; i < 20 * 12 * 2; ++i) {
        const uint8_t voxel[4] = {(uint8_t)(i % 20), (uint8_t)(i / 20 % 12), (uint8_t)(i / 240),
                                  (uint8_t)(1 + i % 7)};
        memcpy(voxels[count++], voxel, 4);
    }
    memcpy(voxels[count++], (const uint8_t[4]){19, 0, 9, 77}, 4);
    File file = startFile(150);
    putSize(&file, 20, 12, 10);
    putVoxels(&file, count, (const uint8_t(*)[4])voxels);
    finishFile(&file);
    fileWrite(pathIn(folder, name), file.bytes, file.size);
    free(file.bytes);
}

static void model_is_built_edited_and_drawn(void **state) {
    (void)state;
    Program program;
    Stage stages[STAGES];
    char sums[2][17];
    unsigned voxels;
    writeModel("model.vox");
    for (int i = 0; i < 2; ++i) {
        RUN(&program, "--vox", "model.vox", "--size", "120x80", "--screenshot", "a.png", "--stats",
            "a.csv");
        expectSuccess(&program);
        readChecksum(&program, sums[i], &voxels);
        readStats("a.csv", stages);
        assert_int_equal(stages[0].voxels, 481);
        assert_int_equal(stages[1].voxels,
                         481 + 81); /* lattice points with squared distance <= 6 */
        assert_true(stages[2].voxels < stages[1].voxels);
        assert_int_equal(stages[2].voxels, voxels);
    }
    assert_string_equal(sums[0], sums[1]);
    uint8_t *pixels = readPicture("a.png", 120, 80);
    assert_true(differentColors(pixels, 120 * 80) > 40);
    free(pixels);
}

/* 20 x 12 x 10 voxels, z up in the file, are 3 x 2 x 2 bricks; the floor fills 3 x 1 x 2 of them
 * and the dot one more. */
static void bricks_are_as_few_as_needed(void **state) {
    (void)state;
    Program program;
    Stage stages[STAGES];
    writeModel("model.vox");
    RUN(&program, "--vox", "model.vox", "--size", "16x9", "--screenshot", "a.png", "--stats",
        "a.csv");
    expectSuccess(&program);
    readStats("a.csv", stages);
    assert_int_equal(stages[0].bricks, 7);
}

static void camera_moves_the_picture_only(void **state) {
    (void)state;
    Program program;
    char sums[2][17];
    unsigned voxels;
    static const char *const cameras[2] = {"45,30,1", "-120,60,1.5"};
    uint8_t *pixels[2];
    for (int i = 0; i < 2; ++i) {
        RUN(&program, "--terrain-size", "64", "--size", "32x18", "--screenshot", "a.png",
            "--camera", cameras[i]);
        expectSuccess(&program);
        readChecksum(&program, sums[i], &voxels);
        pixels[i] = readPicture("a.png", 32, 18);
    }
    assert_string_equal(sums[0], sums[1]);
    assert_int_not_equal(memcmp(pixels[0], pixels[1], 3 * 32 * 18), 0);
    free(pixels[0]);
    free(pixels[1]);
}

static void full_pool_and_full_table_are_reported(void **state) {
    (void)state;
    Program program;
    RUN(&program, "--terrain-size", "64", "--max-bricks", "100", "--screenshot", "a.png");
    expectError(&program, "the brick pool is full");
    RUN(&program, "--terrain-size", "64", "--table-capacity", "50", "--screenshot", "a.png");
    expectError(&program, "the brick table is full");
    assert_false(fileExists(pathIn(folder, "a.png")));
    assert_false(fileExists(pathIn(folder, "a.png.part")));
}

static void wrong_models_are_refused(void **state) {
    (void)state;
    Program program;
    fileWrite(pathIn(folder, "bad.vox"), "VOX nonsense", 12);
    RUN(&program, "--vox", "bad.vox", "--screenshot", "a.png");
    expectError(&program, "bad.vox");
    RUN(&program, "--vox", "missing.vox", "--screenshot", "a.png");
    expectError(&program, "missing.vox");
    File file = startFile(200); /* two dots, farther apart than the world is wide */
    putDot(&file, 1);
    putTransform(&file, 0, 1, NULL, NULL);
    putGroup(&file, 1, 2, (const uint32_t[]){2, 4});
    putPlaced(&file, 2, 0, "0 0 0", NULL);
    putPlaced(&file, 4, 0, "20000 0 0", NULL);
    finishFile(&file);
    fileWrite(pathIn(folder, "wide.vox"), file.bytes, file.size);
    free(file.bytes);
    RUN(&program, "--vox", "wide.vox", "--screenshot", "a.png");
    expectError(&program, "the model is 20001 voxels long");
    assert_false(fileExists(pathIn(folder, "a.png")));
}

static void wrong_options_are_refused(void **state) {
    (void)state;
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
        {"--max-bricks", "0", "--max-bricks wants"},
        {"--table-capacity", "0", "--table-capacity wants"},
        {"--stats", "a.png", "name the same file"},
    };
    Program program;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        const char *const arguments[] = {"--screenshot", "a.png", wrong[i][0], wrong[i][1], NULL};
        programRun(MURVOXELS, arguments, folder, &program);
        expectError(&program, wrong[i][2]);
        assert_false(fileExists(pathIn(folder, "a.png")));
    }
}

static void unwritable_files_are_refused_before_the_work(void **state) {
    (void)state;
    Program program;
    RUN(&program, "--screenshot", "no/such/folder/a.png");
    expectError(&program, "cannot write no/such/folder/a.png");
    assert_string_equal(program.out, ""); /* not even a device was opened */
    RUN(&program, "--screenshot", "a.png", "--stats", "no/such/folder/a.csv");
    expectError(&program, "cannot write no/such/folder/a.csv");
    assert_string_equal(program.out, "");
    assert_false(fileExists(pathIn(folder, "a.png.part")));
}

static void failed_run_leaves_older_files_alone(void **state) {
    (void)state;
    Program program;
    fileWrite(pathIn(folder, "a.png"), "older", 5);
    RUN(&program, "--terrain-size", "64", "--max-bricks", "100", "--screenshot", "a.png");
    expectError(&program, "the brick pool is full");
    char *text = fileRead(pathIn(folder, "a.png"));
    assert_string_equal(text, "older");
    free(text);
}

static void help_names_every_option(void **state) {
    (void)state;
    static const char *const options[] = {
        "--headless",   "--vox",    "--size",          "--screenshot",   "--stats",
        "--device",     "--camera", "--validation",    "--terrain-size", "--seed",
        "--max-bricks", "--help",   "--table-capacity"};
    const char *const arguments[] = {"--help", NULL};
    Program program;
    programRun(MURVOXELS, arguments, folder, &program);
    expectSuccess(&program);
    for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
        assert_non_null(strstr(program.out, options[i]));
    }
}

static int setup(void **state) {
    (void)state;
    folderMake(folder);
    (void)alarm(120); /* the default action ends the process: a hang is a failure, never a wait */
    return 0;
}

static int teardown(void **state) {
    (void)state;
    (void)alarm(0);
    folderRemove(folder);
    return 0;
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(terrain_is_built_edited_and_drawn),
        TEST(two_runs_agree_and_seeds_differ),
        TEST(default_terrain_has_ten_million_voxels),
        TEST(model_is_built_edited_and_drawn),
        TEST(bricks_are_as_few_as_needed),
        TEST(camera_moves_the_picture_only),
        TEST(full_pool_and_full_table_are_reported),
        TEST(wrong_models_are_refused),
        TEST(wrong_options_are_refused),
        TEST(unwritable_files_are_refused_before_the_work),
        TEST(failed_run_leaves_older_files_alone),
        TEST(help_names_every_option),
    };
    return cmocka_run_group_tests_name("murvoxels", tests, NULL, NULL);
}
