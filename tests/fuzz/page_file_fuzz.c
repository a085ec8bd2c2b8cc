/* Fuzzer of files of pages: whatever it is given, opening must fail, or give a file that keeps its
 * promises for all that is not told to be damaged, and touch no memory but its own. Each input is
 * tried as it is and with the checksums of superblocks and of the map's top node made right, which
 * no mutation would find.
 *
 * With libFuzzer, define MUR_LIBFUZZER. Without, the program mutates seeds of its own by itself,
 * the same way each time:
 *
 *     page_file_fuzz [--rounds N] [FILE...]
 *
 * Files are only read as they are. Rounds are run if there are no files or if --rounds is given.
 *
 * SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <murmuration/page_file.h>

enum { PAGE = 4096, SUMMED = 56, MAX_PAGES = 1024, ENTRY = 16 };

/* ---- A file in memory ----------------------------------------------------------------------- */

typedef struct Bytes {
    uint8_t *data; /* ends where the file ends, so that a sanitizer sees a read past it */
    uint64_t size;
} Bytes;

static VkResult VKAPI_PTR readBytes(void *user, uint64_t offset, void *to, uint64_t size) {
    const Bytes *bytes = user;
    if (offset > bytes->size || size > bytes->size - offset) {
        return MUR_ERROR_BAD_IMAGE;
    }
    memcpy(to, bytes->data + offset, (size_t)size);
    return VK_SUCCESS;
}

static VkResult VKAPI_PTR writeBytes(void *user, uint64_t offset, const void *from, uint64_t size) {
    Bytes *bytes = user;
    require(offset < (uint64_t)PAGE * 4 * MAX_PAGES, "files are as large as they may be at most");
    if (offset + size > bytes->size) {
        bytes->data = realloc(bytes->data, (size_t)(offset + size));
        require(bytes->data != NULL, "there is memory");
        memset(bytes->data + bytes->size, 0, (size_t)(offset + size - bytes->size));
        bytes->size = offset + size;
    }
    memcpy(bytes->data + offset, from, (size_t)size);
    return VK_SUCCESS;
}

static VkResult VKAPI_PTR syncBytes(void *user) {
    (void)user;
    return VK_SUCCESS;
}

/* ---- Checksums made right ------------------------------------------------------------------- */

static uint64_t wordAt(const uint8_t *at, int bytes) {
    uint64_t word = 0;
    for (int i = bytes - 1; i >= 0; i--) {
        word = word << 8 | at[i];
    }
    return word;
}

/* Of both superblocks, and of the node that each leads to. */
static void seal(uint8_t *data, size_t size) {
    for (size_t slot = 0; size >= 2 * (size_t)PAGE && slot < 2; slot++) {
        uint8_t *superblock = data + slot * PAGE;
        const uint64_t entries = wordAt(superblock + 16, 4), block = wordAt(superblock + 32, 8);
        const uint64_t nodeSize = entries < PAGE / ENTRY ? entries * ENTRY : PAGE;
        if (block < size / PAGE && nodeSize <= size - block * PAGE) {
            putBytes64(superblock + 40, sumOf(data + block * PAGE, (size_t)nodeSize));
        }
        putBytes64(superblock + SUMMED, sumOf(superblock, SUMMED));
    }
}

/* ---- What must hold ------------------------------------------------------------------------- */

/* Reads all pages; which are damaged, and the sums of the others. */
static void readAll(const MurPageFile *file, uint32_t count, uint64_t *sums) {
    uint8_t page[PAGE];
    for (uint32_t i = 0; i < count; i++) {
        const VkResult result = file->pfnRead(file->pUserData, i, page);
        require(result == VK_SUCCESS || result == MUR_ERROR_BAD_IMAGE, "damage is told by name");
        sums[i] = result == VK_SUCCESS ? sumOf(page, 64) : 0;
    }
}

/* Pages that are written and committed are there, and the others are what they were. */
static void checkFile(const MurPageFileInfo *info, MurPageFile *file) {
    static uint64_t before[MAX_PAGES], after[MAX_PAGES];
    uint8_t page[PAGE];
    memset(page, 0x5A, sizeof page);
    readAll(file, info->pageCount, before);
    for (uint32_t i = 0; i < info->pageCount; i += 1 + info->pageCount / 3) {
        require(file->pfnWrite(file->pUserData, i, page) == VK_SUCCESS, "pages can be written");
        before[i] = sumOf(page, 64);
    }
    require(file->pfnCommit(file->pUserData) == VK_SUCCESS, "and committed");
    murClosePageFile(file);
    require(murOpenPageFile(info, file) == VK_SUCCESS, "what was committed can be opened");
    readAll(file, info->pageCount, after);
    require(memcmp(before, after, info->pageCount * sizeof *before) == 0, "pages keep");
}

