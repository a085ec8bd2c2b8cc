// What the kernels share that sort a batch by home slot, roughly: into at most MUR_SORT_BINS bins, by
// a counting sort. Direct commands on the sorted batch then go through the table from its start to its
// end, so that what they touch at one time fits the cache. Compiled for keys and values of 32 and of
// 64 bits.
//
// Include after murmuration.glsl and kernel.glsl.
//
// SPDX-License-Identifier: MIT

layout(push_constant) uniform MurPush {
    MurSortPush push;
};

uvec2 sort_input(uvec2 array, uint i, bool both) {
    if (both) {
        return MurPairPlain(mur_offset(array, i, 3u)).pair;
    }
    return uvec2(mur_input(array, i), 0u);
}

#ifdef MUR_SORT_MULTI
const bool WIDE_KEYS = false;

// Of the key's counter: where its value goes depends on an ordinal that nobody knows yet.
uint sort_home(uvec2 key) {
    return mur_home(mur_hash64(uvec2(key.x, 0u), push.table.seed).y, push.table.capacity);
}
#elif defined(MUR_KEYS_64)
const bool WIDE_KEYS = true;

uint sort_home(uvec2 key) {
    return mur_home(mur_hash64(key, push.table.seed).y, push.table.capacity);
}
#else
const bool WIDE_KEYS = false;

uint sort_home(uvec2 key) {
    return mur_home(mur_hash(key.x, push.table.seed), push.table.capacity);
}
#endif
#ifdef MUR_VALUES_64
const bool WIDE_VALUES = true;
#else
const bool WIDE_VALUES = false;
#endif

const uint ITEMS = MUR_SORT_ITEMS; // an invocation takes at a time
const uint TILE = ITEMS * MUR_WORKGROUP;

uint sort_count() {
    return mur_count_at(push.count, push.maxCount);
}

uint sort_bin(uvec2 key) {
    return sort_home(key) >> push.shift;
}
