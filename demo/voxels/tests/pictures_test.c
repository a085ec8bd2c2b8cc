/* The pictures of murvoxels: views, the two ways to trace, what a ray costs.
 *
 * Environment: MUR_TEST_DEVICE and MUR_TEST_NO_VALIDATION as for the other GPU tests;
 * MUR_TEST_PICTURES: a folder to leave the drawn pictures in.
 *
 * SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "program.h"
#include "support/seed.h"
#include "support/watchdog.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <png.h>

enum { WIDTH = 160, HEIGHT = 90, PIXELS = WIDTH * HEIGHT, BYTES = 3 * PIXELS };

static char folder[64];

static bool isSet(const char *name) {
    const char *value = getenv(name);
    return value && *value && strcmp(value, "0") != 0;
}

/* Draws a small terrain with these options and returns what the program said. The validation layers
 * take longer than the picture, so only some pictures have them. */
static Program draw(bool validated, const char *name, const char *const *options) {
    const char *all[PROGRAM_ARGUMENTS + 1] = {
        "--headless", "--terrain-size", "64",   "--size",          "160x90", "--screenshot",
        name,         "--pool-mib",     "16",   "--undo-mib",      "0",      "--table-slots",
        "1024",       "--flood-bricks", "1024", "--clipboard-mib", "1"};
    size_t used = 17;
    Program program;
    if (validated && !isSet("MUR_TEST_NO_VALIDATION")) {
        all[used++] = "--validation";
    }
    if (getenv("MUR_TEST_DEVICE")) {
        all[used++] = "--device";
        all[used++] = getenv("MUR_TEST_DEVICE");
    }
    for (size_t i = 0; options[i]; ++i) {
        assert_true(used < PROGRAM_ARGUMENTS);
        all[used++] = options[i];
    }
    programRun(MURVOXELS, all, folder, &program);
    if (program.status != 0 || program.error[0]) {
        print_error("%s: status %d, stderr: %s\n", name, program.status, program.error);
    }
    assert_int_equal(program.status, 0);
    assert_string_equal(program.error, "");
    return program;
}

#define DRAW(name, ...) draw(false, name, (const char *const[]){__VA_ARGS__, NULL})

static void readPixels(const char *path, uint8_t pixels[BYTES]) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&image, path)) {
        fail_msg("%s: %s", path, image.message);
    }
    assert_int_equal(image.width, WIDTH);
    assert_int_equal(image.height, HEIGHT);
    image.format = PNG_FORMAT_RGB;
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
}

/* Copies a drawn picture to where a person wants to look at it. */
static void keep(const char *name) {
    const char *wanted = getenv("MUR_TEST_PICTURES");
    char path[512];
    if (wanted && *wanted) {
        (void)snprintf(path, sizeof path, "%s/%s", wanted, name);
        FILE *from = fopen(pathIn(folder, name), "rb");
        FILE *to = fopen(path, "wb");
        assert_non_null(from);
        assert_non_null(to);
        for (int c = fgetc(from); c != EOF; c = fgetc(from)) {
            (void)fputc(c, to);
        }
        (void)fclose(from);
        assert_int_equal(fclose(to), 0);
    }
}

typedef struct Difference {
    double mean;  /* of all channels, 0 to 255 */
    unsigned far; /* pixels of which a channel differs by more than 32 */
} Difference;

static Difference compare(const uint8_t *a, const uint8_t *b) {
    Difference difference = {0};
    for (size_t i = 0; i < PIXELS; ++i) {
        int most = 0;
        for (size_t channel = 0; channel < 3; ++channel) {
            const int apart = abs(a[3 * i + channel] - b[3 * i + channel]);
            most = apart > most ? apart : most;
            difference.mean += (double)apart / BYTES;
        }
        difference.far += most > 32;
    }
    return difference;
}

static void expectAlike(const char *what, const uint8_t *a, const uint8_t *b, double mean,
                        unsigned far) {
    const Difference difference = compare(a, b);
    if (difference.mean > mean || difference.far > far) {
        fail_msg("%s: differs by %.3f in the mean (at most %.3f), %u pixels far (at most %u)", what,
                 difference.mean, mean, difference.far, far);
    }
}

