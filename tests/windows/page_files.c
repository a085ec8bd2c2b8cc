/* Files of pages, as tests/page_file/system_tests.c, by what Windows has. The current folder is
 * empty.
 *
 * SPDX-License-Identifier: MIT */
#include "page_file_test.h"

#include <errno.h>
#include <stdio.h>

enum { PAGES = 300 };

static const char PATH[] = "world.pages";

static int remove_file(void **state) {
    (void)remove(PATH);
    return 0;
}

static MurPageFileInfo info_of(uint32_t count) {
    return (MurPageFileInfo){.pPath = PATH, .pageSize = PAGE, .pageCount = count};
}

static void pages_are_there_when_it_is_opened_again(void **state) {
    const MurPageFileInfo info = info_of(PAGES);
    uint32_t versions[PAGES] = {0};
    MurPageFile file;
    assert_int_equal(murCreatePageFile(&info, &file), VK_SUCCESS);
    for (uint32_t commit = 1; commit <= 4; ++commit) {
        for (uint32_t page = commit; page < PAGES; page += 7 * commit) {
            assert_int_equal(pages_write(&file, page, commit), VK_SUCCESS);
            versions[page] = commit;
        }
        assert_int_equal(file.pfnCommit(file.pUserData), VK_SUCCESS);
        pages_assert(&file, PAGES, versions);
        murClosePageFile(&file);
        assert_int_equal(murOpenPageFile(&info, &file), VK_SUCCESS);
        pages_assert(&file, PAGES, versions);
    }
    /* Not committed. */
    assert_int_equal(pages_write(&file, 3, 9), VK_SUCCESS);
    murClosePageFile(&file);
    assert_int_equal(murOpenPageFile(&info, &file), VK_SUCCESS);
    pages_assert(&file, PAGES, versions);
    murClosePageFile(&file);
}

static void nobody_else_can_open_it(void **state) {
    const MurPageFileInfo info = info_of(PAGES);
    MurPageFile file, other;
    assert_int_equal(murCreatePageFile(&info, &file), VK_SUCCESS);
    errno = 0;
    assert_int_equal(murOpenPageFile(&info, &other), MUR_ERROR_FILE);
    assert_int_equal(errno, EACCES);
    murClosePageFile(&file);
    assert_int_equal(murOpenPageFile(&info, &other), VK_SUCCESS);
    murClosePageFile(&other);
}

static void files_that_cannot_be_are_errors(void **state) {
    MurPageFileInfo info = info_of(PAGES);
    MurPageFile file;
    errno = 0;
    assert_int_equal(murOpenPageFile(&info, &file), MUR_ERROR_FILE);
    assert_int_equal(errno, ENOENT);
    info.pPath = "missing/world.pages";
    errno = 0;
    assert_int_equal(murCreatePageFile(&info, &file), MUR_ERROR_FILE);
    assert_int_equal(errno, ENOENT);
    info.pPath = PATH;
    assert_int_equal(murCreatePageFile(&info, &file), VK_SUCCESS);
    murClosePageFile(&file);
    errno = 0;
    assert_int_equal(murCreatePageFile(&info, &file), MUR_ERROR_FILE);
    assert_int_equal(errno, EEXIST);
}

static void a_file_that_was_cut_off_is_told(void **state) {
    const MurPageFileInfo info = info_of(PAGES);
    MurPageFile file;
    assert_int_equal(murCreatePageFile(&info, &file), VK_SUCCESS);
    assert_int_equal(pages_write(&file, 0, 1), VK_SUCCESS);
    assert_int_equal(file.pfnCommit(file.pUserData), VK_SUCCESS);
    murClosePageFile(&file);
    static char bytes[100];
    FILE *whole = fopen(PATH, "rb");
    assert_non_null(whole);
    assert_int_equal(fread(bytes, 1, sizeof bytes, whole), sizeof bytes);
    assert_int_equal(fclose(whole), 0);
    whole = fopen(PATH, "wb");
    assert_non_null(whole);
    assert_int_equal(fwrite(bytes, 1, sizeof bytes, whole), sizeof bytes);
    assert_int_equal(fclose(whole), 0);
    assert_int_equal(murOpenPageFile(&info, &file), MUR_ERROR_BAD_IMAGE);
}

#define file_test(function) cmocka_unit_test_setup_teardown(function, remove_file, remove_file)

TEST_GROUP(system_tests, "page files: the system", NULL, NULL,
           file_test(pages_are_there_when_it_is_opened_again), file_test(nobody_else_can_open_it),
           file_test(files_that_cannot_be_are_errors), file_test(a_file_that_was_cut_off_is_told))
