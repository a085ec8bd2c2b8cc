/* The worlds that may be opened: files of a folder, those in use lately, and new worlds.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_PLACES_H
#define MURVOXELS_PLACES_H

#include "common/dialog.h"
#include "document.h"

enum { PLACES_RECENT = 16 };

/* Files that were opened or saved last and still exist, the newest first; returns how many. They
 * are kept in $XDG_STATE_HOME/murmuration/recent; if there is no such folder, nowhere. */
size_t placesRecent(char paths[PLACES_RECENT][DOCUMENT_PATH]);
/* path: absolute. */
void placesRemember(const char *path);

/* Opens the list of them and of a folder, which must end with '/'. */
void placesList(Dialog *dialog, const char *folder);
/* The path of an answer: a row of the list, or typed text, relative to the folder. True: to a
 * folder, whose path then ends with '/'. */
bool placesFind(const char *folder, const char *answer, char path[DOCUMENT_PATH]);

/* Parses a new world: "empty 24", "24" or "terrain 512". False: the text is none. */
bool placesNew(const char *text, SourceOptions *options);

#endif
