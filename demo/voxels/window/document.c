/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "document.h"

#include "common/unique_path.h"
#include "common/clock.h"
#include "model/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint64_t NO_STATE = UINT64_MAX;

void documentFreeName(const Document *document, const char *ending, char path[DOCUMENT_PATH]) {
    nameFree(document->path, ending, path, DOCUMENT_PATH);
}

/* ---- Whose the file is ---------------------------------------------------------------------- */

static DocumentStamp stampOf(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) {
        return (DocumentStamp){0};
    }
    return (DocumentStamp){
        (uint64_t)status.st_dev, (uint64_t)status.st_ino, (uint64_t)status.st_size,
        (uint64_t)status.st_mtim.tv_sec * 1000000000u + (uint64_t)status.st_mtim.tv_nsec};
}

/* False: another editor has the lock. If there can be no such file, there is no lock. */
static bool lock(Document *document) {
    char path[DOCUMENT_PATH];
    struct stat held;
    struct stat named;
    (void)snprintf(path, sizeof path, "%.1024s.lock", document->path);
    while ((document->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666)) >= 0) {
        const bool taken = flock(document->lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        if (!taken && fstat(document->lock, &held) == 0 && stat(path, &named) == 0 &&
            held.st_dev == named.st_dev && held.st_ino == named.st_ino) {
            break;
        }
        (void)close(document->lock); /* or its owner has just taken it away */
        document->lock = -1;
        if (taken) {
            return false;
        }
    }
    return true;
}

void documentClose(Document *document) {
    char path[DOCUMENT_PATH];
    if (document->lock >= 0) {
        (void)snprintf(path, sizeof path, "%.1024s.lock", document->path);
        (void)remove(path);
        (void)close(document->lock);
        document->lock = -1;
    }
}

/* False: it is another editor's. */
static bool place(Document *document, const char *path, const Document *before) {
    fileItself(path, document->path, sizeof document->path);
    (void)snprintf(document->autosave, DOCUMENT_PATH, "%.1024s.autosave", document->path);
    if (before && strcmp(document->path, before->path) == 0) {
        document->lock = before->lock;
        return true;
    }
    return lock(document);
}

void documentOpen(Document *document, const SourceOptions *source, const char *wanted,
                  const Document *before, double every) {
    const char *from = source->vox ? source->vox : source->load;
    const char *path = wanted ? wanted : from;
    char name[DOCUMENT_PATH];
    *document = (Document){.every = every};
    document->copy = path && !place(document, path, before);
    for (unsigned number = 1 + document->copy; !path || document->copy; ++number) {
        nameLike(path ? path : "murvoxels.world", NULL, number, name, DOCUMENT_PATH);
        if (!nameTaken(name) && place(document, name, before)) {
            break;
        }
    }
    if (!wanted || (from && outputSame(wanted, from))) {
        document->seen = stampOf(document->path);
    }
}

bool documentIsLost(const Document *document) {
    return nameTaken(document->autosave);
}

void documentForget(Document *document) {
    (void)remove(document->autosave);
    document->autosaved = NO_STATE;
}

void documentAt(Document *document, uint64_t state) {
    const bool before = document->unsaved;
    document->state = state;
    document->unsaved = state != document->saved;
    if (before && !document->unsaved) {
        documentForget(document);
    }
}

void documentChanged(Document *document) {
    document->saved = document->autosaved = NO_STATE;
    document->unsaved = true;
}

/* ---- Saving --------------------------------------------------------------------------------- */

bool documentWrite(const char *path, World *world, const Source *source, DocumentWriter *write) {
    Output output;
    const bool written = outputOpen(path, &output) && write(world, source, output.file, path) &&
                         outputKeep(&output);
    outputClose(&output);
    return written;
}

/* Returns the reason to ask before the file is written; sure: the user's consent so far. */
static DocumentAnswer doubtOf(const Document *document, bool moves, DocumentAnswer sure) {
    struct stat status;
    const DocumentStamp now = stampOf(document->path);
    if (stat(document->path, &status) != 0) {
        return DOCUMENT_SAVED;
    }
    if (memcmp(&now, &document->seen, sizeof now) != 0) {
        return moves || !document->seen.file ? DOCUMENT_EXISTS : DOCUMENT_CHANGED;
    }
    if (document->omitted[0] && !document->kept && sure < DOCUMENT_PARTLY) {
        return DOCUMENT_PARTLY;
    }
    return access(document->path, W_OK) != 0 || !(status.st_mode & 0222) ? DOCUMENT_PROTECTED
                                                                         : DOCUMENT_SAVED;
}

static bool writeFile(Document *document, World *world, const Source *source) {
    if (fileEnds(document->path, ".vox") && !document->kept && nameTaken(document->path)) {
        char older[DOCUMENT_PATH + 2];
        (void)snprintf(older, sizeof older, "%s~", document->path);
        if (!outputCopy(document->path, older)) {
            return false;
        }
    }
    if (!documentWrite(document->path, world, source, buildSave)) {
        return false;
    }
    document->seen = stampOf(document->path);
    document->saved = document->state;
    document->copy = document->unsaved = false;
    document->kept = true;
    document->waited = 0;
    documentForget(document);
    return true;
}

DocumentAnswer documentSave(Document *document, const char *as, DocumentAnswer sure, World *world,
                            const Source *source) {
    Document next = *document;
    const bool moves = as[0] && !outputSame(as, document->path);
    next.kept = next.kept && !moves;
    if (moves ? !place(&next, as, NULL) : document->copy && !as[0]) {
        return DOCUMENT_TAKEN;
    }
    DocumentAnswer answer = doubtOf(&next, moves, sure);
    if (answer == DOCUMENT_SAVED || answer == sure) {
        answer = writeFile(&next, world, source) ? DOCUMENT_SAVED : DOCUMENT_FAILED;
    }
    if (answer != DOCUMENT_SAVED) {
        next = moves ? next : (Document){.lock = -1};
        documentClose(&next);
        return answer;
    }
    if (moves) {
        documentForget(document);
        documentClose(document);
    }
    *document = next;
    return DOCUMENT_SAVED;
}

bool documentWait(Document *document, World *world, const Source *source, double seconds) {
    const bool changed = document->unsaved && (document->state != document->autosaved);
    document->waited = changed ? document->waited + seconds : 0;
    if (document->every <= 0 || document->waited < document->every) {
        return true;
    }
    const double before = secondsNow();
    const bool written = documentWrite(document->autosave, world, source, buildSave);
    /* Of a world that takes long, less often: a twentieth of the time at most. */
    document->waited = document->every - 20 * (secondsNow() - before);
    document->waited = document->waited < 0 ? document->waited : 0;
    document->autosaved = written ? document->state : document->autosaved;
    return written;
}
