/* Functions that the files of this folder share in addition to host_slot.h: table headers, and
 * rehashes entry by entry from another table or from a file.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_HOST_MOVE_H
#define MUR_HOST_MOVE_H

#include "host_bucket.h"

/* host.c: returns the valid MUR_STATE_* of a table with these flags. */
uint32_t mur_host_states(uint32_t flags);

/* host.c: fails unless the header describes a table that fits into size bytes. */
VkResult mur_host_check_header(const MurTableHeader *header, uint64_t size);

/* host.c: returns the reference of a table with a valid header. */
MurTableRef mur_host_ref(const MurTableHeader *header);

/* host.c: returns the header of a table after a clear. */
MurTableHeader mur_host_empty_header(const HostView *view);

/* host_items.c: returns whether the table supports the mode. */
bool mur_host_offers(const MurHostTable *table, MurInsertMode mode);

/* host_items.c: like murHostFind, murHostInsert and murHostErase, for any table type. index is
 * the number of a value among the values of its key (MUR_TYPE_INDEXED), and 0 in other tables. The
 * table must support the insert mode. */
MurHostResult mur_host_find(const MurHostTable *table, uint64_t key, uint32_t index);
MurHostResult mur_host_insert(const MurHostTable *table, MurInsertMode mode, uint64_t key,
                              uint32_t index, uint64_t value);
MurHostResult mur_host_erase(const MurHostTable *table, uint64_t key, uint32_t index);

/* host_move.c: a rehash in progress. */
typedef struct HostRehash {
    HostView view; /* the destination */
    bool ordered;  /* the destination is still sorted by hash */
    bool wrapped;
    MurHostMoved moved;
} HostRehash;

/* Returns whether both tables have the same format. Keys that the engine compares
 * (MUR_TYPE_COMPARES) are not hashed again, so such tables must also have the same hashes. */
bool mur_host_can_rehash(const MurTableRef *source, const MurTableRef *destination);
/* Begins a rehash: clears the destination. */
void mur_host_rehash_begin(HostRehash *rehash, const MurHostTable *destination);
/* Inserts the entries of slots of the source table, which must come in slot order. seed and none:
 * the seed and the empty value of the source table. */
void mur_host_rehash_slots(HostRehash *rehash, uint32_t seed, uint64_t none, const HostSlot *slots,
                           size_t count);
/* Ends a rehash: writes the state flags to the destination's header. */
void mur_host_rehash_end(const HostRehash *rehash);

#endif
