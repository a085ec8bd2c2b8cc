// Names for the public calls of the format number FORMAT. Keys and values are pairs of words.
// SPDX-License-Identifier: MIT

#if FORMAT == 0
#define Key         uint
#define Value       uint
#define KEY(pair)   ((pair).x)
#define VALUE(pair) ((pair).x)
#define PAIR(value) uvec2(value, 0u)
#elif FORMAT == 1
#define MUR_KEYS_64
#define Key         uvec2
#define Value       uint
#define KEY(pair)   (pair)
#define VALUE(pair) ((pair).x)
#define PAIR(value) uvec2(value, 0u)
#elif FORMAT == 4
#define MUR_VALUES_64
#define Key         uvec2
#define Value       uvec2
#define KEY(pair)   (pair)
#define VALUE(pair) (pair)
#define PAIR(value) (value)
#else
#define MUR_SETS
#define IS_SET
#define SET(t) MurSetRef(t)
#if FORMAT == 2
#define Key       uint
#define KEY(pair) ((pair).x)
#else
#define MUR_KEYS_64
#define Key       uvec2
#define KEY(pair) (pair)
#endif
#endif
// Also compiles the calls of other formats. They must not change the results of this format.
#ifdef FORMAT_CROWD
#define MUR_SETS
#define MUR_VALUES_64
#endif
