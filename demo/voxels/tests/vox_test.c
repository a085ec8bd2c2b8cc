/* Tests of the .vox reader with files that are right. Their places were worked out by hand from the
 * format's rules, not with the reader. What is wrong with a file is tested in vox_reject_test.c.
 *
 * SPDX-License-Identifier: MIT */
#include "vox_expect.h"

static void oneModel(void **state) {
    (void)state;
    File file = startFile(150);
    putSize(&file, 2, 3, 4);
    putVoxels(&file, 3, (const uint8_t[][4]){{0, 0, 0, 1}, {1, 2, 3, 2}, {1, 0, 0, 255}});
    expectVoxels(&file, 3, (const int[][4]){{1, 3, 0, 2}, {0, 0, 2, 1}, {1, 0, 2, 255}});
}

static void version200(void **state) {
    (void)state;
    File file = startFile(200);
    putDot(&file, 7);
    expectVoxels(&file, 1, (const int[][4]){{0, 0, 0, 7}});
}

static void emptySpaceAroundIsCutOff(void **state) {
    (void)state;
    File file = startFile(150);
    putSize(&file, 256, 256, 256);
    putVoxels(&file, 2, (const uint8_t[][4]){{200, 100, 255, 1}, {201, 103, 250, 2}});
    expectVoxels(&file, 2, (const int[][4]){{1, 0, 0, 2}, {0, 5, 3, 1}});
}

static void modelsWithoutGraphOverlap(void **state) {
    (void)state;
    File file = startFile(150);
    putSize(&file, 5, 5, 5);
    putVoxels(&file, 2, (const uint8_t[][4]){{1, 0, 0, 1}, {3, 0, 0, 2}});
    putSize(&file, 2, 1, 1);
    putVoxels(&file, 2, (const uint8_t[][4]){{1, 0, 0, 3}, {0, 0, 0, 4}});
    expectVoxels(&file, 3, (const int[][4]){{0, 0, 0, 4}, {1, 0, 0, 3}, {3, 0, 0, 2}});
}

static void packedModelsAreFrames(void **state) {
    (void)state;
    File file = startFile(150);
    openChunk(&file, "PACK");
    putNumber(&file, 2);
    closeChunk(&file);
    putDot(&file, 5);
    putSize(&file, 2, 1, 1);
    putVoxels(&file, 1, (const uint8_t[][4]){{1, 0, 0, 6}});
    expectVoxels(&file, 1, (const int[][4]){{0, 0, 0, 5}});
}

static void lastOfDuplicatesWins(void **state) {
    (void)state;
    File file = startFile(150);
    putSize(&file, 3, 1, 1);
    putVoxels(
        &file, 5,
        (const uint8_t[][4]){{2, 0, 0, 1}, {0, 0, 0, 2}, {2, 0, 0, 3}, {0, 0, 0, 9}, {2, 0, 0, 4}});
    expectVoxels(&file, 2, (const int[][4]){{0, 0, 0, 9}, {2, 0, 0, 4}});
}

static void paletteChunk(void **state) {
    (void)state;
    File file = startFile(150);
    putDot(&file, 1);
    openChunk(&file, "RGBA");
    for (uint32_t i = 0; i < 256; i++) {
        putBytes(&file, (const uint8_t[]){(uint8_t)i, (uint8_t)(255 - i), 7, (uint8_t)(i / 2)}, 4);
    }
    closeChunk(&file);
    finishFile(&file);
    VoxScene scene = expectScene(&file);
    assert_memory_equal(scene.palette[0], "\0\0\0\0", 4);
    for (uint32_t i = 1; i < 256; i++) {
        const uint8_t color[4] = {(uint8_t)(i - 1), (uint8_t)(256 - i), 7, (uint8_t)((i - 1) / 2)};
        assert_memory_equal(scene.palette[i], color, 4);
    }
    voxFree(&scene);
}

