/* Tests of the .vox reader with valid files, for cases that the random scenes of vox_random_test.c
 * do not reach. Expected positions were computed by hand from the format's rules, not by the
 * reader. vox_reject_test.c tests invalid files.
 * SPDX-License-Identifier: MIT */
#include "vox_expect.h"

/* The reader keeps light. It omits other materials, frames and hidden objects, but counts them. */
PLAIN_TEST(materialsAndWhatIsLeftOut) {
    char text[VOX_ERROR_SIZE];
    File file = startFile(200);
    putDot(&file, 13);
    putDot(&file, 9);
    putTransform(&file, 0, 1, NULL, NULL);
    putGroup(&file, 1, 3, (const uint32_t[]){2, 3, 5});
    PUT_CHUNK(&file, "nSHP", 2, 0, 2, 0, 0, 1, 0); /* two frames */
    putPlaced(&file, 5, 1, "1 0 0", NULL);
    openTransform(&file, 3, 2, NO_LAYER, "1");
    putNumber(&file, 1);
    putFrame(&file, NULL, NULL);
    closeChunk(&file);
    putMaterial(&file, 9, "_emit", "_emit", "0.37");
    putMaterial(&file, 10, "_emit", "_emit", "1e9");
    putMaterial(&file, 11, "_emit", "_emit", "nan");
    putMaterial(&file, 12, "_diffuse", "_emit", "0.5");
    putMaterial(&file, 13, "_glass", "_emit", "0.5");
    putMaterial(&file, 15, "_glass", "_emit", "0.5");   /* of an unused colour */
    putMaterial(&file, 14, "_emit", "_weight", "0.25"); /* as in older files */
    putMaterial(&file, 256, "_emit", "_emit", "0.5");
    finishFile(&file);
    VoxScene scene = expectScene(&file);
    static const uint8_t glow[6][2] = {{37, 2}, {100, 2}, {0, 2}, {0, 0}, {0, 0}, {25, 2}};
    assert_memory_equal(scene.glow[9], glow, sizeof glow);
    voxOmitted(&scene, text);
    assert_string_equal(text, "left out: 1 further frame, 1 hidden object, 1 material that is not "
                              "light; 2 objects became one");
    voxFree(&scene);
    voxOmitted(&scene, text);
    assert_string_equal(text, "");
}

/* VoxelShop writes sizes that are too small. A model turns about the middle of the written size. */
PLAIN_TEST(voxels_outside_of_a_size_enlarge_it) {
    char text[VOX_ERROR_SIZE];
    File file = startFile(150);
    putSize(&file, 2, 3, 4);
    putVoxels(&file, 4,
              (const uint8_t[][4]){{2, 0, 0, 1}, {0, 3, 0, 2}, {0, 0, 0, 0}, {0, 0, 255, 3}});
    expectVoxels(&file, 3, (const int[][4]){{0, 0, 0, 2}, {2, 0, 3, 1}, {0, 255, 3, 3}});
    file = startFile(150);
    putSize(&file, 2, 2, 2); /* pivot 1, 1, 1 */
    putVoxels(&file, 2, (const uint8_t[][4]){{4, 0, 0, 1}, {9, 9, 9, 0}});
    putDot(&file, 2);
    putGroup(&file, 0, 2, (const uint32_t[]){1, 3});
    putPlaced(&file, 1, 0, NULL, "17"); /* -y becomes x, x becomes y */
    putPlaced(&file, 3, 1, NULL, NULL);
    finishFile(&file);
    VoxScene scene = expectScene(&file);
    assert_int_equal(scene.voxelCount, 2);
    voxOmitted(&scene, text);
    assert_string_equal(text, "left out: 1 voxel without a colour; 2 objects became one; 1 with "
                              "voxels outside of their size enlarged");
    voxFree(&scene);
}

