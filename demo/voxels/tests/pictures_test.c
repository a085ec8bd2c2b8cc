/* Tests the pictures of murvoxels: views, light, and the cost of rays.
 *
 * Environment: MUR_TEST_DEVICE and MUR_TEST_NO_VALIDATION as for the other GPU tests;
 * MUR_TEST_PICTURES: a folder for copies of the drawn pictures.
 * SPDX-License-Identifier: MIT */
#include "shot.h"
#include "voxels_run.h"
#include "support/cases.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 160, HEIGHT = 90, PIXELS = WIDTH * HEIGHT, BYTES = 3 * PIXELS };

/* Plays the text in a small terrain with these options. The last picture becomes last.png. */
#define DRAW(program, text, ...)                                                                 \
    (PLAY(program, text, "--terrain-size", "64", "--size", "160x90", "--screenshot", "last.png", \
          TINY_ROOM, __VA_ARGS__),                                                               \
     expectSuccess(program))

static Shot read(const char *path) {
    const Shot shot = shotRead(path);
    assert_true(shot.width == WIDTH && shot.height == HEIGHT);
    return shot;
}

static Shot readDrawn(const char *name) {
    fileKeep(pathIn(folder, name), name);
    return read(pathIn(folder, name));
}

/* Checks that a picture and its golden picture differ little in the mean, and in most pixels. */
static void expectGolden(const char *name) {
    const Shot drawn = readDrawn(name), golden = read(pathIn(GOLDEN, name));
    const unsigned far = shotsDiffer(&drawn, &golden, 32);
    double mean = 0;
    for (size_t i = 0; i < BYTES; ++i) {
        mean += (double)abs(drawn.pixels[i] - golden.pixels[i]) / BYTES;
    }
    if (mean > 1 || far > PIXELS / 50) {
        fail_msg("%s: differs by %.3f in the mean, %u pixels differ much", name, mean, far);
    }
}

/* Checks that a ray takes few lookups, because masks of bricks make most lookups unnecessary. */
static void expectFewLookups(const Program *program) {
    double lookups;
    double steps;
    const char *line = strstr(program->out, "a ray: ");
    assert_non_null(line);
    assert_int_equal(sscanf(line, "a ray: %lf lookups, %lf steps", &lookups, &steps), 2);
    if (lookups < 0.5 || lookups > 4 || steps < 1 || steps > 12) {
        fail_msg("a ray takes %.2f lookups and %.2f steps", lookups, steps);
    }
}

/* Checks that a picture has several colours. For pictures that depend on the order of inserts. */
static void expectColors(const char *name) {
    const Shot drawn = readDrawn(name);
    const unsigned colors = shotColors(&drawn);
    if (colors < 8) {
        fail_msg("%s has %u colours only", name, colors);
    }
}

/* Compares pictures with golden pictures. */
TEST(pictures_are_as_they_were) {
    static const char text[] =
        "camera 200 75 0.9\npicture above.png\n"
        "camera -30 12 0.4\npicture near.png\n"
        "camera 20 30 0.5\npicture bricks.png bricks\n"
        "camera 45 28 0.97\npicture lookups.png lookups frames 8\n"
        "picture flat.png flat\npicture normals.png normals\n"
        "picture probes.png probes frames 1\npicture table.png table frames 1\n";
    static const char *const names[] = {"near.png", "bricks.png", "flat.png", "normals.png",
                                        "lookups.png"};
    Program program;
    DRAW(&program, text, "--samples", "4");
    expectFewLookups(&program);
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        expectGolden(names[i]);
    }
    expectColors("above.png");
    expectColors("probes.png");
    expectColors("table.png");
}

/* Returns the mean difference of pixels in the lower third from their right neighbours. */
static double roughness(const uint8_t *pixels) {
    double sum = 0;
    for (size_t y = 2 * HEIGHT / 3; y < HEIGHT; ++y) {
        for (size_t x = 0; x + 1 < WIDTH; ++x) {
            for (size_t channel = 0; channel < 3; ++channel) {
                const uint8_t *at = pixels + 3 * (y * WIDTH + x) + channel;
                sum += abs(at[0] - at[3]);
            }
        }
    }
    return sum / (3 * (WIDTH - 1) * (HEIGHT - 2 * HEIGHT / 3));
}

/* Tests soft light, and a lake that mirrors a striped wall at a grazing angle. A pixel there has
 * many waves, so rays to single waves would cause noise. */
TEST(fine_pictures_and_water) {
    Program program;
    DRAW(&program,
         "picture fine.png frames 16\n"
         "dig cuboid 0 0 0 to 63 150 63\nadd cuboid -200 0 -99 to 250 0 250 color 44\n"
         "add cuboid -200 1 -99 to 250 60 -99 color 65 bands 60\n"
         "camera 0 4 1\n",
         "--samples", "4");
    expectGolden("fine.png");
    const double rough = roughness(readDrawn("last.png").pixels);
    if (rough > 2.4) { /* with waves everywhere it is 3.0 */
        fail_msg("water at a grazing angle: neighbours differ by %.2f", rough);
    }
}

/* The selection of cells for rays and the light of cells must not depend on invocation order. */
TEST(frames_give_the_same_picture_again) {
    static const char text[] = "world empty 64\nadd cuboid 0 0 0 to 63 3 63 color 7\n"
                               "add sphere 32 16 32 radius 9 color 81\ncamera 45 30 1\n";
    Shot drawn[2];
    for (int i = 0; i < 2; ++i) {
        Program program;
        PLAY(&program, text, "--size", "64x36", "--screenshot", "last.png", TINY_ROOM, "--samples",
             "4");
        expectSuccess(&program);
        drawn[i] = shotRead(pathIn(folder, "last.png"));
    }
    assert_memory_equal(drawn[0].pixels, drawn[1].pixels, 3 * 64 * 36);
}
