#version 450
#extension GL_GOOGLE_include_directive : require
// The passes of a world-space radiance cache whose payload is indexed by slot. An update finds or
// inserts keys and accumulates samples (IN_UPDATE). A resolve pass ages, evicts and resolves all
// entries (IN_RESOLVE). A query reads (IN_QUERY). Light is a function of the face, so that results
// of other keys are detected.
// CACHE_NARROW: keys have 32 bits. CACHE_RESERVE: the resolve pass evicts entries early, to reserve
// slots.
// SPDX-License-Identifier: MIT
#ifdef IN_QUERY
#define MUR_READ_ONLY
#elif defined(IN_RESOLVE)
#define MUR_NONCOHERENT_LOOKUPS
#endif
#ifdef CACHE_NARROW
#define TABLE_KEY(key) (key).x
#define FACE(key)      ((key).x >> 29u)
#else
#define MUR_KEYS_64
#define TABLE_KEY(key) key
#define FACE(key)      CACHE_FACE((key).y)
#endif
#define MUR_SETS
#ifdef CACHE_RESERVE
#define WORKGROUP 64u // a barrier of fewer invocations waits less
#endif
#define PUSH CachePush
#include "murmuration.glsl"
#include "item.glsl"
#include "cell.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) buffer Quad {
    uvec4 words;
};

// Returns the payload of a slot: two words with halves, {red, green} and {blue, 1}; samples; and,
// as halves of a word, frames with a sample and frames since the last sample.
Quad resolved(uint slot) {
    return Quad(mur_offset(push.resolved, slot, 4u));
}

vec3 light_in(uvec4 words) {
    return vec3(unpackHalf2x16(words.x), unpackHalf2x16(words.y).x);
}

MurSetRef set() {
    return MurSetRef(push.table);
}

#if defined(IN_UPDATE)
void run(uint i) {
    Key own = Key(mur_offset(push.keys, i, 3u));
    uvec2 key = own.key;
    uint slot = MUR_NO_SLOT;
    uint status = key == uvec2(0u) ? MUR_ABSENT : mur_insert(set(), TABLE_KEY(key), slot);
    if (status == MUR_FULL) {
        own.key = uvec2(0u);
    }
    if (slot == MUR_NO_SLOT) {
        return;
    }
    uvec2 sum = mur_offset(push.sums, slot, 4u);
    uint light = CACHE_LIGHT(FACE(key));
    for (uint w = 0u; w < 3u; ++w) {
        atomicAdd(Word(mur_offset(sum, w, 2u)).word, CACHE_SCALE * (light >> 8u * w & 255u));
    }
    atomicAdd(Word(mur_offset(sum, 3u, 2u)).word, 1u);
}
#elif defined(IN_RESOLVE)
const uint YOUNG = 30u; // frames of the mean; before, the coarser cell is used

// Returns the mean, weighted by samples. Another invocation may write the coarser cell at the same
// time, so its words may be old, new or 0.
uvec4 resolve(uvec2 key, uvec4 sum, uvec4 before) {
    uint frames = min((before.w & 0xFFFFu) + 1u, YOUNG);
    float fresh = float(sum.w), samples = float(before.z) * float(frames - 1u) / float(frames);
    vec3 light = vec3(sum.xyz) / float(CACHE_SCALE) + samples * light_in(before);
    samples += fresh;
    uint near = frames < YOUNG ? mur_find_slot(set(), TABLE_KEY(cell_coarser(key))) : MUR_NO_SLOT;
    uvec4 coarser = near != MUR_NO_SLOT ? resolved(near).words : uvec4(0u);
    if (coarser.x != 0u && coarser.y != 0u) {
        light += float(coarser.z) * light_in(coarser);
        samples += float(coarser.z);
    }
    light /= samples;
    return uvec4(packHalf2x16(light.xy), packHalf2x16(vec2(light.z, 1.0)),
                 uint(min(samples, 65536.0)), frames);
}

#ifdef CACHE_RESERVE
shared uint ages[WORKGROUP]; // 0: no entry; 1: it has a sample in this frame; more: older
shared uint vacant[WORKGROUP / 16u]; // slots of each bucket

// Returns whether an entry is evicted early, as murCmdEvict does with reserved slots.
bool makes_room(bool live, uint age) {
    const uint lane = gl_LocalInvocationIndex, bucket = lane / 16u;
    if (lane % 16u == 0u) {
        vacant[bucket] = 0u;
    }
    ages[lane] = live ? age + 1u : 0u;
    barrier();
    if (!live) {
        atomicAdd(vacant[bucket], 1u);
    }
    barrier();
    uint older = vacant[bucket];
    if (older >= push.reserved) {
        return false;
    }
    for (uint i = lane & ~15u; i <= (lane | 15u); ++i) {
        older += uint(ages[i] > ages[lane] || (ages[i] == ages[lane] && i < lane));
    }
    return ages[lane] > 1u && older < push.reserved;
}
#endif

void run(uint slot) {
    uvec2 key = uvec2(0u);
    bool there = mur_slot_entry(set(), slot, TABLE_KEY(key));
    Quad own = resolved(slot), sum = Quad(mur_offset(push.sums, slot, 4u));
    uvec4 words = sum.words;
    uint age = words.w != 0u ? 0u : (own.words.w >> 16u) + 1u;
    bool stays = age < CACHE_LIVES;
#ifdef CACHE_RESERVE
    stays = !makes_room(there && stays, age) && stays;
    if (slot >= push.count) {
        return;
    }
#endif
    if (there && words.w == 0u && stays) {
        own.words.w += 1u << 16u;
    } else if (there && words.w != 0u) {
        own.words = resolve(key, words, own.words);
        sum.words = uvec4(0u);
    } else {
        if (there) {
            own.words = uvec4(0u);
        }
        mur_evict(push.table, slot); // also frees the slot of an erased key
        return;
    }
    if (push.stay != 0u) {
        mur_retain(push.table, slot);
    }
}
#else
void run(uint i) {
    uvec2 key = Key(mur_offset(push.keys, i, 3u)).key;
    uint slot = key == uvec2(0u) ? MUR_NO_SLOT : mur_find_slot(set(), TABLE_KEY(key));
    uint answer = 0xFFFFFFFFu;
    if (slot != MUR_NO_SLOT) {
        uvec3 light = uvec3(round(light_in(resolved(slot).words)));
        answer = light.x | light.y << 8u | light.z << 16u;
    }
    Word(mur_offset(push.answers, i, 2u)).word = answer;
}
#endif

void main() {
    uint i = item();
#ifdef CACHE_RESERVE // has a barrier
    run(i);
#else
    if (i < push.count) {
        run(i);
    }
#endif
}
