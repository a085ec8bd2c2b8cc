/* Push constants of murbench's kernels, shared by C and GLSL. SPDX-License-Identifier: MIT */
#ifndef MURBENCH_PUSH_H
#define MURBENCH_PUSH_H

#include "murmuration/layout.h"
#include "murmuration/paged_layout.h"

/* Writes pairs of any format, with keys and values of 0 to 2 words, or compares values. */
MUR_STRUCT(PairsPush) {
    MUR_ADDRESS keys;
    MUR_ADDRESS values;
    MUR_ADDRESS wrong; /* counter of wrong words */
    MUR_U32 first;     /* first pair */
    MUR_U32 count;
    MUR_U32 keyWords;
    MUR_U32 valueWords;
    MUR_U32 check;    /* PAIRS_* */
    MUR_U32 constant; /* expected word */
};
#define PAIRS_WRITE    0u
#define PAIRS_VALUES   1u /* each value must be the value of its item's pair */
#define PAIRS_KEYED    2u /* each value must belong to its key; keys are in any order */
#define PAIRS_CONSTANT 3u

/* 2^bits pairs, 2^valueBits of them per key. */
MUR_STRUCT(MultiPush) {
    MurTableRef table; /* the table that shaders visit */
    MUR_ADDRESS groups;
    MUR_ADDRESS keys;    /* check: index of each value's key */
    MUR_ADDRESS values;  /* visit: written: number of values per query */
    MUR_ADDRESS queries; /* written: the different keys */
    MUR_ADDRESS seen;    /* per pair: number of the last check that found it */
    MUR_ADDRESS wrong;   /* check: counter of errors */
    MUR_U32 bits;
    MUR_U32 valueBits; /* 2^valueBits values per key; or MULTI_ZIPF */
    MUR_U32 check;     /* MULTI_PAIRS_WRITE, or the number of the check */
    MUR_U32 keyWords;  /* 1 or 2, of written keys */
    MUR_U32 queryCount;
    MUR_U32 lanes;     /* visit: invocations per key */
    MUR_U32 ascending; /* check: values of groups up to this size must ascend */
    MUR_U32 pad;
};
#define MULTI_ZIPF        32u
#define MULTI_PAIRS_WRITE 0u

MUR_STRUCT(RegionPush) {
    MUR_ADDRESS region;
    /* Written in a case that never happens, so that compilers keep the reads. */
    MUR_ADDRESS sink;
    MUR_U32 count; /* number of accesses */
    MUR_U32 mask;  /* number of elements in the region - 1 */
    MUR_U32 seed;
    MUR_U32 pad;
};

/* Sums of a pass over all entries, modulo 2^32. */
MUR_STRUCT(IterateSums) {
    MUR_U32 entries;
    MUR_U32 keys;
    MUR_U32 values;
};

MUR_STRUCT(IteratePush) {
    MurTableRef table;
    MUR_ADDRESS sums;
    MUR_U32 invocations; /* a multiple of the workgroup's */
    MUR_U32 pad;
};

/* Copies memory in one direction, or in both at the same time in alternating chunks. */
MUR_STRUCT(LinkPush) {
    MUR_ADDRESS from;
    MUR_ADDRESS to;
    MUR_ADDRESS backFrom; /* 0: only one direction */
    MUR_ADDRESS backTo;
    MUR_U32 pieces; /* per direction */
    MUR_U32 pad;
};
#define LINK_PIECE 16384u /* bytes */

/* The content of a pager's pages is a function of page number and version. */
MUR_STRUCT(PagesPush) {
    MurPagerRef pager;
    MUR_ADDRESS errors; /* check: the counter */
    MUR_U32 first;
    MUR_U32 count;
    MUR_U32 version;
    MUR_U32 task; /* PAGES_* */
};
#define PAGES_FILL  0u /* writes the content, and marks pages as written */
#define PAGES_CHECK 1u /* counts wrong words, and pages that are not resident */
#define PAGES_ASK   2u

/* The struct is in memory. The push constants are only its address. */
MUR_STRUCT(PagedFind) {
    MurPagedRef table;
    MUR_ADDRESS keys;
    MUR_ADDRESS values; /* found */
    MUR_U32 count;
    MUR_U32 pad;
};

