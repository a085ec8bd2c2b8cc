// Numbering a workgroup's invocations by subgroups, for scans by subgroup operations. Nothing is
// assumed of how gl_LocalInvocationIndex relates to subgroups; only that each is as full as the
// others, which workgroups of a multiple of 128 invocations have on all known devices.
//
// SPDX-License-Identifier: MIT

#define MUR_SUBGROUP_MOST 128u // lanes of a subgroup

// Lanes that a subgroup has in fact: some devices run fewer than gl_SubgroupSize says.
uint subgroup_lanes() {
    return MUR_WORKGROUP / gl_NumSubgroups;
}

// In uniform control flow.
uint scan_lane() {
    return gl_SubgroupID * subgroup_lanes() + gl_SubgroupInvocationID;
}
