// Work distribution that the compute shaders share.
//
// SPDX-License-Identifier: MIT

// Index of this workgroup. The host lays large grids out in two dimensions.
uint groupIndex() {
    return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}

// The brick of a box that this workgroup works on; the grid has the size of the box.
uvec3 groupBrick(BrickBox box) {
    return uvec3(box.lowX, box.lowY, box.lowZ) + gl_WorkGroupID;
}

// The brick of a box that this invocation works on; false if there is none. The grid covers the
// box with workgroups of 4 x 4 x 4 bricks.
bool invocationBrick(BrickBox box, out uvec3 brick) {
    brick = uvec3(box.lowX, box.lowY, box.lowZ) + gl_GlobalInvocationID;
    return all(lessThan(gl_GlobalInvocationID, uvec3(box.sizeX, box.sizeY, box.sizeZ)));
}
