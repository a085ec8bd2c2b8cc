// Work distribution that the compute shaders share.
//
// SPDX-License-Identifier: MIT

// Index of this workgroup. The host lays large grids out in two dimensions.
uint groupIndex() {
    return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}
