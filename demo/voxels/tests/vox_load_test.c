/* Tests of loading a .vox file from disk. They write to the directory that they are run in.
 *
 * SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "vox_expect.h"

#include <errno.h>
#include <unistd.h>

static const char diskPath[] = "vox_load_test.tmp";

static void expectLoadError(const char *path, const char *problem) {
    VoxScene scene;
    char error[VOX_ERROR_SIZE];
    char whole[VOX_ERROR_SIZE];
    (void)snprintf(whole, sizeof whole, "%s: %s", path, problem);
    memset(&scene, 0x5a, sizeof scene);
    assert_false(voxLoad(path, &scene, error, sizeof error));
    assert_string_equal(error, whole);
    expectZero(&scene);
}

/* Of 4 to 70,000 bytes and more, so that it takes one block of reading or several. */
PLAIN_TEST(loading) {
    for (uint32_t count = 1; count <= 50000; count = count * 7 + 3) {
        File file = startFile(150);
        putDot(&file, 1);
        putSize(&file, 5, 1, 1);
        openChunk(&file, "XYZI");
        putNumber(&file, count);
        for (uint32_t i = 0; i < count; i++) {
            putBytes(&file, (const uint8_t[]){4, 0, 0, (uint8_t)(i + 1 == count ? 9 : 1)}, 4);
        }
        closeChunk(&file);
        storeFile(&file, diskPath);
        VoxScene scene;
        char error[VOX_ERROR_SIZE] = "left over";
        assert_true(voxLoad(diskPath, &scene, error, sizeof error));
        assert_string_equal(error, "");
        assert_int_equal(scene.voxelCount, 2);
        assert_int_equal(scene.voxels[1].color, 9);
        voxFree(&scene);
    }
    assert_int_equal(remove(diskPath), 0);
}

PLAIN_TEST(loadingWhatCannotBeRead) {
    VoxScene scene;
    char error[VOX_ERROR_SIZE];
    expectLoadError("no such file", strerror(ENOENT));
    assert_false(voxLoad("no such\nfile", &scene, error, sizeof error));
    assert_memory_equal(error, "no such?file: ", 14);
    /* A directory; systems differ in when and how they say so. */
    assert_false(voxLoad(".", &scene, error, sizeof error));
    assert_memory_equal(error, ".: ", 3);
    assert_true(strlen(error) > 3 && strstr(error, "chunk") == NULL);
    expectZero(&scene);
}

PLAIN_TEST(loadingWhatIsWrong) {
    File file = startFile(150);
    putDot(&file, 0);
    storeFile(&file, diskPath);
    expectLoadError(diskPath, "chunk XYZI at byte 44: voxel 0 has the colour 0, which no voxel can "
                              "have");
    assert_int_equal(truncate(diskPath, 0), 0);
    expectLoadError(diskPath, "not a .vox file: it does not start with 'VOX ' and a version");
    assert_int_equal(remove(diskPath), 0);
}

/* 1 GiB and a byte, of which hardly any is really on the disk where that can be. */
PLAIN_TEST(loadingTooMuch) {
    for (int i = 0; i < 2; i++) {
        FILE *disk = fopen(diskPath, "wb");
        assert_non_null(disk);
        assert_true(fputs(i == 0 ? "VOX " : "vox ", disk) >= 0);
        assert_int_equal(fseek(disk, (long)VOX_MAX_FILE_BYTES, SEEK_SET), 0);
        assert_int_equal(fputc(0, disk), 0);
        assert_int_equal(fclose(disk), 0);
        expectLoadError(diskPath,
                        i == 0 ? "the file is larger than 1 GiB"
                               : "not a .vox file: it does not start with 'VOX ' and a version");
    }
    assert_int_equal(remove(diskPath), 0);
}