static void defaultPalette(void **state) {
    (void)state;
    static const struct {
        int entry;
        uint8_t color[4];
    } expected[] = {
        {0, {0, 0, 0, 0}},           {1, {255, 255, 255, 255}},  {2, {255, 255, 204, 255}},
        {7, {255, 204, 255, 255}},   {37, {204, 255, 255, 255}}, {180, {51, 0, 0, 255}},
        {181, {0, 255, 255, 255}},   {215, {0, 0, 51, 255}},     {216, {238, 0, 0, 255}},
        {225, {17, 0, 0, 255}},      {226, {0, 238, 0, 255}},    {236, {0, 0, 238, 255}},
        {246, {238, 238, 238, 255}}, {254, {34, 34, 34, 255}},   {255, {17, 17, 17, 255}},
    };
    File file = startFile(150);
    putDot(&file, 1);
    finishFile(&file);
    VoxScene scene = expectScene(&file);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_memory_equal(scene.palette[expected[i].entry], expected[i].color, 4);
    }
    voxFree(&scene);
}

/* A shape, and a group of two, that several nodes show. */
static void instances(void **state) {
    (void)state;
    File file = startFile(200);
    putSize(&file, 1, 1, 1);
    putVoxels(&file, 1, (const uint8_t[][4]){{0, 0, 0, 3}});
    putTransform(&file, 0, 1, NULL, NULL);
    putGroup(&file, 1, 3, (const uint32_t[]){2, 3, 4});
    putTransform(&file, 2, 5, "0 0 0", NULL);
    putTransform(&file, 3, 5, "0 0 10", NULL);
    putTransform(&file, 4, 6, "20 0 0", NULL);
    putGroup(&file, 5, 2, (const uint32_t[]){6, 7});
    putShape(&file, 6, 0);
    putTransform(&file, 7, 6, "1 0 0", NULL);
    expectVoxels(
        &file, 5,
        (const int[][4]){{0, 0, 0, 3}, {1, 0, 0, 3}, {20, 0, 0, 3}, {0, 10, 0, 3}, {1, 10, 0, 3}});
}

/* Light is kept; what else is left out is counted. */
static void materialsAndWhatIsLeftOut(void **state) {
    (void)state;
    char text[VOX_ERROR_SIZE];
    File file = startFile(200);
    putDot(&file, 13);
    putDot(&file, 9);
    putTransform(&file, 0, 1, NULL, NULL);
    putGroup(&file, 1, 2, (const uint32_t[]){2, 3});
    openChunk(&file, "nSHP"); /* two frames */
    putNumber(&file, 2);
    putNumber(&file, 0);
    putNumber(&file, 2);
    putNumber(&file, 0);
    putNumber(&file, 0);
    putNumber(&file, 1);
    putNumber(&file, 0);
    closeChunk(&file);
    openTransform(&file, 3, 2, NO_LAYER, "1");
    putNumber(&file, 1);
    putFrame(&file, NULL, NULL);
    closeChunk(&file);
    putMaterial(&file, 9, "_emit", "_emit", "0.37");
    putMaterial(&file, 10, "_emit", "_emit", "1e9");
    putMaterial(&file, 11, "_emit", "_emit", "nan");
    putMaterial(&file, 12, "_diffuse", "_emit", "0.5");
    putMaterial(&file, 13, "_glass", "_emit", "0.5");
    putMaterial(&file, 15, "_glass", "_emit", "0.5");   /* of a colour that nothing has */
    putMaterial(&file, 14, "_emit", "_weight", "0.25"); /* as older files have it */
    putMaterial(&file, 256, "_emit", "_emit", "0.5");
    finishFile(&file);
    VoxScene scene = expectScene(&file);
    static const uint8_t glow[6][2] = {{37, 2}, {100, 2}, {0, 2}, {0, 0}, {0, 0}, {25, 2}};
    assert_memory_equal(scene.glow[9], glow, sizeof glow);
    voxOmitted(&scene, text);
    assert_string_equal(text, "left out: 1 further frame, 1 hidden object, 1 material that is not "
                              "light");
    voxFree(&scene);
    voxOmitted(&scene, text);
    assert_string_equal(text, "");
}

