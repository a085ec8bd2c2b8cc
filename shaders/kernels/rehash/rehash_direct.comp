#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdRehash, murCmdMerge: inserts each entry of the source; after a stream, only if that failed.
// Compiled once a format and atomic width, which are constants here.
// SPDX-License-Identifier: MIT
#include "../../murmuration.glsl"
#include "../kernel.glsl"
#include "rehash.glsl"

#ifdef MUR_KERNEL_FORMAT
#include "../format_kernel.glsl"
#endif

shared uint sums[MUR_REHASH_WORDS];

// What this invocation adds to the result.
uint sum[MUR_REHASH_WORDS] = uint[](0u, 0u, 0u, 0u);

// For each kind of slot: entry_of() says whether an entry of the source lives in a slot, and, if
// not, whether it is an erased key's; insert() puts it into the table; home() is its home there.
#ifdef MUR_KERNEL_FORMAT
const uint FORMAT = MUR_KERNEL_FORMAT;
#define Key  uvec3
#define Word uvec2

bool entry_of(uint slot, out Key key, out Word value, out bool erased) {
    MurTableRef source = mur_kernel_table(push.source);
    bool live = mur_slot_entry(source, FORMAT, slot, key, value);
    erased = !live && slot < source.slotCount &&
             mur_is_claimed(FORMAT, mur_slot_words(source, FORMAT, slot));
    return live;
}

void insert(MurTableRef table, Key key, Word value, out uint to) {
    mur_insert_entry(table, FORMAT, key, value, push.mode, to);
}

uint home(MurTableRef table, Key key) {
    return mur_home_of(table, FORMAT, mur_hash_of(table, FORMAT, key));
}

MurTableRef destination() {
    return mur_kernel_table(push.table);
}
#else
const uint FORMAT = MUR_FORMAT_K32V32;
#define Key  uint
#define Word uint

bool entry_of(uint slot, out Key key, out Word value, out bool erased) {
    Slot pair = source_slot(slot);
    key = mur_key(hash_of(pair), push.source.seed);
    value = value_of(pair);
    erased = slot < push.source.slotCount && !is_free(pair) && !is_live(pair);
    return is_live(pair);
}

void insert(MurTableRef table, Key key, Word value, out uint to) {
    mur_insert_mode(table, key, value, push.mode, to);
}

uint home(MurTableRef table, Key key) {
    return mur_home(mur_hash(key, table.seed), table.capacity);
}

MurTableRef destination() {
    MurTableRef table = push.table;
#ifdef MUR_INT64_ATOMICS
    table.flags |= MUR_TABLE_INT64;
#endif
    return table;
}
#endif

// Returns the entry's slot in the table, or MUR_NO_SLOT.
uint move(MurTableRef table, uint slot) {
    uint to = MUR_NO_SLOT;
    Key key;
    Word value;
    bool erased;
    if (entry_of(slot, key, value, erased)) {
        insert(table, key, value, to);
        if (to == MUR_NO_SLOT) { // an update passes over keys that the table lacks
            sum[MUR_REHASH_FAILED] += push.mode == MUR_MODE_UPDATE ? 0u : 1u;
        } else {
            ++sum[MUR_REHASH_MOVED];
            if (mur_wanted(push.result) && to < home(table, key)) {
                sum[MUR_REHASH_STATE] = MUR_STATE_WRAPPED;
            }
        }
    } else if (erased) {
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
    MurTableRef table = destination();
    uint slots = push.source.slotCount + MUR_EXTRA_SLOTS(FORMAT);
    uint stride = gl_NumWorkGroups.x * gl_NumWorkGroups.y * MUR_WORKGROUP;
    uint first = mur_workgroup() * MUR_WORKGROUP + gl_LocalInvocationIndex;
    // A large grid may have a few workgroups whose slots would wrap around.
    bool any = mur_workgroup() <= 0xFFFFFFFFu / MUR_WORKGROUP;
    for (uint slot = first; any && slot < slots; slot += stride) {
        mur_output(push.slotMap, slot, move(table, slot));
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
