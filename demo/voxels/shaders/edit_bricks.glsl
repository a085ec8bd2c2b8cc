// From items to changes of bricks: BRICK_LANES invocations a brick, 16 voxels each. Define
// GROUP_BRICKS, the bricks of a workgroup, before the include, and newVoxels after it.
// SPDX-License-Identifier: MIT

struct BrickWork {
    uvec4 item;  // key (2 words), value, extra
    uvec4 from;  // this invocation's voxels before, 4 along x a component
    uvec4 to;    // and after
    uint looked; // voxels that the brush covers
    bool there;  // is there a brick at all
};

shared uint anyBits[GROUP_BRICKS];
shared uint allBits[GROUP_BRICKS];
shared uint differs[GROUP_BRICKS];
shared uint newValue[GROUP_BRICKS];
shared uint halves[GROUP_BRICKS * BRICK_LANES]; // 16 bits of occupancy each
shared uint payloads;
shared uint changes;
shared uint looked;

uint laneBrick() {
    return gl_LocalInvocationIndex / BRICK_LANES;
}

uint lane() {
    return gl_LocalInvocationIndex % BRICK_LANES;
}

// The four voxels' solid bits of a word of palette indices.
uint solidBits(uint word) {
    uint low = (word & 0x7F7F7F7Fu) + 0x7F7F7F7Fu; // no carry leaves a byte
    uint solid = (low | word) >> 7 & 0x01010101u;
    return (solid | solid >> 7 | solid >> 14 | solid >> 21) & 15u;
}

// A value's voxels.
uvec4 valueVoxels(uint value) {
    if (brickHasVoxels(value)) {
        return BrickPool(push.world.pool).bricks[value].palette[lane()];
    }
    return uvec4(brickUniform(value) ? brickColor(value) * 0x01010101u : 0u);
}

void startBricks() {
    barrier();
    if (lane() == 0u) {
        anyBits[laneBrick()] = 0u;
        allBits[laneBrick()] = 255u;
        differs[laneBrick()] = 0u;
    }
    if (gl_LocalInvocationIndex == 0u) {
        payloads = 0u;
        changes = 0u;
        looked = 0u;
    }
    barrier();
}

void gatherBits(BrickWork work) {
    uvec4 to = work.to;
    uint some = to.x | to.y | to.z | to.w;
    uint every = to.x & to.y & to.z & to.w;
    some |= some >> 16;
    every &= every >> 16;
    atomicOr(anyBits[laneBrick()], (some | some >> 8) & 255u);
    atomicAnd(allBits[laneBrick()], every & every >> 8 & 255u);
    if (to != work.from) {
        atomicOr(differs[laneBrick()], 1u);
    }
    if (work.looked != 0u) {
        atomicAdd(looked, work.looked);
    }
}

// The change of a brick, written by its first invocation.
void listChange(BlockAt at, BrickWork work, uint value, uint change) {
    if (value == BRICK_VOID) {
        atomicAdd(at.block.poolFailed, 1u);
    }
    uint start = Quads(at.block.records).quads[at.block.record].x;
    uint i = ringAt(start, changes + change, at.block.ringSize);
    Quads(at.block.ring).quads[i] = uvec4(work.item.xy, value, 0u);
}

void storeVoxels(uint brick, uvec4 to) {
    BrickPool pool = BrickPool(push.world.pool);
    pool.bricks[brick].palette[lane()] = to;
    if (lane() < 4u) {
        uint i = BRICK_LANES * laneBrick() + 8u * lane();
        pool.bricks[brick].occupancy[lane()] = uvec4(halves[i] | halves[i + 1u] << 16,
                                                     halves[i + 2u] | halves[i + 3u] << 16,
                                                     halves[i + 4u] | halves[i + 5u] << 16,
                                                     halves[i + 6u] | halves[i + 7u] << 16);
    }
}

void writeBrick(BlockAt at, BrickWork work) {
    if (work.there) {
        gatherBits(work);
    }
    halves[gl_LocalInvocationIndex] = solidBits(work.to.x) | solidBits(work.to.y) << 4 |
                                      solidBits(work.to.z) << 8 | solidBits(work.to.w) << 12;
    barrier();
    bool first = work.there && lane() == 0u && differs[laneBrick()] != 0u;
    uint any = anyBits[laneBrick()];
    uint value = any == 0u                     ? BRICK_ABSENT
                 : any == allBits[laneBrick()] ? BRICK_UNIFORM | any
                                               : 0u;
    uint payload = 0u;
    uint change = 0u;
    if (first) {
        change = atomicAdd(changes, 1u);
        payload = brickHasVoxels(value) ? atomicAdd(payloads, 1u) : 0u;
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        if (changes != 0u) {
            changes = atomicAdd(Quads(at.block.records).quads[at.block.record].y, changes);
        }
        if (payloads != 0u) {
            payloads = atomicAdd(at.block.taken, payloads);
        }
        if (looked != 0u) {
            atomicAdd(at.block.voxels, looked);
        }
    }
    barrier();
    if (lane() == 0u) {
        newValue[laneBrick()] = BRICK_ABSENT;
    }
    if (first) {
        if (brickHasVoxels(value)) {
            uint brick = poolBrick(push.world, at, payloads + payload);
            value = brick == BRICK_ABSENT ? BRICK_VOID : brick;
            newValue[laneBrick()] = value;
        }
        listChange(at, work, value, change);
    }
    barrier();
    if (brickHasVoxels(newValue[laneBrick()])) {
        storeVoxels(newValue[laneBrick()], work.to);
    }
}

// Sets `from` and `to` of an item if there is one, and counts the voxels looked at. All invocations
// of the workgroup come here.
void newVoxels(BlockAt at, Edit edit, inout BrickWork work);

// A fixed number of workgroups goes through the items.
void main() {
    BlockAt at = BlockAt(push.block);
    Edit edit = at.block.edit;
    uint count = min(at.block.itemCount, EDIT_MAX_BRICKS);
    uint stride = gl_NumWorkGroups.x * GROUP_BRICKS;
    for (uint base = gl_WorkGroupID.x * GROUP_BRICKS; base < count; base += stride) {
        startBricks();
        uint i = base + laneBrick();
        BrickWork work = BrickWork(uvec4(0u), uvec4(0u), uvec4(0u), 0u, i < count);
        work.item = Quads(at.block.items).quads[min(i, count - 1u)]; // a branch takes longer
        newVoxels(at, edit, work);
        writeBrick(at, work);
    }
}
