/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include "shim.h"

#include "support/cases.h"

#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Shim shim;

/* ---- Recorded steps, and files after a power loss -------------------------------------------- */

typedef enum StepKind { STEP_WRITE, STEP_TRUNCATE, STEP_SYNC, STEP_REMOVE } StepKind;

typedef struct Step {
    StepKind kind;
    uint32_t file;
    uint64_t offset, size;
    uint8_t *bytes;
} Step;

enum { MOST_FILES = 8, MOST_STEPS = 20000, MOST_BYTES = 1 << 22 };
static char *names[MOST_FILES];
static Step steps[MOST_STEPS];
static uint32_t stepCount;

/* Returns the number of the file in the recording. The last part of the path identifies it. */
static uint32_t file_of(const char *path) {
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    uint32_t i = 0;
    for (; names[i] && strcmp(names[i], name) != 0; ++i) {
        assert_true(i + 1 < MOST_FILES);
    }
    if (!names[i]) {
        names[i] = strdup(name);
    }
    return i;
}

static void remember(StepKind kind, const char *path, uint64_t offset, uint64_t size,
                     const void *bytes) {
    if (!shim.remembers) {
        return;
    }
    assert_true(stepCount < MOST_STEPS);
    Step *step = &steps[stepCount++];
    *step = (Step){kind, file_of(path), offset, size, NULL};
    if (bytes) {
        step->bytes = test_allocate(size);
        memcpy(step->bytes, bytes, size);
    }
}

uint32_t shim_steps(void) {
    return stepCount;
}

void shim_reset(Shim next) {
    while (stepCount > 0) {
        free(steps[--stepCount].bytes);
    }
    shim = next;
}

typedef struct Image {
    uint8_t *bytes;
    uint64_t size;
    bool there;
} Image;

static void apply(Image *image, const Step *step, uint64_t first, uint64_t last) {
    if (step->kind == STEP_WRITE) {
        const uint64_t end = step->offset + last;
        assert_true(end <= MOST_BYTES);
        memcpy(image->bytes + step->offset + first, step->bytes + first, last - first);
        image->size = image->size < end ? end : image->size;
    } else {
        memset(image->bytes + step->offset, 0, MOST_BYTES - step->offset);
        image->size = step->offset;
    }
}

/* Applies nothing, one half, or all of a write or another file call that was not flushed. */
static void apply_some(Image *image, const Step *step, Random *random) {
    const uint64_t half = step->size / 1024 * 512;
    switch (random_below(random, 4)) {
    case 0:
        break;
    case 1:
        apply(image, step, 0, step->kind == STEP_WRITE ? half : 0);
        break;
    case 2:
        apply(image, step, step->kind == STEP_WRITE ? half : 0, step->size);
        break;
    default:
        apply(image, step, 0, step->size);
    }
}

static void crash_file(Image *image, uint32_t file, uint32_t count, Random *random) {
    uint32_t flushed = 0; /* all steps before this index have reached the disk */
    for (uint32_t i = 0; i < count; ++i) {
        if (steps[i].file == file && (steps[i].kind == STEP_SYNC || steps[i].kind == STEP_REMOVE)) {
            flushed = i;
        }
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (steps[i].file != file || steps[i].kind == STEP_SYNC) {
            continue;
        }
        image->there = steps[i].kind != STEP_REMOVE;
        if (steps[i].kind == STEP_REMOVE) {
            memset(image->bytes, 0, MOST_BYTES);
            image->size = 0;
        } else if (i < flushed) {
            apply(image, &steps[i], 0, steps[i].size);
        } else {
            apply_some(image, &steps[i], random);
        }
    }
}

void shim_crash(const char *folder, uint32_t count, Random *random) {
    for (uint32_t i = 0; i < MOST_FILES && names[i]; ++i) {
        Image image = {.bytes = calloc(1, MOST_BYTES)};
        char path[200];
        assert_non_null(image.bytes);
        crash_file(&image, i, count, random);
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        (void)remove(path);
        if (image.there) {
            FILE *file = fopen(path, "wb");
            assert_non_null(file);
            assert_int_equal(fwrite(image.bytes, 1, image.size, file), image.size);
            assert_int_equal(fclose(file), 0);
        }
        free(image.bytes);
    }
}

