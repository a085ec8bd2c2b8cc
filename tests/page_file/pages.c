/* SPDX-License-Identifier: MIT */
#include "pages.h"

#include <string.h>

uint64_t pages_draw(uint64_t *state, uint64_t bound) {
    uint64_t z = (*state += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return (z ^ (z >> 31)) % bound;
}

void pages_fill(uint8_t *bytes, uint32_t page, uint32_t version) {
    if (version == 0) {
        memset(bytes, 0, PAGE);
        return;
    }
    uint32_t words[PAGE / 4];
    for (uint32_t i = 0; i < PAGE / 4; ++i) {
        words[i] = i == 0 ? version : (page * 31 + version) * 0x9E3779B9U + i * 0x85EBCA6BU;
    }
    memcpy(bytes, words, sizeof words);
}

VkResult pages_read(const MurPageFile *file, uint32_t page, uint32_t *version) {
    uint8_t bytes[PAGE], expected[PAGE];
    const VkResult result = file->pfnRead(file->pUserData, page, bytes);
    if (result == VK_SUCCESS) {
        memcpy(version, bytes, sizeof *version);
        pages_fill(expected, page, *version);
        assert_int_equal(memcmp(bytes, expected, PAGE), 0);
    }
    return result;
}

VkResult pages_write(const MurPageFile *file, uint32_t page, uint32_t version) {
    uint8_t bytes[PAGE];
    pages_fill(bytes, page, version);
    return file->pfnWrite(file->pUserData, page, bytes);
}

void pages_versions(const MurPageFile *file, uint32_t count, uint32_t *versions) {
    for (uint32_t page = 0; page < count; ++page) {
        const VkResult result = pages_read(file, page, &versions[page]);
        if (result != VK_SUCCESS) {
            assert_int_equal(result, MUR_ERROR_BAD_IMAGE);
            versions[page] = BAD_PAGE;
        }
    }
}

void pages_assert(const MurPageFile *file, uint32_t count, const uint32_t *versions) {
    for (uint32_t page = 0; page < count; ++page) {
        uint32_t version;
        assert_int_equal(pages_read(file, page, &version), VK_SUCCESS);
        assert_int_equal(version, versions[page]);
    }
}

VkResult pages_try_open(Fake *fake, uint32_t count, MurPageFile *file) {
    const MurFileBytes bytes = fake_file(fake);
    const MurPageFileInfo info = {.pBytes = &bytes, .pageSize = PAGE, .pageCount = count};
    return murOpenPageFile(&info, file);
}

MurPageFile pages_open(Fake *fake, uint32_t count) {
    MurPageFile file;
    assert_int_equal(pages_try_open(fake, count, &file), VK_SUCCESS);
    return file;
}

MurPageFile pages_create(Fake *fake, uint32_t count) {
    const MurFileBytes bytes = fake_file(fake);
    const MurPageFileInfo info = {.pBytes = &bytes, .pageSize = PAGE, .pageCount = count};
    MurPageFile file;
    assert_int_equal(murCreatePageFile(&info, &file), VK_SUCCESS);
    return file;
}
