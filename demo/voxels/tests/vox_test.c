/* Tests of the .vox reader with valid files, for cases that the random scenes of vox_random_test.c
 * do not reach; with files that each have one error; and of loading from a disk. Expected positions
 * were computed by hand from the format's rules, not by the reader.
 * SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "vox_expect.h"

#include <errno.h>
#include <unistd.h>

/* ---- Valid files ---------------------------------------------------------------------------- */

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

/* Values at the limits are valid. */
PLAIN_TEST(limitsAreReached) {
    File file = startDot();
    putGroup(&file, 0, 2, (const uint32_t[]){1, VOX_MAX_NODES - 2});
    putPlaced(&file, 1, 0, " -2147483648  2147483647 0 ", NULL);
    putPlaced(&file, VOX_MAX_NODES - 2, 0, "-2147418113 2147483647 0", NULL);
    expectVoxels(&file, 2, (const int[][4]){{0, 0, 0, 1}, {65535, 0, 0, 1}});
}

/* The deepest graph, and one that is too deep. Positions far beyond 32 bits from the origin must
 * not overflow. */
PLAIN_TEST(deepestGraph) {
    for (uint32_t depth = VOX_MAX_DEPTH - 1; depth <= VOX_MAX_DEPTH; depth++) {
        File file = startDot();
        for (uint32_t id = 0; id < depth; id++) {
            putTransform(&file, id, id + 1, "2147483647 -2147483648 2147483647", NULL);
        }
        const size_t at = file.chunkAt;
        putShape(&file, depth, 0);
        if (depth < VOX_MAX_DEPTH) {
            expectVoxels(&file, 1, (const int[][4]){{0, 0, 0, 1}});
        } else {
            expectError(&file, "nTRN", at, "the scene graph is more than 256 nodes deep");
        }
    }
}

/* The most models, and one too many. */
PLAIN_TEST(mostModels) {
    for (int models = VOX_MAX_MODELS; models <= VOX_MAX_MODELS + 1; models++) {
        File file = startDot();
        for (int i = 1; i < models - 1; i++) {
            putSize(&file, 1, 1, 1);
            putVoxels(&file, 0, NULL);
        }
        putDot(&file, 2);
        if (models == VOX_MAX_MODELS) {
            expectVoxels(&file, 1, (const int[][4]){{0, 0, 0, 2}});
        } else {
            expectError(&file, "XYZI", file.chunkAt, "the file has more than 65536 models");
        }
    }
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

/* ---- Files with an error -------------------------------------------------------------------- */

/* The offset of a voxel chunk if its model is first in the file. */
enum { FIRST_VOXELS_AT = FIRST_CHUNK_AT + 24 };

/* Check that a file with the output of the statements is rejected, for this chunk or as a whole. */
#define REFUSED(chunk, at, message, ...)        \
    do {                                        \
        File file = startFile(150);             \
        __VA_ARGS__;                            \
        expectError(&file, chunk, at, message); \
    } while (0)
#define REFUSED_FIRST(chunk, message, ...) REFUSED(chunk, FIRST_CHUNK_AT, message, __VA_ARGS__)
#define REFUSED_WHOLE(message, ...)        REFUSED(NULL, 0, message, __VA_ARGS__)

PLAIN_TEST(notAVoxFile) {
    static const char *const starts[] = {"", "V", "VOX ", "VOX \x96\0\0", "vox \x96\0\0\0MAIN"};
    static const size_t sizes[] = {0, 1, 4, 7, 12};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        REFUSED_WHOLE("not a .vox file: it does not start with 'VOX ' and a version", file.size = 0,
                      putBytes(&file, starts[i], sizes[i]));
    }
    REFUSED_WHOLE("the file has version 151; only 150 and 200 can be read",
                  setNumber(&file, 4, 151), putDot(&file, 1), finishFile(&file));
}

