// How small tables are built without a third step. Windows count those that are done; whoever is the
// last sees whether some window had no place for some pairs, has the table to itself then, and inserts
// everything. What the windows wrote is a table that lacks some pairs. 32-bit atomics do, whatever the
// table's width. (Not by mur_upsert: its code, though it is not run, made builds 2 to 4% slower.)
//
// SPDX-License-Identifier: MIT

shared uint isAlone;

// Added by windows that lost pairs, in the word that counts.
const uint DONE_LOST = 1u << 16;

// Whether this is the last window and must insert everything. In uniform control flow.
bool ends_alone(bool lost, uint lane) {
    if (lane == 0u) {
        uint add = lost ? 1u + DONE_LOST : 1u;
        memoryBarrierBuffer();
        uint all = tile_count_up(MUR_TILE_DONE, add);
        isAlone = all > DONE_LOST && all % DONE_LOST == window_count() ? 1u : 0u;
    }
    barrier();
    return isAlone != 0u;
}

const uint ALONE_SECTORS = 4u; // read at once

// The first sector, or the one so many after it.
uint sector_after(uint sector, uint i) {
    uint sectors = push.table.slotCount / MUR_SECTOR_SLOTS; // at least two
    return (sector + i) % sectors;
}

// Which slots of some sectors the hash could have, as bits.
uint candidates(uint sector, uint hash) {
    uint found = 0u;
    [[unroll]] for (uint i = 0u; i < ALONE_SECTORS; ++i) {
        uint at = sector_after(sector, i);
        MurFour four = MurFour(mur_offset(mur_slots_address(push.table), at, 5u));
        uvec4 keys = uvec4(four.low.xz, four.high.xz);
        [[unroll]] for (uint k = 0u; k < MUR_SECTOR_SLOTS; ++k) {
            bool fits = keys[k] == MUR_EMPTY || keys[k] == hash;
            found |= fits ? 1u << (MUR_SECTOR_SLOTS * i + k) : 0u;
        }
    }
    return found;
}

// False: another key has claimed the slot meanwhile.
bool claim_alone(uint slot, uint home, uvec2 pair) {
    uvec2 at = mur_offset(mur_slots_address(push.table), slot, 3u);
    uint seen = atomicCompSwap(MurCounter(at).word, MUR_EMPTY, pair.x);
    if (seen != MUR_EMPTY && seen != pair.x) {
        return false;
    }
    mur_output(at, 1u, pair.y);
    if (slot < home) {
        atomicOr(MurCounter(mur_offset(push.table.address, MUR_HEADER_STATE, 2u)).word,
                 MUR_STATE_WRAPPED);
    }
    return true;
}

// The same sectors as finds look at: see mur_find_hash.
void insert_alone(uvec2 pair) {
    uint home = mur_home(pair.x, push.table.capacity);
    uint sector = home / MUR_SECTOR_SLOTS;
    uint wanted = ~0u << home % MUR_SECTOR_SLOTS;
    for (uint left = push.table.probeSectors; left != 0u; left -= min(left, ALONE_SECTORS)) {
        wanted &= ~0u >> (32u - MUR_SECTOR_SLOTS * min(left, ALONE_SECTORS));
        for (uint found = candidates(sector, pair.x) & wanted; found != 0u; found &= found - 1u) {
            uint i = uint(findLSB(found));
            uint slot = MUR_SECTOR_SLOTS * sector_after(sector, i / MUR_SECTOR_SLOTS) +
                        i % MUR_SECTOR_SLOTS;
            if (claim_alone(slot, home, pair)) {
                return;
            }
        }
        sector = sector_after(sector, ALONE_SECTORS);
        wanted = ~0u;
    }
    uvec2 full = mur_offset(push.table.address, MUR_HEADER_FULL, 2u);
    atomicAdd(MurCounter(full).word, 1u); // fewer pairs than 2^32
}

void insert_all_alone(uint lane) {
    memoryBarrierBuffer();
    if (lane == 0u) {
        uvec2 state = mur_offset(push.table.address, MUR_HEADER_STATE, 2u);
        atomicAnd(MurCounter(state).word, ~MUR_STATE_ORDERED);
    }
    uint none = mur_no_value(push.table);
    uint count = tile_items();
    for (uint item = lane; item < count; item += MUR_WORKGROUP) {
        uvec2 pair = uvec2(mur_input(push.keys, item), mur_input(push.values, item));
        pair.x = mur_hash(pair.x, push.table.seed);
        if (pair.x != MUR_EMPTY && pair.y != none) { // else see settle_others
            insert_alone(pair);
        }
    }
}
