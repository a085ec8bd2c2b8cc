/* Snapshots in files. Files are always complete, and failed saves leave no new files.
 * SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE
#include "snapshot_test.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder of the current case, empty at first. */
static char folder[] = "/tmp/mur-snapshot-XXXXXX";

static int enter_folder(void **state) {
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state) {
    DIR *here = opendir(".");
    for (const struct dirent *entry; here && (entry = readdir(here)) != NULL;) {
        if (entry->d_name[0] != '.') {
            (void)remove(entry->d_name);
        }
    }
    (void)closedir(here);
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static void write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/* Requires that the file has exactly these bytes. */
static void expect_file(const char *path, const void *bytes, size_t size) {
    uint8_t *read = malloc(size + 1);
    FILE *file = fopen(path, "rb");
    assert_true(read && file);
    assert_int_equal(fread(read, 1, size + 1, file), size);
    (void)fclose(file);
    assert_memory_equal(read, bytes, size);
    free(read);
}
#define FILE_TEST(name) TEST_BETWEEN(name, enter_folder, leave_folder)

FILE_TEST(file_equals_the_snapshot_in_memory) {
    Image image = image_with(5000, 3000); /* has several chunks */
    assert_int_equal(murSaveSnapshot("table.mur", &image.table), VK_SUCCESS);
    assert_int_equal(files_here(), 1);
    check_file("table.mur", &image);
    Bytes bytes = bytes_of(&image.table);
    expect_file("table.mur", bytes.data, bytes.size);
    bytes_free(&bytes);
    image_close(&image);
}

FILE_TEST(saving_replaces_the_old_file) {
    Image old = image_with(100, 50), new = image_with(200, 100);
    assert_int_equal(murSaveSnapshot("table.mur", &old.table), VK_SUCCESS);
    /* Files of an interrupted save must not affect another save, and must not be changed. */
    write_file("table.mur.0.tmp", "left", 4);
    write_file("table.mur.1.tmp", "left", 4);
    assert_int_equal(murSaveSnapshot("table.mur", &new.table), VK_SUCCESS);
    check_file("table.mur", &new);
    assert_int_equal(files_here(), 3);
    expect_file("table.mur.0.tmp", "left", 4);
    image_close(&new);
    image_close(&old);
}

/* A full disk, simulated by limits on file sizes at several offsets. */
FILE_TEST(failed_save_keeps_only_the_old_file) {
    Image old = image_with(100, 50), new = image_with(5000, 100);
    assert_int_equal(murSaveSnapshot("table.mur", &old.table), VK_SUCCESS);
    (void)signal(SIGXFSZ, SIG_IGN);
    struct rlimit before;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    const uint64_t size = murGetSnapshotSize(&new.table);
    const uint64_t limits[] = {0, 1, 64, 320, size / 2, size - 8, size - 1};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
        struct rlimit limit = before;
        limit.rlim_cur = (rlim_t)limits[i];
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        errno = 0;
        const VkResult result = murSaveSnapshot("table.mur", &new.table);
        const int error = errno;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        if (result != MUR_ERROR_FILE || error != EFBIG) {
            fail_msg("limit %llu: %s, errno %d", (unsigned long long)limits[i],
                     murResultName(result), error);
        }
        assert_int_equal(files_here(), 1);
        check_file("table.mur", &old);
    }
    assert_int_equal(murSaveSnapshot("table.mur", &new.table), VK_SUCCESS);
    check_file("table.mur", &new);
    image_close(&new);
    image_close(&old);
}

/* The flushed files and folders, in order. After `allowed` flushes, further flushes fail. */
static struct stat flushed[4];
static uint32_t flushes, allowed = UINT32_MAX;

/* Replaces the C library's function, to observe flushes. */
int fsync(int file) {
    assert_int_equal(fstat(file, &flushed[flushes % 4]), 0);
    errno = EIO;
    return flushes++ < allowed ? 0 : -1;
}

/* Saves. Requires that the complete file was flushed under another name, and then the folder. */
static void save_flushed(const Image *image, const char *path, const char *into) {
    struct stat file, parent;
    flushes = 0;
    assert_int_equal(murSaveSnapshot(path, &image->table), VK_SUCCESS);
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal(stat(into, &parent), 0);
    assert_int_equal(flushes, 2);
    assert_int_equal(flushed[0].st_ino, file.st_ino);
    assert_int_equal(flushed[0].st_size, murGetSnapshotSize(&image->table));
    assert_int_equal(flushed[1].st_ino, parent.st_ino);
}

FILE_TEST(saving_flushes_file_and_folder) {
    Image old = image_with(100, 50), new = image_with(200, 100);
    assert_int_equal(mkdir("sub", 0700), 0);
    save_flushed(&old, "table.mur", ".");
    save_flushed(&old, "sub/table.mur", "sub");
    flushes = allowed = 0;
    assert_int_equal(murSaveSnapshot("table.mur", &new.table), MUR_ERROR_FILE);
    assert_int_equal(errno, EIO);
    check_file("table.mur", &old);
    flushes = 0;
    allowed = 1; /* some systems cannot flush folders */
    assert_int_equal(murSaveSnapshot("table.mur", &new.table), VK_SUCCESS);
    check_file("table.mur", &new);
    allowed = UINT32_MAX;
    assert_int_equal(files_here(), 2);
    assert_int_equal(remove("sub/table.mur"), 0);
    assert_int_equal(rmdir("sub"), 0);
    image_close(&new);
    image_close(&old);
}