PLAIN_TEST(mainChunk) {
    REFUSED_WHOLE("the header of the chunk at byte 8 is cut off at byte 19", file.size -= 1);
    REFUSED("SIZE", MAIN_AT, "there should be the chunk MAIN here",
            memcpy(file.bytes + MAIN_AT, "SIZE", 4));
    REFUSED_WHOLE("chunk MAIN at byte 8: its 0 bytes of content and 45 of children do not fit into "
                  "the 44 bytes up to byte 64",
                  putDot(&file, 1), setNumber(&file, MAIN_AT + 8, 45));
    REFUSED_WHOLE("the header of the chunk at byte 64 is cut off at byte 75", putDot(&file, 1),
                  putBytes(&file, "nSHP\0\0\0\0\0\0\0", 11), finishFile(&file));
}

PLAIN_TEST(chunkSizes) {
    REFUSED_FIRST("note",
                  "its 4294967295 bytes of content and 13 of children do not fit into the 0 bytes "
                  "up to byte 32",
                  openChunk(&file, "note"), setNumber(&file, file.chunkAt + 4, UINT32_MAX),
                  setNumber(&file, file.chunkAt + 8, 13));
    REFUSED_FIRST("n??t",
                  "its 4 bytes of content and 4294967295 of children do not fit into the 4 bytes "
                  "up to byte 36",
                  openChunk(&file, "n\x01\xfft"), putNumber(&file, 0),
                  setNumber(&file, file.chunkAt + 4, 4),
                  setNumber(&file, file.chunkAt + 8, UINT32_MAX));
    REFUSED_FIRST("SIZE", "its content is cut off at byte 43", putSize(&file, 1, 2, 3),
                  file.size -= 1, setNumber(&file, file.chunkAt + 4, 11));
    REFUSED("XYZI", FIRST_VOXELS_AT, "its content is cut off at byte 56", putSize(&file, 1, 1, 1),
            openChunk(&file, "XYZI"));
    REFUSED_FIRST("nSHP", "its content is cut off at byte 36", PUT_CHUNK(&file, "nSHP", 0));
    REFUSED_FIRST("RGBA", "a palette has 1024 bytes, but its content has 1020",
                  openChunk(&file, "RGBA"), putBytes(&file, (uint8_t[1020]){0}, 1020),
                  closeChunk(&file));
}

PLAIN_TEST(models) {
    REFUSED_FIRST("SIZE", "a model of 1 x 0 x 3 is not within 1 to 256", putSize(&file, 1, 0, 3));
    REFUSED_FIRST("SIZE", "a model of 256 x 1 x 257 is not within 1 to 256",
                  putSize(&file, 256, 1, 257));
    REFUSED_FIRST("SIZE", "a model of 4294967295 x 1 x 1 is not within 1 to 256",
                  putSize(&file, UINT32_MAX, 1, 1));
    REFUSED_FIRST("SIZE", "there is no XYZI chunk after it", putSize(&file, 1, 1, 1),
                  putDot(&file, 1));
    REFUSED_FIRST("SIZE", "there is no XYZI chunk after it, but one that cannot be read: TDCZ",
                  putSize(&file, 1, 1, 1), openChunk(&file, "TDCZ"), closeChunk(&file));
    REFUSED("SIZE", file.chunkAt, "there is no XYZI chunk after it", putDot(&file, 1),
            putSize(&file, 1, 1, 1));
    REFUSED("XYZI", file.chunkAt, "there is no SIZE chunk before it", putDot(&file, 1),
            putVoxels(&file, 0, NULL));
}

PLAIN_TEST(voxels) {
    static const uint32_t counts[] = {2, 0x40000001, UINT32_MAX};
    for (size_t i = 0; i < 3; i++) {
        File file = startDot();
        setNumber(&file, FIRST_VOXELS_AT + 12, counts[i]);
        expectError(&file, "XYZI", FIRST_VOXELS_AT,
                    "%u voxels do not fit into the 4 bytes left of its content",
                    (unsigned)counts[i]);
    }
}

