// Sorts the values of a bin's groups. Include it after group_set.glsl.
// SPDX-License-Identifier: MIT

#define SORTED words
#include "group_sort.glsl"

// Sorts the values of each group. used: words of all groups. In a small group, each invocation
// counts the values that precede its own. Larger groups are sorted one by one, from a list after
// the groups; if the list does not fit, the bin has too many groups for a large one.
void sort_groups(uint used) {
    const uint LIST = 2u * ROOM - 1u; // index of the word with the list's length
    bool lists = used <= LIST - ROOM / MUR_GROUP_SMALL;
    uint to[ITEMS];
    if (lists) {
        words[LIST] = 0u;
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        uint count = rank[i] != NONE ? words[place[i]] : 0u;
        bool large = count > MUR_GROUP_SMALL;
        to[i] = NONE;
        if (large && leads(i)) {
            words[LIST - 1u - atomicAdd(words[LIST], 1u)] = place[i];
        } else if (!large && count > 1u) {
            to[i] = place[i] + 1u;
            for (uint j = 0u; j < count; ++j) {
                uint other = words[place[i] + 1u + j];
                to[i] += other < values[i] || (other == values[i] && j < rank[i]) ? 1u : 0u;
            }
        }
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < ITEMS; ++i) {
        if (to[i] != NONE) {
            words[to[i]] = values[i];
        }
    }
    for (uint i = 0u; lists && i < words[LIST]; ++i) {
        uint begin = words[LIST - 1u - i];
        sort_words(begin + 1u, words[begin]);
    }
    barrier();
}
