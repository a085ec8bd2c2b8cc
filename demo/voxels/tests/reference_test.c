/* Compares the reference with computed values, and the cache of light with both.
 * SPDX-License-Identifier: MIT */
#include "shot.h"
#include "support/seed.h"
#include "voxels_run.h"
#include "support/cases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Plays the text with these options. Writes the last picture to `name`. */
#define DRAW(program, text, name, ...) \
    (PLAY(program, text, "--screenshot", name, TINY_ROOM, __VA_ARGS__), expectSuccess(program))

typedef struct Channel {
    double mean; /* radiance, exact below the range that the tone mapper compresses */
    int low, high;
} Channel;

static void readChannels(const char *name, Channel channels[3]) {
    const Shot shot = shotRead(pathIn(folder, name));
    const size_t pixels = (size_t)shot.width * shot.height;
    for (size_t i = 0; i < 3; ++i) {
        channels[i] = (Channel){.low = 255};
        for (size_t at = i; at < 3 * pixels; at += 3) {
            const int value = shot.pixels[at];
            channels[i].mean += pow(value / 255.0, 2.2) / (double)pixels;
            channels[i].low = value < channels[i].low ? value : channels[i].low;
            channels[i].high = value > channels[i].high ? value : channels[i].high;
        }
    }
}

static void expectRadiance(const char *what, const Channel *channel, double radiance, double off) {
    if (fabs(channel->mean / radiance - 1) > off) {
        fail_msg("%s: %.5f in the mean, not %.5f", what, channel->mean, radiance);
    }
}

/* If the same light comes from all directions, white objects are invisible. */
static const char furnace[] = "world empty 64\nsun 0 0 0\nground off\ngrain 0\n"
                              "palette 1 128 128 128\n"
                              "sky 0.5 0.5 0.5\n"
                              "add sphere 10 10 10 radius 6 color 1\n"
                              "add cuboid 0 0 0 to 30 1 30 color 1\n"
                              "add cuboid 0 0 0 to 1 20 30 color 1\n"
                              "add cuboid 20 2 10 to 22 15 12 color 1\n"
                              "camera 30 30 1\n"
                              "picture gray.png frames 1\n"
                              "palette 1 255 255 255\n";

TEST(white_furnaces_are_white) {
    static const double white = 0.5;
    const int byte = (int)lround(255 * pow(white, 1 / 2.2));
    Program program;
    Channel channels[3];
    DRAW(&program, furnace, "a.png", "--size", "32x20", "--reference", "4");
    readChannels("gray.png", channels);
    assert_true(channels[0].low < byte / 2);
    readChannels("a.png", channels);
    for (int i = 0; i < 3; ++i) {
        assert_in_range(channels[i].low, byte - 1, byte);
        assert_in_range(channels[i].high, byte, byte + 1);
    }
    DRAW(&program, furnace, "b.png", "--size", "16x10", "--samples", "80");
    readChannels("gray.png", channels);
    assert_true(channels[0].low < byte / 2);
    readChannels("b.png", channels);
    for (int i = 0; i < 3; ++i) {
        expectRadiance("the cache in a furnace", &channels[i], white, 0.01);
        assert_in_range(channels[i].low, byte - 6, byte); /* the slowest cell needs more frames */
        assert_in_range(channels[i].high, byte, byte + 1);
    }
}

/* If the inner faces of a box emit e and reflect the fraction r of light, the radiance everywhere
 * inside is e (1 + r + r r + ...). */
static const char box[] = "world empty 8192\nsun 0 0 0\nsky 0 0 0\nground off\ngrain 0\n"
                          "palette 1 224 202 186 light 2\n"
                          "add cuboid 0 0 0 to 9 9 9 color 1\n"
                          "dig cuboid 1 1 1 to 8 8 8\n"
                          "eye 3.25 5.25 7.75 -30 10\n";

TEST(closed_boxes_are_as_reckoned) {
    static const double bytes[] = {224, 202, 186};
    Program program;
    Channel path[3], cache[3];
    DRAW(&program, box, "a.png", "--size", "16x10", "--reference", "64");
    DRAW(&program, box, "b.png", "--size", "16x10", "--samples", "64");
    readChannels("a.png", path);
    readChannels("b.png", cache); /* half of the light comes from faces outside of the view */
    for (int i = 0; i < 3; ++i) {
        const double r = pow(bytes[i] / 255, 2.2);
        const double e = 8 * 0.02 * r; /* as in shaders/scene.glsl, emission() */
        expectRadiance("a closed box", &path[i], e / (1 - r), 0.01);
        expectRadiance("the cache in a closed box", &cache[i], e / (1 - r), 0.1);
    }
}

