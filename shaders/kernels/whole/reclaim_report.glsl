// What murCmdReclaim and murCmdAge tell: numbers, lists of slots, and arguments of a dispatch.
//
// Include after reclaim.glsl.
//
// SPDX-License-Identifier: MIT

// Of the workgroup, two a word: entries that stay and listed slots; freed and kept slots.
shared uint counts[2];
// Of those before it, in that order.
shared uint bases[4];

// Workgroups for the entries listed so far: the last workgroup of this kernel to ask knows all.
void dispatch_for(uint live) {
    uint listed = mur_wanted(push.live) ? min(live, push.maxLive) : live;
    if (listed != 0u && push.groupEntries != 0u) {
        uint groups = (listed - 1u) / push.groupEntries + 1u;
        atomicMax(MurCounter(mur_offset(push.result, MUR_AGE_DISPATCH, 2u)).word,
                  min(groups, MUR_AGE_ROW));
        if (groups > MUR_AGE_ROW) {
            atomicMax(MurCounter(mur_offset(push.result, MUR_AGE_DISPATCH + 1u, 2u)).word,
                      (groups - 1u) / MUR_AGE_ROW + 1u);
        }
    }
}

void write_list(uvec2 list, uint lanes, uint first, uint at, uint room) {
    for (; lanes != 0u && at < room && mur_wanted(list); lanes &= lanes - 1u) {
        mur_output(list, at++, first + uint(findLSB(lanes)));
    }
}

// Adds the workgroup's slots to a MurAgeResult, or to a MurReclaimResult, which is the end of one.
// In uniform control flow.
void report(Sector s, uint freed) {
    if (!mur_wanted(push.result)) {
        return;
    }
    uint lane = gl_LocalInvocationIndex;
    uint listed = ages() ? s.gone : freed;
    uint entries = uint(bitCount(s.live) | bitCount(listed) << 16);
    uint slots = uint(bitCount(freed) | bitCount(s.spare & ~freed) << 16);
    uint before = entries == 0u ? 0u : atomicAdd(counts[0], entries);
    if (slots != 0u) {
        atomicAdd(counts[1], slots);
    }
    barrier();
    uint first = ages() ? 0u : 2u;
    if (lane >= first && lane < 4u) {
        uint count = counts[lane / 2u] >> lane % 2u * 16u & 0xFFFFu;
        uint word = lane - first + (ages() ? MUR_AGE_LIVE : MUR_RECLAIM_FREED);
        if (count != 0u) {
            bases[lane] = atomicAdd(MurCounter(mur_offset(push.result, word, 2u)).word, count);
        }
        if (count != 0u && lane == 0u) {
            dispatch_for(bases[0] + count);
        }
    }
    barrier();
    write_list(push.live, s.live, s.first, bases[0] + (before & 0xFFFFu), push.maxLive);
    write_list(push.slots, listed, s.first, bases[ages() ? 1u : 2u] + (before >> 16),
               push.maxCount);
}
