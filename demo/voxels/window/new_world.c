/* SPDX-License-Identifier: MIT */
#include "new_world.h"

#include <stdio.h>
#include <string.h>

bool newWorldRead(const char *text, SourceOptions *options) {
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