PLAIN_TEST(layersAndNodes) {
    REFUSED_FIRST("LAYR", "layer 256 is not within 0 to 255", putLayer(&file, VOX_MAX_LAYERS, "1"));
    REFUSED_FIRST("LAYR", "layer -1 is not within 0 to 255", putLayer(&file, UINT32_MAX, NULL));
    REFUSED_FIRST("nSHP", "node 65536 is not within 0 to 65535", putShape(&file, VOX_MAX_NODES, 0));
    REFUSED_FIRST("nGRP", "node -1 is not within 0 to 65535", putGroup(&file, UINT32_MAX, 0, NULL));
    REFUSED("nTRN", FIRST_CHUNK_AT + 24, "node 7 was already at byte 20",
            putGroup(&file, 7, 0, NULL), putTransform(&file, 7, 0, NULL, NULL));
    REFUSED_FIRST("nTRN", "the node has no frame", openTransform(&file, 0, 1, NO_LAYER, NULL),
                  putNumber(&file, 0), closeChunk(&file));
    REFUSED_FIRST("nTRN", "its content is cut off at byte 56",
                  openTransform(&file, 0, 1, NO_LAYER, NULL), putNumber(&file, UINT32_MAX),
                  closeChunk(&file));
    REFUSED_FIRST("nGRP", "1073741825 children do not fit into the 4 bytes left of its content",
                  putGroup(&file, 0, 1, (const uint32_t[]){1}),
                  setNumber(&file, file.size - 8, 0x40000001));
    REFUSED("nSHP", file.chunkAt, "the node has no model", putDot(&file, 1), putShape(&file, 0, 0),
            setNumber(&file, file.chunkAt + 20, 0));
    REFUSED("nSHP", file.chunkAt, "the node shows model 1, but the file has 1", putDot(&file, 1),
            putShape(&file, 0, 1));
    REFUSED("nSHP", file.chunkAt, "the node shows model -1, but the file has 0",
            putShape(&file, 0, UINT32_MAX));
}

/* Byte offsets in a layer chunk: number of pairs 36, key length 40, value length 51. */
PLAIN_TEST(attributes) {
    REFUSED_FIRST("LAYR", "the string of 30 bytes at byte 44 runs past the chunk's end",
                  putLayer(&file, 0, "1"), setNumber(&file, 40, 30));
    REFUSED_FIRST("LAYR", "the string of 4294967295 bytes at byte 55 runs past the chunk's end",
                  putLayer(&file, 0, "1"), setNumber(&file, 51, UINT32_MAX));
    REFUSED_FIRST("LAYR", "the string of 4294967295 bytes at byte 44 runs past the chunk's end",
                  putLayer(&file, 0, NULL), setNumber(&file, 36, UINT32_MAX));
}

PLAIN_TEST(badTranslation) {
    static const char *const bad[] = {"",
                                      " ",
                                      "1 2",
                                      "1 2 3 4",
                                      "1 2 x",
                                      "1,2,3",
                                      "2147483648 0 0",
                                      "0 0 -2147483649",
                                      "- 1 2",
                                      "1-2 3 4",
                                      "1.5 2 3",
                                      "+1 2 3",
                                      "0 0 --1",
                                      "0 0 99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        File file = startFile(150);
        putPlaced(&file, 0, 0, bad[i], NULL);
        expectError(&file, "nTRN", FIRST_CHUNK_AT,
                    "_t is '%s', which is not three integers of 32 bits", bad[i]);
    }
    REFUSED_FIRST(
        "nTRN",
        "_t is '1 2?3?? and more and more and more and m', which is not three integers "
        "of 32 bits",
        putPlaced(&file, 0, 0, "1 2\n3\x7f\xc3 and more and more and more and more text", NULL));
}

PLAIN_TEST(badRotation) {
    static const char *const bad[] = {"",    "0",   "3",  "5",   "12", "10",
                                      "128", "132", "-4", "4 4", "x"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        File file = startFile(150);
        putPlaced(&file, 0, 0, "1 2 3", bad[i]);
        expectError(&file, "nTRN", FIRST_CHUNK_AT, "_r is '%s', which is not a packed rotation",
                    bad[i]);
    }
}

