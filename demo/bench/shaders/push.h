/* Push constants of murbench's kernels, for C and GLSL. SPDX-License-Identifier: MIT */
#ifndef MURBENCH_PUSH_H
#define MURBENCH_PUSH_H

#include "murmuration/layout.h"
#include "murmuration/paged_layout.h"

/* Pairs of any format, keys and values of 0 to 2 words: written, or values compared. */
MUR_STRUCT(PairsPush) {
    MUR_ADDRESS keys;
    MUR_ADDRESS values;
    MUR_ADDRESS wrong; /* the counter of words that are not what they should be */
    MUR_U32 first;     /* pair */
    MUR_U32 count;
    MUR_U32 keyWords;
    MUR_U32 valueWords;
    MUR_U32 check;    /* PAIRS_* */
    MUR_U32 constant; /* what each word should be */
};
#define PAIRS_WRITE    0u
#define PAIRS_VALUES   1u /* each value should be its pair's */
#define PAIRS_KEYED    2u /* each value should be that of the key beside it, in whatever order */
#define PAIRS_CONSTANT 3u

/* 2^bits pairs, 2^valueBits of them with each key. */
MUR_STRUCT(MultiPush) {
    MurTableRef table; /* visit */
    MUR_ADDRESS groups;
    MUR_ADDRESS keys;    /* check: the index of each value's key */
    MUR_ADDRESS values;  /* visit: written, how many each query has */
    MUR_ADDRESS queries; /* written: the different keys */
    MUR_ADDRESS seen;    /* a word for each pair: the last check that has seen it */
    MUR_ADDRESS wrong;   /* check: the counter */
    MUR_U32 bits;
    MUR_U32 valueBits; /* or MULTI_ZIPF */
    MUR_U32 check;     /* MULTI_PAIRS_WRITE, or the number of the check */
    MUR_U32 keyWords;  /* 1 or 2, of keys that are written */
    MUR_U32 queryCount;
    MUR_U32 lanes; /* visit: invocations a key */
};
#define MULTI_ZIPF        32u
#define MULTI_PAIRS_WRITE 0u

MUR_STRUCT(RegionPush) {
    MUR_ADDRESS region;
    /* Written when the impossible happens, so that reads are not optimised away. */
    MUR_ADDRESS sink;
    MUR_U32 count; /* accesses */
    MUR_U32 mask;  /* elements in the region - 1 */
    MUR_U32 seed;
    MUR_U32 pad;
};

/* Finds, inserts and erases in one dispatch. Of 256 items, on average, the first so many are finds
 * and the next so many inserts; each takes a random key of a universe of 2^k. */
MUR_STRUCT(MixedPush) {
    MurTableRef table;
    MUR_ADDRESS outcomes;
    MUR_ADDRESS balance; /* check: inserts minus erases, by key */
    MUR_ADDRESS errors;  /* check: one counter */
    MUR_U32 count;
    MUR_U32 universe;
    MUR_U32 finds;
    MUR_U32 inserts;
    MUR_U32 filled; /* keys in the table before: the first so many of the universe */
    MUR_U32 phase;  /* check: MIXED_* */
};
#define MIXED_ITEMS 0u  /* outcomes into the balance */
#define MIXED_KEYS  1u  /* table against the balance */
#define MIXED_WRONG 99u /* outcome of a find that gave another key's value */

/* What a pass over all entries adds up, modulo 2^32. */
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

/* Memory one way, or both ways at once, pieces by turns. */
MUR_STRUCT(LinkPush) {
    MUR_ADDRESS from;
    MUR_ADDRESS to;
    MUR_ADDRESS backFrom; /* 0: one way */
    MUR_ADDRESS backTo;
    MUR_U32 pieces; /* each way */
    MUR_U32 pad;
};
#define LINK_PIECE 16384u /* bytes */

/* What a pager's pages hold follows from their number and a version. */
MUR_STRUCT(PagesPush) {
    MurPagerRef pager;
    MUR_ADDRESS errors; /* check: the counter */
    MUR_U32 first;
    MUR_U32 count;
    MUR_U32 version;
    MUR_U32 task; /* PAGES_* */
};
#define PAGES_FILL  0u /* and mark as written */
#define PAGES_CHECK 1u /* words that are wrong; a page that is not resident */
#define PAGES_ASK   2u

