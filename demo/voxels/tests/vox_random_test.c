/* Random scenes, which have a bit of everything: read, exported, and read again. What they are was
 * found by two readers, of which one is left, and is kept as a sum: it is that of these scenes in
 * this order.
 *
 * SPDX-License-Identifier: MIT */
#include "model/vox_bricks.h"
#include "vox_expect.h"

enum { ROUNDS = 2000, MAX_NODES = 24, MAX_MODELS = 4, ORIGIN = 1021 };

static uint64_t random64 = 1;

static uint32_t below(uint32_t limit) {
    random64 = random64 * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random64 >> 33) % limit;
}

static bool oneIn(uint32_t n) {
    return below(n) == 0;
}

/* ---- A scene -------------------------------------------------------------------------------- */

/* Up to nine voxels a side, most sizes odd somewhere, some without a voxel. */
static void putRandomModel(File *file) {
    uint8_t voxels[40][4];
    uint32_t size[3];
    const uint32_t count = below(40);
    for (int i = 0; i < 3; i++) {
        size[i] = 1 + below(9);
    }
    for (uint32_t n = 0; n < count; n++) {
        for (int i = 0; i < 3; i++) {
            voxels[n][i] = (uint8_t)below(size[i]);
        }
        voxels[n][3] = (uint8_t)(1 + below(255));
    }
    putSize(file, size[0], size[1], size[2]);
    putVoxels(file, count, (const uint8_t(*)[4])voxels);
}

/* One of the 48. */
static const char *randomRotation(char text[8]) {
    const uint32_t first = below(3);
    const uint32_t second = (first + 1 + below(2)) % 3;
    (void)snprintf(text, 8, "%u", first | second << 2 | below(8) << 4);
    return text;
}

static void putRandomTransform(File *file, uint32_t id, uint32_t child) {
    const uint32_t frames = oneIn(6) ? 2 : 1;
    static const int layers[] = {0, 1, 2, 3, 4, 255, 5, 1000}; /* those from 5 on are not there */
    static const char *const hidden[12] = {"1", "0"};
    openTransform(file, id, child, oneIn(3) ? layers[below(8)] : NO_LAYER, hidden[below(12)]);
    putNumber(file, frames);
    for (uint32_t i = 0; i < frames; i++) {
        char move[48];
        char turn[8];
        const uint32_t far = oneIn(8) ? 1000 : 40; /* beyond a byte, too */
        (void)snprintf(move, sizeof move, "%d %d %d", (int)(below(2 * far) - far),
                       (int)(below(2 * far) - far), (int)(below(2 * far) - far));
        putFrame(file, oneIn(5) ? NULL : (i ? "not read" : move),
                 oneIn(3) ? NULL : randomRotation(turn));
    }
    closeChunk(file);
}

static void putRandomShape(File *file, uint32_t id, uint32_t models) {
    const uint32_t frames = oneIn(5) ? 3 : 1;
    openChunk(file, "nSHP");
    putNumber(file, id);
    putAttribute(file, "_hidden", oneIn(12) ? "1" : NULL);
    putNumber(file, frames);
    for (uint32_t i = 0; i < frames; i++) {
        putNumber(file, below(models));
        putAttribute(file, "_f", oneIn(2) ? "9" : NULL);
    }
    closeChunk(file);
}

/* Children have larger ids, so there is no cycle; any node may have several parents. */
static void putRandomGraph(File *file, uint32_t models) {
    const uint32_t count = 4 + below(MAX_NODES - 3);
    const uint32_t shapes = count / 2;
    for (uint32_t turn = 0; turn < count; turn++) {
        const uint32_t id = (turn * 7 + 3) % count; /* once each where 7 does not divide count */
        const uint32_t node = count % 7 == 0 ? turn : id;
        const uint32_t after = count - node - 1;
        if (node >= shapes) {
            putRandomShape(file, node, models);
        } else if (node % 2 == 0) {
            putRandomTransform(file, node, node + 1 + (oneIn(3) ? below(after) : 0));
        } else {
            uint32_t children[3];
            const uint32_t childCount = 1 + below(3);
            for (uint32_t i = 0; i < childCount; i++) {
                children[i] = node + 1 + below(after);
            }
            putGroup(file, node, childCount, children);
        }
    }
}

