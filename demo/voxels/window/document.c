/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "document.h"

#include "model/output.h"

#include <string.h>
#include <time.h>

static bool exists(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file) {
        (void)fclose(file);
    }
    return file != NULL;
}

static bool isVox(const char *path) {
    const size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".vox") == 0;
}

const char *documentName(const Document *document) {
    const char *slash = strrchr(document->path, '/');
    return slash ? slash + 1 : document->path;
}

/* Without its ending; "murvoxels" if there is nothing else. */
static int stem(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    return (int)(dot && dot != path ? (size_t)(dot - path) : strlen(path));
}

void documentFreeName(const Document *document, const char *ending, char path[DOCUMENT_PATH]) {
    const char *from = document->path[0] ? document->path : "murvoxels";
    const int length = stem(from);
    (void)snprintf(path, DOCUMENT_PATH, "%.*s%s", length, from, ending);
    for (unsigned i = 2; exists(path); ++i) {
        (void)snprintf(path, DOCUMENT_PATH, "%.*s-%u%s", length, from, i, ending);
    }
}

void documentOpen(Document *document, const SourceOptions *source, const char *wanted,
                  double every) {
    const char *path = wanted ? wanted : source->vox ? source->vox : source->load;
    *document = (Document){.every = every};
    if (path) {
        (void)snprintf(document->path, DOCUMENT_PATH, "%.1024s", path);
    } else {
        documentFreeName(document, ".world", document->path);
    }
    (void)snprintf(document->autosave, DOCUMENT_PATH, "%.1024s.autosave", document->path);
}

bool documentIsLost(const Document *document) {
    return exists(document->autosave);
}

void documentForget(const Document *document) {
    (void)remove(document->autosave);
}

void documentChanged(Document *document) {
    document->unsaved = document->changed = true;
}

static bool write(const char *path, World *world, const Source *source, bool vox) {
    Output output;
    const bool written = outputOpen(path, &output) &&
                         (vox ? buildExport(world, source, output.file, path)
                              : buildSave(world, source, output.file, path)) &&
                         outputKeep(&output);
    outputClose(&output);
    return written;
}

bool documentSave(Document *document, World *world, const Source *source) {
    const bool vox = isVox(document->path);
    if (vox && !document->kept && exists(document->path)) {
        char older[DOCUMENT_PATH + 2];
        (void)snprintf(older, sizeof older, "%s~", document->path);
        if (!outputCopy(document->path, older)) {
            return false;
        }
    }
    if (!write(document->path, world, source, vox)) {
        return false;
    }
    document->kept = true;
    document->unsaved = document->changed = false;
    document->waited = 0;
    documentForget(document);
    return true;
}

bool documentWait(Document *document, World *world, const Source *source, double seconds) {
    struct timespec before;
    struct timespec after;
    document->waited = document->changed ? document->waited + seconds : 0;
    if (document->every <= 0 || document->waited < document->every) {
        return true;
    }
    (void)clock_gettime(CLOCK_MONOTONIC, &before);
    const bool written = write(document->autosave, world, source, false);
    (void)clock_gettime(CLOCK_MONOTONIC, &after);
    /* Of a world that takes long, less often: a twentieth of the time at most. */
    const double took = (double)(after.tv_sec - before.tv_sec) +
                        1e-9 * (double)(after.tv_nsec - before.tv_nsec);
    document->waited = document->every - 20 * took;
    document->waited = document->waited < 0 ? document->waited : 0;
    document->changed = !written;
    return written;
}
