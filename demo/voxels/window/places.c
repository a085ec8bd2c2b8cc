/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "places.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* False: there is no place for it. */
static bool statePath(char path[DOCUMENT_PATH]) {
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    const bool own = state && state[0] == '/';
    (void)snprintf(path, DOCUMENT_PATH, "%.900s%s/murmuration/recent",
                   own    ? state
                   : home ? home
                          : "",
                   own ? "" : "/.local/state");
    return own || (home && home[0] == '/');
}

size_t placesRecent(char paths[PLACES_RECENT][DOCUMENT_PATH]) {
    char path[DOCUMENT_PATH];
    struct stat status;
    size_t count = 0;
    FILE *file = statePath(path) ? fopen(path, "r") : NULL;
    while (file && count < PLACES_RECENT && fgets(paths[count], DOCUMENT_PATH, file)) {
        paths[count][strcspn(paths[count], "\n")] = '\0';
        count += stat(paths[count], &status) == 0 && S_ISREG(status.st_mode);
    }
    if (file) {
        (void)fclose(file);
    }
    return count;
}

void placesRemember(const char *path) {
    char recent[PLACES_RECENT][DOCUMENT_PATH];
    char state[DOCUMENT_PATH];
    char written[DOCUMENT_PATH + 8];
    if (!statePath(state)) {
        return;
    }
    for (char *slash = strchr(state + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        (void)mkdir(state, 0700);
        *slash = '/';
    }
    const size_t count = placesRecent(recent);
    (void)snprintf(written, sizeof written, "%s.XXXXXX", state);
    const int descriptor = mkstemp(written);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (!file) {
        return;
    }
    (void)fprintf(file, "%s\n", path);
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(recent[i], path) != 0) {
            (void)fprintf(file, "%s\n", recent[i]);
        }
    }
    const bool whole = !ferror(file);
    if (fclose(file) != 0 || !whole || rename(written, state) != 0) {
        (void)remove(written);
    }
}

static int isListed(const struct dirent *entry) {
    return entry->d_name[0] != '.' || strcmp(entry->d_name, "..") == 0;
}

void placesList(Dialog *dialog, const char *folder) {
    char recent[PLACES_RECENT][DOCUMENT_PATH];
    struct dirent **entries;
    char path[DOCUMENT_PATH];
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
        if (isFolder || fileEnds(name, ".vox") || fileEnds(name, ".world")) {
            dialogAdd(dialog, row);
        }
        free(entries[i]);
    }
    if (found >= 0) {
        free(entries);
    }
}

bool placesFind(const char *folder, const char *answer, char path[DOCUMENT_PATH]) {
    struct stat status;
    (void)snprintf(path, DOCUMENT_PATH, "%s%s", answer[0] == '/' ? "" : folder, answer);
    char *real = stat(path, &status) == 0 && S_ISDIR(status.st_mode) ? realpath(path, NULL) : NULL;
    if (real) {
        (void)snprintf(path, DOCUMENT_PATH, "%s%s", real, real[1] ? "/" : "");
    }
    const bool found = real != NULL;
    free(real);
    return found;
}

bool placesNew(const char *text, SourceOptions *options) {
    char what[8] = "empty";
    uint32_t size = 0;
    int used = 0;
    const bool read = sscanf(text, "%7[a-z] %5u%n", what, &size, &used) == 2 ||
                      sscanf(text, "%5u%n", &size, &used) == 1;
    const bool terrain = strcmp(what, "terrain") == 0;
    if (!read || text[used] || (!terrain && strcmp(what, "empty") != 0) ||
        (terrain ? size < TERRAIN_LEAST || size > TERRAIN_MOST || size % 8
                 : size < 1 || size > EMPTY_MOST)) {
        return false;
    }
    *options = (SourceOptions){
        .emptySize = terrain ? 0 : size, .terrainSize = terrain ? size : 0, .seed = options->seed};
    return true;
}
