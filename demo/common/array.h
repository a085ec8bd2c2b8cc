/* Arrays that grow.
 * SPDX-License-Identifier: MIT */
#ifndef DEMO_GROW_H
#define DEMO_GROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Makes space for one more item, which may move all items. pointer: the address of the pointer to
 * the items. Returns false, without a change, if there is no memory. */
static inline bool growItems(void *pointer, size_t count, size_t *capacity, size_t itemSize) {
    void *items;
    if (count < *capacity) {
        return true;
    }
    memcpy(&items, pointer, sizeof items); /* pointers to all structs look the same */
    items = realloc(items, (2 * *capacity + 16) * itemSize);
    if (items) {
        memcpy(pointer, &items, sizeof items);
        *capacity = 2 * *capacity + 16;
    }
    return items != NULL;
}

#endif
