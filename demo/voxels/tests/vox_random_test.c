/* Reads random scenes with all features, exports them, and reads the export. The test compares a
 * checksum of all scenes in this order. Two independent readers, of which one remains, agreed on
 * it.
 * SPDX-License-Identifier: MIT */
#include "model/vox_bricks.h"
#include "vox_expect.h"

enum { ROUNDS = 2000, ORIGIN = 1016 };

static uint64_t random64 = 1;

/* C does not define the order of calls, so an expression must contain only one call. */
static uint32_t below(uint32_t limit) {
    random64 = random64 * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random64 >> 33) % limit;
}

/* Adds a model of up to 9 x 9 x 9 voxels, most with an odd size, some without a voxel. */
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

static void putRandomShape(File *file, uint32_t id, uint32_t models, const char *hidden) {
    const uint32_t frames = below(5) ? 1 : 3;
    openChunk(file, "nSHP");
    putNumber(file, id);
    putAttribute(file, "_hidden", hidden);
    putNumber(file, frames);
    for (uint32_t i = 0; i < frames; i++) {
        putNumber(file, below(models));
        putAttribute(file, "_f", i ? "9" : NULL);
    }
    closeChunk(file);
}

static void putRandomTransform(File *file, uint32_t id, uint32_t child, const char *hidden) {
    const uint32_t frames = below(6) ? 1 : 2;
    const int layer = (int)below(14); /* layers 5 and 6 do not exist */
    openTransform(file, id, child, layer < 7 ? layer : NO_LAYER, hidden);
    putNumber(file, frames);
    for (uint32_t i = 0; i < frames; i++) {
        char move[48], turn[8];
        int by[3];
        const uint32_t far = below(8) ? 40 : 1000, words = below(8), signs = below(8);
        const uint32_t first = below(3), second = (first + 1 + words % 2) % 3;
        for (int j = 0; j < 3; j++) {
            by[j] = (int)(below(2 * far) - far);
        }
        (void)snprintf(move, sizeof move, "%d %d %d", by[0], by[1], by[2]);
        (void)snprintf(turn, sizeof turn, "%u", first | second << 2 | signs << 4);
        putFrame(file, words < 2 ? NULL : i ? "not read" : move, words < 6 ? turn : NULL);
    }
    closeChunk(file);
}

/* Adds nodes; the second half are shapes. Children have larger ids, so there is no cycle. A node
 * may have several parents. */
static void putRandomGraph(File *file, uint32_t models) {
    const uint32_t count = 4 + below(21);
    for (uint32_t node = count; node-- > 0;) {
        uint32_t children[3];
        const char *hidden = below(12) ? NULL : "1";
        for (int i = 0; i < 3 && node + 1 < count; i++) {
            children[i] = node + 1 + below(count - node - 1);
        }
        if (node >= count / 2) {
            putRandomShape(file, node, models, hidden);
        } else if (node % 2 == 0) {
            putRandomTransform(file, node, below(3) ? node + 1 : children[0], hidden);
        } else {
            putGroup(file, node, 1 + below(3), children);
        }
    }
    for (uint32_t id = 0; id < 5; id++) {
        putLayer(file, id, below(6) ? NULL : "1");
    }
}

static void putColors(File *file) {
    static const char *const types[] = {"_diffuse", "_emit", "_emit", "_metal", "_glass"};
    static const char *const amounts[] = {"0", "0.125", "0.5", "1.0000", "7", ".3"};
    uint8_t order[256]; /* position of each palette entry in the editor */
    openChunk(file, "RGBA");
    for (int i = 0; i < 256; i++) {
        putNumber(file, below(1u << 31));
        order[i] = (uint8_t)(255 - i);
    }
    closeChunk(file);
    openChunk(file, "IMAP");
    putBytes(file, order, sizeof order);
    closeChunk(file);
    for (uint32_t i = below(5); i > 0; i--) {
        const uint32_t id = below(257), type = below(5), amount = below(6);
        putMaterial(file, id, types[type], below(3) ? "_emit" : "_weight", amounts[amount]);
    }
}

static File randomFile(void) {
    File file = startFile(200);
    const uint32_t models = 1 + below(4), kind = below(16);
    if (kind == 0) {
        PUT_CHUNK(&file, "PACK", models);
    }
    for (uint32_t i = 0; i < models; i++) {
        putRandomModel(&file);
    }
    if (kind > 1) {
        putRandomGraph(&file, models);
    }
    if (kind % 3) {
        putColors(&file);
    }
    finishFile(&file);
    return file;
}

/* ---- Test cases ----------------------------------------------------------------------------- */

/* Checks that an exported scene has its voxels, colours and light, and no ignored chunk. */
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

PLAIN_TEST(randomScenes) {
    uint64_t sum = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        VoxScene scene;
        char error[VOX_ERROR_SIZE];
        File file = randomFile();
        const bool read = readCopy(&file, file.size, &scene, error);
        sum = sum * 3 + sceneSum(&scene);
        if (!read) {
            assert_string_equal(error, "the file has no visible voxel");
        } else if (round % 8 == 0) {
            expectExported(&scene);
        }
        voxFree(&scene);
        free(file.bytes);
    }
    assert_true(sum == 0xe3e94b32decba343u);
}
