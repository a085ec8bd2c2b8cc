/* Tables in pages in host memory: what their files share.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_HOST_PAGED_H
#define MUR_HOST_PAGED_H

#include <murmuration/host_paged.h>

#include <stdbool.h>

/* Where the leaf of a key is, and what its group is like; as paged.glsl has it. */
typedef struct PagedPlace {
    uint32_t group;
    uint32_t root; /* MUR_PAGED_NONE: the group is not there */
    uint32_t at;   /* the leaf's index; MUR_PAGED_NONE: the root is the leaf */
    uint32_t leaf; /* MUR_PAGED_NONE: there is no page yet */
} PagedPlace;

/* host_paged.c. Words of the state, its leaves, entries of the log's half. */
uint32_t *mur_paged_state(const MurHostPagedTable *table);
uint32_t *mur_paged_log(const MurHostPagedTable *table, uint32_t half);
/* The table of groups, in the image; behind what is kept of that, room for a page. */
MurHostTable mur_paged_groups(const MurHostPagedTable *table);
uint8_t *mur_paged_room(const MurHostPagedTable *table);
/* A page of the store, likewise the kept ones. */
uint8_t *mur_paged_page(const MurHostPagedTable *table, uint32_t page);
/* The table in these bytes of a page. Probes go through all of it. */
MurHostTable mur_paged_table_at(const MurHostPagedTable *table, void *bytes);
PagedPlace mur_paged_place(const MurHostPagedTable *table, uint32_t name, uint64_t key);
bool mur_paged_has_page(const MurHostPagedTable *table, uint32_t leaf);
/* Which half of a page that splits a key belongs to. */
bool mur_paged_upper(const MurHostPagedTable *table, uint64_t key, uint32_t depth);

/* host_paged_split.c. A write, MUR_MODE_* or MUR_PAGED_ERASE; pages are made and split for it. */
MurHostResult mur_paged_write(const MurHostPagedTable *table, uint32_t op, uint32_t name,
                              uint64_t key, uint64_t value);
/* The leaf, or root, of a place: with these flags alone. */
void mur_paged_set_flags(const MurHostPagedTable *table, const PagedPlace *place, uint32_t flags);

#endif