/* The structure that the editor itself writes: a transform, a group, and transforms with shapes. */
static void translations(void **state) {
    (void)state;
    File file = startFile(150);
    putDot(&file, 1);
    putSize(&file, 2, 3, 4); /* pivot 1, 1, 2 */
    putVoxels(&file, 1, (const uint8_t[][4]){{0, 0, 0, 2}});
    putTransform(&file, 0, 1, NULL, NULL);
    putGroup(&file, 1, 3, (const uint32_t[]){2, 4, 6});
    putPlaced(&file, 2, 0, "-2 0 0", NULL);      /* -2, 0, 0 */
    putPlaced(&file, 4, 0, " 1  -1 2147 ", "4"); /* 1, -1, 2147 */
    putPlaced(&file, 6, 1, "2 3 2 ", NULL);      /* 1, 2, 0 */
    expectVoxels(&file, 3, (const int[][4]){{3, 0, 0, 2}, {0, 0, 2, 1}, {3, 2147, 3, 1}});
}

/* 17: x' = -y, y' = x, z' = z; turned about 2, 2, 2. The dot marks the origin. */
static void quarterTurn(void **state) {
    (void)state;
    File file = startFile(150);
    putSize(&file, 4, 4, 4);
    putVoxels(&file, 4,
              (const uint8_t[][4]){{0, 0, 0, 1}, {3, 0, 0, 2}, {0, 1, 0, 3}, {0, 0, 2, 4}});
    putDot(&file, 9);
    putGroup(&file, 0, 2, (const uint32_t[]){1, 3});
    putPlaced(&file, 1, 0, NULL, "17"); /* 1, -2, -2; 1, 1, -2; 0, -2, -2; 1, -2, 0 */
    putPlaced(&file, 3, 1, NULL, NULL);
    expectVoxels(
        &file, 5,
        (const int[][4]){{1, 0, 0, 2}, {0, 2, 1, 9}, {0, 0, 3, 3}, {1, 0, 3, 1}, {1, 2, 3, 4}});
}

/* 105, the example of the format's description: x' = y, y' = -z, z' = -x; about 1, 2, 2. */
static void rotationOfDescription(void **state) {
    (void)state;
    File file = startFile(150);
    putSize(&file, 3, 4, 5);
    putVoxels(&file, 4,
              (const uint8_t[][4]){{0, 0, 0, 1}, {2, 0, 0, 2}, {0, 3, 0, 3}, {0, 0, 4, 4}});
    putDot(&file, 9);
    putGroup(&file, 0, 2, (const uint32_t[]){1, 3});
    putPlaced(&file, 1, 0, "10 20 30", "105"); /* +: -2, 1, 0; -2, 1, -2; 1, 1, 0; -2, -3, 0 */
    putPlaced(&file, 3, 1, "10 20 30", NULL);
    expectVoxels(
        &file, 5,
        (const int[][4]){{0, 0, 0, 2}, {0, 2, 0, 1}, {3, 2, 0, 3}, {2, 2, 1, 9}, {0, 2, 4, 4}});
}

/* 20: x' = -x. Of an odd size, so that the pivot is not the middle. */
static void mirrored(void **state) {
    (void)state;
    File file = startFile(150);
    putSize(&file, 3, 1, 1);
    putVoxels(&file, 3, (const uint8_t[][4]){{0, 0, 0, 1}, {1, 0, 0, 2}, {2, 0, 0, 3}});
    putDot(&file, 9);
    putGroup(&file, 0, 2, (const uint32_t[]){1, 3});
    putPlaced(&file, 1, 0, NULL, "20"); /* x: 0, -1, -2 */
    putPlaced(&file, 3, 1, "1 0 0", NULL);
    expectVoxels(&file, 4,
                 (const int[][4]){{0, 0, 0, 3}, {1, 0, 0, 2}, {2, 0, 0, 1}, {3, 0, 0, 9}});
}

