/* Pages that say which they are, and files of them.
 *
 * SPDX-License-Identifier: MIT */
#ifndef PAGE_FILE_PAGES_H
#define PAGE_FILE_PAGES_H

#include "fake.h"

enum {
    PAGE = 4096,
    BAD_PAGE = UINT16_MAX, /* a version that no test writes */
};

/* The page as some version has it; 0: never written. */
void pages_fill(uint8_t *bytes, uint32_t page, uint32_t version);

/* VK_SUCCESS, and the page is what some version of it is; else what reading it says. */
VkResult pages_read(const MurPageFile *file, uint32_t page, uint32_t *version);
VkResult pages_write(const MurPageFile *file, uint32_t page, uint32_t version);

/* All versions; BAD_PAGE: MUR_ERROR_BAD_IMAGE. */
void pages_versions(const MurPageFile *file, uint32_t count, uint32_t *versions);
void pages_assert(const MurPageFile *file, uint32_t count, const uint32_t *versions);

MurPageFile pages_open(Fake *fake, uint32_t count);
MurPageFile pages_create(Fake *fake, uint32_t count);
VkResult pages_try_open(Fake *fake, uint32_t count, MurPageFile *file);

/* SplitMix64 by Sebastiano Vigna (public domain). */
uint64_t pages_draw(uint64_t *state, uint64_t bound);

#endif
