/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "storm.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { NUMBER_BITS = 20, NUMBER_MASK = (1 << NUMBER_BITS) - 1, BURST = 32 };

typedef struct Worker {
    Storm *storm;
    uint32_t thread;
} Worker;

static bool is_set(const Storm *storm) {
    return MUR_IS_SET(MUR_TABLE_FORMAT(storm->host->ref.flags));
}

static uint64_t key_of(const Storm *storm, uint32_t item, uint32_t number) {
    return storm->fresh ? item + (uint64_t)STORM_ITEMS * ((number - 1) / 2) : item;
}

static uint32_t value_of(uint32_t item, uint32_t number) {
    return (item + 1) << NUMBER_BITS | (number & NUMBER_MASK);
}

static void write_item(Storm *storm, uint32_t item, Random *random) {
    const MurHostTable *host = storm->host;
    uint32_t number = atomic_load(&storm->items[item].begun) + 1;
    atomic_store(&storm->items[item].begun, number);
    if (number % 2 == 0) {
        const uint64_t key = key_of(storm, item, number - 1);
        const uint32_t slot = murHostFind(host, key).slot;
        if (is_set(storm) || random_below(random, 2) == 0) {
            murHostErase(host, key);
        } else {
            const uint64_t none = host->ref.flags & MUR_TABLE_ZERO ? 0
                                  : MUR_TABLE_FORMAT(host->ref.flags) == MUR_FORMAT_K64V64
                                      ? UINT64_MAX
                                      : UINT32_MAX;
            murHostSlotExchange(host, slot, none);
        }
    } else {
        atomic_store(&storm->payload[item], number);
        if (storm->mark) {
            storm->mark(storm->user, item);
        }
        const MurHostResult result = murHostInsert(
            host, MUR_MODE_ASSIGN, key_of(storm, item, number), value_of(item, number));
        atomic_fetch_add(&storm->claims, 1);
        if (result.status == MUR_FULL) {
            atomic_store(&storm->items[item].begun, ++number);
        }
    }
    atomic_store(&storm->items[item].done, number);
    atomic_fetch_add(&storm->calls, 1);
}

/* Waits. Frames are short, and threads need time to run. */
static void pause_for(long microseconds) {
    const struct timespec time = {.tv_nsec = 1000 * microseconds};
    (void)nanosleep(&time, NULL);
}

static void *run_worker(void *argument) {
    Storm *storm = ((Worker *)argument)->storm;
    const uint32_t thread = ((Worker *)argument)->thread;
    Random random = {thread + 1};
    while (!atomic_load(&storm->stop)) {
        atomic_fetch_add(&storm->inside, 1);
        if (atomic_load(&storm->exclusive)) {
            atomic_fetch_sub(&storm->inside, 1);
            pause_for(5);
            continue;
        }
        for (uint32_t i = 0; i < BURST; ++i) {
            const uint32_t own = random_below(&random, STORM_ITEMS / STORM_THREADS);
            write_item(storm, thread + STORM_THREADS * own, &random);
        }
        atomic_fetch_sub(&storm->inside, 1);
    }
    return NULL;
}

/* Returns whether this result is valid, if the item's last call had a number from least to most. */
static bool is_right(const Storm *storm, const MurHostResult *found, uint32_t item, uint32_t least,
                     uint32_t most) {
    if (found->status != MUR_FOUND) {
        return least != most || least % 2 == 0;
    }
    if (is_set(storm)) {
        return least != most || least % 2 == 1;
    }
    for (uint32_t number = least + (least + 1) % 2; number <= most; number += 2) {
        if (found->value == value_of(item, number)) {
            return true;
        }
    }
    return false;
}

/* Stores a failure. The test fails after the threads and frames have ended: they use its stack. */
#define report(storm, ...) (void)snprintf((storm)->fault, sizeof(storm)->fault, __VA_ARGS__)

