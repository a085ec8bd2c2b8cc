// A list of voxels on the GPU: an invocation each.
//
// SPDX-License-Identifier: MIT

layout(local_size_x = 64) in;
layout(push_constant) uniform Push {
    ListPush push;
};

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer VoxelList {
    uvec2 voxels[];
};

// The voxel of this invocation; false if there is none.
bool listVoxel(out uvec3 voxel, out uint color) {
    uint item = groupIndex() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
    if (item >= push.count) {
        return false;
    }
    uvec2 packed = VoxelList(push.voxels).voxels[item];
    voxel = uvec3(push.originX, push.originY, push.originZ) +
            uvec3(packed.x & 0xFFFFu, packed.x >> 16, packed.y & 0xFFFFu);
    color = (packed.y >> 16) & 255u;
    return true;
}
