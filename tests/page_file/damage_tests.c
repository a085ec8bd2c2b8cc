/* Damage: every kind of byte, and files that contradict themselves under checksums that are right.
 *
 * SPDX-License-Identifier: MIT */
#include "page_file_test.h"

#include <string.h>

enum { PAGES = 300, SUPERBLOCK = 64, SUMMED = 56, COMMITS = 3 };

static uint64_t word(const uint8_t *at, int bytes) {
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; --i) {
        value = value << 8 | at[i];
    }
    return value;
}

static void set_word(uint8_t *at, uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
}

static void seal(uint8_t *superblock) {
    set_word(superblock + SUMMED, fake_sum(superblock, SUMMED), 8);
}

/* A file of three commits; versions as of the last two. */
static MurPageFileStatus make(Fake *fake, uint32_t *versions, uint32_t *before) {
    fake_make(fake);
    memset(versions, 0, PAGES * sizeof *versions);
    MurPageFile file = pages_create(fake, PAGES);
    for (uint32_t commit = 1; commit <= COMMITS; ++commit) {
        memcpy(before, versions, PAGES * sizeof *versions);
        for (uint32_t page = commit; page < PAGES; page += 98 + commit) {
            versions[page] = commit;
            assert_int_equal(pages_write(&file, page, commit), VK_SUCCESS);
        }
        assert_int_equal(file.pfnCommit(file.pUserData), VK_SUCCESS);
    }
    MurPageFileStatus status;
    murGetPageFileStatus(&file, &status);
    murClosePageFile(&file);
    return status;
}

/* Pages that are told to be damaged, all others are right; UINT32_MAX: the file cannot be opened.
 * */
static uint32_t damaged_pages(Fake *fake, const uint32_t *versions, MurPageFileStatus *status) {
    MurPageFile file;
    const VkResult result = pages_try_open(fake, PAGES, &file);
    if (result != VK_SUCCESS) {
        assert_int_equal(result, MUR_ERROR_BAD_IMAGE);
        return UINT32_MAX;
    }
    uint32_t found[PAGES];
    uint32_t count = 0;
    pages_versions(&file, PAGES, found);
    murGetPageFileStatus(&file, status);
    murClosePageFile(&file);
    for (uint32_t page = 0; page < PAGES && versions; ++page) {
        count += found[page] == BAD_PAGE;
        assert_true(found[page] == BAD_PAGE || found[page] == versions[page]);
    }
    return count;
}

static void every_byte_of_maps_and_pages_counts(void **state) {
    Fake fake;
    uint32_t versions[PAGES], before[PAGES];
    MurPageFileStatus status = make(&fake, versions, before);
    uint64_t pages = 0, nodes = 0;
    for (uint64_t block = 2; block * PAGE < fake.size; ++block) {
        uint32_t first = 0;
        for (uint64_t at = block * PAGE, end = at + PAGE; at < end && at < fake.size; at += 37) {
            fake.bytes[at] ^= (uint8_t)(1U << at % 8);
            const uint32_t found = damaged_pages(&fake, versions, &status);
            fake.bytes[at] ^= (uint8_t)(1U << at % 8);
            first = at == block * PAGE ? found : first;
            /* A page to its end, a node as far as it has entries, or a block in which there is
             * nothing. */
            assert_true(found == first || (first == UINT32_MAX && found == 0));
        }
        pages += first == 1;
        nodes += first == UINT32_MAX;
    }
    assert_int_equal(pages, 10);
    assert_int_equal(nodes, 3);
    assert_int_equal(2 + pages + nodes, status.blocks);
    fake_free(&fake);
}

static void a_damaged_superblock_is_told_and_the_other_one_counts(void **state) {
    Fake fake;
    uint32_t versions[PAGES], before[PAGES];
    MurPageFileStatus status;
    (void)make(&fake, versions, before);
    assert_int_equal(damaged_pages(&fake, versions, &status), 0);
    assert_false(status.fellBack);
    assert_int_equal(status.commits, COMMITS);
    for (uint32_t at = 0; at < SUPERBLOCK; ++at) {
        fake.bytes[at] ^= 16; /* commits 0, 2, ... */
        assert_int_equal(damaged_pages(&fake, versions, &status), 0);
        assert_true(status.fellBack);
        assert_int_equal(status.commits, COMMITS);
        fake.bytes[at + PAGE] ^= 1;
        assert_int_equal(damaged_pages(&fake, NULL, &status), UINT32_MAX);
        fake.bytes[at] ^= 16;
        assert_int_equal(damaged_pages(&fake, before, &status), 0);
        assert_true(status.fellBack);
        assert_int_equal(status.commits, COMMITS - 1);
        fake.bytes[at + PAGE] ^= 1;
    }
    /* What was written since has taken the place of what the commit before had. */
    MurPageFile file = pages_open(&fake, PAGES);
    for (uint32_t page = 0; page < 8; ++page) {
        assert_int_equal(pages_write(&file, page, 50), VK_SUCCESS);
    }
    murClosePageFile(&file);
    fake.bytes[PAGE] ^= 1;
    assert_int_not_equal(damaged_pages(&fake, before, &status), 0);
    fake_free(&fake);
}

