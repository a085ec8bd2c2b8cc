/* Random writes, commits, failures, crashes and reopenings, against a model.
 *
 * SPDX-License-Identifier: MIT */
#include "page_file_test.h"
#include "support/seed.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_STATES = 24, MAX_TRIES = 50 };

typedef struct Model {
    Fake fake;
    MurPageFile file;
    uint64_t drawn;
    uint32_t count;             /* pages */
    uint32_t hot;               /* of which most writes are to */
    uint32_t version;           /* the last one given */
    uint32_t *now;              /* what reading must give */
    uint32_t *disk[MAX_STATES]; /* what the disk may hold: the last commit, and failed ones since */
    uint32_t diskCount;
    uint32_t commits, crashes, failures; /* that the test has seen */
} Model;

static size_t size_of(const Model *model) {
    return model->count * sizeof *model->now;
}

static uint32_t *copy_of(const Model *model, const uint32_t *versions) {
    uint32_t *copy = malloc(size_of(model));
    assert_non_null(copy);
    memcpy(copy, versions, size_of(model));
    return copy;
}

static void add_disk(Model *model, const uint32_t *versions) {
    assert_true(model->diskCount < MAX_STATES);
    model->disk[model->diskCount++] = copy_of(model, versions);
}

/* The disk holds this for certain. */
static void set_disk(Model *model, const uint32_t *versions) {
    uint32_t *copy = copy_of(model, versions);
    while (model->diskCount > 0) {
        free(model->disk[--model->diskCount]);
    }
    model->disk[model->diskCount++] = copy;
}

static uint64_t draw(Model *model, uint64_t bound) {
    return pages_draw(&model->drawn, bound);
}

static uint32_t draw_page(Model *model) {
    return (uint32_t)draw(model, draw(model, 4) == 0 ? model->count : model->hot);
}

static void stop_failing(Model *model) {
    model->fake.failCount = 0;
}

/* ---- Operations ----------------------------------------------------------------------------- */

static void write_one(Model *model) {
    const uint32_t page = draw_page(model);
    const uint32_t version = ++model->version;
    const VkResult result = pages_write(&model->file, page, version);
    if (result == VK_SUCCESS) {
        model->now[page] = version;
        return;
    }
    assert_int_equal(result, MUR_ERROR_FILE);
    ++model->failures;
    stop_failing(model);
    uint32_t found;
    assert_int_equal(pages_read(&model->file, page, &found), VK_SUCCESS);
    assert_int_equal(found, model->now[page]);
}

/* Blocks of a tree with a root over these pages. */
static uint64_t blocks_needed(const Model *model) {
    uint64_t blocks = 2;
    uint64_t units = 1; /* pages that an entry leads to */
    for (uint64_t entries = model->count; entries > 1 || units == 1; units *= PAGE / 16) {
        uint64_t last = UINT64_MAX;
        for (uint64_t page = 0; page < model->count; ++page) {
            if (model->now[page] != 0 && page / units != last) {
                last = page / units;
                ++blocks;
            }
        }
        entries = (entries + PAGE / 16 - 1) / (PAGE / 16);
        if (entries == 1) {
            return blocks + (last != UINT64_MAX); /* the root's node */
        }
    }
    return blocks;
}

static void check_space(const Model *model) {
    MurPageFileStatus status;
    murGetPageFileStatus(&model->file, &status);
    assert_int_equal(status.blocks, blocks_needed(model));
    assert_true(status.fileBlocks <= status.maxBlocks);
    assert_true(model->fake.size <= status.maxBlocks * PAGE);
    assert_false(status.uncertain);
}

static void read_all(const Model *model, uint32_t *versions) {
    pages_versions(&model->file, model->count, versions);
}