static void putColors(File *file) {
    if (!oneIn(3)) {
        openChunk(file, "RGBA");
        for (int i = 0; i < 256; i++) {
            putNumber(file, below(1u << 31));
        }
        closeChunk(file);
    }
    if (oneIn(2)) {
        openChunk(file, "IMAP"); /* the order in which an editor shows the palette */
        for (int i = 0; i < 256; i++) {
            putBytes(file, (const uint8_t[]){(uint8_t)(255 - i)}, 1);
        }
        closeChunk(file);
    }
    for (uint32_t i = below(5); i > 0; i--) {
        static const char *const types[] = {"_diffuse", "_emit", "_emit", "_metal", "_glass"};
        static const char *const amounts[] = {"0", "0.125", "0.5", "1.0000", "7", ".3"};
        putMaterial(file, below(257), types[below(5)], oneIn(3) ? "_weight" : "_emit",
                    amounts[below(6)]);
    }
}

static File randomFile(void) {
    File file = startFile(oneIn(2) ? 150 : 200);
    const uint32_t models = 1 + below(MAX_MODELS);
    const bool graph = !oneIn(8);
    if (!graph && oneIn(2)) {
        openChunk(&file, "PACK");
        putNumber(&file, models);
        closeChunk(&file);
    }
    for (uint32_t i = 0; i < models; i++) {
        putRandomModel(&file);
    }
    if (graph) {
        putRandomGraph(&file, models);
    }
    for (uint32_t id = 0; id <= 255; id += id < 4 ? 1 : 251) {
        putLayer(&file, id, oneIn(6) ? "1" : NULL);
    }
    putColors(&file);
    finishFile(&file);
    return file;
}

/* ---- Cases ---------------------------------------------------------------------------------- */

/* The file that the program writes of a scene has its voxels, colours and light, and nothing that
 * would be left out. */
static void expectExported(const VoxScene *scene) {
    BrickSet set = {0};
    VoxScene again;
    char error[VOX_ERROR_SIZE];
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_true(voxToBricks(scene, (const uint32_t[]){ORIGIN, ORIGIN, ORIGIN}, &set));
    assert_int_equal(voxWrite(file, &set), BRICKS_WRITTEN);
    const size_t size = (size_t)ftell(file);
    File written = {.bytes = malloc(size)};
    assert_non_null(written.bytes);
    rewind(file);
    assert_int_equal(fread(written.bytes, 1, size, file), size);
    (void)fclose(file);
    assert_true(readCopy(&written, size, &again, error));
    again.framesOmitted += scene->framesOmitted;
    again.hiddenOmitted += scene->hiddenOmitted;
    again.materialsOmitted += scene->materialsOmitted;
    assert_true(sceneSum(&again) == sceneSum(scene));
    free(written.bytes);
    voxFree(&again);
    brickSetFree(&set);
}

static void randomScenes(void **state) {
    uint64_t sum = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        VoxScene scene;
        char error[VOX_ERROR_SIZE];
        File file = randomFile();
        const bool read = readCopy(&file, file.size, &scene, error);
        if (!read) {
            assert_string_equal(error, "the file has no visible voxel");
        } else if (round % 8 == 0) {
            expectExported(&scene);
        }
        sum = sum * 3 + sceneSum(&scene);
        voxFree(&scene);
        free(file.bytes);
    }
    assert_true(sum == 0x492561d1aacbb87eu);
}

TEST_GROUP(main, "vox_random", NULL, NULL, cmocka_unit_test(randomScenes))
