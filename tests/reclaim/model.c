/* SPDX-License-Identifier: MIT */
#include "model.h"

#include <stdlib.h>
#include <string.h>

#define EMPTY 0xFFFFFFFFu
#define TOMB  0xFFFFFFFEu
#define HOLE  0xFFFFFFFDu

static bool is_set(const View *view) {
    return view->format == MUR_FORMAT_K32 || view->format == MUR_FORMAT_K64;
}

static bool is_short(const View *view) {
    return view->format == MUR_FORMAT_K32 || view->format == MUR_FORMAT_K32V32;
}

uint32_t view_slot_words(const View *view) {
    static const uint32_t words[] = {2, 4, 1, 2, 4};
    return words[view->format];
}

uint32_t view_words(const View *view) {
    return 64 + view->slotCount * view_slot_words(view);
}

View view_of(const MurTableRef *ref, uint32_t *words) {
    return (View){
        .format = (ref->flags & 0xF0) >> 4,
        .zero = (ref->flags & 2) != 0,
        .capacity = ref->capacity,
        .slotCount = ref->slotCount,
        .words = words,
    };
}

static uint32_t *slot_words(const View *view, uint32_t slot) {
    return view->words + 64 + (size_t)slot * view_slot_words(view);
}

static uint64_t pair(uint32_t low, uint32_t high) {
    return low | (uint64_t)high << 32;
}

static Slot key_slot(bool free, bool tomb, bool hole, uint64_t hash) {
    const bool live = !free && !tomb && !hole;
    return (Slot){free ? SLOT_FREE : tomb ? SLOT_ERASED : hole ? SLOT_HOLE : SLOT_LIVE, hash, live};
}

Slot view_slot(const View *view, uint32_t slot) {
    const uint32_t *w = slot_words(view, slot);
    const uint32_t none = view->zero ? 0 : UINT32_MAX;
    uint64_t value, absent = none;
    switch (view->format) {
    case MUR_FORMAT_K32:
        return key_slot(w[0] == EMPTY, w[0] == TOMB, w[0] == HOLE, w[0]);
    case MUR_FORMAT_K64:
        return key_slot(pair(w[0], w[1]) == UINT64_MAX, w[0] == TOMB && w[1] == EMPTY,
                        w[0] == HOLE && w[1] == HOLE, pair(w[0], w[1]));
    case MUR_FORMAT_K32V32:
        value = w[1];
        return (Slot){value != absent ? SLOT_LIVE
                      : w[0] == EMPTY ? SLOT_FREE
                      : w[0] == HOLE  ? SLOT_HOLE
                                      : SLOT_ERASED,
                      w[0], value};
    case MUR_FORMAT_K64V64:
        value = pair(w[2], w[3]);
        absent = pair(none, none);
        return (Slot){value != absent                  ? SLOT_LIVE
                      : pair(w[0], w[1]) == UINT64_MAX ? SLOT_FREE
                      : w[0] == HOLE && w[1] == HOLE   ? SLOT_HOLE
                                                       : SLOT_ERASED,
                      pair(w[0], w[1]), value};
    default: {
        const bool half = w[0] == EMPTY || w[1] == EMPTY || (w[3] % 8 == 0 && (!w[0] || !w[1]));
        const bool hole = w[0] == EMPTY && w[1] == EMPTY && w[3] == 8;
        const uint64_t hash = pair(w[3] & 2 ? EMPTY : w[0], w[3] & 4 ? EMPTY : w[1]);
        const bool free = w[0] == EMPTY && w[1] == EMPTY && w[3] == 0;
        return (Slot){w[2] != none ? SLOT_LIVE
                      : free       ? SLOT_FREE
                      : hole       ? SLOT_HOLE
                      : half       ? SLOT_HALF
                                   : SLOT_ERASED,
                      hash, w[2]};
    }
    }
}

uint32_t view_home(const View *view, uint64_t hash) {
    const uint64_t high = is_short(view) ? hash : hash >> 32;
    return (uint32_t)(high * view->capacity >> 32);
}

uint32_t view_count(const View *view, SlotKind kind) {
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < view->slotCount; ++slot) {
        count += view_slot(view, slot).kind == kind;
    }
    return count;
}

static uint32_t sector_slots(const View *view) {
    return 8 / view_slot_words(view);
}

/* How many live keys' probes pass each slot before they come to their own. counts: slotCount + 1
 * elements. */
