/* Marks and copies changed memory of mirrors. host_mirror.h explains why no update misses a write.
 * SPDX-License-Identifier: MIT */
#include "host_mirror.h"

#include "../types/types.h"

#include <string.h>

MUR_STATIC_ASSERT(MUR_HOME_SLOTS(true) == 1 << 4);

/* Returns log2 of the number of slots in a unit, the smallest part of a table that is copied. */
HOST_INLINE uint32_t unit_shift(uint32_t kind) {
    return host_evicts(kind) ? 4 : 6 - MUR_SLOT_SHIFT(host_format(kind));
}

void mur_mirror_describe(const MurTableRef *ref, uint64_t bytes, MurMirrorArray *array) {
    *array = (MurMirrorArray){
        .bytes = bytes,
        .blocks = (uint32_t)((bytes + MUR_MIRROR_BLOCK - 1) / MUR_MIRROR_BLOCK),
    };
    if (ref) {
        const uint32_t kind = host_kind_of(ref->flags), format = host_format(kind);
        const uint32_t slots = ref->slotCount, words = MUR_MIRROR_BLOCK / 4;
        const bool split = host_evicts(kind);
        array->units = (uint32_t)(((uint64_t)slots + (1u << unit_shift(kind)) - 1) >>
                                  unit_shift(kind));
        array->keyBlocks = 1u << unit_shift(kind) << host_key_shift(kind) >> 6;
        array->besideBlocks = split ? MUR_BESIDE_WORDS(format, kind) : 0;
        array->besideStart = MUR_BESIDE_START(format, slots) / words;
        array->remainderStart = split ? MUR_FILTER_START(format, kind, slots) / words
                                      : MUR_MIRROR_HEADER + array->units;
    }
    array->marks = 1 + array->units + array->blocks - array->remainderStart;
}

static uint64_t mark_words(const MurMirrorArray *array) {
    return ((uint64_t)array->marks + 63) / 64;
}

uint64_t mur_mirror_mark_size(const MurMirrorArray *array) {
    return 2 * sizeof(uint64_t) * mark_words(array);
}

static void set_mark(void *marks, uint64_t i) {
    atomic_fetch_or_explicit((HostPair *)marks + i / 64, (uint64_t)1 << i % 64,
                             memory_order_release);
}

void mur_mirror_open(MurMirrorArray *array, void *marks, void *image) {
    array->pending = marks;
    array->table.pMarks = array->pending + mark_words(array);
    array->table.pImage = image;
    array->table.ref.flags |= HOST_MARKED;
    mur_host_mark_all(&array->table);
}

/* Marks the units that a find of the hash reads, from its home slot to its own or a free slot. */
HOST_INLINE void mark_probe(const HostView *view, uint32_t kind, void *marks, uint64_t hash) {
    const HostStored stored = host_stored(kind, hash);
    const uint32_t home = host_home(view, kind, hash), shift = unit_shift(kind);
    uint32_t slot = home, unit = slot >> shift;
    for (uint64_t left = host_reach(view, kind, home); left != 0; --left) {
        const HostAt at = host_slot(view, kind, slot);
        const uint64_t words = host_key_words(kind, at);
        if (words == host_free_words(kind) || host_is_own(kind, at, words, stored)) {
            break;
        }
        slot = host_next(view, slot);
        if (slot >> shift != unit) {
            set_mark(marks, 1 + (uint64_t)unit);
            unit = slot >> shift;
        }
    }
    set_mark(marks, 1 + (uint64_t)unit);
}

/* Marks the home that contains the hash, or both of its homes if neither contains it. If the hash
 * is in its second home, also marks the 64-byte block with the hash's bit of the filter. */
HOST_INLINE void mark_homes(const HostView *view, uint32_t kind, void *marks, uint64_t hash) {
    const uint32_t firsts[] = {host_home(view, kind, hash), host_second(view, kind, hash)};
    const uint32_t own = mur_find_own(view, hash, false), shift = unit_shift(kind);
    for (uint32_t i = 0; i < 2; ++i) {
        if (own == MUR_NO_SLOT || own >> shift == firsts[i] >> shift) {
            set_mark(marks, 1 + (firsts[i] >> shift));
        }
    }
    if (own != MUR_NO_SLOT && !host_is_in_first(view, kind, hash, own)) {
        uint32_t bit;
        const HostWord *word = host_filter_word(view, kind, hash, &bit);
        const size_t block = (size_t)(word - host_filter(view, 0)) * 4 / MUR_MIRROR_BLOCK;
        set_mark(marks, 1 + (view->ref.slotCount >> shift) + block);
    }
}

void mur_host_mark(const MurHostTable *table, uint64_t hash) {
    const HostView view = host_view(table);
    HOST_BY_KEY_KIND(host_kind(&view), {
        if (host_evicts(KIND)) {
            mark_homes(&view, KIND, table->pMarks, hash);
        } else {
            mark_probe(&view, KIND, table->pMarks, hash);
        }
    })
}

