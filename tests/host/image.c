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

const char *image_text(const MurTableCreateInfo *info) {
    static char text[160];
    (void)snprintf(text, sizeof text,
                   "format %u, capacity %llu, seed 0x%x, reserved %s, width %d, probe limit %llu",
                   info->format, (unsigned long long)info->capacity, info->seed,
                   info->reservedValue == MUR_RESERVED_VALUE_ZERO ? "zero" : "max",
                   (int)info->atomicWidth, (unsigned long long)info->probeLimit);
    return text;
}

MurTableCreateInfo image_kind(int kind, uint64_t capacity) {
    static const MurFormat formats[IMAGE_ALL_KINDS] = {
        MUR_FORMAT_K32V32, MUR_FORMAT_K32V32, MUR_FORMAT_K32V32, MUR_FORMAT_K32V32,
        MUR_FORMAT_K64V32, MUR_FORMAT_K64V32, MUR_FORMAT_K64V32, MUR_FORMAT_K64V32,
        MUR_FORMAT_K32,    MUR_FORMAT_K64,    MUR_FORMAT_K64V64, MUR_FORMAT_K64V64};
    MurTableCreateInfo info = {
        .capacity = capacity,
        .reservedValue = kind & 1 ? MUR_RESERVED_VALUE_ZERO : MUR_RESERVED_VALUE_MAX,
        .format = formats[kind],
    };
    if (kind < 8) { /* the others have one width each */
        info.atomicWidth = kind & 2 ? MUR_ATOMIC_WIDTH_64 : MUR_ATOMIC_WIDTH_32;
    }
    return info;
}

uint64_t image_random(uint64_t *state) {
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

uint32_t image_below(uint64_t *state, uint32_t bound) {
    return (uint32_t)((image_random(state) >> 32) * bound >> 32);
}