FILE_TEST(unusable_paths_are_errors) {
    Image image = image_with(10, 5);
    MurSnapshotInfo info;
    errno = 0;
    assert_int_equal(murSaveSnapshot("missing/table.mur", &image.table), MUR_ERROR_FILE);
    assert_int_equal(errno, ENOENT);
    errno = 0;
    assert_int_equal(murLoadSnapshot("missing.mur", &image.table), MUR_ERROR_FILE);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(murReadSnapshotInfo("missing.mur", &info), MUR_ERROR_FILE);
    assert_int_equal(mkdir("sub", 0700), 0);
    assert_int_equal(murLoadSnapshot("sub", &image.table), MUR_ERROR_FILE);
    errno = 0;
    assert_int_equal(murSaveSnapshot("sub", &image.table), MUR_ERROR_FILE);
    assert_int_equal(errno, EISDIR);
    assert_int_equal(files_here(), 1);
    assert_int_equal(rmdir("sub"), 0);
    /* The table in memory is unchanged. */
    assert_int_equal(murHostFind(&image.table, 4).value, 5);
    image_close(&image);
}

FILE_TEST(damaged_files_are_errors) {
    Image image = image_with(10, 5), other = image_with(10, 6);
    Bytes bytes = bytes_of(&image.table);
    const size_t sizes[] = {0, 1, 63, 64, 319, 320, bytes.size - 8, bytes.size - 1, bytes.size + 1};
    bytes.data = realloc(bytes.data, bytes.size + 1);
    assert_non_null(bytes.data);
    bytes.data[bytes.size] = 'x';
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        write_file("table.mur", bytes.data, sizes[i]);
        assert_int_equal(murLoadSnapshot("table.mur", &other.table), MUR_ERROR_CORRUPT);
        assert_int_equal(murHostFind(&other.table, 5).value, 6);
    }
    bytes_free(&bytes);
    image_close(&other);
    image_close(&image);
}

/* ---- Files that change during a load -------------------------------------------------------- */

/* Content of the file for the second read; NULL: unchanged. */
static const Bytes *second;

/* Replaces the C library's function. A rewind begins the second read, so it changes the file. */
void rewind(FILE *stream) {
    if (second) {
        write_file("table.mur", second->data, second->size);
        second = NULL;
    }
    assert_int_equal(fflush(stream), 0); /* discards buffered data */
    assert_int_equal(fseek(stream, 0, SEEK_SET), 0);
    clearerr(stream);
}

/* Loads into a table with the same description, and into another table. */
static void load_changed(const Bytes *first, const Bytes *then, VkResult expected) {
    for (uint64_t capacity = 300; capacity <= 301; ++capacity) {
        Image image = image_with(capacity, 10);
        MurStats stats;
        write_file("table.mur", first->data, first->size);
        second = then;
        assert_int_equal(murLoadSnapshot("table.mur", &image.table), expected);
        assert_null(second);
        murHostStats(&image.table, &stats);
        assert_int_equal(stats.live + stats.erased, expected == VK_SUCCESS ? 200 : 0);
        for (uint32_t key = 0; key < 200 && expected == VK_SUCCESS; ++key) {
            assert_int_equal(murHostFind(&image.table, key).value, key + 1);
        }
        image_close(&image);
    }
}

FILE_TEST(file_that_changes_during_a_load_is_an_error) {
    Image image = image_with(300, 200), fewer = image_with(300, 199),
          larger = image_with(1000, 200);
    Bytes bytes = bytes_of(&image.table);
    load_changed(&bytes, &bytes, VK_SUCCESS);
    /* The second content is complete and valid, but it is not the checked content. */
    Bytes whole = bytes_of(&fewer.table);
    load_changed(&bytes, &whole, MUR_ERROR_CORRUPT);
    bytes_free(&whole);
    whole = bytes_of(&larger.table);
    load_changed(&bytes, &whole, MUR_ERROR_CORRUPT);
    bytes_free(&whole);
    /* The second content is truncated, or differs in one bit. */
    const Bytes half = {bytes.data, bytes.size / 2};
    load_changed(&bytes, &half, MUR_ERROR_CORRUPT);
    for (size_t at = 0; at < bytes.size; at += 97) {
        Bytes bit = bytes_of(&image.table);
        bit.data[at] ^= 4;
        load_changed(&bytes, &bit, MUR_ERROR_CORRUPT);
        bytes_free(&bit);
    }
    bytes_free(&bytes);
    image_close(&image);
    image_close(&fewer);
    image_close(&larger);
}