PLAIN_TEST(missingNodes) {
    static const uint32_t missing[] = {3, UINT32_MAX, VOX_MAX_NODES};
    REFUSED_WHOLE("the scene graph has no node 0", putDot(&file, 1),
                  putPlaced(&file, 1, 0, NULL, NULL), finishFile(&file));
    for (size_t i = 0; i < 3; i++) {
        File file = startDot();
        putPlaced(&file, 1, 0, NULL, NULL);
        putGroup(&file, 0, 2, (const uint32_t[]){1, missing[i]});
        expectError(&file, "nGRP", file.chunkAt, "the scene graph has no node %d", (int)missing[i]);
    }
}

PLAIN_TEST(cycles) {
    REFUSED_FIRST("nTRN", "its child, node 0, is also above it",
                  putTransform(&file, 0, 0, NULL, NULL));
    REFUSED("nTRN", FIRST_CHUNK_AT + 40, "its child, node 1, is also above it",
            putTransform(&file, 0, 1, NULL, NULL), putTransform(&file, 2, 1, NULL, NULL),
            putGroup(&file, 1, 1, (const uint32_t[]){2}));
}

/* Each group has the same child twice, so each level doubles the number of paths. */
PLAIN_TEST(tooManyWays) {
    enum { LEVELS = 30 };
    File file = startDot();
    size_t last = 0; /* the group whose second child exceeds the limit */
    for (uint32_t i = 0; i < LEVELS; i++) {
        putGroup(&file, i, 2, (const uint32_t[]){i + 1, i + 1});
        last = i == LEVELS - 2 ? file.chunkAt : last;
    }
    putGroup(&file, LEVELS, 0, NULL);
    expectError(&file, "nGRP", last, "the scene graph has more than 1048576 ways through it");
}

PLAIN_TEST(nothingVisible) {
    static const char said[] = "the file has no visible voxel";
    REFUSED_WHOLE(said, finishFile(&file));
    REFUSED_WHOLE(said, putSize(&file, 3, 3, 3), putVoxels(&file, 0, NULL), finishFile(&file));
    REFUSED_WHOLE(said, putDot(&file, 1), putGroup(&file, 0, 0, NULL), finishFile(&file));
}

PLAIN_TEST(tooWide) {
    static const char *const places[] = {"65536 0 0", "0 -2147483648 0", "0 0 2147483647"};
    static const char *const lengths[] = {"65537 voxels long along x",
                                          "2147483649 voxels long along y",
                                          "2147483648 voxels long along z"};
    for (size_t i = 0; i < 3; i++) {
        File file = startDot();
        putGroup(&file, 0, 2, (const uint32_t[]){1, 3});
        putPlaced(&file, 1, 0, places[i], NULL);
        putPlaced(&file, 3, 0, NULL, NULL);
        finishFile(&file);
        expectError(&file, NULL, 0, "the scene is %s; at most 65536 can be read", lengths[i]);
    }
}

/* A file of 350 KiB. Its shapes all show one model, and exceed the limit of voxels by one. */
PLAIN_TEST(tooManyVoxels) {
    enum { PLACED = 1024 };
    static uint8_t voxels[VOX_MAX_VOXELS / PLACED][4];
    static uint32_t children[PLACED + 1];
    const uint32_t count = sizeof voxels / sizeof *voxels;
    for (uint32_t i = 0; i < count; i++) {
        voxels[i][0] = (uint8_t)i;
        voxels[i][1] = (uint8_t)(i >> 8);
        voxels[i][3] = 1;
    }
    File file = startFile(150);
    putSize(&file, 256, 256, 1);
    putVoxels(&file, count, (const uint8_t(*)[4])voxels);
    putDot(&file, 1);
    for (uint32_t i = 0; i <= PLACED; i++) {
        children[i] = 1 + 2 * i;
        putPlaced(&file, children[i], i == 0 ? 1 : 0, NULL, NULL);
    }
    putGroup(&file, 0, PLACED + 1, children);
    finishFile(&file);
    assert_true(file.size < 400000);
    expectError(&file, NULL, 0, "the scene has more than %zu voxels", (size_t)VOX_MAX_VOXELS);
}

