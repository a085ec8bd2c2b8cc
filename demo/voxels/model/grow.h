/* Arrays that grow.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURVOXELS_GROW_H
#define MURVOXELS_GROW_H

#include <stdlib.h>

/* Room for one more item, which may move the others. NULL if there is none; they are then still
 * where they were. */
static inline void *growItems(void *items, size_t count, size_t *capacity, size_t itemSize) {
    if (count < *capacity) {
        return items;
    }
    const size_t wanted = 2 * *capacity + 16;
    void *grown = realloc(items, wanted * itemSize);
    *capacity = grown ? wanted : *capacity;
    return grown;
}

#endif