/* First 40 (x' = x, y' = -z, z' = y) and +1, +2, +3, then 17 (as above) and +10, 0, 0. */
static void nestedTransforms(void **state) {
    (void)state;
    File file = startFile(150);
    putSize(&file, 2, 2, 2);
    putVoxels(&file, 3, (const uint8_t[][4]){{0, 0, 0, 1}, {1, 0, 0, 2}, {0, 0, 1, 3}});
    putDot(&file, 8);
    putDot(&file, 9);
    putGroup(&file, 0, 2, (const uint32_t[]){1, 7});
    putTransform(&file, 1, 2, "10 0 0", "17");
    putGroup(&file, 2, 2, (const uint32_t[]){3, 5});
    putPlaced(&file, 3, 0, "1 2 3", "40"); /* 7, 0, 2; 7, 1, 2; 8, 0, 2 */
    putPlaced(&file, 5, 2, NULL, NULL);    /* 9, 0, 0 */
    putPlaced(&file, 7, 1, "9 0 1", NULL); /* 9, 0, 1 */
    expectVoxels(
        &file, 5,
        (const int[][4]){{0, 2, 0, 2}, {2, 0, 1, 9}, {2, 1, 1, 8}, {0, 2, 1, 1}, {1, 2, 1, 3}});
}

static void orderOfGraphDecides(void **state) {
    (void)state;
    File file = startFile(150);
    putDot(&file, 1);
    putDot(&file, 2);
    putPlaced(&file, 3, 1, NULL, NULL);
    putPlaced(&file, 1, 0, NULL, NULL);
    putGroup(&file, 0, 2, (const uint32_t[]){3, 1});
    expectVoxels(&file, 1, (const int[][4]){{0, 0, 0, 1}});
}

static void putHidable(File *file, uint32_t id, int layer, const char *hidden, const char *place) {
    openTransform(file, id, id + 1, layer, hidden);
    putNumber(file, 1);
    putFrame(file, place, NULL);
    closeChunk(file);
    putShape(file, id + 1, 0);
}

static void hiddenNodesAndLayers(void **state) {
    (void)state;
    File file = startFile(150);
    putDot(&file, 1);
    putGroup(&file, 0, 7, (const uint32_t[]){1, 3, 5, 7, 9, 11, 13});
    putHidable(&file, 1, NO_LAYER, "0", "0 0 0");
    putHidable(&file, 3, NO_LAYER, "1", "1 0 0");
    putHidable(&file, 5, 0, NULL, "2 0 0");
    putHidable(&file, 7, 1, "0", "3 0 0");
    putHidable(&file, 9, 2, NULL, "4 0 0"); /* the layer is not in the file */
    putHidable(&file, 11, 255, NULL, "5 0 0");
    putHidable(&file, 13, 1000, NULL, "6 0 0");
    putLayer(&file, 0, NULL);
    putLayer(&file, 1, "1");
    putLayer(&file, 255, "1");
    expectVoxels(&file, 4,
                 (const int[][4]){{0, 0, 0, 1}, {2, 0, 0, 1}, {4, 0, 0, 1}, {6, 0, 0, 1}});
}

static void hiddenTransformHidesAllBelow(void **state) {
    (void)state;
    File file = startFile(150);
    putDot(&file, 1);
    putGroup(&file, 0, 2, (const uint32_t[]){1, 7});
    openTransform(&file, 1, 2, NO_LAYER, "1");
    putNumber(&file, 1);
    putFrame(&file, NULL, NULL);
    closeChunk(&file);
    putGroup(&file, 2, 2, (const uint32_t[]){3, 5});
    putHidable(&file, 3, NO_LAYER, NULL, "50 0 0");
    putHidable(&file, 5, NO_LAYER, "0", "60 0 0");
    putHidable(&file, 7, NO_LAYER, NULL, "70 0 0");
    expectVoxels(&file, 1, (const int[][4]){{0, 0, 0, 1}});
}

static void hiddenGroupAndShape(void **state) {
    (void)state;
    File file = startFile(150);
    putDot(&file, 1);
    putGroup(&file, 0, 3, (const uint32_t[]){1, 2, 3});
    openChunk(&file, "nGRP");
    putNumber(&file, 1);
    putAttribute(&file, "_hidden", "1");
    putNumber(&file, 1);
    putNumber(&file, 5);
    closeChunk(&file);
    openChunk(&file, "nSHP");
    putNumber(&file, 2);
    putAttribute(&file, "_hidden", "1");
    putNumber(&file, 1);
    putNumber(&file, 0);
    putNumber(&file, 0);
    closeChunk(&file);
    putPlaced(&file, 3, 0, "7 7 7", NULL);
    putPlaced(&file, 5, 0, NULL, NULL);
    expectVoxels(&file, 1, (const int[][4]){{0, 0, 0, 1}});
}