typedef struct Comparison {
    double psnr, luminance;
    int most;
} Comparison;

static Comparison readComparison(const Program *program) {
    Comparison comparison;
    const char *line = strstr(program->out, "PSNR ");
    assert_non_null(line);
    assert_int_equal(sscanf(line,
                            "PSNR %lf dB, mean luminance %lf times its, channels differ by at "
                            "most %d",
                            &comparison.psnr, &comparison.luminance, &comparison.most),
                     3);
    return comparison;
}

/* A scene with sun, sky, a house with a glowing floor, and water that mirrors. The tolerance allows
 * only noise. Each of these errors exceeded it: less sun or sky, a tenth less albedo, a sixth less
 * glow in scattered light, another law of scattering, no third bounce, no mirror. */
TEST(cache_is_as_the_reference) {
    static const char text[] = "world empty 64\nground off\n"
                               "palette 1 230 60 40\n"
                               "palette 2 190 180 165\n"
                               "palette 3 255 170 90 light 9\n"
                               "sky 0.07 0.15 0.33 horizon 0.21 0.28 0.37\n"
                               "sun 0.7 0.6 0.5 230 35\n"
                               "add cuboid 0 0 0 to 63 3 63 color 2\n"
                               "paint cuboid 36 3 28 to 56 3 46 color 44\n"
                               "add cuboid 8 4 4 to 40 24 28 color 2\n"
                               "dig cuboid 10 4 6 to 38 22 28\n"
                               "add cuboid 10 4 6 to 10 22 28 color 1\n"
                               "paint cuboid 11 3 6 to 38 3 36 color 3\n"
                               "add sphere 48 12 14 radius 7 color 2\n"
                               "eye 40 20 72 8 10\n";
    Program program;
    DRAW(&program, text, "a.png", "--size", "48x30", "--reference", "64");
    DRAW(&program, text, "b.png", "--size", "48x30", "--samples", "24", "--compare", "a.png");
    const Comparison comparison = readComparison(&program);
    if (comparison.psnr < 34.5 || fabs(comparison.luminance - 1) > 0.005) {
        fail_msg("PSNR %.2f dB, luminance %.4f", comparison.psnr, comparison.luminance);
    }
}

/* The sun shines through a window on a small part of a room, so few rays meet most of the light. A
 * limit of 6 in place of 16 times the cached light made such rooms a tenth darker. */
TEST(sunlit_rooms_are_as_bright_as_the_reference) {
    static const char text[] =
        "world empty 32\nground off\ngrain 0\nsky 0 0 0\nsun 12 12 12 90 50\n"
        "palette 1 220 220 220\n"
        "add cuboid 0 0 0 to 31 23 31 color 1\n"
        "dig cuboid 1 1 1 to 30 22 30\ndig cuboid 0 8 8 to 0 19 23\n"
        "eye 28 12 28 40 5\n";
    Program program;
    DRAW(&program, text, "a.png", "--size", "16x10", "--reference", "100");
    DRAW(&program, text, "b.png", "--size", "16x10", "--samples", "32", "--compare", "a.png");
    const double luminance = readComparison(&program).luminance;
    if (luminance < 0.88 || luminance > 1.03) {
        fail_msg("luminance %.4f", luminance);
    }
}

/* An edit of the box makes walls and ceiling stop glowing. Their cached light must be dropped. The
 * light of the floor, which is far from the edit, must be measured again. Without the first, walls
 * keep 0.94 of their radiance; without the second, the floor keeps 0.8. Undo of a stroke of several
 * edits also drops the cached light of all changed faces. */
