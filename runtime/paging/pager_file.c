/* The file of a pager's store: the host's work at the beginning of a frame, and concurrent I/O.
 * SPDX-License-Identifier: MIT */
#include "pager.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint32_t *lists_of(MurPager pager, uint64_t frame) {
    const uint64_t at = frame & (pager->shape.listsCount - 1);
    return (uint32_t *)(void *)(pager->host->lists + pager->shape.listsSize * at);
}

static int by_priority(const void *a, const void *b) {
    const MurListedPage *first = a, *second = b;
    return (first->priority < second->priority) - (first->priority > second->priority);
}

/* Returns whether the host must read a listed page. If host pages are replaced, `place` may be old:
 * a page that was read may be only in the file again. Then its host page is new. */
static bool is_wanted(MurPager pager, uint32_t listed, uint8_t place) {
    return (listed & MUR_WANTED_NEW) != 0 || place == MUR_PLACE_QUEUED ||
           (place == MUR_PLACE_FILE && pager->shape.ref.hostPageCount == 0);
}

/* Merges the pages of this list with the pages that already wait. Pages of this list come first.
 * Pages that do not fit are dropped: shaders request them again if they still need them. */
static void merge_wanted(MurPager pager, const uint32_t *lists) {
    MurPagerHost *host = pager->host;
    const uint32_t most = pager->shape.maxListed;
    const uint32_t count = lists[MUR_LISTS_WANTED] < most ? lists[MUR_LISTS_WANTED] : most;
    memcpy(host->sorted, lists + MUR_LISTS_AT + 2ull * most, count * sizeof *host->sorted);
    qsort(host->sorted, count, sizeof *host->sorted, by_priority);
    uint32_t merged = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t page = host->sorted[i].page & ~MUR_WANTED_NEW;
        if (page < pager->shape.ref.pageCount && merged < most &&
            is_wanted(pager, host->sorted[i].page, host->places[page])) {
            host->places[page] = MUR_PLACE_LISTED;
            host->merged[merged] = host->sorted[i];
            host->merged[merged++].page = page;
        }
    }
    const uint32_t listed = merged;
    for (uint32_t i = host->queueAt; i < host->queued; ++i) {
        uint8_t *place = &host->places[host->queue[i].page];
        if (*place == MUR_PLACE_QUEUED && merged < most) {
            host->merged[merged++] = host->queue[i];
        } else if (*place == MUR_PLACE_QUEUED) {
            *place = MUR_PLACE_FILE;
        }
    }
    for (uint32_t i = 0; i < listed; ++i) {
        host->places[host->merged[i].page] = MUR_PLACE_QUEUED;
    }
    MurListedPage *before = host->queue;
    host->queue = host->merged;
    host->merged = before;
    host->queueAt = 0;
    host->queued = merged;
}

/* Reads the list of the checkpoint's pages, which the GPU wrote in the checkpoint's first frame. */
static void take_held(MurPager pager, const uint32_t *lists) {
    MurPagerHost *host = pager->host;
    if (lists[MUR_LISTS_HELD] == 0) {
        host->checkpoint = MUR_CHECKPOINT_NONE; /* murCmdUpdatePager did not get the flag */
        host->status.checkpointUnderWay = 0;
        return;
    }
    const uint64_t words = (pager->shape.ref.pageCount + 31ull) / 32;
    memcpy(host->held, lists + MUR_LISTS_BITS(pager->shape.maxListed), (size_t)(4 * words));
    host->heldAt = 0;
    host->checkpoint = MUR_CHECKPOINT_WRITING;
}

/* Reads the lists of completed frames, in the order of frames. */
static void read_lists(MurPager pager, uint64_t completed) {
    MurPagerHost *host = pager->host;
    for (;;) {
        uint64_t *next = NULL;
        for (uint32_t i = 0; i < pager->shape.listsCount; ++i) {
            uint64_t *begun = &host->begun[i];
            if (*begun != 0 && *begun <= completed && (!next || *begun < *next)) {
                next = begun;
            }
        }
        if (!next) {
            return;
        }
        const uint32_t *lists = lists_of(pager, *next);
        merge_wanted(pager, lists);
        host->status.changedPages = lists[MUR_LISTS_CHANGED];
        host->full = *next >= host->released && lists[MUR_LISTS_FULL];
        if (host->checkpoint == MUR_CHECKPOINT_BEGUN && *next == host->status.checkpointUnderWay) {
            take_held(pager, lists);
        }
        *next = 0;
    }
}

