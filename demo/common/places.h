/* The files that may be opened: those of a folder, and those in use lately.
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_PLACES_H
#define DEMO_PLACES_H

#include "dialog.h"

enum { PLACES_RECENT = 16, PLACES_PATH = 1100 };

/* The program defines it. */
typedef struct Places {
    const char *recent;     /* the name of its list in $XDG_STATE_HOME/murmuration */
    const char *endings[2]; /* of its files, or NULL */
} Places;
extern const Places places;

/* Files that were opened or saved last and still exist, the newest first; returns how many. They
 * are kept in a file, places.recent; if there is no folder for it, nowhere. */
size_t placesRecent(char paths[PLACES_RECENT][PLACES_PATH]);
void placesRemember(const char *path);

/* Opens the list of them and of a folder, which must end with '/'. */
void placesList(Dialog *dialog, const char *folder);
/* The path of an answer: a row of the list, or typed text, relative to the folder. True: to a
 * folder, whose path then ends with '/'. */
bool placesFind(const char *folder, const char *answer, char path[PLACES_PATH]);

/* The same of the list's answer. True: to a file. Else lists the chosen folder, which folder is
 * from then on. */
bool placesTake(Dialog *dialog, char folder[PLACES_PATH], char path[PLACES_PATH]);

#endif
