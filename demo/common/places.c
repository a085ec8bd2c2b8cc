/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "places.h"

#include "unique_path.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* False: there is no place for it. */
static bool statePath(char path[PLACES_PATH]) {
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    const bool own = state && state[0] == '/';
    (void)snprintf(path, PLACES_PATH, "%.900s%s/murmuration/%s",
                   own    ? state
                   : home ? home
                          : "",
                   own ? "" : "/.local/state", places.recent);
    return own || (home && home[0] == '/');
}

size_t placesRecent(char paths[PLACES_RECENT][PLACES_PATH]) {
    char path[PLACES_PATH];
    struct stat status;
    size_t count = 0;
    FILE *file = statePath(path) ? fopen(path, "r") : NULL;
    while (file && count < PLACES_RECENT && fgets(paths[count], PLACES_PATH, file)) {
        paths[count][strcspn(paths[count], "\n")] = '\0';
        count += stat(paths[count], &status) == 0 && S_ISREG(status.st_mode);
    }
    if (file) {
        (void)fclose(file);
    }
    return count;
}

void placesRemember(const char *path) {
    char recent[PLACES_RECENT][PLACES_PATH];
    char state[PLACES_PATH];
    char written[PLACES_PATH + 8];
    if (!statePath(state)) {
        return;
    }
    char *real = realpath(path, NULL);
    path = real ? real : path;
    for (char *slash = strchr(state + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(state, 0700);
        *slash = '/';
    }
    const size_t count = placesRecent(recent);
    (void)snprintf(written, sizeof written, "%s.XXXXXX", state);
    const int descriptor = mkstemp(written);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    bool whole = file && fprintf(file, "%s\n", path) > 0;
    for (size_t i = 0; whole && i < count; ++i) {
        whole = strcmp(recent[i], path) == 0 || fprintf(file, "%s\n", recent[i]) > 0;
    }
    free(real);
    if (file && (fclose(file) != 0 || !whole || rename(written, state) != 0)) {
        (void)remove(written);
    }
}

static int isListed(const struct dirent *entry) {
    return entry->d_name[0] != '.' || strcmp(entry->d_name, "..") == 0;
}

static bool isOurs(const char *name) {
    return fileEnds(name, places.endings[0]) ||
           (places.endings[1] && fileEnds(name, places.endings[1]));
}

void placesList(Dialog *dialog, const char *folder) {
    char recent[PLACES_RECENT][PLACES_PATH];
    struct dirent **entries;
    char path[PLACES_PATH];
    (void)snprintf(path, sizeof path, "Open one of the last files, or of %.900s", folder);
    dialogAsk(dialog, path, "");
    const size_t count = placesRecent(recent);
    for (size_t i = 0; i < count; ++i) {
        dialogAdd(dialog, recent[i]);
    }
    const int found = scandir(folder, &entries, isListed, alphasort);
    for (int i = 0; i < found; ++i) {
        const char *name = entries[i]->d_name;
        char row[sizeof entries[i]->d_name + 1];
        const bool isFolder = placesFind(folder, name, path);
        (void)snprintf(row, sizeof row, isFolder ? "%s/" : "%s", name);
        if (isFolder || isOurs(name)) {
            dialogAdd(dialog, row);
        }
        free(entries[i]);
    }
    if (found >= 0) {
        free(entries);
    }
}

bool placesFind(const char *folder, const char *answer, char path[PLACES_PATH]) {
    struct stat status;
    (void)snprintf(path, PLACES_PATH, "%s%s", answer[0] == '/' ? "" : folder, answer);
    char *real = stat(path, &status) == 0 && S_ISDIR(status.st_mode) ? realpath(path, NULL) : NULL;
    if (real) {
        (void)snprintf(path, PLACES_PATH, "%s%s", real, real[1] ? "/" : "");
    }
    const bool found = real != NULL;
    free(real);
    return found;
}

bool placesTake(Dialog *dialog, char folder[PLACES_PATH], char path[PLACES_PATH]) {
    if (!placesFind(folder, dialogAnswer(dialog), path)) {
        return true;
    }
    (void)strcpy(folder, path);
    placesList(dialog, folder);
    return false;
}