static MurPagerUpdateFlags write_lists(MurPager pager, const MurPagerFrame *frame) {
    MurPagerHost *host = pager->host;
    uint32_t *lists = lists_of(pager, frame->frame);
    memset(lists, 0, 4 * MUR_LISTS_AT);
    lists[MUR_LISTS_ARRIVED] = host->readyCount;
    memcpy(lists + MUR_LISTS_AT, host->ready, host->readyCount * sizeof *host->ready);
    host->readyCount = 0;
    if (host->checkpoint == MUR_CHECKPOINT_WRITTEN || host->checkpoint == MUR_CHECKPOINT_FAILED) {
        lists[MUR_LISTS_RELEASE] = host->checkpoint == MUR_CHECKPOINT_WRITTEN ? MUR_RELEASE_WRITTEN
                                                                              : MUR_RELEASE_FAILED;
        host->checkpoint = MUR_CHECKPOINT_NONE;
        host->released = frame->frame;
        host->full = false;
    }
    if (frame->checkpoint && host->checkpoint == MUR_CHECKPOINT_NONE) {
        lists[MUR_LISTS_HOLD] = 1;
        host->checkpoint = MUR_CHECKPOINT_BEGUN;
        host->status.checkpointUnderWay = frame->frame;
        return MUR_PAGER_UPDATE_CHECKPOINT;
    }
    return 0;
}

static VkResult check_file(MurPager pager, const char *function) {
    return !pager ? MUR_ERROR_INVALID_ARGUMENT /* without a pager there is no log */
           : pager->host
               ? VK_SUCCESS
               : mur_invalid_argument(pager->context, function,
                                      "pager has no file, expected MurPagerCreateInfo.pFile");
}

static VkResult check_frame(MurPager pager, const MurPagerFrame *frame, const void *flags) {
    MUR_TRY(check_file(pager, "murBeginPagerFrame"));
    const MurPagerHost *host = pager->host;
    if (!flags) {
        return mur_invalid_argument(pager->context, "murBeginPagerFrame", "pFlags is NULL");
    }
    MUR_TRY(mur_check_struct(pager->context, "murBeginPagerFrame", "pFrame", frame));
    return mur_check_frame(pager->context, "murBeginPagerFrame", frame->frame,
                           frame->completedFrame, host->frame, pager->shape.framesInFlight);
}

VkResult murBeginPagerFrame(MurPager pager, const MurPagerFrame *pFrame,
                            MurPagerUpdateFlags *pFlags) {
    MUR_TRY(check_frame(pager, pFrame, pFlags));
    MurPagerHost *host = pager->host;
    mur_lock(&host->lock);
    read_lists(pager, pFrame->completedFrame);
    *pFlags = write_lists(pager, pFrame);
    host->frame = pFrame->frame;
    host->begun[pFrame->frame & (pager->shape.listsCount - 1)] = pFrame->frame;
    mur_unlock(&host->lock);
    return VK_SUCCESS;
}

/* Stores a failure in the pager's status. Requires the lock. */
static void note_failure(MurPagerHost *host, VkResult result, uint32_t page, int error) {
    ++host->status.failures;
    host->status.lastFailure = result;
    host->status.failedPage = page;
    host->status.systemError = error;
}

/* Notes a failed read. If host pages are replaced, the next frame takes back the host page. */
static void end_failed_read(MurPager pager, MurListedPage page, bool damaged) {
    MurPagerHost *host = pager->host;
    host->places[page.page] = damaged ? MUR_PLACE_DAMAGED : MUR_PLACE_FILE;
    if (pager->shape.ref.hostPageCount) {
        page.priority = damaged ? MUR_ARRIVED_DAMAGED : MUR_ARRIVED_FAILED;
        host->ready[host->readyCount++] = page;
    }
}

/* Reads the queue's next page. Returns false if there is none, or no space in the next frame. */
static bool read_one(MurPager pager, VkResult *last, uint32_t *pages) {
    MurPagerHost *host = pager->host;
    if (host->queueAt == host->queued ||
        host->readyCount + host->reading >= pager->shape.maxListed) {
        return false;
    }
    const MurListedPage page = host->queue[host->queueAt++];
    host->places[page.page] = MUR_PLACE_THERE;
    ++host->reading;
    mur_unlock(&host->lock);
    const VkResult result = host->file.pfnRead(host->file.pUserData, page.page,
                                               mur_store_page(pager, page.page));
    const int error = errno;
    mur_lock(&host->lock);
    --host->reading;
    if (result == VK_SUCCESS) {
        host->ready[host->readyCount++] = page;
        ++host->status.read;
        ++*pages;
    } else {
        end_failed_read(pager, page, result == MUR_ERROR_CORRUPT);
        note_failure(host, result, page.page, error);
        *last = result;
    }
    return true;
}

