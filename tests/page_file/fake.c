/* SPDX-License-Identifier: MIT */
#include "fake.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PART = 44 }; /* bytes: in the middle of a superblock */

static void *memory(void *before, uint64_t size) {
    void *bytes = realloc(before, (size_t)size + 1);
    assert_non_null(bytes);
    return bytes;
}

static void put(Fake *fake, uint64_t offset, const uint8_t *bytes, uint64_t size) {
    const uint64_t end = offset + size;
    if (end > fake->size) {
        fake->bytes = memory(fake->bytes, end);
        memset(fake->bytes + fake->size, 0, (size_t)(end - fake->size));
        fake->size = end;
    }
    memcpy(fake->bytes + offset, bytes, (size_t)size);
}

static FakeCall *note(Fake *fake) {
    fake->calls = memory(fake->calls, (fake->callCount + 1) * sizeof *fake->calls);
    FakeCall *call = &fake->calls[fake->callCount++];
    *call = (FakeCall){0};
    return call;
}

static void note_write(Fake *fake, uint64_t offset, const uint8_t *bytes, uint64_t size) {
    FakeCall *call = note(fake);
    call->offset = offset;
    call->size = size;
    call->bytes = memory(NULL, size);
    memcpy(call->bytes, bytes, (size_t)size);
    put(fake, offset, bytes, size);
}

static bool fails(Fake *fake) {
    const uint32_t number = fake->made++;
    if (number < fake->failFrom || number - fake->failFrom >= fake->failCount) {
        return false;
    }
    ++fake->failed;
    errno = EIO;
    return true;
}

static VkResult VKAPI_PTR read_bytes(void *user, uint64_t offset, void *bytes, uint64_t size) {
    Fake *fake = user;
    if (fails(fake)) {
        return MUR_ERROR_FILE;
    }
    if (offset + size > fake->size || offset + size < size) {
        return MUR_ERROR_BAD_IMAGE;
    }
    memcpy(bytes, fake->bytes + offset, (size_t)size);
    return VK_SUCCESS;
}

static VkResult VKAPI_PTR write_bytes(void *user, uint64_t offset, const void *bytes,
                                      uint64_t size) {
    Fake *fake = user;
    if (fails(fake)) {
        if (fake->failure == FAKE_HALF) {
            note_write(fake, offset, bytes, size / 2);
        }
        return MUR_ERROR_FILE;
    }
    if (offset + size > fake->limit) {
        errno = ENOSPC;
        return MUR_ERROR_FILE;
    }
    note_write(fake, offset, bytes, size);
    return VK_SUCCESS;
}

static VkResult VKAPI_PTR sync_bytes(void *user) {
    Fake *fake = user;
    const bool failed = fails(fake);
    if (failed && fake->failure == FAKE_NOTHING) {
        return MUR_ERROR_FILE;
    }
    note(fake)->isSync = true;
    for (uint32_t i = fake->callCount - 1; i > 0 && !fake->calls[i - 1].isSync; --i) {
        fake->calls[i - 1].synced = !failed;
    }
    return failed ? MUR_ERROR_FILE : VK_SUCCESS;
}

void fake_make(Fake *fake) {
    *fake = (Fake){.limit = UINT64_MAX};
    fake->bytes = memory(NULL, 0);
    fake->base = memory(NULL, 0);
}

void fake_free(Fake *fake) {
    for (uint32_t i = 0; i < fake->callCount; ++i) {
        free(fake->calls[i].bytes);
    }
    free(fake->calls);
    free(fake->base);
    free(fake->bytes);
}

MurFileBytes fake_file(Fake *fake) {
    return (MurFileBytes){fake, read_bytes, write_bytes, sync_bytes};
}

void fake_crash(const Fake *fake, uint32_t calls, FakeFate fate, void *user, Fake *image) {
    fake_make(image);
    put(image, 0, fake->base, fake->baseSize);
    uint32_t lastSync = 0;
    for (uint32_t i = 0; i < calls; ++i) {
        lastSync = fake->calls[i].isSync ? i : lastSync;
    }
    for (uint32_t i = 0; i < calls; ++i) {
        const FakeCall *call = &fake->calls[i];
        if (call->isSync) {
            continue;
        }
        const bool certain = call->synced && i < lastSync;
        const uint64_t part = call->size < PART ? call->size : PART;
        switch (certain ? WHOLE : fate(user, i)) {
        case WHOLE:
            put(image, call->offset, call->bytes, call->size);
            break;
        case FIRST_PART:
            put(image, call->offset, call->bytes, part);
            break;
        case LAST_PART:
            put(image, call->offset + part, call->bytes + part, call->size - part);
            break;
        default:
            break;
        }
    }
    image->base = memory(image->base, image->size);
    image->baseSize = image->size;
    memcpy(image->base, image->bytes, (size_t)image->size);
}

uint64_t fake_sum(const uint8_t *bytes, uint64_t size) {
    uint64_t sum = UINT64_MAX;
    for (uint64_t i = 0; i < size; ++i) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; ++bit) {
            sum = (sum >> 1) ^ ((sum & 1) != 0 ? 0xC96C5795D7870F42U : 0);
        }
    }
    return ~sum;
}
