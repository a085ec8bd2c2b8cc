/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "image.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

Image image_open_at(const MurTableCreateInfo *info, ImageEdge edge) {
    Image image = {0};
    assert_int_equal(murHostGetImageSize(info, &image.size), VK_SUCCESS);
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t inner = ((size_t)image.size + page - 1) / page * page;
    image.mapped = inner + 2 * page;
    image.mapping = mmap(NULL, image.mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(image.mapping != MAP_FAILED);
    uint8_t *first = (uint8_t *)image.mapping + page;
    assert_int_equal(mprotect(first, inner, PROT_READ | PROT_WRITE), 0);
    uint8_t *at = edge == IMAGE_STARTS_AT_EDGE ? first : first + (inner - (size_t)image.size);
    assert_int_equal(murHostCreate(info, at, image.size, &image.table), VK_SUCCESS);
    return image;
}

Image image_open(const MurTableCreateInfo *info) {
    return image_open_at(info, IMAGE_ENDS_AT_EDGE);
}

void image_close(Image *image) {
    assert_int_equal(munmap(image->mapping, image->mapped), 0);
    *image = (Image){0};
}

uint32_t image_live(const MurHostTable *table) {
    MurStats stats;
    murHostStats(table, &stats);
    return stats.live;
}

void image_require_same_entries(const MurHostTable *table, const MurHostTable *copy) {
    assert_int_equal(image_live(table), image_live(copy));
    for (MurHostEntry entry = {0}; murHostNextEntry(table, &entry);) {
        const MurHostResult got = murHostFind(copy, entry.key);
        assert_int_equal(got.status, MUR_FOUND);
        assert_true(got.value == entry.value);
    }
}

const char *image_text(const MurTableCreateInfo *info) {
    static char text[160];
    (void)snprintf(text, sizeof text,
                   "format %u, capacity %llu, seed 0x%x, reserved %s, width %d, probe limit %llu",
                   type_format(info->type), (unsigned long long)info->capacity, info->seed,
                   info->emptyValue == MUR_EMPTY_VALUE_ZERO ? "zero" : "max",
                   (int)info->atomicWidth, (unsigned long long)info->probeLimit);
    return text;
}
