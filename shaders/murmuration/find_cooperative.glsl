// Murmuration: lookups that the lanes of a subgroup do together, in tables of 32-bit keys and
// values.
//
// In a table that is full and not in order, a few probes are many times as long as most. A lane
// that probes alone then reads one sector after another while its neighbours wait. Here each lane
// probes alone for a few sectors only. Then all lanes serve those that still look for something:
// each of these gets a cluster of lanes, which reads as many consecutive sectors at once, and the
// first of them that ends the probe decides, as it would have alone. The fewer are left, the larger
// the clusters, but no faster than the probes have proved to be long, so that little is read in
// vain.
//
// The answers are those of mur_find and mur_find_slot, also beside other invocations' writes: slots
// never go back to empty or to another key, so the order in which a probe's sectors are read does
// not matter.
//
// Where: compute, task and mesh stages of devices that have the subgroup operations basic, ballot
// and shuffle there (VkPhysicalDeviceSubgroupProperties); any subgroup size; not fragment stages,
// whose helper invocations would be asked to read. How: all lanes that are active together call it,
// in control flow that is uniform in the subgroup, with the same table. Lanes that look for nothing
// pass wanted = false and help. Partly filled subgroups are welcome; if the active lanes have gaps
// between them, each probes alone.
//
// Macros, to tune: powers of two, MUR_COOP_MOST at most 32.
//
//   MUR_COOP_ALONE  Sectors that each lane probes alone, at least 1.
//   MUR_COOP_LANES  Lanes of the smallest cluster.
//   MUR_COOP_MOST   Lanes of the largest. The same as MUR_COOP_LANES: all clusters are of one size.
//
// SPDX-License-Identifier: MIT

#ifndef MUR_COOP_ALONE
#define MUR_COOP_ALONE 4
#endif
#ifndef MUR_COOP_LANES
#define MUR_COOP_LANES 4
#endif
#ifndef MUR_COOP_MOST
#define MUR_COOP_MOST 32
#endif
#if MUR_COOP_ALONE < 1 || MUR_COOP_LANES < 1 || MUR_COOP_MOST < MUR_COOP_LANES || MUR_COOP_MOST > 32
#error MUR_COOP_ALONE, MUR_COOP_LANES, MUR_COOP_MOST: 1 to 32, the last at least the one before
#endif

// One lane's probe, once the first sector is behind it.
struct MurProbe {
    uint hash;
    uint sector; // the next one
    uint left;   // sectors to go; 0: it has ended
    uint slot;   // what mur_find_in found
    uint value;
};

// Lane number n (from 0) of a set of lanes.
uint mur_nth_lane(uvec4 lanes, uint n) {
    uint bits = lanes.x;
    uint lane = 0u;
    [[unroll]] for (uint word = 1u; word < 4u; ++word) {
        uint count = uint(bitCount(bits));
        if (n >= count) {
            n -= count;
            bits = lanes[word];
            lane = 32u * word;
        }
    }
    [[unroll]] for (uint width = 16u; width != 0u; width >>= 1) {
        uint count = uint(bitCount(bits & ((1u << width) - 1u)));
        if (n >= count) {
            n -= count;
            bits >>= width;
            lane += width;
        }
    }
    return lane;
}

// The bits of an aligned cluster of at most 32 lanes, the first lane's lowest.
uint mur_cluster_bits(uvec4 lanes, uint first, uint size) {
    uint word = first < 32u ? lanes.x : first < 64u ? lanes.y : first < 96u ? lanes.z : lanes.w;
    return (word >> (first % 32u)) & (0xFFFFFFFFu >> (32u - size));
}

// Goes on for up to limit sectors, this lane alone.
void mur_probe_alone(MurTableRef t, bool ordered, uint start, uint limit, inout MurProbe probe) {
    for (; limit != 0u && probe.left != 0u; --limit) {
        bool ended = mur_find_in(t, probe.hash, probe.sector, start, ordered, probe.slot,
                                 probe.value);
        probe.left = ended ? 0u : probe.left - 1u;
        probe.sector = mur_next_sector(t, probe.sector);
        start = 0u;
    }
}

