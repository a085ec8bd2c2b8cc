// Shared by the kernels that sort a batch by home slot into at most MUR_SORT_BINS bins (counting
// sort). Direct commands on the sorted batch then access the table from its start to its end, so
// the slots that they access at one time fit the cache. murCmdGroup uses these kernels too, also
// for a second split, which divides each bin. Compiled for keys and values of 32 and of 64 bits.
// SPDX-License-Identifier: MIT

#define PUSH MurSortPush
#include "../kernel.glsl"

uvec2 sort_input(uvec2 array, uint i, bool both) {
    if (both) {
        return MurPairPlain(mur_offset(array, i, 3u)).pair;
    }
    return uvec2(mur_input(array, i), 0u);
}

const bool WIDE_KEYS = MUR_IS_64(mur_constant_format);
const bool WIDE_VALUES = MUR_HAS_WIDE_VALUES(mur_constant_format);

uint sort_home(uvec2 key) {
    uvec3 hash = mur_hash_of(push.table, mur_constant_format, uvec3(key, 0u));
    return mur_home_of(push.table, mur_constant_format, hash);
}

const uint ITEMS = MUR_SORT_ITEMS; // per invocation and tile
const uint TILE = ITEMS * MUR_WORKGROUP;

uint sort_count() {
    return mur_count_at(push.count, push.maxCount);
}

uint sort_bin(uvec2 key) {
    return (sort_home(key) >> push.shift) & push.mask;
}

// Returns the index at which bin i of the first split begins.
uint coarse_begin(uint i) {
    return i == 0u ? 0u : mur_input(push.coarse, i - 1u);
}

// The items that a workgroup processes at a time; in a second split, of one bin of the first split.
struct SortPart {
    uint begin;
    uint end; // equal to begin if there are no items
    uvec2 counters;
};

shared uint part_bin;

// Returns part i. Parts end at multiples of TILE and, in a second split, at the ends of the first
// split's bins. So the first part of bin b is part coarse_begin(b) / TILE + b: each invocation
// checks for one bin whether part i is in it. In a second split, a workgroup must call this
// function only once, in uniform control flow.
SortPart sort_part(uint i) {
    uint end = sort_count();
    if (!mur_wanted(push.coarse)) {
        uint begin = i > 0xFFFFFFFFu / TILE ? end : min(i * TILE, end);
        return SortPart(begin, begin + min(end - begin, TILE), push.counters);
    }
    uint bin = gl_LocalInvocationIndex;
    if (bin < push.coarseBins && coarse_begin(bin) / TILE + bin <= i &&
        (bin + 1u == push.coarseBins || i <= mur_input(push.coarse, bin) / TILE + bin)) {
        part_bin = bin;
    }
    barrier();
    bin = part_bin;
    uint tile = (i - bin) * TILE;
    end = mur_input(push.coarse, bin);
    uint begin = min(max(coarse_begin(bin), tile), end);
    return SortPart(begin, begin + min(end - begin, TILE - (begin - tile)),
                    mur_offset(push.counters, bin * (push.mask + 1u), 2u));
}
