#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdRehash, murCmdMerge: inserts each entry of the source; after a stream, only if that failed.
// Compiled once an atomic width, the format is the pipeline's; and once for rows.
// SPDX-License-Identifier: MIT
#define MUR_PLAIN_LOOKUPS // as in insert.comp
#define MUR_BUCKETS     2
#define MUR_BUCKETS_SOURCE
void pass_full(inout uint sector, inout uint left);
#define MUR_PASS_FULL(sector, left) pass_full(sector, left);
#include "../kernel.glsl"
#include "rehash.glsl"

shared uint sums[MUR_REHASH_WORDS];

// What this invocation adds to the result.
uint sum[MUR_REHASH_WORDS] = uint[](0u, 0u, 0u, 0u);

// Into an empty table, with scratch memory: a word a chunk, how many chunks from it on are known to
// be full. In order of hash, entries of a table that is nearly full come to rest far from home, and
// all would look at all slots between; so they pass over chunks that are full. No key comes twice.

// Has the insert under way looked at the chunk from its first sector on?
bool whole;

// How many chunks from this one on are full.
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
    if (full != 0u) { // the next to come here goes on at once
        atomicMax(MurCounter(mur_offset(push.scratch, chunk, 2u)).word, full);
    }
    return full;
}

// An insert has passed a sector. Where a chunk begins it goes on to one that is not known to be
// full.
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

#ifdef MUR_KERNEL_FORMAT // R32
// Rows of one table are not equal, and have their hashes there.
uint row_hash;
#define MUR_ROW_COUNT       MUR_ROW_QUERY
#define MUR_ROW_HASH(row)   row_hash
#define MUR_ROW_EQUAL(a, b) false
#include "../../murmuration/rows.glsl"
#endif

// Returns the entry's slot in the table, or MUR_NO_SLOT.
uint move(MurTableRef source, MurTableRef table, uint slot) {
    uint to = MUR_NO_SLOT;
    uvec3 key;
    uvec2 value;
    count_reads(1u);
    if (mur_slot_entry(source, KERNEL_FORMAT, slot, key, value)) {
        whole = false;
        count_reads(mur_wanted(push.scratch) ? MUR_SLOTS_OF(KERNEL_FORMAT) : 0u);
#ifdef MUR_KERNEL_FORMAT
        uvec3 hash = mur_slot_words(source, KERNEL_FORMAT, slot).xyz;
        row_hash = mur_key(hash.y, table.seed);
        mur_insert(MurRowsRef(table), key.x, key.y, to);
#else
        uvec3 hash = mur_hash_of(table, KERNEL_FORMAT, key);
        mur_insert_entry(table, KERNEL_FORMAT, key, value, push.mode, to);
#endif
        if (to == MUR_NO_SLOT) { // an update passes over keys that the table lacks
            sum[MUR_REHASH_FAILED] += push.mode == MUR_MODE_UPDATE ? 0u : 1u;
        } else {
            ++sum[MUR_REHASH_MOVED];
            if (mur_wanted(push.result) && to < mur_home_of(table, KERNEL_FORMAT, hash)) {
                sum[MUR_REHASH_STATE] = MUR_STATE_WRAPPED;
            }
        }
    } else if (slot < source.slotCount &&
               mur_is_claimed(source, KERNEL_FORMAT,
                              mur_slot_words(source, KERNEL_FORMAT, slot))) {
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
    source.flags |= push.source.flags & MUR_TABLE_BUCKETS;
    source.flags ^= (source.flags ^ push.source.flags) & MUR_TABLE_INT64;
    MurTableRef table = mur_kernel_table(push.table);
    uint slots = push.source.slotCount + MUR_EXTRA_SLOTS(KERNEL_FORMAT);
    uint stride = gl_NumWorkGroups.x * gl_NumWorkGroups.y * MUR_WORKGROUP;
    uint first = mur_workgroup() * MUR_WORKGROUP + gl_LocalInvocationIndex;
    // A large grid may have a few workgroups whose slots would wrap around.
    bool any = mur_workgroup() <= 0xFFFFFFFFu / MUR_WORKGROUP;
    for (uint slot = first; any && slot < slots; slot += stride) {
        mur_output(push.slotMap, slot, move(source, table, slot));
        if (slot > 0xFFFFFFFFu - stride) {
            break;
        }
    }
    if (first == 0u) {
        // What was true before a merge and stays true.
        sum[MUR_REHASH_STATE] |= MUR_STATE_WORD(table, MUR_HEADER_STATE) & MUR_STATE_WRAPPED;
    }
    if (mur_wanted(push.result)) {
        add_sums();
    }
}
