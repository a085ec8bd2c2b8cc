/* The file that the user works on: its path, whether it has unsaved changes, and the autosave
 * beside it. One editor at a time has it open: the process with the lock on FILE.lock, which the
 * kernel releases with the process.
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_DOCUMENT_H
#define MURVOXELS_DOCUMENT_H

#include "edit/build.h"
#include "model/files.h"
#include "common/places.h"

enum { DOCUMENT_PATH = PLACES_PATH };

/* Identifies a version of a file by its metadata; all 0: there is no file. */
typedef struct DocumentStamp {
    uint64_t device, file, size, time;
} DocumentStamp;

typedef struct Document {
    char path[DOCUMENT_PATH];     /* of Ctrl+S: absolute, and no link */
    char autosave[DOCUMENT_PATH]; /* path.autosave, a saved world whatever path is */
    int lock;                     /* path.lock, open; negative: there can be none */
    bool copy;                    /* the file is another editor's: path is a free name instead */
    DocumentStamp seen;           /* the file as it was opened or saved here */
    uint64_t state;               /* of the work, as of documentAt */
    uint64_t saved, autosaved;    /* the states that the files have */
    bool unsaved;                 /* there are changes that path has not */
    bool kept;                    /* the older file has another name now, or there was none */
    char omitted[256];            /* the data that only the .vox file has, in words; or empty */
    double waited, every;         /* seconds since the last autosave, and between two; 0: none */
} Document;

/* The result of saving, or the question that the user must answer before. */
typedef enum DocumentAnswer {
    DOCUMENT_SAVED,
    DOCUMENT_FAILED,    /* after a line on stderr */
    DOCUMENT_TAKEN,     /* another editor has that file open: another name is needed */
    DOCUMENT_EXISTS,    /* the name is another file's */
    DOCUMENT_CHANGED,   /* another program has written the file */
    DOCUMENT_PARTLY,    /* the file has more than was read of it */
    DOCUMENT_PROTECTED, /* it is not to be written */
} DocumentAnswer;

/* wanted: NULL, or the path for Ctrl+S; saving asks before it writes over a file that is not the
 * source's. Else it is the file that the source is from, or a name that is free. Before the file is
 * read: later changes are found. before: the document in whose place this one comes, or NULL;
 * if it is the same file, both have its lock. */
void documentOpen(Document *document, const SourceOptions *source, const char *wanted,
                  const Document *before, double every);
/* The file may be another editor's from now on. */
void documentClose(Document *document);

/* Is there work that was not saved when the program ended without a request? */
bool documentIsLost(const Document *document);
/* Takes it away: it was saved, or is not wanted. */
void documentForget(Document *document);

/* The state of the work: a number that differs for states that differ. At the state that was
 * saved last, it is saved, and nothing is lost. */
void documentAt(Document *document, uint64_t state);
/* It has changed in a way that has no state number. */
void documentChanged(Document *document);

/* Saves, as a .vox file if the path ends in .vox. as: under another name from now on; empty: not.
 * sure: the answer of the call before, if the user has confirmed it. The first time, a .vox
 * file that was there before is kept as NAME.vox~: it may have had more than is shown. */
DocumentAnswer documentSave(Document *document, const char *as, DocumentAnswer sure, World *world,
                            const Source *source);
/* Another seconds have gone by: saves beside the file when it is time. False: it did not work. */
bool documentWait(Document *document, World *world, const Source *source, double seconds);

/* Writes a whole file by buildSave or buildExport. False after one line on stderr. */
typedef bool DocumentWriter(World *world, const Source *source, FILE *file, const char *path);
bool documentWrite(const char *path, World *world, const Source *source, DocumentWriter *write);

/* A name beside the file's with this ending that no file has yet. */
void documentFreeName(const Document *document, const char *ending, char path[DOCUMENT_PATH]);

#endif