/* The palette of a scene has the order in which the editor shows the colours. */
PLAIN_TEST(palettes_have_the_order_of_the_editor) {
    for (uint32_t last = 0; last < 2; ++last) { /* last colour: none, or 3 */
        uint8_t order[256];
        for (uint32_t i = 0; i < 256; ++i) {
            order[i] = (uint8_t)(254 - i + 1); /* from 255 down to 0 */
        }
        if (last) {
            order[255] = 3;
            order[252] = 0;
        }
        File file = startFile(150);
        putSize(&file, 3, 1, 1);
        putVoxels(&file, 3, (const uint8_t[][4]){{0, 0, 0, 255}, {1, 0, 0, 3}, {2, 0, 0, 1}});
        openChunk(&file, "RGBA");
        for (uint32_t i = 0; i < 256; ++i) {
            putNumber(&file, (i + 1) << 8 | 0xFF000000u);
        }
        closeChunk(&file);
        openChunk(&file, "IMAP");
        putBytes(&file, order, 256);
        closeChunk(&file);
        putMaterial(&file, 3, "_emit", "_emit", "0.5");
        finishFile(&file);
        VoxScene scene = expectScene(&file);
        assert_int_equal(scene.voxels[0].color, 1);
        assert_int_equal(scene.voxels[1].color, 253);
        assert_int_equal(scene.voxels[2].color, 255);
        assert_int_equal(scene.palette[1][1], 255);
        assert_int_equal(scene.palette[253][1], 3);
        assert_int_equal(scene.palette[255][1], 1);
        assert_int_equal(scene.glow[253][0], 50);
        assert_int_equal(scene.glow[3][0], 0);
        voxFree(&scene);
    }
}

/* A palette order with a repeated colour, or in a chunk that is too short, is ignored. */
PLAIN_TEST(wrong_orders_are_skipped) {
    for (uint32_t size = 255; size <= 256; ++size) {
        static const uint8_t order[256] = {2};
        File file = startDot();
        openChunk(&file, "IMAP");
        putBytes(&file, order, size);
        closeChunk(&file);
        expectVoxels(&file, 1, (const int[][4]){{0, 0, 0, 1}});
    }
}