/* ---- Intercepted calls of SQLite ------------------------------------------------------------- */

/* Data that the shim appends to SQLite's file object: the methods that the shim replaces. */
typedef struct Tail {
    const char *name;
    const sqlite3_io_methods *real;
    sqlite3_io_methods methods;
} Tail;

static sqlite3_vfs *below;
static sqlite3_vfs vfs;

/* Counts a call. Returns SQLite's error if this call must fail. */
static int count_call(ShimCall kind) {
    if (!(shim.counted & kind)) {
        return SQLITE_OK;
    }
    ++shim.calls;
    if (shim.calls == shim.kill) {
        (void)raise(SIGKILL);
    }
    if (shim.failFrom == 0 || shim.calls < shim.failFrom ||
        shim.calls - shim.failFrom >= shim.failCount) {
        return SQLITE_OK;
    }
    ++shim.failed;
    return kind == SHIM_SYNC ? SQLITE_IOERR_FSYNC : shim.isFull ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

static Tail *tail_of(sqlite3_file *file) {
    return (Tail *)((char *)file + below->szOsFile);
}

static int file_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset) {
    const int code = count_call(SHIM_WRITE);
    if (code != SQLITE_OK) {
        return code;
    }
    ++shim.unsynced;
    remember(STEP_WRITE, tail_of(file)->name, (uint64_t)offset, (uint64_t)size, bytes);
    return tail_of(file)->real->xWrite(file, bytes, size, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
    const int code = count_call(SHIM_WRITE);
    if (code != SQLITE_OK) {
        return code;
    }
    remember(STEP_TRUNCATE, tail_of(file)->name, (uint64_t)size, 0, NULL);
    return tail_of(file)->real->xTruncate(file, size);
}

static int file_sync(sqlite3_file *file, int flags) {
    const int code = count_call(SHIM_SYNC);
    if (code == SQLITE_OK) {
        shim.unsynced = 0;
        remember(STEP_SYNC, tail_of(file)->name, 0, 0, NULL);
    }
    return code;
}

static int file_control(sqlite3_file *file, int what, void *argument) {
    if (what == SQLITE_FCNTL_PRAGMA && shim.pragma &&
        strcmp(((char **)argument)[1], shim.pragma) == 0) {
        shim.pragma = NULL;
        shim.pfnPragma(shim.user);
    }
    return tail_of(file)->real->xFileControl(file, what, argument);
}

static int open_file(sqlite3_vfs *own, const char *name, sqlite3_file *file, int flags, int *got) {
    const int code = below->xOpen(below, name, file, flags, got);
    if (file->pMethods) {
        Tail *tail = tail_of(file);
        *tail = (Tail){name, file->pMethods, *file->pMethods};
        tail->methods.xWrite = file_write;
        tail->methods.xTruncate = file_truncate;
        tail->methods.xSync = file_sync;
        tail->methods.xFileControl = file_control;
        file->pMethods = &tail->methods;
    }
    return code;
}

static int remove_file(sqlite3_vfs *own, const char *name, int syncs) {
    const int code = count_call(SHIM_WRITE);
    if (code != SQLITE_OK) {
        return code;
    }
    remember(STEP_REMOVE, name, 0, 0, NULL);
    return below->xDelete(below, name, 0 * syncs);
}

void shim_install(void) {
    if (!below) {
        below = sqlite3_vfs_find(NULL);
        vfs = *below;
        vfs.zName = "shim";
        vfs.szOsFile += (int)sizeof(Tail);
        vfs.xOpen = open_file;
        vfs.xDelete = remove_file;
        assert_int_equal(sqlite3_vfs_register(&vfs, 1), SQLITE_OK);
    }
}