static void files_that_are_cut_off_are_damaged(void **state) {
    Fake fake;
    uint32_t versions[PAGES], before[PAGES];
    MurPageFileStatus status;
    (void)make(&fake, versions, before);
    const uint64_t size = fake.size;
    for (fake.size = 0; fake.size < size; fake.size += 1024) {
        assert_int_not_equal(damaged_pages(&fake, versions, &status), 0);
    }
    fake.size = size - 1;
    assert_int_not_equal(damaged_pages(&fake, versions, &status), 0);
    fake.size = size;
    assert_int_equal(damaged_pages(&fake, versions, &status), 0);
    fake_free(&fake);
}

/* A superblock with a right checksum that says what no library writes. */
static void superblocks_that_cannot_be_are_refused(void **state) {
    static const struct {
        uint32_t at;
        int bytes;
        uint64_t value;
        VkResult expected;
    } lies[] = {
        {8, 4, 2, MUR_ERROR_BAD_VERSION},
        {12, 4, 0, MUR_ERROR_BAD_IMAGE},
        {12, 4, 2048, MUR_ERROR_BAD_IMAGE},
        {12, 4, 5000, MUR_ERROR_BAD_IMAGE},
        {12, 4, 1 << 21, MUR_ERROR_BAD_IMAGE},
        {12, 4, 8192, MUR_ERROR_INVALID_ARGUMENT},
        {16, 4, 0, MUR_ERROR_BAD_IMAGE},
        {16, 4, 301, MUR_ERROR_INVALID_ARGUMENT},
        {24, 8, 4, MUR_ERROR_BAD_IMAGE},          /* even numbers are in the other one */
        {24, 8, UINT64_MAX, MUR_ERROR_BAD_IMAGE}, /* the next one would not be the newest */
        {32, 8, 1, MUR_ERROR_BAD_IMAGE},
        {32, 8, 2, MUR_ERROR_BAD_IMAGE},
        {32, 8, 100000, MUR_ERROR_BAD_IMAGE},
        {32, 8, UINT64_MAX, MUR_ERROR_BAD_IMAGE},
        {32, 8, UINT64_MAX / PAGE, MUR_ERROR_BAD_IMAGE},
        {40, 8, 5, MUR_ERROR_BAD_IMAGE},
    };
    Fake fake;
    uint32_t versions[PAGES], before[PAGES];
    (void)make(&fake, versions, before);
    memset(fake.bytes, 0, SUPERBLOCK); /* the older one */
    uint8_t *superblock = fake.bytes + PAGE;
    uint8_t whole[SUPERBLOCK];
    memcpy(whole, superblock, SUPERBLOCK);
    seal(superblock);
    assert_memory_equal(superblock, whole, SUPERBLOCK); /* the sum is what the test makes it */
    for (size_t i = 0; i < sizeof lies / sizeof lies[0]; ++i) {
        MurPageFile file = {0};
        set_word(superblock + lies[i].at, lies[i].value, lies[i].bytes);
        seal(superblock);
        const VkResult result = pages_try_open(&fake, PAGES, &file);
        if (result != lies[i].expected) {
            fail_msg("lie %u: %s", (unsigned)i, murResultName(result));
        }
        memcpy(superblock, whole, SUPERBLOCK);
    }
    MurPageFile file = pages_open(&fake, PAGES);
    pages_assert(&file, PAGES, versions);
    murClosePageFile(&file);
    fake_free(&fake);
}

/* A map, under checksums that are right, in which a block has two pages, or is no page's. */
static void maps_that_cannot_be_are_refused(void **state) {
    Fake fake;
    fake_make(&fake);
    MurPageFile file = pages_create(&fake, 3);
    for (uint32_t page = 0; page < 3; ++page) {
        assert_int_equal(pages_write(&file, page, 5), VK_SUCCESS);
    }
    assert_int_equal(file.pfnCommit(file.pUserData), VK_SUCCESS);
    murClosePageFile(&file);
    uint8_t *superblock = fake.bytes + PAGE;
    const uint64_t nodeBlock = word(superblock + 32, 8);
    uint8_t *node = fake.bytes + nodeBlock * PAGE;
    assert_int_equal(word(superblock + 40, 8), fake_sum(node, 48));
    const uint64_t blocks[] = {1, word(node, 8), nodeBlock, 100000, UINT64_MAX / PAGE};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i) {
        const uint64_t right = word(node + 16, 8);
        set_word(node + 16, blocks[i], 8);
        set_word(superblock + 40, fake_sum(node, 48), 8);
        seal(superblock);
        assert_int_equal(pages_try_open(&fake, 3, &file), MUR_ERROR_BAD_IMAGE);
        set_word(node + 16, right, 8);
    }
    fake_free(&fake);
}

TEST_GROUP(damage_tests, "page files: damage", NULL, NULL,
           cmocka_unit_test(every_byte_of_maps_and_pages_counts),
           cmocka_unit_test(a_damaged_superblock_is_told_and_the_other_one_counts),
           cmocka_unit_test(files_that_are_cut_off_are_damaged),
           cmocka_unit_test(superblocks_that_cannot_be_are_refused),
           cmocka_unit_test(maps_that_cannot_be_are_refused))