/* Models of the largest size on a grid are parts of one object, as voxWrite writes them. */
PLAIN_TEST(parts_are_one_object) {
    static const struct {
        uint32_t size;
        const char *place, *rotation;
        uint32_t objects;
    } cases[] = {{256, "384 -128 128", NULL, 1}, {256, "384 -128 128", "4", 1},
                 {255, "384 -128 128", NULL, 2}, {256, "384 -128 129", NULL, 2},
                 {256, "384 -128 128", "20", 2}, /* flipped along x */
                 {256, "384 -128 128", "1", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        File file = startFile(150);
        putSize(&file, 256, 256, 256);
        putVoxels(&file, 1, (const uint8_t[][4]){{0, 0, 0, 1}});
        putSize(&file, 256, 256, cases[i].size);
        putVoxels(&file, 1, (const uint8_t[][4]){{0, 0, 0, 1}});
        putGroup(&file, 0, 2, (const uint32_t[]){1, 3});
        putPlaced(&file, 1, 0, "128 128 128", NULL);
        putPlaced(&file, 3, 1, cases[i].place, cases[i].rotation);
        finishFile(&file);
        VoxScene scene = expectScene(&file);
        assert_int_equal(scene.objects, cases[i].objects);
        voxFree(&scene);
    }
}

PLAIN_TEST(hiddenGroup) {
    File file = startDot();
    putGroup(&file, 0, 2, (const uint32_t[]){1, 3});
    openChunk(&file, "nGRP");
    putNumber(&file, 1);
    putAttribute(&file, "_hidden", "1");
    putNumber(&file, 1);
    putNumber(&file, 5);
    closeChunk(&file);
    putPlaced(&file, 3, 0, "7 7 7", NULL);
    putPlaced(&file, 5, 0, NULL, NULL);
    expectVoxels(&file, 1, (const int[][4]){{0, 0, 0, 1}});
}

PLAIN_TEST(whatIsNotNeededIsSkipped) {
    File file = startFile(150);
    openChunk(&file, "\x80\0?%");
    putText(&file, "anything");
    closeChunk(&file);
    putDot(&file, 1);
    openChunk(&file, "rOBJ"); /* its child may be incomplete */
    putBytes(&file, "12345678nSHP", 12);
    setNumber(&file, file.chunkAt + 4, 8);
    setNumber(&file, file.chunkAt + 8, 4);
    putSize(&file, 9, 9, 9);
    putVoxels(&file, 1, (const uint8_t[][4]){{8, 8, 8, 8}}); /* no shape shows it */
    putPlaced(&file, 0, 0, NULL, NULL);
    putPlaced(&file, 5, 77, NULL, NULL); /* not under the root */
    finishFile(&file);
    putBytes(&file, "after the end", 13);
    VoxScene scene = expectScene(&file);
    assert_int_equal(scene.voxelCount, 1);
    assert_int_equal(scene.voxels[0].color, 1);
    voxFree(&scene);
}

/* Values at the limits are valid; vox_reject_test.c tests values beyond the limits. */
PLAIN_TEST(limitsAreReached) {
    File file = startDot();
    putGroup(&file, 0, 2, (const uint32_t[]){1, VOX_MAX_NODES - 2});
    putPlaced(&file, 1, 0, " -2147483648  2147483647 0 ", NULL);
    putPlaced(&file, VOX_MAX_NODES - 2, 0, "-2147418113 2147483647 0", NULL);
    expectVoxels(&file, 2, (const int[][4]){{0, 0, 0, 1}, {65535, 0, 0, 1}});
}

/* Positions far beyond 32 bits from the origin must not overflow. */
PLAIN_TEST(deepestGraph) {
    File file = startDot();
    for (uint32_t id = 0; id < VOX_MAX_DEPTH - 1; id++) {
        putTransform(&file, id, id + 1, "2147483647 -2147483648 2147483647", NULL);
    }
    putShape(&file, VOX_MAX_DEPTH - 1, 0);
    expectVoxels(&file, 1, (const int[][4]){{0, 0, 0, 1}});
}

PLAIN_TEST(mostModels) {
    File file = startDot();
    for (int i = 1; i < VOX_MAX_MODELS - 1; i++) {
        putSize(&file, 1, 1, 1);
        putVoxels(&file, 0, NULL);
    }
    putDot(&file, 2);
    expectVoxels(&file, 1, (const int[][4]){{0, 0, 0, 2}});
}

/* Many voxels at random positions, some twice. A second reader had the same result. */
PLAIN_TEST(manyVoxelsAreSortedAndMerged) {
    enum { WIDTH = 17, DEPTH = 200, HEIGHT = 30, COUNT = 60000 };
    static uint8_t voxels[COUNT][4];
    uint32_t random = 1;
    for (size_t i = 0; i < COUNT; i++) {
        random = random * 1664525 + 1013904223;
        const uint32_t place = (random >> 8) % (WIDTH * DEPTH * HEIGHT);
        voxels[i][0] = (uint8_t)(place % WIDTH);
        voxels[i][1] = (uint8_t)(place / WIDTH % DEPTH);
        voxels[i][2] = (uint8_t)(place / WIDTH / DEPTH);
        voxels[i][3] = (uint8_t)(1 + i % 255);
    }
    File file = startFile(150);
    putSize(&file, WIDTH, DEPTH, HEIGHT);
    putVoxels(&file, COUNT, (const uint8_t(*)[4])voxels);
    finishFile(&file);
    VoxScene scene = expectScene(&file);
    assert_in_range(scene.voxelCount, COUNT / 2, COUNT - 1);
    assert_true(sceneSum(&scene) == 0x8bc9c514ed601048u);
    voxFree(&scene);
}
