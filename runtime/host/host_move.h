/* What the files of the host side share, beside the slots of host_slot.h: headers, and rehashing
 * entry by entry, from another image or from a file.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_HOST_MOVE_H
#define MUR_HOST_MOVE_H

#include "host_slot.h"

/* host.c: the MUR_STATE_* that a table with these flags may have. */
uint32_t mur_host_states(uint32_t flags);

/* host.c: does this header describe a table that fits into size bytes? */
VkResult mur_host_check_header(const MurTableHeader *header, uint64_t size);

/* host.c: what bounds the table of a header that is all right. */
MurTableRef mur_host_ref(const MurTableHeader *header);

/* host.c: the header that a clear leaves. */
MurTableHeader mur_host_empty_header(const HostView *view);

/* host_items.c: does the table offer the mode? */
bool mur_host_offers(const MurHostTable *table, MurInsertMode mode);

/* host_items.c: as murHostFind, murHostInsert and murHostErase, in any table: the entry of a key
 * that has this index, 0 but in MUR_FORMAT_K64V32_MULTI. The table offers the mode. */
MurHostResult mur_host_find(const MurHostTable *table, uint64_t key, uint32_t index);
MurHostResult mur_host_insert(const MurHostTable *table, MurInsertMode mode, uint64_t key,
                              uint32_t index, uint64_t value);
MurHostResult mur_host_erase(const MurHostTable *table, uint64_t key, uint32_t index);

/* host_move.c: a rehash under way. */
typedef struct HostRehash {
    HostView view; /* of the destination */
    bool ordered;  /* so far */
    bool wrapped;
    MurHostMoved moved;
} HostRehash;

/* Have both tables one format; of rows, which are not hashed again, all that hashes depend on? */
bool mur_host_can_rehash(const MurTableRef *source, const MurTableRef *destination);
/* Empties the destination. */
void mur_host_rehash_begin(HostRehash *rehash, const MurHostTable *destination);
/* Slots of a table with this seed and empty value, in the order of their indices. Those without
 * an entry are left behind. */
void mur_host_rehash_slots(HostRehash *rehash, uint32_t seed, uint64_t none, const HostSlot *slots,
                           size_t count);
/* Says in the destination's header what is true of it. */
void mur_host_rehash_end(const HostRehash *rehash);

#endif