static void pictures_are_as_they_were(void **state) {
    (void)state;
    static const struct {
        const char *name;
        const char *options[8];
    } pictures[] = {
        {"shaded.png", {"--samples", "1"}},
        {"fine.png", {"--samples", "2"}},
        {"above.png", {"--samples", "1", "--camera", "200,75,0.9"}},
        {"bricks.png", {"--samples", "1", "--mode", "bricks", "--camera", "20,30,0.5"}},
        {"lookups.png", {"--samples", "1", "--mode", "lookups"}},
        {"flat.png", {"--samples", "1", "--mode", "flat"}},
        /* In the long tier. */
        {"near.png", {"--samples", "1", "--camera", "-30,12,0.4"}},
        {"normals.png", {"--samples", "1", "--mode", "normals"}},
    };
    static uint8_t drawn[BYTES];
    static uint8_t golden[BYTES];
    char path[512];
    const size_t count = sizeof pictures / sizeof *pictures - (test_full() ? 0 : 2);
    for (size_t i = 0; i < count; ++i) {
        const char *name = pictures[i].name;
        (void)draw(false, name, pictures[i].options);
        keep(name);
        readPixels(pathIn(folder, name), drawn);
        (void)snprintf(path, sizeof path, "%s/%s", GOLDEN, name);
        readPixels(path, golden);
        expectAlike(name, drawn, golden, 1.0, PIXELS / 50);
    }
}

static void compute_and_fragment_shaders_draw_the_same(void **state) {
    (void)state;
    static const char *const cameras[] = {"45,28,0.97", "-100,-5,0.4", "0,89,1"};
    static uint8_t compute[BYTES];
    static uint8_t fragment[BYTES];
    const size_t count = test_full() ? sizeof cameras / sizeof *cameras : 1;
    for (size_t i = 0; i < count; ++i) {
        const char *const options[] = {"--samples", "1", "--camera", cameras[i], NULL};
        const char *const fragmentOptions[] = {"--samples", "1",        "--camera", cameras[i],
                                               "--trace",   "fragment", NULL};
        (void)draw(i == 0, "c.png", options);
        (void)draw(i == 0, "f.png", fragmentOptions);
        readPixels(pathIn(folder, "c.png"), compute);
        readPixels(pathIn(folder, "f.png"), fragment);
        expectAlike(cameras[i], compute, fragment, 0.2, PIXELS / 200);
    }
}

static unsigned differentColors(const uint8_t *pixels) {
    static uint8_t seen[1 << 12]; /* by the upper four bits of each channel */
    unsigned different = 0;
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < PIXELS; ++i) {
        const uint8_t *p = pixels + 3 * i;
        uint8_t *entry = &seen[(unsigned)p[0] >> 4 << 8 | (unsigned)p[1] >> 4 << 4 | p[2] >> 4];
        different += !*entry;
        *entry = 1;
    }
    return different;
}

/* What depends on the order of inserts is no golden picture, but shows something. */
static void views_of_the_table_show_something(void **state) {
    (void)state;
    static const char *const modes[] = {"probes", "table"};
    static uint8_t pixels[BYTES];
    for (size_t i = 0; i < 2; ++i) {
        (void)DRAW("a.png", "--samples", "1", "--mode", modes[i]);
        keep("a.png");
        readPixels(pathIn(folder, "a.png"), pixels);
        const unsigned colors = differentColors(pixels);
        if (colors < 8) {
            fail_msg("--mode %s has %u colours only", modes[i], colors);
        }
    }
}

/* Masks of bricks leave few lookups to make. */
static void a_ray_takes_few_lookups(void **state) {
    (void)state;
    double lookups, steps;
    const Program program = DRAW("a.png", "--samples", "1");
    const char *line = strstr(program.out, "a ray: ");
    assert_non_null(line);
    assert_int_equal(sscanf(line, "a ray: %lf lookups, %lf steps", &lookups, &steps), 2);
    if (lookups < 0.5 || lookups > 4 || steps < 1 || steps > 12) {
        fail_msg("a ray takes %.2f lookups and %.2f steps", lookups, steps);
    }
}

static int setup(void **state) {
    (void)state;
    folderMake(folder);
    watchdog(300);
    return 0;
}

static int teardown(void **state) {
    (void)state;
    watchdog(0);
    folderRemove(folder);
    return 0;
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(pictures_are_as_they_were),
        TEST(compute_and_fragment_shaders_draw_the_same),
        TEST(views_of_the_table_show_something),
        TEST(a_ray_takes_few_lookups),
    };
    return cmocka_run_group_tests_name("pictures", tests, NULL, NULL);
}
