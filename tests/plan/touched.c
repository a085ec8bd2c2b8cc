/* SPDX-License-Identifier: MIT */
#include "touched.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The addresses in the push constants. Their names, which kernels.def also uses, are those of the
 * (innermost) members; AS gives another name. */
#define AT(push, path) AS(path, push, path)
#define AS(name, push, path) \
    { #name, offsetof(MurPush, push.path) }
#define TABLE_OF(push) AS(table, push, table.address)
enum { MOST_ADDRESSES = 13 };
static const Address addresses[MUR_PUSH_KINDS][MOST_ADDRESSES] = {
    [MUR_PUSH_TABLE] = {AS(table, table, address)},
    [MUR_PUSH_BATCH] = {TABLE_OF(batch), AT(batch, keys), AT(batch, values), AT(batch, statuses),
                        AT(batch, slots), AT(batch, oldValues), AT(batch, statusBits),
                        AT(batch, count)},
    [MUR_PUSH_SORT] = {AT(sort, keys), AT(sort, values), AT(sort, count), AT(sort, coarse),
                       AT(sort, counters), AT(sort, sortedKeys), AT(sort, sortedValues),
                       AT(sort, places)},
    [MUR_PUSH_UNSORT] = {AT(unsort, count), AT(unsort, places), AT(unsort, sorted),
                         AT(unsort, results)},
    [MUR_PUSH_EXTRACT] = {TABLE_OF(extract), AT(extract, keys), AT(extract, values),
                          AT(extract, slots), AT(extract, count)},
    [MUR_PUSH_STATS] = {TABLE_OF(stats), AT(stats, stats)},
    [MUR_PUSH_EVICT] = {TABLE_OF(evict), AT(evict, live), AT(evict, erased), AT(evict, result)},
    [MUR_PUSH_GROUP] = {TABLE_OF(group), AT(group, keys), AT(group, values), AT(group, count),
                        AT(group, counters), AT(group, scratch), AT(group, tiles), AT(group, slots),
                        AT(group, groups)},
    [MUR_PUSH_SLICES] = {TABLE_OF(slices), AT(slices, keys), AT(slices, values), AT(slices, count),
                         AT(slices, scratch)},
    [MUR_PUSH_REHASH] = {TABLE_OF(rehash), AS(source, rehash, source.address), AT(rehash, slotMap),
                         AT(rehash, result), AT(rehash, scratch)},
    [MUR_PUSH_MULTI] = {TABLE_OF(multi), AT(multi, keys), AT(multi, count), AT(multi, offsets),
                        AT(multi, values), AT(multi, indices), AT(multi, total),
                        AT(multi, scratch)},
    /* Address "pager" stands for all memory of the pager before the pool. */
    [MUR_PUSH_PAGER] = {AS(pager, pager, block), AT(pager, pager.pool), AT(pager, store),
                        AT(pager, lists), AT(pager, stats)},
    [MUR_PUSH_PAGES] = {AS(pager, pages, pager.requests), AT(pages, pager.pool), AT(pages, pages),
                        AT(pages, count)},
    [MUR_PUSH_CHUNKS] = {AS(pager, chunks, block)},
    /* Address "state" stands for the state and all memory after it. */
    [MUR_PUSH_PAGED] = {AS(pager, paged, pager.requests), AT(paged, pager.pool), AT(paged, state),
                        AT(paged, partitions)},
    [MUR_PUSH_PAGED_EVICT_NEW] = {AS(pager, pagedEvictNew, block), AT(pagedEvictNew, pager.pool),
                                  AT(pagedEvictNew, store), AT(pagedEvictNew, state),
                                  AT(pagedEvictNew, stats)},
    [MUR_PUSH_PAGED_PERSIST] = {AS(pager, pagedPersist, block), AT(pagedPersist, store),
                                AT(pagedPersist, state), AT(pagedPersist, partitions)},
    /* Address "scratch" is that of the arguments. Later kernels use the memory after it. */
    [MUR_PUSH_PAGED_BULK] = {AS(scratch, pagedBulk, given.pages), AT(pagedBulk, given.keys),
                             AT(pagedBulk, given.values), AT(pagedBulk, given.statuses),
                             AT(pagedBulk, given.count), AT(pagedBulk, given.result),
                             AT(pagedBulk, given.left), AT(pagedBulk, given.store),
                             AS(pager, pagedBulk, table.pager.requests),
                             AT(pagedBulk, table.pager.pool), AT(pagedBulk, table.state),
                             AT(pagedBulk, table.partitions)},
    [MUR_PUSH_MIRROR] = {AT(mirror, table), AT(mirror, list), AT(mirror, source)},
    [MUR_PUSH_ARGS] = {AS(scratch, args, arguments)},
};

const Address *kernel_addresses(MurKernel kernel) {
    return addresses[mur_kernels[kernel].push];
}

/* Returns whether a name in kernels.def ("OLD_VALUES") means a member ("given.oldValues"). */
static bool is_named(const char *member, const char *name, size_t length) {
    const char *dot = strrchr(member, '.');
    member = dot ? dot + 1 : member;
    for (size_t i = 0; i < length; ++i) {
        if (name[i] != '_' && tolower(name[i]) != tolower(*member++)) {
            return false;
        }
    }
    return *member == 0;
}

/* Returns one bit per named address of the kernel. names: for example "TABLE | KEYS", or "NONE". */
static uint32_t mask_of(MurKernel kernel, const char *names) {
    const Address *all = kernel_addresses(kernel);
    uint32_t mask = 0;
    while (*names) {
        const size_t length = strcspn(names, " |");
        uint32_t i = 0;
        while (all[i].member && !is_named(all[i].member, names, length)) {
            ++i;
        }
        if (!all[i].member && strcmp(names, "NONE") != 0) {
            fprintf(stderr, "%s: its push constants have no address for %s\n",
                    mur_kernels[kernel].name, names);
            abort();
        }
        mask |= all[i].member ? 1u << i : 0;
        names += length;
        names += strspn(names, " |");
    }
    return mask;
}

Touched kernel_touches(MurKernel kernel) {
    static const struct {
        const char *reads, *writes;
    } declared[MUR_KERNEL_COUNT] = {
#define KERNEL(id, folder, source, kind, group, variant, family, formats, need, push, reads, \
               writes)                                                                       \
    [MUR_KERNEL_##id] = {#reads, #writes},
#include <kernels/kernels.def>
#undef KERNEL
    };
    static Touched touched[MUR_KERNEL_COUNT];
    if (!touched[kernel].reads && !touched[kernel].writes) {
        touched[kernel] = (Touched){mask_of(kernel, declared[kernel].reads),
                                    mask_of(kernel, declared[kernel].writes)};
    }
    return touched[kernel];
}

uint64_t step_address(const MurStep *step, const Address *address) {
    uint64_t value;
    memcpy(&value, (const char *)&step->push + address->at, sizeof value);
    return value;
}

bool kernels_alternate(MurKernel a, MurKernel b) {
    static const MurKernel pairs[][2] = {
        {MUR_KERNEL_REHASH_SLICES, MUR_KERNEL_REHASH_DENSE},
        {MUR_KERNEL_REHASH_WIDE, MUR_KERNEL_REHASH_DENSE},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
        if ((pairs[i][0] == a && pairs[i][1] == b) || (pairs[i][0] == b && pairs[i][1] == a)) {
            return true;
        }
    }
    return false;
}
