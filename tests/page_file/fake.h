/* Bytes of a file in memory that remembers every call: what a loss of power after any of them may
 * leave can be made afterwards. Calls fail on demand.
 *
 * SPDX-License-Identifier: MIT */
#ifndef PAGE_FILE_FAKE_H
#define PAGE_FILE_FAKE_H

#include "support/cases.h"

#include <murmuration/page_file.h>

#include <stdbool.h>

typedef struct FakeCall {
    bool isSync;
    /* Of a write: the first sync behind it succeeded. Only then it is there for certain: after one
     * that failed the system may take what was to be written for written. */
    bool synced;
    uint64_t offset;
    uint64_t size;
    uint8_t *bytes;
} FakeCall;

/* What a call that fails does. */
typedef enum FakeFailure {
    FAKE_NOTHING, /* as if the process had been killed before it */
    FAKE_HALF,    /* a write: half of it; a sync: nobody knows what the writes before it become */
} FakeFailure;

typedef struct Fake {
    /* What a process reads. */
    uint8_t *bytes;
    uint64_t size;
    uint64_t limit; /* no byte at or beyond this is written: ENOSPC */
    uint8_t *base;  /* what it began with, all of it there for certain */
    uint64_t baseSize;
    /* What was called. */
    FakeCall *calls;
    uint32_t callCount; /* writes and syncs that did anything */
    uint32_t made;      /* all, reads too */
    /* The calls from failFrom on fail, failCount of them, with EIO. */
    uint32_t failFrom;
    uint32_t failCount;
    FakeFailure failure;
    uint32_t failed; /* calls that have */
} Fake;

/* What became of a write that was not flushed. */
enum { LEFT_OUT, WHOLE, FIRST_PART, LAST_PART, FATES };
typedef uint32_t (*FakeFate)(void *user, uint32_t write);

void fake_make(Fake *fake);
void fake_free(Fake *fake);
MurFileBytes fake_file(Fake *fake);

/* What the first calls of fake leave if the power goes off then: fate is asked for each write that
 * is not there for certain, in order. *image is made, and to be freed. */
void fake_crash(const Fake *fake, uint32_t calls, FakeFate fate, void *user, Fake *image);

/* CRC-64/XZ, bit by bit: written a second time, on purpose. */
uint64_t fake_sum(const uint8_t *bytes, uint64_t size);

#endif
