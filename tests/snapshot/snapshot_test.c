/* SPDX-License-Identifier: MIT */
#include "snapshot_test.h"

#include <dirent.h>
#include <stdlib.h>

Bytes bytes_of(const MurHostTable *table) {
    Bytes bytes = {.size = (size_t)murGetSnapshotSize(table)};
    bytes.data = test_allocate(bytes.size);
    assert_int_equal(murWriteSnapshot(table, bytes.data, bytes.size), VK_SUCCESS);
    return bytes;
}

void bytes_free(Bytes *bytes) {
    free(bytes->data);
    *bytes = (Bytes){0};
}

void bytes_load(const Bytes *bytes, const Image *image, VkResult expected) {
    assert_int_equal(murLoadSnapshotFromMemory(bytes->data, bytes->size, &image->table), expected);
}

void bytes_set(Bytes *bytes, size_t at, uint32_t word) {
    for (size_t i = 0; i < 4; ++i) {
        bytes->data[at + i] = (uint8_t)(word >> (8 * i));
    }
}

uint32_t files_here(void) {
    DIR *here = opendir(".");
    assert_non_null(here);
    uint32_t count = 0;
    for (const struct dirent *entry; (entry = readdir(here)) != NULL;) {
        count += entry->d_name[0] != '.';
    }
    (void)closedir(here);
    return count;
}

Image image_with(uint64_t capacity, uint32_t entries) {
    const MurTableCreateInfo info = {.capacity = capacity, .seed = 3};
    Image image = image_open(&info);
    for (uint32_t key = 0; key < entries; ++key) {
        murHostInsert(&image.table, MUR_MODE_ASSIGN, key, key + 1);
    }
    return image;
}

void check_file(const char *path, const Image *expected) {
    MurSnapshotInfo info;
    assert_int_equal(murReadSnapshotInfo(path, &info), VK_SUCCESS);
    assert_int_equal(info.imageSize, expected->size);
    Image image = image_open(&info.createInfo);
    assert_int_equal(murLoadSnapshot(path, &image.table), VK_SUCCESS);
    assert_memory_equal(image.table.pImage, expected->table.pImage, (size_t)image.size);
    image_close(&image);
}
