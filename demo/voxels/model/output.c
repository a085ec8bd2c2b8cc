/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "output.h"

#include "common/message.h"
#include "files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OUTPUT_PATH = 4096 };

bool outputFailed(const char *path) {
    return sayError("cannot write %s: %s", path, errno ? strerror(errno) : "not all was written");
}

bool outputSame(const char *one, const char *other) {
    char paths[2][OUTPUT_PATH];
    fileItself(one, paths[0], OUTPUT_PATH);
    fileItself(other, paths[1], OUTPUT_PATH);
    return strcmp(paths[0], paths[1]) == 0;
}

bool outputOpen(const char *path, Output *output) {
    struct stat status;
    *output = (Output){.path = path};
    if (!path) {
        return true;
    }
    const bool exists = stat(path, &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return outputFailed(path);
    }
    /* Replaces the target of a link, not the link; one without a target stays. */
    const bool link = lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
    output->real = link ? realpath(path, NULL) : strdup(path);
    if (!output->real) {
        return outputFailed(path);
    }
    size_t length = strlen(output->real) + sizeof ".part";
    output->partPath = malloc(length);
    if (!output->partPath) {
        return sayError("no memory");
    }
    (void)snprintf(output->partPath, length, "%s.part", output->real);
    output->file = fopen(output->partPath, "wb");
    return output->file || outputFailed(path);
}

/* Without this, the name could be on the disk before the bytes are, or not at all. */
static void syncFolder(const char *path) {
    char folder[OUTPUT_PATH];
    (void)snprintf(folder, sizeof folder, "%.*s.", (int)(fileName(path) - path), path);
    const int descriptor = open(folder, O_RDONLY);
    if (descriptor >= 0) {
        (void)fsync(descriptor); /* not every file system can */
        (void)close(descriptor);
    }
}

bool outputKeep(Output *output) {
    if (!output->file) {
        return true;
    }
    errno = 0;
    bool written = !ferror(output->file) && fflush(output->file) == 0;
    /* Only files on a disk can be synchronised, not pipes. */
    written = written && (fsync(fileno(output->file)) == 0 || errno == EINVAL || errno == ENOTSUP);
    struct stat before;
    if (written && stat(output->real, &before) == 0) { /* keeps its permissions */
        (void)fchmod(fileno(output->file), before.st_mode & 07777);
    }
    written = fclose(output->file) == 0 && written;
    output->file = NULL;
    if (!written || rename(output->partPath, output->real) != 0) {
        return outputFailed(output->path);
    }
    syncFolder(output->real);
    free(output->partPath);
    output->partPath = NULL;
    return true;
}

void outputClose(Output *output) {
    if (output->file) {
        (void)fclose(output->file);
    }
    if (output->partPath) {
        (void)remove(output->partPath);
        free(output->partPath);
    }
    free(output->real);
    *output = (Output){0};
}

bool outputCopy(const char *from, const char *to) {
    Output output;
    char buffer[16384];
    FILE *file = fopen(from, "rb");
    bool copied = file && outputOpen(to, &output);
    if (!file) {
        return sayError("cannot read %s: %s", from, strerror(errno));
    }
    if (copied) {
        size_t size;
        while ((size = fread(buffer, 1, sizeof buffer, file)) > 0 && copied) {
            copied = fwrite(buffer, 1, size, output.file) == size;
        }
        copied = copied && !ferror(file) ? outputKeep(&output) : outputFailed(to);
        outputClose(&output);
    }
    (void)fclose(file);
    return copied;
}