TEST(light_follows_edits) {
    char text[1024];
    Program program;
    Channel before[3], after[3];
    (void)snprintf(text, sizeof text,
                   "%spalette 2 224 202 186\n"
                   "eye 3.25 5.25 7.75 -30 -60\npicture walls.png\n"
                   "eye 3.25 5.25 7.75 -30 60\nrepeat 36\npicture floor.png\nend\n"
                   "paint cuboid 0 1 0 to 9 9 9 color 2\n"
                   "eye 3.25 5.25 7.75 -30 -60\nrepeat 2\npicture edit.png\nend\n"
                   "picture dark_walls.png\n"
                   "eye 3.25 5.25 7.75 -30 60\nrepeat 7\npicture floor_now.png\nend\n"
                   "eye 3.25 5.25 7.75 -30 -60\n"
                   "stroke begin\nadd cuboid 1 1 1 to 1 1 1 color 2\n"
                   "paint cuboid 0 1 0 to 9 9 9 color 1\nstroke end\n"
                   "repeat 8\npicture glow.png\nend\n"
                   "undo\nrepeat 2\npicture edit.png\nend\npicture undone.png\n",
                   box);
    DRAW(&program, text, "last.png", "--size", "32x20", "--samples", "1");
    readChannels("walls.png", before);
    readChannels("dark_walls.png", after);
    expectRadiance("walls that glow no more", after, 0.19 * before->mean, 0.4);
    readChannels("floor.png", before);
    readChannels("floor_now.png", after);
    expectRadiance("a floor below them", after, 0.37 * before->mean, 0.15);
    readChannels("walls.png", after);
    readChannels("glow.png", before);
    assert_true(before->mean > 1.5 * after->mean); /* after the undo, faces glow again */
    readChannels("undone.png", after);
    assert_true(after->mean < 0.3 * before->mean);
}

/* All walls of the box except one stop glowing. The cached light of that wall is next to the edit
 * and must also be dropped. Otherwise the wall keeps all its radiance. */
TEST(light_beside_edits_is_forgotten) {
    static const char *const looks[6] = {"90 0", "-90 0", "0 89", "0 -89", "0 0", "180 0"};
    const int walls = test_full() ? 6 : 2;
    char text[2048];
    int length = snprintf(text, sizeof text, "%spalette 2 224 202 186\n", box);
    for (int i = 0; i < walls; ++i) {
        int ends[6] = {0, 0, 0, 9, 9, 9};
        ends[i % 2 * 3 + i / 2] += i % 2 ? -1 : 1;
        length += snprintf(text + length, sizeof text - (size_t)length,
                           "paint cuboid 0 0 0 to 9 9 9 color 1\n"
                           "eye 5 5 5 %s\nrepeat 8\npicture before%d.png\nend\n"
                           "paint cuboid %d %d %d to %d %d %d color 2\n"
                           "repeat 2\npicture edit.png\nend\npicture after%d.png\n",
                           looks[i], i, ends[0], ends[1], ends[2], ends[3], ends[4], ends[5], i);
    }
    Program program;
    DRAW(&program, text, "last.png", "--size", "16x10", "--samples", "1");
    for (int i = 0; i < walls; ++i) {
        Channel before[3], after[3];
        char name[16];
        (void)snprintf(name, sizeof name, "before%d.png", i);
        readChannels(name, before);
        (void)snprintf(name, sizeof name, "after%d.png", i);
        readChannels(name, after);
        expectRadiance(name, after, 0.33 * before->mean, 0.2);
    }
}

/* Checks that the shadow's edge is in the middle of the picture. least, most: limits of the sum of
 * f (1 - f) over a row's pixels, where f is the visible fraction of the sun. */
static void expectEdge(const char *name, double least, double most) {
    const Shot shot = shotRead(pathIn(folder, name));
    double sum = 0, softness = 0;
    for (unsigned x = 0; x < shot.width; ++x) {
        double share = 0;
        for (unsigned y = 0; y < shot.height; ++y) {
            share += pow(shot.pixels[3 * (y * shot.width + x)] / 255.0, 2.2);
        }
        share /= shot.height * 0.5 * pow(200 / 255.0, 2.2);
        sum += share;
        softness += share * (1 - share);
    }
    if (fabs(sum - shot.width / 2.0) > 0.5 || softness < least || softness > most) {
        fail_msg("%s: %.2f pixels have the sun, softness %.2f", name, sum, softness);
    }
}

/* The eye is inside of a voxel, so each ray meets this voxel again, and the cache has no light of
 * its faces. If the eye moves, a ray follows two faces. Otherwise it follows four, and two fifths
 * of its mean come from the second picture. */
static void expectFaces(void) {
    static const double bytes[] = {224, 202, 186};
    Channel moves[3], still[3];
    readChannels("moves.png", moves);
    readChannels("still.png", still);
    for (int i = 0; i < 3; ++i) {
        const double r = pow(bytes[i] / 255, 2.2);
        const double two = 0.16 * r * (1 + r);
        expectRadiance("an eye that moves", &moves[i], two, 0.015);
        expectRadiance("a still eye", &still[i], two + 0.4 * 0.16 * r * (r * r + r * r * r), 0.015);
    }
}

