// Murmuration: MUR_SUBGROUP_COMBINE. If several invocations of a subgroup insert the same key into
// the same table in the same mode at the same time, one inserts for all of them.
//
// In each round the first remaining invocation broadcasts its key; all invocations with this key
// are a group and leave the loop. After the rounds, which access no memory, the leaders of groups
// and the remaining invocations insert. A few rounds suffice, because frequent keys come early.
// SPDX-License-Identifier: MIT

#ifdef MUR_SUBGROUP_COMBINE
const uint MUR_COMBINE_ROUNDS = 8u;

// Returns the value that a group inserts, as if its invocations inserted in the order of their
// numbers. The first of them reports the table's result.
uvec2 mur_join(uint format, uvec4 group, bool member, uvec2 value, uint mode) {
    bool wide = MUR_HAS_WIDE_VALUES(format);
    uvec2 total = value;
    switch (mode) {
    case MUR_MODE_ADD: {
        // Adds 16-bit halves of words separately, to compute the carries.
        uint low = subgroupAdd(member ? value.x & 0xFFFFu : 0u);
        uint high = subgroupAdd(member ? value.x >> 16 : 0u) + (low >> 16);
        total.x = (high << 16) | (low & 0xFFFFu);
        if (wide) {
            total.y = subgroupAdd(member ? value.y : 0u) + (high >> 16);
        }
        break;
    }
    case MUR_MODE_MIN:
        if (wide) {
            total.y = subgroupMin(member ? value.y : 0xFFFFFFFFu);
        }
        total.x = subgroupMin(member && value.y == total.y ? value.x : 0xFFFFFFFFu);
        break;
    case MUR_MODE_MAX:
        if (wide) {
            total.y = subgroupMax(member ? value.y : 0u);
        }
        total.x = subgroupMax(member && value.y == total.y ? value.x : 0u);
        break;
    case MUR_MODE_OR:
        total.x = subgroupOr(member ? value.x : 0u);
        if (wide) {
            total.y = subgroupOr(member ? value.y : 0u);
        }
        break;
    default:
        total = subgroupShuffle(value, mode == MUR_MODE_INSERT ? subgroupBallotFindLSB(group)
                                                             : subgroupBallotFindMSB(group));
        break;
    }
    return total;
}

// The engine's macro expands only here, where no local name can hide a name that the macro uses.
bool mur_may_combine() {
    return MUR_SUBGROUP_COMBINE;
}

// Returns the invocation that inserts the key for this one: itself, or the leader of its group.
// value: on return, the leader has the merged value of the group. If the merged value is the empty
// value, such as a sum of 0, the invocations of the group insert separately.
uint mur_leader(MurTableRef t, uint format, uvec3 key, uint mode, inout uvec2 value) {
    uvec4 own = uvec4(key.xy, key.z << 4 | mode, t.index);
    uint self = gl_SubgroupInvocationID;
    uint leader = self;
    bool able = mur_may_combine() && !mur_is_empty_value(t, format, value);
    uvec4 left = subgroupBallot(able);
    for (uint i = 0u; i < MUR_COMBINE_ROUNDS && subgroupBallotBitCount(left) > 1u; ++i) {
        uint first = subgroupBallotFindLSB(left);
        uvec4 named = subgroupShuffle(own, first);
#ifndef MUR_BUFFER_BINDING
        bool same = t.address == subgroupShuffle(t.address, first);
#else
        bool same = true;
#endif
        bool member = able && same && named == own;
        uvec4 group = subgroupBallot(member);
        uvec2 total = mur_join(format, group, member, value, named.z & 15u);
        if (member && !mur_is_empty_value(t, format, total)) {
            leader = first;
            value = total;
        }
        left &= ~group;
    }
    return leader;
}

// Returns this invocation's status after its leader has inserted. told: the status of the insert of
// this invocation, if it is a leader.
uint mur_follow(MurTableRef t, uint leader, uint told, inout uint slot) {
    uint status = subgroupShuffle(told, leader);
    slot = subgroupShuffle(slot, leader);
    if (leader == gl_SubgroupInvocationID) {
        return told;
    }
    if (status == MUR_FULL) {
        mur_count(t, MUR_HEADER_FAILED_INSERTS, 1u);
    }
    return status == MUR_INSERTED ? MUR_EXISTED : status;
}
#endif
