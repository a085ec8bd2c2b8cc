#version 450
#extension GL_GOOGLE_include_directive : require
// Looks keys up together and alone, one query an invocation (lookup.c).
// SPDX-License-Identifier: MIT
#include "murmuration.glsl"

#ifndef LOOKUP_GROUP
#define LOOKUP_GROUP 64
#endif
layout(local_size_x = LOOKUP_GROUP) in;
layout(push_constant) uniform Push {
    MurTableRef table;
    uint count;
};
struct Query {
    uint key;
    uint wanted;
};
struct Answer {
    uint slot, value;         // mur_find_slot_cooperative
    uint found, foundValue;   // mur_find_cooperative
    uint aloneSlot, aloneValue; // mur_find_slot
    uint lanes, subgroup;     // active lanes, size of the subgroup
};
layout(set = 0, binding = 1, std430) readonly buffer Queries {
    Query queries[];
};
layout(set = 0, binding = 2, std430) writeonly buffer Answers {
    Answer answers[];
};

void main() {
    uint item = gl_GlobalInvocationID.x;
    Query query = Query(0u, 0u);
    if (item < count) {
        query = queries[item];
    }
    Answer answer;
    answer.aloneSlot = mur_find_slot(table, query.key, answer.aloneValue);
    bool wanted = query.wanted != 0u;
#ifdef LOOKUP_GAPS
    // Against the rules, but what it is good for is that some lanes are missing in between.
    if (gl_SubgroupInvocationID % 3u == 1u) {
        answer.slot = wanted ? answer.aloneSlot : MUR_NO_SLOT;
        answer.value = wanted ? answer.aloneValue : mur_no_value(table);
        answer.found = uint(wanted && answer.aloneSlot != MUR_NO_SLOT);
        answer.foundValue = answer.value;
        answer.lanes = 0u;
    } else
#endif
    {
        answer.slot = mur_find_slot_cooperative(table, wanted, query.key, answer.value);
        answer.found = uint(mur_find_cooperative(table, wanted, query.key, answer.foundValue));
        answer.lanes = subgroupBallotBitCount(subgroupBallot(true));
    }
    answer.subgroup = gl_SubgroupSize;
    if (item < count) {
        answers[item] = answer;
    }
}
