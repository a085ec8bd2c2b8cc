// Murmuration: row tables in shaders (<murmuration/rows.h>). Include this after murmuration.glsl
// and after three macros. A shader has one array of rows. The manual's page rows.md has examples:
//     #define MUR_ROW_COUNT       a uint: number of rows in the array, at most MUR_ROW_QUERY
//     #define MUR_ROW_HASH(row)   a uint; equal rows have equal hashes
//     #define MUR_ROW_EQUAL(a, b) a bool; a: the row of the call, b: a row of the table
// Row numbers are below MUR_ROW_COUNT. row and a can also be MUR_ROW_QUERY, a row that is in no
// array. The library passes no other numbers to the macros, even if the table is damaged. The
// macros can use every name of the engine: they expand in functions with mur_* names only. For rows
// that are compared bit for bit, use mur_row_hash and mur_row_equal, with mur_row_address.
//
// Calls; R is MurRowsRef with the table's reference. there: the equal row in the table, or
// MUR_NO_ROW.
//     bool mur_find(R, uint row, out uint there)
//     uint mur_insert(R, uint row, out uint there[, out uint slot])   MUR_INSERTED (there is row),
//                                  MUR_EXISTED, MUR_FULL, MUR_UNSUPPORTED, MUR_INVALID_VALUE
//     uint mur_erase(R, uint row, out uint there)        MUR_ERASED, MUR_ABSENT, MUR_UNSUPPORTED
//
// Why equal rows never have two slots, and no row is lost. A compare-and-swap claims word 0 of a
// slot for a row number; then the hash is written to word 1, once. For each row a slot is open
// (unclaimed), own (an equal row's) or closed (another row's, or a tombstone). A slot changes from
// open to own or closed, and from own to closed, never back. A stale read of word 1 returns "not
// yet written" or the hash of the row that claimed the slot, and rows in the table do not change.
// Equal rows have equal hashes, so their inserts examine the same slots in the same order. They
// pass a slot only if it is closed: by another hash, a tombstone, or a comparison. If it seems
// open, the compare-and-swap decides. An insert that claims a slot has read all slots before it as
// closed, which is final. A find passes the same slots, so it misses no row.
// SPDX-License-Identifier: MIT
#ifndef MUR_MURMURATION_ROWS_GLSL
#define MUR_MURMURATION_ROWS_GLSL

#include "rows_layout.h"

#if !defined(MUR_ROW_COUNT) || !defined(MUR_ROW_HASH) || !defined(MUR_ROW_EQUAL)
#error "rows.glsl needs MUR_ROW_COUNT, MUR_ROW_HASH(row) and MUR_ROW_EQUAL(a, b)"
#endif

MUR_STRUCT(MurRowsRef) {
    MurTableRef table;
};

#ifndef MUR_BUFFER_BINDING
uvec2 mur_row_address(uvec2 rows, uint row, uint stride) {
    uint high, low;
    MUR_MULTIPLY(row, stride, high, low);
    return mur_offset(rows, low, 2u) + uvec2(0u, high << 2);
}

// Reads words i to i + 3 of a row, with 0 after its last word; by one read if they are aligned.
uvec4 mur_row_words(uvec2 row, uint i, uint words) {
    uvec2 at = mur_offset(row, i, 2u);
    if ((at.x & 15u) == 0u && i + 4u <= words) {
        return MurHalvesPlain(at).halves[0];
    }
    uvec4 some = uvec4(0u);
    for (uint j = 0u; j < min(words - i, 4u); ++j) {
        some[j] = MurWordPlain(mur_offset(at, j, 2u)).word;
    }
    return some;
}

uint mur_row_hash(uvec2 row, uint words) {
    uint hash = 0u;
    for (uint i = 0u; i < words; i += 4u) {
        uvec4 some = mur_row_words(row, i, words);
        hash = mur_hash_word(mur_hash_word(hash, some.x), some.y);
        hash = mur_hash_word(mur_hash_word(hash, some.z), some.w);
    }
    return hash;
}

bool mur_row_equal(uvec2 a, uvec2 b, uint words) {
    uint i = 0u;
    while (i < words && mur_row_words(a, i, words) == mur_row_words(b, i, words)) {
        i += 4u;
    }
    return i >= words;
}
#endif

// The three macros expand only here, where no local name can hide a name that they use.
uint mur_macro_count() {
    return MUR_ROW_COUNT;
}
uint mur_macro_hash(uint mur_row) {
    return MUR_ROW_HASH(mur_row);
}
bool mur_macro_equal(uint mur_a, uint mur_b) {
    return MUR_ROW_EQUAL(mur_a, mur_b);
}

// A probe for a row: its stored hash, home slot, current slot, number of slots left; the row in the
// current slot. told: the result of an atomic on that slot; MUR_EMPTY: no atomic yet.
struct MurRowProbe {
    uint hash, home, slot, left, told, row;
};

