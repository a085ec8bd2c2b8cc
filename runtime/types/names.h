/* The names of table types, for files that need nothing else.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TYPE_NAMES_H
#define MUR_TYPE_NAMES_H

/* One name per row of types.def. */
typedef enum MurTypeName {
#define TYPE(name, ...) MUR_TYPE_##name,
#include "types.def"
#undef TYPE
    MUR_TYPE_COUNT
} MurTypeName;

#endif