/* Items of suite large with 64-bit keys: item j has index i = (first + j * stride) & mask, which
 * determines key and value. Keys are written; values are written or compared. */
MUR_STRUCT(LargePush) {
    MUR_ADDRESS keys;
    MUR_ADDRESS values;
    MUR_ADDRESS wrong; /* check: counter of wrong values */
    MUR_U32 first;
    MUR_U32 count;
    MUR_U32 stride; /* odd */
    MUR_U32 mask;
    MUR_U32 kind;  /* LARGE_* */
    MUR_U32 check; /* compares values instead of writing them */
};
#define LARGE_PAIRS  0u /* any keys */
#define LARGE_BRICKS 1u /* bricks of a terrain, tile by tile, see terrain.glsl */

/* In memory. Describes a camera's view over a square of (2 * radius)^2 columns of the terrain. */
MUR_STRUCT(FlyPush) {
    MurPagedRef table;
    MUR_ADDRESS counts; /* FLY_*, three words */
    MUR_U32 mask;       /* number of the terrain's columns - 1 */
    MUR_U32 side;       /* logarithm of the terrain's side */
    MUR_U32 radius;
    MUR_U32 x; /* the camera's position, in columns */
    MUR_U32 y;
    MUR_U32 east; /* view direction, 1024 times sine and cosine, signed */
    MUR_U32 north;
    MUR_U32 pad;
};
#define FLY_LOOKUPS  0u
#define FLY_ANSWERED 1u
#define FLY_WRONG    2u

/* Computes keys of suite cache for a frame: the surfaces hit by rays from visible surfaces. */
MUR_STRUCT(CacheKeysPush) {
    MUR_ADDRESS keys;
    MUR_U32 frame;
    MUR_U32 count;
    MUR_U32 both;   /* first half of the keys: the visible surfaces themselves */
    float fine;     /* cells per metre, near the camera */
    float burst;    /* fraction of keys in cells of a sixteenth of the size */
    MUR_U32 narrow; /* keys of 32 bits, the high word is 0 */
};

/* The passes of a cache whose payload is indexed by slot. */
MUR_STRUCT(CachePush) {
    MurTableRef table;
    MUR_ADDRESS keys; /* an update sets a key to 0 if it got MUR_FULL */
    MUR_ADDRESS sums; /* {red, green, blue, samples} of this frame */
    MUR_ADDRESS resolved;
    MUR_ADDRESS answers; /* CACHE_LIGHT of each key's face; UINT32_MAX for absent keys */
    MUR_U32 count;
    MUR_U32 stay;     /* resolve: also rebuilds the filter */
    MUR_U32 task;     /* CACHE_*, for tests that intercept dispatches */
    MUR_U32 reserved; /* resolve: slots of each bucket that stay free */
};
#define CACHE_UPDATE      0u
#define CACHE_RESOLVE     1u
#define CACHE_QUERY       2u
#define CACHE_LIVES       16u /* frames that an entry lives, that of its last sample included */
#define CACHE_SCALE       128u
#define CACHE_FACE(high)  ((high) >> 22 & 7u) /* the face in a key's high word */
#define CACHE_LIGHT(face) (((face) + 1u) | (8u - (face)) << 8 | 4u << 16)

/* Writes rows of suite rows, or checks the returned rows. */
MUR_STRUCT(RowsPush) {
    MUR_ADDRESS rows;
    MUR_ADDRESS told;   /* the row that represents each row; 0: writes rows */
    MUR_ADDRESS stands; /* the rows of the table, which represent others */
    MUR_ADDRESS wrong;
    MUR_U32 count;
    MUR_U32 words;
    MUR_U32 mask; /* row number & mask is the class; rows of a class are equal */
    MUR_U32 firstKind;
};

MUR_STRUCT(InShaderPush) {
    MurTableRef table;
    MUR_ADDRESS keys;
    MUR_ADDRESS values; /* found, or to insert */
    MUR_U32 count;
    MUR_U32 keyMask; /* item index & keyMask is the key; 0: all items have one key */
};

#endif