static void count_crossings(const View *view, int32_t *counts) {
    const uint32_t slots = view->slotCount;
    memset(counts, 0, sizeof *counts * ((size_t)slots + 1));
    for (uint32_t at = 0; at < slots; ++at) {
        const Slot slot = view_slot(view, at);
        const uint32_t home = view_home(view, slot.hash);
        if (slot.kind != SLOT_LIVE) {
            continue;
        }
        ++counts[home]; /* up to at, or to the end, and from the start up to at */
        --counts[at < home ? slots : at];
        if (at < home) {
            ++counts[0];
            --counts[at];
        }
    }
    for (uint32_t slot = 1; slot < slots; ++slot) {
        counts[slot] += counts[slot - 1];
    }
}

static void put_vacant(const View *view, uint32_t slot, uint32_t key) {
    const uint32_t none = view->zero ? 0 : UINT32_MAX;
    const uint32_t words[][4] = {
        [MUR_FORMAT_K32V32] = {key, none},
        [MUR_FORMAT_K64V32] = {EMPTY, EMPTY, none, key == HOLE ? 8 : 0},
        [MUR_FORMAT_K32] = {key},
        [MUR_FORMAT_K64] = {key, key},
        [MUR_FORMAT_K64V64] = {key, key, none, none},
    };
    memcpy(slot_words(view, slot), words[view->format], 4 * view_slot_words(view));
}

bool view_is_ordered(const View *view) {
    return view->words[MUR_HEADER_STATE] % 4 == MUR_STATE_ORDERED;
}

MurReclaimResult view_reclaim(View *view, uint32_t *slots) {
    int32_t *crossings = malloc(sizeof *crossings * ((size_t)view->slotCount + 1));
    MurReclaimResult result = {0, 0};
    if (!crossings) {
        abort();
    }
    count_crossings(view, crossings);
    for (uint32_t slot = 0; slot < view->slotCount; ++slot) {
        const SlotKind kind = view_slot(view, slot).kind;
        if (kind == SLOT_ERASED || kind == SLOT_HOLE) {
            if (crossings[slot] == 0) {
                put_vacant(view, slot, EMPTY);
                slots[result.freed++] = slot;
            } else {
                if (!view_is_ordered(view)) {
                    put_vacant(view, slot, HOLE);
                }
                ++result.kept;
            }
        }
    }
    free(crossings);
    return result;
}

/* A claimed slot; rank: which look of its key's find comes to it. */
typedef struct Claim {
    uint64_t hash;
    uint32_t rank;
    bool live;
} Claim;

static int compare_claims(const void *a, const void *b) {
    const Claim *x = a, *y = b;
    return x->hash != y->hash   ? (x->hash < y->hash ? -1 : 1)
           : x->rank != y->rank ? (x->rank < y->rank ? -1 : 1)
                                : 0;
}

static const char *wrong_claims(const View *view) {
    const uint32_t unit = sector_slots(view), sectors = view->slotCount / unit;
    Claim *claims = malloc(sizeof *claims * view->slotCount);
    const char *wrong = NULL;
    uint32_t count = 0;
    if (!claims) {
        abort();
    }
    for (uint32_t at = 0; at < view->slotCount; ++at) {
        const Slot slot = view_slot(view, at);
        if (slot.kind == SLOT_LIVE || (slot.kind == SLOT_ERASED && !is_set(view))) {
            const uint32_t home = view_home(view, slot.hash) / unit;
            const uint32_t rank = (at / unit + sectors - home) % sectors * unit + at % unit;
            claims[count++] = (Claim){slot.hash, rank, slot.kind == SLOT_LIVE};
        }
    }
    qsort(claims, count, sizeof *claims, compare_claims);
    for (uint32_t i = 1; i < count; ++i) {
        if (claims[i].hash == claims[i - 1].hash && claims[i].live) {
            wrong = claims[i - 1].live ? "a key lives in two slots"
                                       : "a key's erased slot is found before its live one";
        }
    }
    free(claims);
    return wrong;
}

const char *view_wrong(const View *view) {
    int32_t *crossings = malloc(sizeof *crossings * ((size_t)view->slotCount + 1));
    const char *wrong = NULL;
    if (!crossings) {
        abort();
    }
    count_crossings(view, crossings);
    for (uint32_t slot = 0; slot < view->slotCount && !wrong; ++slot) {
        const SlotKind kind = view_slot(view, slot).kind;
        wrong = kind == SLOT_HALF                            ? "a slot is claimed by half"
                : kind == SLOT_FREE && crossings[slot] != 0  ? "a live key's probe ends too early"
                : kind == SLOT_HOLE && view_is_ordered(view) ? "a table in order has a hole"
                                                             : NULL;
    }
    free(crossings);
    return wrong ? wrong : wrong_claims(view);
}
