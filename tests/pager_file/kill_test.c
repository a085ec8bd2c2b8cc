/* A process with a pager is killed between any two calls of its checkpoints: the file is one of
 * them, whole. The process is this program again, because one that has a device must not fork.
 *
 * SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "filed.h"

#include "page_file/killed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    PAGES = 20,
    CHECKPOINTS = 3,
    STORES = 3, /* pages that each of them has more */
    MANY = 60
};

static const char FILE_PATH[] = "world.pages", PROGRESS_PATH[] = "progress";
static const MurPageFileInfo info = {
    .pPath = FILE_PATH, .pageSize = FILED_PAGE, .pageCount = PAGES};

/* What the child has done. */
typedef struct Progress {
    uint32_t created, began, ended;
} Progress;

static volatile Progress *map_progress(void) {
    const int file = open(PROGRESS_PATH, O_RDWR | O_CREAT, 0600);
    assert_true(file >= 0 && ftruncate(file, sizeof(Progress)) == 0);
    void *mapped = mmap(NULL, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    assert_true(mapped != MAP_FAILED);
    (void)close(file);
    return mapped;
}

static uint32_t page_of(uint32_t checkpoint, uint32_t i) {
    return (5 * checkpoint + 7 * i) % PAGES;
}

static uint32_t value_of(uint32_t checkpoint, uint32_t i) {
    return 100 * checkpoint + i;
}

/* ---- The child ------------------------------------------------------------------------------ */

static void store(Filed *filed, uint32_t page, uint32_t value) {
    const VisitItem item = {
        .page = page, .verb = VISIT_STORE, .word = filed_word(1), .value = value};
    for (uint32_t hits = filed->hits, i = 0; filed->hits == hits; ++i) {
        assert_true(i < MANY);
        filed_frame(filed, &item, 1, false);
        filed_finish(filed);
        gpu_require(filed_pump(filed, 100));
    }
}

static int live(uint32_t calls) {
    volatile Progress *progress = map_progress();
    Gpu gpu;
    MurPageFile file;
    gpu_open(&gpu);
    killed_after(calls);
    gpu_require(murCreatePageFile(&info, &file));
    progress->created = 1;
    Filed filed = filed_open(&gpu, &(FiledOptions){.pageCount = PAGES,
                                                   .pageFrameCount = 4,
                                                   .framesInFlight = 1,
                                                   .content = MUR_PAGES_IN_FILE,
                                                   .file = &file});
    for (uint32_t checkpoint = 1; checkpoint <= CHECKPOINTS; ++checkpoint) {
        for (uint32_t i = 0; i < STORES; ++i) {
            store(&filed, page_of(checkpoint, i), value_of(checkpoint, i));
        }
        progress->began = checkpoint;
        filed_frame(&filed, NULL, 0, true);
        filed_settle(&filed);
        assert_int_equal(filed_status(&filed).checkpoint, filed.savedFrame);
        progress->ended = checkpoint;
    }
    filed_close(&filed);
    murClosePageFile(&file);
    gpu_close(&gpu);
    return 0;
}

/* ---- Its parent ----------------------------------------------------------------------------- */

static void check_file(const volatile Progress *progress) {
    MurPageFile file;
    const VkResult result = murOpenPageFile(&info, &file);
    if (result == MUR_ERROR_FILE && errno == ENOENT) {
        assert_false(progress->created);
        return;
    }
    assert_int_equal(result, VK_SUCCESS);
    MurPageFileStatus status;
    murGetPageFileStatus(&file, &status);
    assert_in_range(status.commits, progress->ended, progress->began);
    uint32_t words[PAGES] = {0};
    for (uint32_t checkpoint = 1; checkpoint <= status.commits; ++checkpoint) {
        for (uint32_t i = 0; i < STORES; ++i) {
            words[page_of(checkpoint, i)] = value_of(checkpoint, i);
        }
    }
    for (uint32_t page = 0; page < PAGES; ++page) {
        uint32_t bytes[FILED_PAGE / 4];
        assert_int_equal(file.pfnRead(file.pUserData, page, bytes), VK_SUCCESS);
        assert_int_equal(bytes[filed_word(1)], words[page]);
    }
    murClosePageFile(&file);
}

static void checkpoints_are_whole_whenever_the_process_is_killed(void **state) {
    (void)state;
    char folder[] = "/tmp/mur-pager-XXXXXX";
    assert_true(mkdtemp(folder) && chdir(folder) == 0);
    volatile Progress *progress = map_progress();
    uint32_t kills = 0;
    for (bool killed = true; killed; kills += killed) {
        progress->created = progress->began = progress->ended = 0;
        (void)unlink(FILE_PATH);
        killed = killed_again("child", kills);
        check_file(progress);
    }
    assert_int_equal(progress->ended, CHECKPOINTS);
    assert_true(kills > CHECKPOINTS * (STORES + 5));
    (void)unlink(FILE_PATH);
    (void)unlink("world.pages.0.tmp"); /* of one that was killed before the file had its name */
    (void)unlink("world.pages.1.tmp");
    (void)unlink(PROGRESS_PATH);
    assert_true(chdir("/") == 0 && rmdir(folder) == 0);
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "child") == 0) {
        return live((uint32_t)strtoul(argv[2], NULL, 10));
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checkpoints_are_whole_whenever_the_process_is_killed),
    };
    return cmocka_run_group_tests_name("pager files: killed", tests, NULL, NULL);
}
