#version 450
#extension GL_GOOGLE_include_directive : require
// The pass over all cells at a frame's end: adds the samples of their rays, frees cells that no ray
// meets any more, and selects the cells that get a ray in the next frame.
// SPDX-License-Identifier: MIT
#include "trace.glsl"
#include "light.glsl"

layout(local_size_x = 256) in;

shared uint freed, kept, young;

const uint AGE = 127u;     // frames that a cell stays unseen,
const uint AGE_FULL = 8u;  // if there is little room left

// A mean whose later samples weigh more, as the light that they met was more exact.
float weight(uint samples, uint most) {
    return 2.0 / float(min(samples, most) + 1u);
}

// Adds a sample, the mean of some rays. If late samples differ from the slow mean by more than
// their deviation explains, the light has changed, and the slow mean continues from the fast one.
// One sample counts at most three deviations. Three quarters of a young cell's slow mean come from
// the neighbouring cells, because along a plane all light except the sun's changes slowly.
void learn(inout LightCell cell, float rays) {
    uint samples = min((cell.state & 255u) + 1u, 255u);
    vec2 middle = unpackHalf2x16(cell.given.y);
    vec3 x = vec3(unpackHalf2x16(cell.given.x & ~LIGHT_BIT), middle.x);
    vec3 beside = vec3(middle.y, unpackHalf2x16(cell.given.z));
    vec2 scatter = unpackHalf2x16(cell.scatter);
    float mean = luminance(cell.slow);
    float apart = luminance(x) - mean;
    float deviation = sqrt(max(scatter.x / rays, 1e-6 + 0.0025 * mean * mean));
    scatter.x += (min(rays * apart * apart, 6e4) - scatter.x) * weight(samples, 255u);
    scatter.y += (clamp(apart / deviation, -3.0, 3.0) - scatter.y) * weight(samples, 8u);
    cell.slow += (mix(x, beside, 0.75) - cell.slow) * weight(samples, 255u);
    cell.fast += (x - cell.fast) * weight(samples, 8u);
    if (samples >= 24u && abs(scatter.y) > 1.4) {
        cell.slow = cell.fast;
        scatter.y = 0.0;
        samples = 8u;
        cell.state |= LIGHT_BIT;
    }
    cell.scatter = packHalf2x16(scatter);
    cell.state = (cell.state & ~255u) | samples;
}

bool isChanged(uvec2 key, uint where) {
    ivec3 place = lightFace(key, where).voxel + viewBase.xyz;
    return all(greaterThanEqual(place, VIEW.changedLow.xyz)) &&
           all(lessThanEqual(place, VIEW.changedHigh.xyz));
}

void list(uint slot, LightCountList all) {
    uint next = (viewLight.frame & 1u) ^ 1u;
    uint at = atomicAdd(all.counts[next].listed, 1u);
    Words(viewLight.list).words[at] = slot;
    if (at % LIGHT_GROUP == 0u) {
        atomicAdd(all.counts[next].groups[0], 1u);
    }
}

bool isYoung(LightCell cell) {
    return (cell.state & 255u) < 4u;
}

// As many cells as there were get all rays; young ones theirs four times as likely.
bool isChosen(uvec2 key, LightCell cell, LightCounts last) {
    float chance = float(viewLight.budget) / max(float(last.cells + 3u * last.young), 1.0);
    uint hash = mur_hash(key.x ^ mur_hash(key.y, viewLight.frame), 15u);
    return unit(hash) < (isYoung(cell) ? 4.0 * chance : chance);
}

void pass(uint slot) {
    LightCells payload = LightCells(viewLight.payload);
    LightCountList all = LightCountList(viewLight.counts);
    LightCounts last = all.counts[viewLight.frame & 1u];
    bool full = float(last.cells) > 0.6 * float(viewLight.cells.table.slotCount);
    uvec2 key;
    if (!mur_slot_entry(viewLight.cells, slot, key)) {
        return;
    }
    LightCell cell = payload.cells[slot];
    uint age = (cell.state >> 8 & 127u) + 1u;
    uint where = cell.state >> LIGHT_WHERE;
    if (cell.touched != 0u) {
        where = cell.touched & 0xFFFFu;
        age = 1u;
    }
    if (age > (full ? AGE_FULL : AGE)) {
        mur_evict(viewLight.cells.table, slot);
        payload.cells[slot] = LightCell(vec3(0.0), 0u, vec3(0.0), 0u, uvec3(0u), 0u);
        atomicAdd(freed, 1u);
        return;
    }
    cell.state = (cell.state & (255u | LIGHT_BIT)) | age << 8 | where << LIGHT_WHERE;
    if (isChanged(key, where)) {
        cell = LightCell(vec3(0.0), cell.state & ~255u | LIGHT_BIT, vec3(0.0), 0u, uvec3(0u), 0u);
    } else if (cell.given.x != 0u) {
        learn(cell, float(lightRays(last.listed)));
    }
    cell.given = uvec3(0u);
    cell.touched = 0u;
    payload.cells[slot] = cell;
    atomicAdd(kept, 1u);
    atomicAdd(young, isYoung(cell) ? 1u : 0u);
    if (isChosen(key, cell, last)) {
        list(slot, all);
    }
}

void main() {
    readView();
    if (gl_LocalInvocationIndex == 0u) {
        freed = 0u;
        kept = 0u;
        young = 0u;
    }
    barrier();
    uint slot = gl_GlobalInvocationID.x;
    if (slot < viewLight.cells.table.slotCount + 2u) {
        pass(slot);
    }
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        LightCountList all = LightCountList(viewLight.counts);
        atomicAdd(all.counts[(viewLight.frame & 1u) ^ 1u].cells, kept);
        atomicAdd(all.counts[(viewLight.frame & 1u) ^ 1u].young, young);
        atomicAdd(CountBlock(VIEW.counts).counts.cells, kept);
        atomicAdd(CountBlock(VIEW.counts).counts.freed, freed);
    }
}
