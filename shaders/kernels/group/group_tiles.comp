#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdGroup: pairs that a workgroup takes together are grouped in shared memory, by a set of
// their keys. Three kernels. BINS: a workgroup takes one bin, makes its groups, writes them and
// inserts their keys. A bin that is too large for that is cut into tiles instead. COUNT: each tile
// inserts its keys, and the values of their slots count the pairs of all tiles, starting with what
// means "absent"; once they have become offsets, PLACE: each tile writes its values into the
// groups. Compiled once a format and atomic width.
// SPDX-License-Identifier: MIT
#include "../../murmuration.glsl"
#include "../kernel.glsl"
#include "group.glsl"

const bool BINS = MUR_VARIANT == MUR_GROUP_BINS;
const bool COUNT = MUR_VARIANT == MUR_GROUP_COUNT;
#define GROUP_VALUES (!COUNT)
#include "group_set.glsl"

// Where a bin's pairs begin and end, and a tile's.
uvec2 bin_range(uint bin) {
    if (!mur_wanted(push.counters)) {
        return uvec2(0u, mur_count_at(push.count, push.maxCount));
    }
    uint begin = bin == 0u ? 0u : mur_input(push.counters, bin - 1u);
    return uvec2(begin, max(begin, mur_input(push.counters, bin)));
}

uvec2 tile_range(uint tile) {
    return MurPairPlain(mur_offset(push.tiles, tile, 3u)).pair;
}

void cut(uvec2 range) {
    uint tiles = (range.y - range.x - 1u) / ROOM + 1u;
    if (gl_LocalInvocationIndex == 0u) {
        SHARED = atomicAdd(SCRATCH(MUR_GROUP_TILES), tiles);
    }
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < tiles; i += MUR_WORKGROUP) {
        uint begin = range.x + i * ROOM;
        MurPairOut(mur_offset(push.tiles, SHARED + i, 3u)).pair =
            uvec2(begin, begin + min(range.y - begin, ROOM));
    }
}

// What a group of count pairs with this key has as its value, and where its entry is then.
uint insert(MurTableRef table, uvec2 key, uint value, uint count, out uint slot) {
    const uint mode = BINS ? MUR_MODE_ASSIGN : MUR_MODE_KEEP;
    uvec2 old;
    uint status = mur_insert_entry(table, KERNEL_FORMAT, uvec3(key, 0u), uvec2(value, 0u), mode,
                                   slot, old);
    if (status == MUR_FULL) {
        mur_count(table, MUR_HEADER_FULL, count - 1u); // the key was counted
    }
    return status;
}

// The whole bin: its groups, side by side.
void write_groups(MurTableRef table) {
    uint share = 0u;
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        share += leads(i) ? words[item_of(i)] + 1u : 0u;
    }
    uvec2 all;
    uint begin = reserve(share, push.groups, all);
    uint counts[ITEMS]; // of the pairs that this one's lead
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        counts[i] = leads(i) ? words[item_of(i)] : 0u;
        if (leads(i)) {
            uint slot;
            if (!group_fits(begin, counts[i] + 1u)) {
                mur_count(table, MUR_HEADER_FULL, counts[i]);
            } else {
                insert(table, keys[i], begin, counts[i], slot);
            }
            words[item_of(i)] = begin - all.x;
            begin += counts[i] + 1u;
        }
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        leader[i] = leader[i] != NONE ? words[leader[i]] : NONE; // now where its group begins
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (leader[i] != NONE) {
            words[leader[i] + 1u + rank[i]] = values[i];
            if (counts[i] != 0u) {
                words[leader[i]] = counts[i];
            }
        }
    }
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < all.y; i += MUR_WORKGROUP) {
        if (group_fits(all.x + i, 1u)) {
            GROUPS(all.x + i) = words[i];
        }
    }
}

// A tile's keys: a slot's first claim lists it, for group_offsets.comp.
void count_pairs(MurTableRef table) {
    uint claimed[ITEMS];
    uint share = 0u;
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        claimed[i] = MUR_NO_SLOT;
        if (leads(i)) {
            uint count = words[item_of(i)], slot;
            uint status = insert(table, keys[i], mur_no_value(table) + count, count, slot);
            if (status == MUR_INSERTED) {
                claimed[i] = slot;
                ++share;
            } else if (status == MUR_EXISTED) {
                mur_apply(table, KERNEL_FORMAT, slot, 0u, uvec2(count, 0u), MUR_MODE_ADD);
            }
        }
    }
    uvec2 all;
    uint place = reserve(share, mur_offset(push.scratch, MUR_GROUP_KEYS, 2u), all);
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (claimed[i] != MUR_NO_SLOT) {
            mur_output(push.slots, place, claimed[i]);
            ++place;
        }
    }
}

// The count of a group, zero at first, tells where this tile's values go.
void place_values(MurTableRef table) {
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (leads(i)) {
            uvec2 first;
            bool there = mur_find_entry(table, KERNEL_FORMAT, uvec3(keys[i], 0u), first) !=
                         MUR_NO_SLOT;
            uint count = words[item_of(i)];
            words[item_of(i)] = there ? first.x + 1u + atomicAdd(GROUPS(first.x), count) : 0u;
        }
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint place = leader[i] != NONE ? words[leader[i]] : 0u;
        if (place != 0u) {
            GROUPS(place + rank[i]) = values[i];
        }
    }
}

void main() {
    MurTableRef table = mur_kernel_table(push.table);
    table.flags |= MUR_TABLE_HOME_FIRST;
    uint stride = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
    uint total = BINS ? push.bins : mur_input(push.scratch, MUR_GROUP_TILES);
    for (uint i = mur_workgroup(); i < total; i += stride) {
        uvec2 range = BINS ? bin_range(i) : tile_range(i);
        uint count = range.y - range.x;
        if (BINS && count > ROOM) {
            cut(range);
        } else if (count != 0u && count <= ROOM) {
            read_pairs(range);
            find_leaders(count);
            if (BINS) {
                write_groups(table);
            } else if (COUNT) {
                count_pairs(table);
            } else {
                place_values(table);
            }
        }
        barrier();
    }
}