static void judge_item(Storm *storm, const MurHostTable *table, uint32_t item, uint32_t least,
                       uint32_t most) {
    const uint32_t last = most - (most + 1) % 2; /* the last insert that has begun */
    if (most == 0) {
        return;
    }
    const MurHostResult found = murHostFind(table, key_of(storm, item, last));
    if (!is_right(storm, &found, item, storm->fresh && last > least ? last - 1 : least, most)) {
        report(storm, "item %u, numbers %u to %u: found %u, value 0x%llx", item, least, most,
               found.status == MUR_FOUND, (unsigned long long)found.value);
    }
    if (storm->mark && found.status == MUR_FOUND && !is_set(storm) &&
        ((storm->copy[item] - (uint32_t)found.value) & NUMBER_MASK) > NUMBER_MASK / 2) {
        report(storm, "item %u, value 0x%llx: its payload is of number %u", item,
               (unsigned long long)found.value, storm->copy[item]);
    }
    if (storm->fresh && least >= 3) { /* the key of an older insert is absent */
        const uint32_t before = (least - 2) - (least - 1) % 2;
        if (murHostFind(table, key_of(storm, item, before)).status == MUR_FOUND) {
            report(storm, "item %u, numbers %u to %u: %u is there", item, least, most, before);
        }
    }
}

static void judge_entries(Storm *storm, const MurHostTable *table) {
    for (MurHostEntry entry = {0}; murHostNextEntry(table, &entry);) {
        const uint32_t item = entry.key % STORM_ITEMS;
        /* Entries contain a key that is being inserted, possibly before a find returns it. */
        const uint32_t slot = murHostFind(table, entry.key).slot;
        if ((!storm->fresh && entry.key >= STORM_ITEMS) ||
            (!is_set(storm) && (entry.value >> NUMBER_BITS != item + 1 ||
                                (slot != MUR_NO_SLOT && slot != entry.slot)))) {
            report(storm, "slot %u: key 0x%llx with value 0x%llx", entry.slot,
                   (unsigned long long)entry.key, (unsigned long long)entry.value);
        }
    }
}

static void run_frame(Storm *storm) {
    const uint32_t at = storm->frame % storm->inFlight;
    const bool reclaims = (storm->fresh || is_set(storm)) &&
                          atomic_load(&storm->claims) > storm->host->ref.capacity / 2;
    if (reclaims) {
        atomic_store(&storm->exclusive, true);
        while (atomic_load(&storm->inside) != 0) {
            pause_for(5);
        }
        atomic_store(&storm->claims, STORM_ITEMS);
        ++storm->reclaims;
    }
    for (uint32_t i = 0; i < STORM_ITEMS; ++i) {
        storm->flights[at].least[i] = atomic_load(&storm->items[i].done);
    }
    const MurHostTable table = storm->update(storm->user, reclaims);
    atomic_store(&storm->exclusive, false);
    for (uint32_t i = 0; i < STORM_ITEMS; ++i) {
        storm->flights[at].most[i] = atomic_load(&storm->items[i].begun);
    }
    const uint32_t oldest = ++storm->frame % storm->inFlight;
    if (storm->frame >= storm->inFlight) {
        for (uint32_t i = 0; i < STORM_ITEMS; ++i) {
            judge_item(storm, &table, i, storm->flights[oldest].least[i],
                       storm->flights[oldest].most[i]);
        }
        judge_entries(storm, &table);
    }
}

void storm_run(Storm *storm) {
    pthread_t threads[STORM_THREADS];
    Worker workers[STORM_THREADS];
    for (uint32_t i = 0; i < STORM_THREADS; ++i) {
        workers[i] = (Worker){storm, i};
        assert_int_equal(pthread_create(&threads[i], NULL, run_worker, &workers[i]), 0);
    }
    const time_t end = storm->seconds ? time(NULL) + (time_t)storm->seconds : 0;
    while (!storm->fault[0] && (storm->frame < storm->frames || time(NULL) <= end ||
                                (storm->fresh && storm->reclaims < 3))) {
        const uint32_t calls = atomic_load(&storm->calls);
        run_frame(storm);
        while (atomic_load(&storm->calls) == calls) {
            pause_for(20);
        }
    }
    atomic_store(&storm->stop, true);
    for (uint32_t i = 0; i < STORM_THREADS; ++i) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    for (uint32_t i = 0; i < storm->inFlight && !storm->fault[0]; ++i) {
        run_frame(storm); /* no call is active now */
    }
}