/* Returns the first page of the checkpoint that is not before this page, or the number of pages. */
static uint64_t next_held(MurPager pager, uint64_t page) {
    const uint32_t *held = pager->host->held;
    const uint64_t end = pager->shape.ref.pageCount;
    while (page < end && !(held[page / 32] >> (page % 32) & 1)) {
        page = held[page / 32] == 0 ? (page / 32 + 1) * 32 : page + 1;
    }
    return page < end ? page : end;
}

/* Writes the next page of the checkpoint. If none remains, commits the checkpoint. Returns false if
 * there is nothing to write, or if another thread writes. */
static bool write_one(MurPager pager, VkResult *last, uint32_t *pages) {
    MurPagerHost *host = pager->host;
    if (host->checkpoint != MUR_CHECKPOINT_WRITING || host->writing) {
        return false;
    }
    host->writing = true;
    mur_unlock(&host->lock);
    const uint64_t at = next_held(pager, host->heldAt);
    const uint32_t page = at < pager->shape.ref.pageCount ? (uint32_t)at : MUR_NO_PAGE;
    VkResult result;
    if (page == MUR_NO_PAGE) {
        result = host->file.pfnCommit(host->file.pUserData);
    } else {
        result = host->file.pfnWrite(host->file.pUserData, page, mur_store_page(pager, page));
    }
    const int error = errno;
    mur_lock(&host->lock);
    host->writing = false;
    host->heldAt = at + 1;
    if (result != VK_SUCCESS) {
        note_failure(host, result, page, error);
        host->checkpoint = MUR_CHECKPOINT_FAILED;
        *last = result;
    } else if (page == MUR_NO_PAGE) {
        host->checkpoint = MUR_CHECKPOINT_WRITTEN;
        host->status.checkpoint = host->status.checkpointUnderWay;
    } else {
        ++host->status.written;
        ++*pages;
    }
    if (host->checkpoint != MUR_CHECKPOINT_WRITING) {
        host->status.checkpointUnderWay = 0;
    }
    return true;
}

VkResult murProcessPagerIo(MurPager pager, uint32_t maxPages, uint32_t *pPages) {
    VkResult result = VK_SUCCESS;
    uint32_t pages = 0, failed = 0; /* read or written, and failed reads */
    MUR_TRY(check_file(pager, __func__));
    mur_lock(&pager->host->lock);
    for (bool more = true; more && pages + failed < maxPages;) {
        const uint32_t before = pages;
        const bool read = read_one(pager, &result, &pages);
        failed += read && pages == before;
        more = (pages + failed < maxPages && write_one(pager, &result, &pages)) || read;
    }
    mur_unlock(&pager->host->lock);
    if (pPages) {
        *pPages = pages;
    }
    return result;
}

VkResult murDrainPagerIo(MurPager pager) {
    VkResult result = VK_SUCCESS;
    uint32_t pages = 0;
    MUR_TRY(check_file(pager, __func__));
    MurPagerHost *host = pager->host;
    mur_lock(&host->lock);
    read_lists(pager, host->frame);
    const MurPagerStatus *status = &host->status;
    const bool held = host->frame != 0 && (status->checkpointUnderWay == host->frame ||
                                           status->checkpoint == host->frame);
    while (held && write_one(pager, &result, &pages)) {
    }
    mur_unlock(&host->lock);
    return held ? result
                : mur_invalid_argument(pager->context, __func__,
                                       "the last frame, %llu, began no checkpoint",
                                       (unsigned long long)host->frame);
}

void murGetPagerStatus(MurPager pager, MurPagerStatus *pStatus) {
    *pStatus = (MurPagerStatus){0};
    if (pager && pager->host) {
        MurPagerHost *host = pager->host;
        mur_lock(&host->lock);
        *pStatus = host->status;
        pStatus->frame = host->frame;
        pStatus->waiting = host->queued - host->queueAt;
        pStatus->arrived = host->readyCount;
        pStatus->needsCheckpoint = host->full && host->checkpoint == MUR_CHECKPOINT_NONE;
        mur_unlock(&host->lock);
    }
}