PLAIN_TEST(errorIsOptionalAndCut) {
    VoxScene scene;
    char error[8] = "1234567";
    assert_false(voxRead("no", 2, &scene, NULL, 100));
    assert_false(voxRead("no", 2, &scene, error, 0));
    assert_string_equal(error, "1234567");
    assert_false(voxRead("no", 2, &scene, error, 4));
    assert_memory_equal(error,
                        "not\0"
                        "567",
                        8);
    assert_false(voxRead(NULL, 0, &scene, NULL, 0));
    assert_false(voxLoad("no such file", &scene, NULL, 0));
}

/* ---- Loading from a disk -------------------------------------------------------------------- */

static const char diskPath[] = "vox_test.tmp"; /* in the current directory */

static void expectLoadError(const char *path, const char *problem) {
    VoxScene scene;
    char error[VOX_ERROR_SIZE], whole[VOX_ERROR_SIZE];
    (void)snprintf(whole, sizeof whole, "%s: %s", path, problem);
    memset(&scene, 0x5a, sizeof scene);
    assert_false(voxLoad(path, &scene, error, sizeof error));
    assert_string_equal(error, whole);
    expectZero(&scene);
}

/* Loads files from 4 to more than 70,000 bytes, which are read in one block or in several. */
PLAIN_TEST(loading) {
    for (uint32_t count = 1; count <= 50000; count = count * 7 + 3) {
        File file = startDot();
        putSize(&file, 5, 1, 1);
        openChunk(&file, "XYZI");
        putNumber(&file, count);
        for (uint32_t i = 0; i < count; i++) {
            putBytes(&file, (const uint8_t[]){4, 0, 0, (uint8_t)(i + 1 == count ? 9 : 1)}, 4);
        }
        closeChunk(&file);
        storeFile(&file, diskPath);
        VoxScene scene;
        char error[VOX_ERROR_SIZE] = "left over";
        assert_true(voxLoad(diskPath, &scene, error, sizeof error));
        assert_string_equal(error, "");
        assert_int_equal(scene.voxelCount, 2);
        assert_int_equal(scene.voxels[1].color, 9);
        voxFree(&scene);
    }
    assert_int_equal(remove(diskPath), 0);
}

PLAIN_TEST(loadingWhatCannotBeRead) {
    VoxScene scene;
    char error[VOX_ERROR_SIZE];
    expectLoadError("no such file", strerror(ENOENT));
    assert_false(voxLoad("no such\nfile", &scene, error, sizeof error));
    assert_memory_equal(error, "no such?file: ", 14);
    /* Systems report an error of a directory at different times and in different words. */
    assert_false(voxLoad(".", &scene, error, sizeof error));
    assert_memory_equal(error, ".: ", 3);
    assert_true(strlen(error) > 3 && strstr(error, "chunk") == NULL);
    expectZero(&scene);
}

/* The largest files have 1 GiB and one byte, but need little space on the disk (sparse files). */
PLAIN_TEST(loadingWhatIsWrong) {
    static const struct {
        const char *start, *problem;
        off_t size;
    } rows[] = {
        {"", "not a .vox file: it does not start with 'VOX ' and a version", 0},
        {"VOX ", "the file is larger than 1 GiB", (off_t)VOX_MAX_FILE_BYTES + 1},
        {"vox ", "not a .vox file: it does not start with 'VOX ' and a version",
         (off_t)VOX_MAX_FILE_BYTES + 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        FILE *disk = fopen(diskPath, "wb");
        assert_true(disk && fputs(rows[i].start, disk) >= 0 && fclose(disk) == 0);
        assert_int_equal(truncate(diskPath, rows[i].size), 0);
        expectLoadError(diskPath, rows[i].problem);
    }
    File file = startFile(150);
    putDot(&file, 0);
    storeFile(&file, diskPath);
    expectLoadError(diskPath, "the file has no visible voxel");
    assert_int_equal(remove(diskPath), 0);
}
