/* The host's side of a mirror (murmuration/mirror.h): marks of changed memory, and copies of it.
 * No Vulkan.
 *
 * Marks. A unit is the smallest part of a table that is copied: 64 bytes of slots, or, if the table
 * evicts, the slots with one home. Bit 0 of the marks means everything, bit 1 + i unit i. After the
 * units come the blocks of 64 bytes that follow the slots: the filter. The header is copied with
 * every change.
 *
 * Why an update misses no write.
 *   1. A write call marks after its last write, by fetch_or (release). An update takes marks by
 *      exchange (acquire), then reads. Both are atomic on one word. If the exchange follows the
 *      mark, the update reads the write; otherwise the mark remains for the next update. If calls
 *      marked before they write, an update could take the mark before the write. If updates cleared
 *      marks after their copy, they could clear the mark of a later write.
 *   2. A lookup of a key also depends on the slots before its own. Calls that have not returned,
 *      and have not marked yet, may have claimed them. Therefore a write call marks every unit that
 *      a find of its key reads, after it has read it (acquire), whatever the call reports. No slot
 *      becomes free while calls run, so no find stops earlier.
 *   3. The copy of a unit reads values before keys: words in descending order, and first the
 *      words that follow all keys. A value is stored after its key (release), so a copy with a
 *      value has the whole key, and a key without a value is an absent entry. A value and its key
 *      are in one unit; otherwise a copy could pair a value with a free slot.
 *   4. The filter is copied after all keys, the header after the filter. A call sets the filter bit
 *      and clears the flag "sorted by hash" before the claim. So the copy of a key has both.
 *   5. Payload arrays are copied after the table: an entry's payload is marked before its insert.
 * All copies use loads of 64 bits: no word of a slot is wider, and none crosses such a boundary.
 * Taken marks are pending until the copy is recorded, so an update that fails loses none.
 * tests/interleave runs 1 to 3 in every order.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_HOST_MIRROR_H
#define MUR_HOST_MIRROR_H

#include "host_move.h"

enum { MUR_MIRROR_BLOCK = 64, MUR_MIRROR_HEADER = MUR_HEADER_SIZE / MUR_MIRROR_BLOCK };

/* A table or a payload array of a mirror. Each mark of a payload array is for 64 bytes of it. */
typedef struct MurMirrorArray {
    MurHostTable table; /* only pImage and pMarks, if this is a payload array */
    uint64_t *pending;  /* marks that an update has taken and not committed */
    uint64_t bytes;
    uint32_t blocks, marks;               /* number of blocks of 64 bytes, number of marks */
    uint32_t units;                       /* number of units */
    uint32_t keyBlocks, besideBlocks;     /* blocks of a unit: keys, other words */
    uint32_t besideStart, remainderStart; /* first block of other words; first after all slots */
} MurMirrorArray;

/* Sets all members of array except addresses. ref: reference of the table; NULL: a payload. */
void mur_mirror_describe(const MurTableRef *ref, uint64_t bytes, MurMirrorArray *array);
/* Returns the bytes of memory that marks and pending marks need together. */
uint64_t mur_mirror_mark_size(const MurMirrorArray *array);
/* Sets the addresses of array, and marks all of it. marks: mur_mirror_mark_size zeroed bytes. */
void mur_mirror_open(MurMirrorArray *array, void *marks, void *image);

/* Marks the whole table as changed if it belongs to a mirror. */
static inline void mur_host_mark_all(const MurHostTable *table) {
    if (table->pMarks) {
        atomic_fetch_or_explicit((HostPair *)table->pMarks, 1, memory_order_release);
    }
}
/* Marks all memory of the table that a find of this hash reads. */
void mur_host_mark(const MurHostTable *table, uint64_t hash);
/* Marks bytes of a payload array as changed. Ignores bytes beyond the array. */
void mur_mirror_mark_bytes(const MurMirrorArray *array, uint64_t offset, uint64_t size);

/* The staging memory of one update of a mirror. */
typedef struct MurMirrorStaging {
    uint8_t *memory;
    uint64_t blocks, used;
} MurMirrorStaging;

/* The blocks in staging memory. list: the index of each block in its array; NULL: all, in order. */
typedef struct MurMirrorCopy {
    uint32_t *list;
    uint8_t *data;
    uint32_t count;
} MurMirrorCopy;

/* Takes the marks of array, and copies marked memory to staging. copy->count is 0 if nothing is
 * marked. If staging memory is too small, keeps the marks and returns false. */
bool mur_mirror_copy(MurMirrorArray *array, MurMirrorStaging *staging, MurMirrorCopy *copy);
/* Clears the marks that a copy has taken. Called after the copy was recorded. */
void mur_mirror_commit(MurMirrorArray *array);

#endif
