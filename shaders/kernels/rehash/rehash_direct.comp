#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdRehash, murCmdMerge: inserts the entries of the source one by one. After a stream, it does
// so only if the stream failed. The source may be of a type that evicts. Compiled once per table
// type and atomic width of the destination.
// SPDX-License-Identifier: MIT
#define MUR_NONCOHERENT_LOOKUPS // as in insert.comp
#define MUR_SHORT_PROBES // only merges by MUR_MODE_UPDATE look keys up
void pass_full(inout uint sector, inout uint left);
#define MUR_SKIP_FULL_SECTORS(sector, left) pass_full(sector, left);
#include "rehash.glsl"

shared uint sums[MUR_REHASH_WORDS];

// This invocation's part of the result.
uint sum[MUR_REHASH_WORDS] = uint[](0u, 0u, 0u, 0u);

// For inserts into an empty table, scratch memory has a word per chunk: the number of chunks from
// it on that are known to be full. If entries are inserted in the order of their hashes into a
// nearly full table, their slots are far from their home slots. Without these words, each insert
// would read all slots up to its own. Inserts may skip full chunks: no key is inserted twice.

// Has the current insert read this chunk from the first sector of the chunk on?
bool whole;

// Returns the number of chunks from this one on that are known to be full.
uint full_chunks(uint chunk, uint chunks) {
    uint full = 0u;
    uint step = 1u;
    while (step != 0u && full < chunks) {
        count_reads(1u);
        uint at = (chunk + full) % chunks;
        step = min(MurCounter(mur_offset(push.scratch, at, 2u)).word, chunks);
        full += step;
    }
    full = min(full, chunks);
    if (full != 0u) { // the next insert skips all of them at once
        atomicMax(MurCounter(mur_offset(push.scratch, chunk, 2u)).word, full);
    }
    return full;
}

// Called by an insert after each sector it passes. At the start of a chunk, skips full chunks.
void pass_full(inout uint sector, inout uint left) {
    if (!mur_wanted(push.scratch)) {
        return;
    }
    const uint slots = MUR_SLOTS_OF(KERNEL_FORMAT);
    count_reads(slots);
    if (sector % MUR_REHASH_CHUNK != 0u) {
        return;
    }
    uint chunks = chunk_count();
    uint chunk = sector / MUR_REHASH_CHUNK;
    if (whole) {
        uint passed = (chunk == 0u ? chunks : chunk) - 1u;
        atomicMax(MurCounter(mur_offset(push.scratch, passed, 2u)).word, 1u);
    }
    whole = true;
    uint full = full_chunks(chunk, chunks);
    uint to = (chunk + full) % chunks * MUR_REHASH_CHUNK;
    uint around = to < sector ? push.table.slotCount / slots : 0u;
    left = full == chunks ? 0u : left - min(left, to + around - sector);
    sector = to;
}

// Reads a slot of the source as words of a linear table. In tables that evict, values and tags are
// apart from 64-bit keys, and keys of sets have tags if 32-bit atomics wrote them.
uvec4 source_words(MurTableRef source, uint slot) {
    if (!MUR_IS_64(KERNEL_FORMAT) || !MUR_EVICTS(push.source.flags)) {
        return mur_slot_words(source, KERNEL_FORMAT, slot);
    }
    uvec4 words = uvec4(mur_pair(source, MUR_FORMAT_K64, MUR_HEADER_WORDS / 2u + slot), 0u, 0u);
    bool wide = KERNEL_FORMAT == MUR_FORMAT_K64 && (push.source.flags & MUR_TABLE_INT64) != 0u;
    if (KERNEL_FORMAT == MUR_FORMAT_K64V32) {
        words.z = mur_word(source, mur_beside(source, KERNEL_FORMAT, slot, 2u));
    }
    if (!wide && any(equal(words.xy, uvec2(0u)))) {
        words.w = mur_word(source, mur_beside(source, KERNEL_FORMAT, slot, 3u));
    }
    if (KERNEL_FORMAT == MUR_FORMAT_K64 && !wide) {
        bool tomb = (words.w & MUR_TAG_TOMB) != 0u;
        uvec2 hash = mur_hash_in(source, MUR_FORMAT_K64V32, words).xy;
        words.xy = words.x == MUR_TOMB                                 ? uvec2(MUR_TOMB, MUR_EMPTY)
                   : !mur_is_claimed(source, MUR_FORMAT_K64V32, words) ? uvec2(MUR_EMPTY)
                                                                       : hash;
        words.x = tomb ? MUR_TOMB : words.x;
    }
    return words;
}

// The rows of a row table differ, so inserts compare no rows and need only their stored hashes.
uint row_hash;
#define MUR_ROW_COUNT       MUR_ROW_QUERY
#define MUR_ROW_HASH(row)   row_hash
#define MUR_ROW_EQUAL(a, b) false
#include "../../murmuration/rows.glsl"