/* In memory: the shader's push constants are an address of these. */
MUR_STRUCT(PagedFind) {
    MurPagedRef table;
    MUR_ADDRESS keys;
    MUR_ADDRESS values; /* found */
    MUR_U32 count;
    MUR_U32 pad;
};

/* Items of suite large, of 64-bit keys: item j is index i = (first + j * stride) & mask, of which
 * keys and values follow. Keys are made, values made or compared. */
MUR_STRUCT(LargePush) {
    MUR_ADDRESS keys;
    MUR_ADDRESS values;
    MUR_ADDRESS wrong; /* check: the counter of wrong values */
    MUR_U32 first;
    MUR_U32 count;
    MUR_U32 stride; /* odd */
    MUR_U32 mask;
    MUR_U32 kind;  /* LARGE_* */
    MUR_U32 check; /* values are compared, instead */
};
#define LARGE_PAIRS  0u /* any keys */
#define LARGE_BRICKS 1u /* bricks of a terrain, tile by tile, see terrain.glsl */

/* In memory: a camera's look around, over a square of (2 * radius)^2 columns of the terrain. */
MUR_STRUCT(FlyPush) {
    MurPagedRef table;
    MUR_ADDRESS counts; /* FLY_*, three words */
    MUR_U32 mask;       /* of the terrain's columns: their number - 1 */
    MUR_U32 side;       /* logarithm of the terrain's */
    MUR_U32 radius;
    MUR_U32 x; /* the camera's, in columns */
    MUR_U32 y;
    MUR_U32 east; /* where it looks, 1024 times sine and cosine, signed */
    MUR_U32 north;
    MUR_U32 pad;
};
#define FLY_LOOKUPS  0u
#define FLY_ANSWERED 1u
#define FLY_WRONG    2u

/* Keys of suite cache: what the surfaces that a camera sees hit next, of one frame. */
MUR_STRUCT(CacheKeysPush) {
    MUR_ADDRESS keys;
    MUR_U32 frame;
    MUR_U32 count;
    MUR_U32 both; /* of the surfaces seen, too: the first half of the keys */
    float fine;   /* cells a metre, near the camera */
    float burst;  /* the share of keys that are of cells a sixteenth as large */
};

/* The passes of a cache whose payload is indexed by slot. */
MUR_STRUCT(CachePush) {
    MurTableRef table;
    MUR_ADDRESS keys; /* an update makes those 0 that it was told MUR_FULL for */
    MUR_ADDRESS sums; /* {red, green, blue, samples} of this frame */
    MUR_ADDRESS resolved;
    MUR_ADDRESS answers; /* CACHE_LIGHT of each key's face; of absent ones UINT32_MAX */
    MUR_U32 count;
    MUR_U32 stay; /* resolve: the filter is made anew */
    MUR_U32 task; /* CACHE_*, for what watches dispatches */
    MUR_U32 pad;
};
#define CACHE_UPDATE      0u
#define CACHE_RESOLVE     1u
#define CACHE_QUERY       2u
#define CACHE_LIVES       16u /* frames that an entry stays, the one of its last sample included */
#define CACHE_SCALE       128u
#define CACHE_FACE(high)  ((high) >> 22 & 7u) /* of a key's high word */
#define CACHE_LIGHT(face) (((face) + 1u) | (8u - (face)) << 8 | 4u << 16)

/* Rows of suite rows: made, or what was told of them checked. */
MUR_STRUCT(RowsPush) {
    MUR_ADDRESS rows;
    MUR_ADDRESS told;   /* the row that stands for each; 0: rows are made, instead */
    MUR_ADDRESS stands; /* likewise, of the rows of the table */
    MUR_ADDRESS wrong;
    MUR_U32 count;
    MUR_U32 words;
    MUR_U32 mask; /* of a row's number: its kind; equal rows are of one */
    MUR_U32 firstKind;
};

MUR_STRUCT(InShaderPush) {
    MurTableRef table;
    MUR_ADDRESS keys;
    MUR_ADDRESS values; /* found, or to insert */
    MUR_U32 count;
    MUR_U32 keyMask; /* of an item's index: 0 gives all the first key */
};

#endif