void mur_mirror_mark_bytes(const MurMirrorArray *array, uint64_t offset, uint64_t size) {
    const uint64_t first = mur_least(offset, array->bytes);
    const uint64_t end = first + mur_least(size, array->bytes - first);
    for (uint64_t i = first / MUR_MIRROR_BLOCK; i * MUR_MIRROR_BLOCK < end; ++i) {
        set_mark(array->table.pMarks, 1 + i);
    }
}

static uint32_t lowest_bit(uint64_t bits) {
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(bits);
#else
    uint32_t i = 0;
    for (; !(bits >> i & 1); ++i) {
    }
    return i;
#endif
}

/* Moves new marks to the pending marks, which the next copy uses. Returns the number of these. */
static uint64_t take_marks(const MurMirrorArray *array) {
    HostPair *marks = array->table.pMarks;
    uint64_t count = 0;
    for (uint64_t i = 0; i < mark_words(array); ++i) {
        if (atomic_load_explicit(marks + i, memory_order_relaxed) != 0) {
            array->pending[i] |= atomic_exchange_explicit(marks + i, 0, memory_order_acquire);
        }
        for (uint64_t bits = array->pending[i]; bits != 0; bits &= bits - 1) {
            ++count;
        }
    }
    return count;
}

static void copy_block(const MurMirrorArray *array, uint32_t block, MurMirrorCopy *copy) {
    const uint64_t at = (uint64_t)block * MUR_MIRROR_BLOCK;
    const size_t bytes = (size_t)mur_least(array->bytes - at, MUR_MIRROR_BLOCK);
    uint64_t *to = (uint64_t *)(void *)copy->data + at / 8;
    if (copy->list) {
        to = (uint64_t *)(void *)copy->data + (size_t)copy->count * (MUR_MIRROR_BLOCK / 8);
        copy->list[copy->count++] = block;
    }
    for (size_t i = bytes / 8; i-- != 0;) {
        to[i] = host_load_pair((uint8_t *)array->table.pImage + at + 8 * i);
    }
}

static void copy_unit(const MurMirrorArray *array, uint32_t unit, MurMirrorCopy *copy) {
    if (unit >= array->units) {
        copy_block(array, array->remainderStart + unit - array->units, copy);
        return;
    }
    for (uint32_t i = 0; i < array->besideBlocks; ++i) {
        copy_block(array, array->besideStart + unit * array->besideBlocks + i, copy);
    }
    for (uint32_t i = array->keyBlocks; i-- != 0;) {
        copy_block(array, MUR_MIRROR_HEADER + unit * array->keyBlocks + i, copy);
    }
}

static void copy_units(const MurMirrorArray *array, MurMirrorCopy *copy) {
    for (uint32_t first = 0; first < array->marks; first += 64) {
        uint64_t bits = copy->list ? array->pending[first / 64] : UINT64_MAX;
        bits &= first == 0 ? ~(uint64_t)1 : UINT64_MAX;
        for (; bits != 0 && first + lowest_bit(bits) < array->marks; bits &= bits - 1) {
            copy_unit(array, first + lowest_bit(bits) - 1, copy);
        }
    }
}

bool mur_mirror_copy(MurMirrorArray *array, MurMirrorStaging *staging, MurMirrorCopy *copy) {
    const uint32_t header = array->units != 0 ? MUR_MIRROR_HEADER : 0;
    const uint32_t each = array->units != 0 ? array->keyBlocks + array->besideBlocks : 1;
    const uint64_t marked = take_marks(array), most = marked * each + header;
    const uint64_t list = (4 * most + MUR_MIRROR_BLOCK - 1) / MUR_MIRROR_BLOCK;
    const bool all = (array->pending[0] & 1) != 0 || list + most >= array->blocks;
    *copy = (MurMirrorCopy){0};
    if (marked == 0) {
        return true;
    }
    if ((all ? array->blocks : list + most) > staging->blocks - staging->used) {
        return false;
    }
    uint8_t *memory = staging->memory + (size_t)staging->used * MUR_MIRROR_BLOCK;
    copy->list = all ? NULL : (uint32_t *)(void *)memory;
    copy->data = all ? memory : memory + list * MUR_MIRROR_BLOCK;
    copy_units(array, copy);
    for (uint32_t i = 0; i < header; ++i) {
        copy_block(array, i, copy);
    }
    copy->count = all ? array->blocks : copy->count;
    staging->used += copy->count + (all ? 0 : list);
    return true;
}

void mur_mirror_commit(MurMirrorArray *array) {
    memset(array->pending, 0, sizeof(uint64_t) * mark_words(array));
}