// One step of all lanes, 0 to lanes - 1, for those in waiting: clusters of 2^shift lanes.
void mur_probe_together(MurTableRef t, bool ordered, uvec4 waiting, uint lanes, uint shift,
                        inout MurProbe probe) {
    uint size = 1u << shift;
    uint served = min(subgroupBallotBitCount(waiting), lanes >> shift);
    // This lane reads for the probe that is served by its cluster.
    uint cluster = gl_SubgroupInvocationID >> shift;
    uint ahead = gl_SubgroupInvocationID & (size - 1u);
    bool serves = cluster < served;
    uint owner = serves ? mur_nth_lane(waiting, cluster) : gl_SubgroupInvocationID;
    uint hash = subgroupShuffle(probe.hash, owner);
    uint sector = subgroupShuffle(probe.sector, owner) + ahead;
    uint left = subgroupShuffle(probe.left, owner);
    uint sectors = t.slotCount / MUR_SECTOR_SLOTS;
    uint slot = MUR_NO_SLOT;
    uint value = mur_no_value(t);
    bool ends = false;
    if (serves && ahead < left) {
        sector -= sector < sectors ? 0u : sectors;
        ends = mur_find_in(t, hash, sector, 0u, ordered, slot, value);
    }
    uvec4 ending = subgroupBallot(ends);
    // And learns what its own probe's cluster has read.
    uint turn = subgroupBallotExclusiveBitCount(waiting);
    bool mine = probe.left != 0u && turn < served;
    uint first = mine ? turn << shift : 0u;
    uint bits = mine ? mur_cluster_bits(ending, first, size) : 0u;
    uint decider = bits != 0u ? first + uint(findLSB(bits)) : gl_SubgroupInvocationID;
    slot = subgroupShuffle(slot, decider);
    value = subgroupShuffle(value, decider);
    if (bits != 0u) {
        probe.slot = slot;
        probe.value = value;
        probe.left = 0u;
    } else if (mine) {
        probe.sector += size;
        probe.sector -= probe.sector < sectors ? 0u : sectors;
        probe.left -= min(size, probe.left);
    }
}

// The logarithm of the clusters' size, for so many lanes that wait.
uint mur_cluster_shift(uint lanes, uint waiting, uint most) {
    uint share = clamp(lanes / waiting, uint(MUR_COOP_LANES), most);
    return uint(findMSB(min(share, lanes)));
}

MurProbe mur_probe_cooperative(MurTableRef t, bool wanted, uint hash) {
    uint home = mur_home(hash, t.capacity);
    MurProbe probe = MurProbe(hash, home / MUR_SECTOR_SLOTS, wanted ? t.probeSectors : 0u,
                              MUR_NO_SLOT, mur_no_value(t));
    if (wanted && hash == MUR_EMPTY) {
        probe.slot = t.slotCount;
        probe.value = mur_pair(t, t.slotCount).y;
        probe.left = 0u;
    }
    // Probes in an ordered table are short, and no sooner done together.
    bool ordered = subgroupBroadcastFirst(mur_ordered(t));
    uvec4 present = subgroupBallot(true);
    uint lanes = subgroupBallotBitCount(present);
    bool gaps = lanes != subgroupBallotFindMSB(present) + 1u;
    uint alone = ordered || gaps ? t.probeSectors : uint(MUR_COOP_ALONE);
    mur_probe_alone(t, ordered, home % MUR_SECTOR_SLOTS, alone, probe);
    uvec4 waiting = subgroupBallot(probe.left != 0u);
    for (uint most = uint(MUR_COOP_LANES); waiting != uvec4(0u);
         most = min(2u * most, uint(MUR_COOP_MOST))) {
        uint shift = mur_cluster_shift(lanes, subgroupBallotBitCount(waiting), most);
        mur_probe_together(t, ordered, waiting, lanes, shift, probe);
        waiting = subgroupBallot(probe.left != 0u);
    }
    return probe;
}

// As mur_find_slot, together with the rest of the subgroup. Not wanted: MUR_NO_SLOT.
uint mur_find_slot_cooperative(MurTableRef t, bool wanted, uint key, out uint value) {
    MurProbe probe = mur_probe_cooperative(t, wanted, mur_hash(key, t.seed));
    value = probe.value;
    return value != mur_no_value(t) ? probe.slot : MUR_NO_SLOT;
}

// As mur_find, together with the rest of the subgroup. Not wanted: false.
bool mur_find_cooperative(MurTableRef t, bool wanted, uint key, out uint value) {
    value = mur_probe_cooperative(t, wanted, mur_hash(key, t.seed)).value;
    return value != mur_no_value(t);
}