static void open(const uint8_t *data, size_t size) {
    Bytes bytes = {malloc(size + 1), size};
    require(bytes.data != NULL, "there is memory");
    memcpy(bytes.data, data, size);
    const MurFileBytes calls = {&bytes, readBytes, writeBytes, syncBytes};
    MurPageFileInfo info = {.pBytes = &calls};
    MurPageFile file;
    VkResult result = murReadPageFileInfo(&info);
    if (result == VK_SUCCESS && info.pageSize == PAGE && info.pageCount <= MAX_PAGES) {
        result = murOpenPageFile(&info, &file);
        if (result == VK_SUCCESS) {
            checkFile(&info, &file);
            murClosePageFile(&file);
        }
    }
    require(result == VK_SUCCESS || result == MUR_ERROR_BAD_IMAGE ||
                result == MUR_ERROR_BAD_VERSION,
            "a failure is one of those documented");
    free(bytes.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    tryBoth(data, size, open, seal);
    return 0;
}

#ifndef MUR_LIBFUZZER

#include "fuzz_main.h"

/* ---- Rounds --------------------------------------------------------------------------------- */

enum { SEEDS = 4, FIELDS = 8 };

/* Of one node and of several, empty and after some commits. */
static Bytes makeSeed(int number) {
    static const uint32_t counts[SEEDS] = {1, 3, 40, 300};
    Bytes bytes = {NULL, 0};
    const MurFileBytes calls = {&bytes, readBytes, writeBytes, syncBytes};
    const MurPageFileInfo info = {.pBytes = &calls, .pageSize = PAGE, .pageCount = counts[number]};
    MurPageFile file;
    require(murCreatePageFile(&info, &file) == VK_SUCCESS, "seeds are right");
    for (uint32_t i = 0; i < (uint32_t)number * 3; i++) {
        uint8_t page[PAGE];
        memset(page, (int)i + 1, sizeof page);
        require(file.pfnWrite(file.pUserData, i * 7 % info.pageCount, page) == VK_SUCCESS &&
                    (i % 3 != 0 || file.pfnCommit(file.pUserData) == VK_SUCCESS),
                "seeds are right");
    }
    require(file.pfnCommit(file.pUserData) == VK_SUCCESS, "seeds are right");
    murClosePageFile(&file);
    return bytes;
}

/* A place that counts: a field of a superblock, an entry of a block, or any byte. */
static size_t drawPlace(size_t size) {
    const size_t places[] = {draw(2) * PAGE + draw(FIELDS) * 8, draw(size / 8) * 8,
                             draw(size / PAGE + 1) * PAGE + draw(8) * 8, draw(size)};
    const size_t place = places[draw(4)];
    return place + 8 <= size ? place : size - 8;
}

static void mutate(Bytes *input, const Bytes *other) {
    static const uint64_t odd[] = {0, 1, 2, 3, 4, 300, 0xFFFFFFFF, UINT64_MAX, UINT64_MAX / PAGE};
    const size_t at = drawPlace((size_t)input->size);
    switch (draw(5)) {
    case 0:
        input->data[at] ^= (uint8_t)(1U << draw(8));
        break;
    case 1:
        putBytes64(input->data + at, odd[draw(sizeof odd / sizeof odd[0])]);
        break;
    case 2:
        putBytes64(input->data + at, draw(20));
        break;
    case 3: { /* a piece of another one */
        const size_t from = drawPlace((size_t)other->size);
        memcpy(input->data + at, other->data + from, 8);
        break;
    }
    default:
        if (draw(4) == 0) {
            input->size = at < 16 ? 16 : at; /* cut off */
        }
        break;
    }
}

static void runRounds(unsigned long rounds) {
    drawn.state = test_seed(1);
    Bytes seeds[SEEDS];
    for (int i = 0; i < SEEDS; i++) {
        seeds[i] = makeSeed(i);
    }
    for (unsigned long round = 0; round < rounds; round++) {
        const Bytes *seed = &seeds[draw(SEEDS)];
        Bytes input = {malloc((size_t)seed->size), seed->size};
        require(input.data != NULL, "there is memory");
        memcpy(input.data, seed->data, (size_t)seed->size);
        for (size_t count = draw(4); count > 0; count--) {
            mutate(&input, &seeds[draw(SEEDS)]);
        }
        (void)LLVMFuzzerTestOneInput(input.data, (size_t)input.size);
        free(input.data);
    }
    for (int i = 0; i < SEEDS; i++) {
        free(seeds[i].data);
    }
    (void)printf("page_file_fuzz: %lu rounds\n", rounds);
}

int main(int argc, char **argv) {
    return fuzzMain("page_file_fuzz", argc, argv, runRounds);
}

#endif
