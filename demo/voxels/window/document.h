/* The file that the user works on: where it is saved, whether it must be, and what is kept beside
 * it meanwhile, in case that nobody gets to save it.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_DOCUMENT_H
#define MURVOXELS_DOCUMENT_H

#include "edit/build.h"
#include "view/shot.h"

enum { DOCUMENT_PATH = SHOT_PATH };

typedef struct Document {
    char path[DOCUMENT_PATH];     /* of Ctrl+S */
    char autosave[DOCUMENT_PATH]; /* path.autosave, a saved world whatever path is */
    bool unsaved;                 /* there are changes that path has not */
    bool changed;                 /* and some that autosave has not */
    bool kept;                    /* the older file has another name now, or there was none */
    double waited, every;         /* seconds since the last autosave, and between two; 0: none */
} Document;

/* wanted: NULL, or where Ctrl+S saves. Else it is the file that the source is from, or a name
 * that is free. */
void documentOpen(Document *document, const SourceOptions *source, const char *wanted,
                  double every);

/* Is there work that was not saved when the program ended without being asked to? */
bool documentIsLost(const Document *document);
/* Takes it away: it was saved, or is not wanted. */
void documentForget(const Document *document);

void documentChanged(Document *document);

/* Saves, as a .vox file if the path says so. The first time, a .vox file that was there before
 * is kept as NAME.vox~: it may have had more than is shown. False: after a line on stderr. */
bool documentSave(Document *document, World *world, const Source *source);
/* Another seconds have gone by: saves beside the file when it is time. False: it did not work. */
bool documentWait(Document *document, World *world, const Source *source, double seconds);

/* A name beside the file's with this ending that nobody has yet. */
void documentFreeName(const Document *document, const char *ending, char path[DOCUMENT_PATH]);
/* The file's name without its folder. */
const char *documentName(const Document *document);

#endif