static void firstFrameIsUsed(void **state) {
    (void)state;
    File file = startFile(200);
    putDot(&file, 1);
    putDot(&file, 2);
    putGroup(&file, 0, 2, (const uint32_t[]){1, 3});
    openTransform(&file, 1, 2, NO_LAYER, NULL);
    putNumber(&file, 2);
    putFrame(&file, "3 0 0", NULL);
    putFrame(&file, "9 0 0", "not read");
    closeChunk(&file);
    openChunk(&file, "nSHP");
    for (int i = 0; i < 7; i++) { /* node 2, no attributes, 2 models: 1 and 0 */
        putNumber(&file, (const uint32_t[]){2, 0, 2, 1, 0, 0, 0}[i]);
    }
    closeChunk(&file);
    putPlaced(&file, 3, 0, NULL, NULL);
    expectVoxels(&file, 2, (const int[][4]){{0, 0, 0, 1}, {3, 0, 0, 2}});
}

static void whatIsNotNeededIsSkipped(void **state) {
    (void)state;
    File file = startFile(150);
    openChunk(&file, "\x80\0?%");
    putText(&file, "anything");
    closeChunk(&file);
    putDot(&file, 1);
    openChunk(&file, "rOBJ"); /* has a child; that the child is cut off does not matter */
    putBytes(&file, "12345678nSHP", 12);
    setNumber(&file, file.chunkAt + 4, 8);
    setNumber(&file, file.chunkAt + 8, 4);
    putSize(&file, 9, 9, 9);
    putVoxels(&file, 1, (const uint8_t[][4]){{8, 8, 8, 8}}); /* not placed anywhere */
    putPlaced(&file, 0, 0, NULL, NULL);
    putPlaced(&file, 5, 77, NULL, NULL); /* not under the root */
    finishFile(&file);
    putBytes(&file, "after the end", 13);
    VoxScene scene = expectScene(&file);
    assert_int_equal(scene.voxelCount, 1);
    assert_int_equal(scene.voxels[0].color, 1);
    voxFree(&scene);
}

/* Coordinates that take more than a byte. */
static void farPlacesAreSorted(void **state) {
    (void)state;
    static const char *const places[] = {"0 -256 0", "0 0 256", "256 0 0", "0 -1 0",
                                         "0 0 1",    "1 0 0",   "0 0 0"};
    static const uint32_t children[] = {1, 3, 5, 7, 9, 11, 13};
    File file = startFile(150);
    putDot(&file, 1);
    putGroup(&file, 0, 7, children);
    for (int i = 0; i < 7; i++) {
        putPlaced(&file, children[i], 0, places[i], NULL);
    }
    expectVoxels(&file, 7,
                 (const int[][4]){{0, 0, 0, 1},
                                  {1, 0, 0, 1},
                                  {256, 0, 0, 1},
                                  {0, 1, 0, 1},
                                  {0, 256, 0, 1},
                                  {0, 0, 1, 1},
                                  {0, 0, 256, 1}});
}

/* The same bounds as those that the errors are about, from the other side. */
static void limitsAreReached(void **state) {
    (void)state;
    File file = startFile(150);
    putDot(&file, 1);
    putGroup(&file, 0, 2, (const uint32_t[]){1, VOX_MAX_NODES - 2});
    putPlaced(&file, 1, 0, "-2147483648 2147483647 0", NULL);
    putPlaced(&file, VOX_MAX_NODES - 2, 0, "-2147418113 2147483647 0", NULL);
    expectVoxels(&file, 2, (const int[][4]){{0, 0, 0, 1}, {65535, 0, 0, 1}});
}

/* Far more than 32 bits away from the origin, where nothing may overflow. */
static void deepestGraph(void **state) {
    (void)state;
    File file = startFile(150);
    putDot(&file, 1);
    for (uint32_t id = 0; id < VOX_MAX_DEPTH - 1; id++) {
        putTransform(&file, id, id + 1, "2147483647 -2147483648 2147483647", NULL);
    }
    putShape(&file, VOX_MAX_DEPTH - 1, 0);
    expectVoxels(&file, 1, (const int[][4]){{0, 0, 0, 1}});
}