/* A roof covers half of a floor. A moving eye sees a sharp shadow without noise. A still eye sees a
 * soft edge, 5.3 pixels to either side, because the sun is a disc. */
TEST(shadows_are_as_wide_as_the_sun_and_eyes_skip_faces) {
    static const char text[] = "world empty 64\nsky 0 0 0\nground off\ngrain 0\n"
                               "sun 0.5 0.5 0.5 0 89\npalette 1 200 200 200\npalette 2 0 0 0\n"
                               "add cuboid 0 0 0 to 63 0 63 color 1\n"
                               "add cuboid 32 61 0 to 63 61 63 color 2\neye 32 4 32.5 0 89\n"
                               "picture sharp.png frames 1\npicture soft.png frames 24\n"
                               "dig cuboid 0 0 0 to 63 63 63\n"
                               "sun 0 0 0\npalette 1 224 202 186 light 2\n"
                               "add cuboid 0 0 0 to 17 17 17 color 1\neye 5.5 9.5 14.5 -30 10\n"
                               "picture moves.png frames 1\npicture still.png frames 2\n";
    Program program;
    PLAY(&program, text, "--size", "32x20", "--samples", "1", "--no-picture", SMALL_ROOM);
    expectSuccess(&program);
    expectFaces();
    expectEdge("sharp.png", 0, 0.2);
    expectEdge("soft.png", 0.288 * 5.3 - 0.14, 0.288 * 5.3 + 0.17);
}

/* Scattered rays must not count the sun's disc again, otherwise a floor has bright specks. Eyes do
 * see the disc. When the floor is no longer visible, its cells are freed. */
TEST(sunlit_floors_are_even_and_forgotten) {
    static const char text[] = "world empty 64\nsky 0 0 0\nground off\ngrain 0\n"
                               "sun 0.5 0.5 0.5 0 89\npalette 1 200 200 200\n"
                               "add cuboid 0 0 0 to 31 0 31 color 1\n"
                               "eye 16.5 12 16.5 0 89\npicture floor.png frames 48\n"
                               "eye 16.5 12 16.5 0 -89\npicture sky.png frames 130\n";
    const double glow = 2 * 0.1 / 34; /* of the sky around the sun, as in shaders/sky.glsl */
    Program program;
    Channel channels[3];
    DRAW(&program, text, "a.png", "--size", "32x20", "--samples", "1");
    readChannels("floor.png", channels);
    expectRadiance("a floor", channels, 0.5 * pow(200 / 255.0, 2.2) * (1 + glow), 0.01);
    assert_in_range(channels[0].high - channels[0].low, 0, 3);
    readChannels("sky.png", channels);
    assert_in_range(channels[0].high, 200, 255); /* the sun; its glow has 65 */
    assert_non_null(strstr(program.out, "light: 0 cells"));
}

/* A closed room is dark, although its cells reuse cells of a bright outer wall, which were freed
 * while the eye looked at the sky. A lamp's light in the room is a mean of many frames, so two
 * pictures differ little: by less than 5 of 255. Means of few samples differed by 9. */
TEST(dark_rooms_and_lamps) {
    static const char text[] = "world empty 8192\nsun 0 0 0\nsky 4 4 4\nground off\ngrain 0\n"
                               "palette 1 200 200 200\npalette 2 255 255 255 light 20\n"
                               "add cuboid 0 0 0 to 9 9 9 color 1\ndig cuboid 1 1 1 to 8 8 8\n"
                               "eye 5.25 5.25 15.5 0 0\npicture wall.png frames 8\n"
                               "eye 5.25 15.5 5.25 0 -89\npicture sky.png frames 130\n"
                               "eye 3.25 5.25 7.75 -30 60\npicture dark.png frames 6\n"
                               "sky 0 0 0\nadd cuboid 4 8 4 to 4 8 4 color 2\n"
                               "repeat 30\npicture a.png\nend\n";
    Program program;
    Channel channels[3];
    double sum = 0;
    DRAW(&program, text, "b.png", "--size", "32x20", "--samples", "1");
    readChannels("dark.png", channels);
    assert_int_equal(channels[0].high, 0);
    const Shot a = shotRead(pathIn(folder, "a.png"));
    const Shot b = shotRead(pathIn(folder, "b.png"));
    for (size_t i = 0; i < 3u * 32 * 20; ++i) {
        sum += pow(a.pixels[i] - b.pixels[i], 2);
    }
    assert_true(sqrt(sum / (3 * 32 * 20)) < 5);
}
