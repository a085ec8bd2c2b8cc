/* SPDX-License-Identifier: MIT */
#include "output.h"

#include "common/say.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool outputOpen(const char *path, Output *output) {
    *output = (Output){.path = path};
    if (!path) {
        return true;
    }
    size_t length = strlen(path) + sizeof ".part";
    output->partPath = malloc(length);
    if (!output->partPath) {
        return sayError("no memory");
    }
    (void)snprintf(output->partPath, length, "%s.part", path);
    output->file = fopen(output->partPath, "wb");
    return output->file || sayError("cannot write %s: %s", path, strerror(errno));
}

bool outputKeep(Output *output) {
    if (!output->file) {
        return true;
    }
    bool written = !ferror(output->file);
    written = fclose(output->file) == 0 && written;
    output->file = NULL;
    if (written && rename(output->partPath, output->path) == 0) {
        free(output->partPath);
        output->partPath = NULL;
        return true;
    }
    return sayError("cannot write %s: %s", output->path, strerror(errno));
}

void outputClose(Output *output) {
    if (output->file) {
        (void)fclose(output->file);
    }
    if (output->partPath) {
        (void)remove(output->partPath);
        free(output->partPath);
    }
    *output = (Output){0};
}