static void mostModels(void **state) {
    (void)state;
    File file = startFile(150);
    putDot(&file, 1);
    for (int i = 1; i < VOX_MAX_MODELS - 1; i++) {
        putSize(&file, 1, 1, 1);
        putVoxels(&file, 0, NULL);
    }
    putDot(&file, 2);
    expectVoxels(&file, 1, (const int[][4]){{0, 0, 0, 2}});
}

/* Many voxels at random places, some twice, against a plain grid. */
static void manyVoxelsAreSortedAndMerged(void **state) {
    (void)state;
    enum { WIDTH = 17, DEPTH = 200, HEIGHT = 30, COUNT = 60000 };
    static uint8_t grid[DEPTH][HEIGHT][WIDTH];
    static uint8_t voxels[COUNT][4];
    uint32_t random = 1;
    size_t filled = 0;
    memset(grid, 0, sizeof grid);
    for (size_t i = 0; i < COUNT; i++) {
        random = random * 1664525 + 1013904223;
        const uint32_t place = (random >> 8) % (WIDTH * DEPTH * HEIGHT);
        voxels[i][0] = (uint8_t)(place % WIDTH);
        voxels[i][1] = (uint8_t)(place / WIDTH % DEPTH);
        voxels[i][2] = (uint8_t)(place / WIDTH / DEPTH);
        voxels[i][3] = (uint8_t)(1 + i % 255);
        uint8_t *cell = &grid[DEPTH - 1 - voxels[i][1]][voxels[i][2]][voxels[i][0]];
        filled += *cell == 0;
        *cell = voxels[i][3];
    }
    File file = startFile(150);
    putSize(&file, WIDTH, DEPTH, HEIGHT);
    putVoxels(&file, COUNT, (const uint8_t(*)[4])voxels);
    finishFile(&file);
    VoxScene scene = expectScene(&file);
    assert_int_equal(scene.voxelCount, filled);
    const VoxVoxel *next = scene.voxels;
    for (int z = 0; z < DEPTH; z++) {
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                if (grid[z][y][x] != 0) {
                    assert_int_equal(next->position[0], x);
                    assert_int_equal(next->position[1], y);
                    assert_int_equal(next->position[2], z);
                    assert_int_equal(next->color, grid[z][y][x]);
                    next++;
                }
            }
        }
    }
    voxFree(&scene);
}

static void freeingTwice(void **state) {
    (void)state;
    File file = startFile(150);
    putDot(&file, 1);
    finishFile(&file);
    VoxScene scene = expectScene(&file);
    voxFree(&scene);
    expectZero(&scene);
    voxFree(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oneModel),
        cmocka_unit_test(version200),
        cmocka_unit_test(emptySpaceAroundIsCutOff),
        cmocka_unit_test(modelsWithoutGraphOverlap),
        cmocka_unit_test(packedModelsAreFrames),
        cmocka_unit_test(lastOfDuplicatesWins),
        cmocka_unit_test(paletteChunk),
        cmocka_unit_test(defaultPalette),
        cmocka_unit_test(instances),
        cmocka_unit_test(materialsAndWhatIsLeftOut),
        cmocka_unit_test(translations),
        cmocka_unit_test(quarterTurn),
        cmocka_unit_test(rotationOfDescription),
        cmocka_unit_test(mirrored),
        cmocka_unit_test(nestedTransforms),
        cmocka_unit_test(orderOfGraphDecides),
        cmocka_unit_test(hiddenNodesAndLayers),
        cmocka_unit_test(hiddenTransformHidesAllBelow),
        cmocka_unit_test(hiddenGroupAndShape),
        cmocka_unit_test(firstFrameIsUsed),
        cmocka_unit_test(whatIsNotNeededIsSkipped),
        cmocka_unit_test(farPlacesAreSorted),
        cmocka_unit_test(limitsAreReached),
        cmocka_unit_test(deepestGraph),
        cmocka_unit_test(mostModels),
        cmocka_unit_test(manyVoxelsAreSortedAndMerged),
        cmocka_unit_test(freeingTwice),
    };
    return cmocka_run_group_tests_name("vox", tests, NULL, NULL);
}
