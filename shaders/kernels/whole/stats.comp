#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdStats. Phase 0, one workgroup, copies the header's counters and zeroes the other words.
// Phase 1, a bounded number of workgroups, scans the table. Each workgroup adds its sums once.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define PUSH MurStatsPush
#include "../kernel.glsl"

// Slots that an invocation examines per step: those with one home.
const uint SPAN = MUR_HOME_SLOTS(KERNEL_EVICTS);

// The words of MurStats. The 64-bit sum is two words with a carry.
shared uint sums[MUR_STATS_WORDS];

void sum(uint word, uint amount) {
    atomicAdd(sums[word], amount);
}

void sum_long(uint word, uint low, uint high) {
    uint old = atomicAdd(sums[word], low);
    atomicAdd(sums[word + 1u], high + (old + low < old ? 1u : 0u));
}

// Returns word i of the number of inserts that found no slot.
uint full_word(uint i) {
    uvec2 sum = uvec2(mur_input(push.table.address, MUR_HEADER_FAILED_INSERTS),
                      mur_input(push.table.address, MUR_HEADER_FAILED_INSERTS + 1u));
    for (uint j = 0u; KERNEL_EVICTS && j < MUR_COUNTERS; ++j) {
        uint carry;
        uint at = MUR_COUNTER_AT(KERNEL_FORMAT, push.table.flags, push.table.slotCount, j);
        sum.x = uaddCarry(sum.x, mur_input(push.table.address, at), carry);
        sum.y += mur_input(push.table.address, at + 1u) + carry;
    }
    return sum[i];
}

void reset() {
    uint word = gl_LocalInvocationIndex;
    if (word >= MUR_STATS_WORDS) {
        return;
    }
    uint start = 0u;
    if (word == MUR_STATS_STATE) {
        start = mur_input(push.table.address, MUR_HEADER_STATE);
    } else if (word == MUR_STATS_FAILED_INSERTS || word == MUR_STATS_FAILED_INSERTS + 1u) {
        start = full_word(word - MUR_STATS_FAILED_INSERTS);
    } else if (word == MUR_STATS_INVALID_VALUES || word == MUR_STATS_INVALID_VALUES + 1u) {
        start = mur_input(push.table.address,
                          MUR_HEADER_INVALID_VALUES + word - MUR_STATS_INVALID_VALUES);
    }
    mur_output(push.stats, word, start);
}

// Returns the word of MurStats that counts a slot: MUR_STATS_LIVE, _ERASED or _FREE_SLOTS. home
// (output): the number of the entry's home.
uint slot_kind(uint slot, out uint home) {
    home = 0u;
    if (slot >= push.table.slotCount && MUR_IS_SET(KERNEL_FORMAT)) {
        bool there = mur_set_extra(push.table)[slot - push.table.slotCount] != 0u;
        return there ? MUR_STATS_LIVE : MUR_STATS_FREE_SLOTS;
    }
    if (slot >= push.table.slotCount && KERNEL_FORMAT == MUR_FORMAT_K64V32) {
        return MUR_STATS_FREE_SLOTS;
    }
    uvec4 words = mur_slot_words(push.table, KERNEL_FORMAT, slot);
    uvec3 hash = mur_hash_in(push.table, KERNEL_FORMAT, words);
    home = mur_first_home(push.table, KERNEL_FORMAT, hash);
    bool live = MUR_IS_SET(KERNEL_FORMAT)
                    ? mur_has_key(push.table, KERNEL_FORMAT, words)
                    : mur_value_in(KERNEL_FORMAT, words) != mur_none(push.table, KERNEL_FORMAT);
    bool free = slot >= push.table.slotCount || mur_is_own(KERNEL_FORMAT, words, mur_free_words());
    return live ? MUR_STATS_LIVE : free ? MUR_STATS_FREE_SLOTS : MUR_STATS_ERASED;
}

// Returns the number of slots or homes that a find of the entry examines; 1 in a sentinel slot.
uint probe_length(uint slot, uint home) {
    if (slot >= push.table.slotCount) {
        return 1u;
    }
    if (KERNEL_EVICTS) {
        return slot / SPAN == home ? 1u : 2u;
    }
    return slot - home + (slot < home ? push.table.slotCount : 0u) + 1u;
}

void scan() {
    if (gl_LocalInvocationIndex < MUR_STATS_WORDS) {
        sums[gl_LocalInvocationIndex] = 0u;
    }
    barrier();

    uint stride = mur_invocations();
    uint live = 0u;
    uint erased = 0u;
    uint free = 0u;
    uint longest = 0u;
    uint low = 0u;
    uint high = 0u;
    uint first = mur_invocation();
    uint slots = push.table.slotCount + MUR_EXTRA_SLOTS(KERNEL_FORMAT);
    for (uint unit = first; unit < slots / SPAN + (slots % SPAN == 0u ? 0u : 1u); unit += stride) {
        uint taken = 0u;
        for (uint slot = SPAN * unit; slot < slots && slot - SPAN * unit < SPAN; ++slot) {
            uint home;
            uint kind = slot_kind(slot, home);
            if (kind == MUR_STATS_LIVE) {
                uint probe = probe_length(slot, home);
                uint carry;
                low = uaddCarry(low, probe, carry);
                high += carry;
                longest = max(longest, probe);
                ++live;
                if (!KERNEL_EVICTS) {
                    sum(MUR_STATS_HISTOGRAM + uint(findMSB(probe)), 1u);
                }
            } else if (kind == MUR_STATS_ERASED) {
                ++erased;
            } else {
                ++free;
            }
            taken += kind == MUR_STATS_FREE_SLOTS ? 0u : 1u;
        }
        if (KERNEL_EVICTS && SPAN * unit < push.table.slotCount) {
            sum(MUR_STATS_HISTOGRAM + taken, 1u);
        }
        if (unit > 0xFFFFFFFFu - stride) {
            break; // the next unit's number would wrap
        }
    }
    sum(MUR_STATS_LIVE, live);
    sum(MUR_STATS_ERASED, erased);
    sum(MUR_STATS_FREE_SLOTS, free);
    sum_long(MUR_STATS_PROBE_SUM, low, high);
    atomicMax(sums[MUR_STATS_PROBE_MAX], longest);
    barrier();

    uint word = gl_LocalInvocationIndex;
    if (word < MUR_STATS_WORDS && sums[word] != 0u) {
        uvec2 at = mur_offset(push.stats, word, 2u);
        if (word == MUR_STATS_PROBE_MAX) {
            atomicMax(MurCounter(at).word, sums[word]);
        } else if (word == MUR_STATS_PROBE_SUM) {
            uint old = atomicAdd(MurCounter(at).word, sums[word]);
            if (old + sums[word] < old) {
                atomicAdd(MurCounter(mur_offset(at, 1u, 2u)).word, 1u);
            }
        } else {
            atomicAdd(MurCounter(at).word, sums[word]);
        }
    }
}

void main() {
    if (push.phase == 0u) {
        reset();
    } else {
        scan();
    }
}
