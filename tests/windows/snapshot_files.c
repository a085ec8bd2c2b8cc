/* Snapshots in files, like tests/snapshot/file_tests.c, but with Windows functions. Each case
 * begins with an empty folder.
 * SPDX-License-Identifier: MIT */
#include "snapshot_test.h"

#include <windows.h>

#include <errno.h>

static int remove_files(void **state) {
    (void)remove("table.mur");
    (void)remove("table.mur.0.tmp");
    return files_here() == 0 ? 0 : -1;
}
#define FILE_TEST(name) TEST_BETWEEN(name, remove_files, remove_files)

/* A file of an interrupted save must not affect another save, and must not be changed. */
FILE_TEST(saving_replaces_the_old_file) {
    Image old = image_with(100, 50), new = image_with(5000, 3000);
    assert_int_equal(murSaveSnapshot("table.mur", &old.table), VK_SUCCESS);
    assert_int_equal(files_here(), 1);
    check_file("table.mur", &old);
    FILE *left = fopen("table.mur.0.tmp", "wb");
    assert_non_null(left);
    assert_int_equal(fclose(left), 0);
    assert_int_equal(murSaveSnapshot("table.mur", &new.table), VK_SUCCESS);
    check_file("table.mur", &new);
    assert_int_equal(files_here(), 2);
    left = fopen("table.mur.0.tmp", "rb");
    assert_non_null(left);
    assert_int_equal(fgetc(left), EOF);
    (void)fclose(left);
    image_close(&new);
    image_close(&old);
}

/* Windows does not replace files that are open. */
FILE_TEST(saving_over_an_open_file_keeps_it) {
    Image old = image_with(100, 50), new = image_with(200, 100);
    assert_int_equal(murSaveSnapshot("table.mur", &old.table), VK_SUCCESS);
    const HANDLE used = CreateFileA("table.mur", GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING,
                                    0, NULL);
    assert_true(used != INVALID_HANDLE_VALUE);
    errno = 0;
    assert_int_equal(murSaveSnapshot("table.mur", &new.table), MUR_ERROR_FILE);
    assert_int_equal(errno, EACCES);
    assert_int_equal(files_here(), 1);
    check_file("table.mur", &old);
    assert_true(CloseHandle(used));
    assert_int_equal(murSaveSnapshot("table.mur", &new.table), VK_SUCCESS);
    check_file("table.mur", &new);
    image_close(&new);
    image_close(&old);
}

FILE_TEST(unusable_paths_are_errors) {
    Image image = image_with(10, 5);
    errno = 0;
    assert_int_equal(murSaveSnapshot("missing/table.mur", &image.table), MUR_ERROR_FILE);
    assert_int_equal(errno, ENOENT);
    errno = 0;
    assert_int_equal(murLoadSnapshot("missing.mur", &image.table), MUR_ERROR_FILE);
    assert_int_equal(errno, ENOENT);
    image_close(&image);
}