// Moves the entry of a slot. Returns the entry's slot in the table, or MUR_NO_SLOT.
uint move(MurTableRef source, MurTableRef table, uint slot) {
    uint to = MUR_NO_SLOT;
    count_reads(1u);
    bool beyond = slot >= source.slotCount; // a sentinel slot
    uvec4 words = uvec4(MUR_EMPTY);
    if (!beyond || !MUR_IS_SET(KERNEL_FORMAT)) {
        words = source_words(source, slot);
    }
    uvec3 hash = mur_hash_in(source, KERNEL_FORMAT, words);
    uvec2 value = mur_value_in(KERNEL_FORMAT, words);
    bool live = (beyond && KERNEL_FORMAT != MUR_FORMAT_K64V32) ||
                (!beyond && mur_has_key(source, KERNEL_FORMAT, words));
    if (!MUR_IS_SET(KERNEL_FORMAT)) {
        live = live && value != mur_none(source, KERNEL_FORMAT);
    } else if (beyond) {
        hash = mur_marker_of(slot - source.slotCount);
        live = mur_set_extra(source)[slot - source.slotCount] != 0u;
    }
    if (live) {
        whole = false;
        count_reads(mur_wanted(push.scratch) ? MUR_SLOTS_OF(KERNEL_FORMAT) : 0u);
        uvec3 key = mur_key_of(source, KERNEL_FORMAT, hash);
        if (KERNEL_FORMAT == MUR_FORMAT_R32) {
            row_hash = mur_key(hash.y, table.seed);
            mur_insert(MurRowsRef(table), key.x, key.y, to);
        } else {
            hash = mur_hash_of(table, KERNEL_FORMAT, key);
            mur_insert_entry(table, KERNEL_FORMAT, key, value, push.mode, to);
        }
        if (to == MUR_NO_SLOT) { // updates skip absent keys
            sum[MUR_REHASH_FAILED] += push.mode == MUR_MODE_UPDATE ? 0u : 1u;
        } else {
            ++sum[MUR_REHASH_MOVED];
            if (mur_wanted(push.result) && to < mur_home_of(table, KERNEL_FORMAT, hash)) {
                sum[MUR_REHASH_STATE] = MUR_STATE_WRAPPED;
            }
        }
    } else if (!beyond && mur_is_claimed(source, KERNEL_FORMAT, words)) {
        ++sum[MUR_REHASH_DROPPED];
    }
    return to;
}

void add_sums() {
    uint word = gl_LocalInvocationIndex;
    if (word < MUR_REHASH_WORDS) {
        sums[word] = 0u;
    }
    barrier();
    atomicAdd(sums[MUR_REHASH_MOVED], sum[MUR_REHASH_MOVED]);
    atomicAdd(sums[MUR_REHASH_DROPPED], sum[MUR_REHASH_DROPPED]);
    atomicAdd(sums[MUR_REHASH_FAILED], sum[MUR_REHASH_FAILED]);
    atomicOr(sums[MUR_REHASH_STATE], sum[MUR_REHASH_STATE]);
    barrier();
    if (word < MUR_REHASH_WORDS && sums[word] != 0u) {
        uvec2 at = mur_offset(push.result, word, 2u);
        if (word == MUR_REHASH_STATE) {
            atomicOr(MurCounter(at).word, sums[word]);
        } else {
            atomicAdd(MurCounter(at).word, sums[word]);
        }
    }
}

void main() {
    if (push.slice != 0u && mur_input(push.table.address, MUR_HEADER_STREAM) != MUR_STREAM_FAILED) {
        return;
    }
    MurTableRef source = mur_kernel_table(push.source);
    MurTableRef table = mur_kernel_table(push.table);
    uint slots = push.source.slotCount + MUR_EXTRA_SLOTS(KERNEL_FORMAT);
    uint stride = mur_invocations();
    uint first = mur_invocation();
    // The slot numbers of the last workgroups of a large grid could wrap.
    bool any = mur_workgroup() <= 0xFFFFFFFFu / MUR_WORKGROUP;
    for (uint slot = first; any && slot < slots; slot += stride) {
        mur_output(push.slotMap, slot, move(source, table, slot));
        if (slot > 0xFFFFFFFFu - stride) {
            break;
        }
    }
    if (first == 0u) {
        // Clusters that wrapped before a merge still wrap after it.
        sum[MUR_REHASH_STATE] |= MUR_HEADER_WORD(table, MUR_HEADER_STATE) & MUR_STATE_WRAPPED;
    }
    if (mur_wanted(push.result)) {
        add_sums();
    }
}