static void commit(Model *model) {
    const VkResult result = model->file.pfnCommit(model->file.pUserData);
    ++model->commits;
    if (result == VK_SUCCESS) {
        set_disk(model, model->now);
        check_space(model);
        return;
    }
    assert_int_equal(result, MUR_ERROR_FILE);
    ++model->failures;
    stop_failing(model);
    add_disk(model, model->now);
    uint32_t *found = copy_of(model, model->now);
    read_all(model, found);
    bool known = false;
    for (uint32_t i = 0; i < model->diskCount; ++i) {
        known = known || memcmp(found, model->disk[i], size_of(model)) == 0;
    }
    assert_true(known);
    free(model->now);
    model->now = found;
}

/* Opens what is there now and sees which of the states it is. */
static void open_again(Model *model) {
    while (pages_try_open(&model->fake, model->count, &model->file) != VK_SUCCESS) {
        assert_true(model->fake.failCount > 0); /* no damage, but a call that fails */
        ++model->failures;
        stop_failing(model);
    }
    stop_failing(model);
    read_all(model, model->now);
    for (uint32_t i = 0;; ++i) {
        assert_true(i < model->diskCount);
        if (memcmp(model->now, model->disk[i], size_of(model)) == 0) {
            break;
        }
    }
}

static uint32_t any_fate(void *user, uint32_t write) {
    (void)write;
    return (uint32_t)draw(user, FATES);
}

static void crash(Model *model) {
    Fake image;
    fake_crash(&model->fake, model->fake.callCount, any_fate, model, &image);
    fake_free(&model->fake);
    model->fake = image;
    ++model->crashes;
    open_again(model);
    set_disk(model, model->now);
}

static void step(Model *model) {
    const uint64_t operation = draw(model, 40);
    if (operation < 26) {
        write_one(model);
    } else if (operation < 32) {
        commit(model);
    } else if (operation < 36) {
        const uint32_t page = draw_page(model);
        uint32_t version;
        const VkResult result = pages_read(&model->file, page, &version);
        assert_true(result == VK_SUCCESS ? version == model->now[page] : result == MUR_ERROR_FILE);
    } else if (operation < 38) {
        model->fake.failFrom = model->fake.made + (uint32_t)draw(model, 6);
        model->fake.failCount = draw(model, 2) == 0 ? 1 : UINT32_MAX;
        model->fake.failure = (FakeFailure)draw(model, 2);
    } else {
        murClosePageFile(&model->file);
        if (operation == 38) {
            open_again(model);
        } else {
            crash(model);
        }
    }
}

static void run(uint32_t count, uint32_t hot, uint32_t steps, uint64_t seed) {
    Model model = {.drawn = test_seed(seed), .count = count, .hot = hot};
    fake_make(&model.fake);
    model.file = pages_create(&model.fake, count);
    model.now = calloc(count, sizeof *model.now);
    assert_non_null(model.now);
    set_disk(&model, model.now);
    for (uint32_t i = 0; i < steps; ++i) {
        if (model.diskCount == MAX_STATES) {
            stop_failing(&model);
            commit(&model);
        }
        step(&model);
    }
    stop_failing(&model);
    commit(&model);
    murClosePageFile(&model.file);
    open_again(&model);
    assert_memory_equal(model.now, model.disk[0], size_of(&model));
    murClosePageFile(&model.file);
    assert_true(steps < 500 || (model.crashes > 5 && model.failures > 10));
    while (model.diskCount > 0) {
        free(model.disk[--model.diskCount]);
    }
    free(model.now);
    fake_free(&model.fake);
}

static void one_page(void **state) {
    run(1, 1, 4000, 1);
}

static void a_node_of_pages(void **state) {
    run(256, 9, 4000, 2);
}

static void pages_of_several_nodes(void **state) {
    run(700, 300, 3000, 3);
}

static void pages_of_several_levels(void **state) {
    run(70000, 20, 80, 4);
}

TEST_GROUP(random_tests, "page files: random", NULL, NULL, cmocka_unit_test(one_page),
           cmocka_unit_test(a_node_of_pages), cmocka_unit_test(pages_of_several_nodes),
           cmocka_unit_test(pages_of_several_levels))