MurRowProbe mur_begin_rows(MurTableRef t, uint row) {
    const uint slots = MUR_SLOTS_OF(MUR_FORMAT_R32);
    MurRowProbe p = MurRowProbe(0u, 0u, 0u, 0u, MUR_EMPTY, 0u);
    bool valid = row == MUR_ROW_QUERY || row < mur_macro_count();
    if (valid && mur_matches_format(t, MUR_FORMAT_R32)) {
        p.hash = mur_row_stored(mur_macro_hash(row), t.seed);
        p.slot = p.home = mur_home(p.hash, t.capacity);
        p.left = slots * t.probeSectors - p.home % slots;
    }
    return p;
}

// Moves to the first slot that is free or has an equal row, from the current one on. An iteration
// processes a sector, up to a row to compare: software devices limit the number of iterations.
bool mur_next_row(MurTableRef t, uint row, inout MurRowProbe p) {
    const uint slots = MUR_SLOTS_OF(MUR_FORMAT_R32);
    while (p.left != 0u) {
        uvec4 low, high;
        mur_sector(t, MUR_FORMAT_R32, p.slot / slots, low, high);
        uvec4 rows = uvec4(low.xz, high.xz), hashes = uvec4(low.yw, high.yw);
        uint lane = p.slot % slots;
        rows[lane] = p.told == MUR_EMPTY ? rows[lane] : p.told;
        hashes[lane] = p.told == MUR_EMPTY ? hashes[lane] : 0u;
        p.told = MUR_EMPTY;
        uint alike = mur_words_with(hashes, 0u) | mur_words_with(hashes, p.hash);
        alike = mur_words_with(rows, MUR_EMPTY) | (alike & ~mur_words_with(rows, MUR_TOMB));
        uint passed = min(uint(findLSB(alike >> lane)), slots - lane); // findLSB(0) is -1
        p.slot += passed;
        p.left -= passed;
        if (passed != slots - lane) {
            p.row = rows[lane + passed];
            bool there = p.row < mur_macro_count();
            if (p.row == MUR_EMPTY || there && (p.row == row || mur_macro_equal(row, p.row))) {
                return true;
            }
            ++p.slot;
            --p.left;
        }
        p.slot = p.slot == t.slotCount ? 0u : p.slot;
    }
    return false;
}

bool mur_find(MurRowsRef r, uint row, out uint there) {
    MurRowProbe p = mur_begin_rows(r.table, row);
    there = mur_next_row(r.table, row, p) ? p.row : MUR_NO_ROW; // free slots: also MUR_NO_ROW
    return there != MUR_NO_ROW;
}

#ifndef MUR_READ_ONLY
uint mur_insert(MurRowsRef r, uint row, out uint there, out uint slot) {
    there = MUR_NO_ROW;
    slot = MUR_NO_SLOT;
    if (!mur_matches_format(r.table, MUR_FORMAT_R32)) {
        return MUR_UNSUPPORTED;
    }
    if (row >= min(mur_macro_count(), MUR_ROW_QUERY)) {
        mur_count(r.table, MUR_HEADER_INVALID_VALUES, 1u);
        return MUR_INVALID_VALUE;
    }
    MurRowProbe p = mur_begin_rows(r.table, row);
    while (mur_next_row(r.table, row, p)) {
        slot = p.slot;
        there = p.row;
        if (there != MUR_EMPTY) { // the slot was read coherently, which is sufficient
            return MUR_EXISTED;
        }
        p.told = atomicCompSwap(MUR_SLOT_WORD(r.table, MUR_FORMAT_R32, p.slot, 0u), MUR_EMPTY, row);
        if (p.told == MUR_EMPTY) {
            atomicExchange(MUR_SLOT_WORD(r.table, MUR_FORMAT_R32, p.slot, 1u), p.hash);
            mur_note_claim(r.table, p.home, p.slot, 0u);
            there = row;
            return MUR_INSERTED;
        }
    }
    mur_count(r.table, MUR_HEADER_FAILED_INSERTS, 1u);
    slot = MUR_NO_SLOT;
    return MUR_FULL;
}

uint mur_insert(MurRowsRef r, uint row, out uint there) {
    uint slot;
    return mur_insert(r, row, there, slot);
}

uint mur_erase(MurRowsRef r, uint row, out uint there) {
    there = MUR_NO_ROW;
    if (!mur_matches_format(r.table, MUR_FORMAT_R32)) {
        return MUR_UNSUPPORTED;
    }
    MurRowProbe p = mur_begin_rows(r.table, row);
    while (mur_next_row(r.table, row, p) && p.row != MUR_EMPTY) {
        p.told = mur_bury(r.table, MUR_FORMAT_R32, p.slot, uvec2(p.row, 0u)).x;
        if (p.told == p.row) {
            there = p.row;
            return MUR_ERASED;
        }
    }
    return MUR_ABSENT;
}
#endif

#endif
