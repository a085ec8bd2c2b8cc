// Murmuration: writes to paged tables. A write to a resident page executes at once, as on other
// tables. Other writes are logged; the murCmdUpdatePagedTable that makes the page resident applies
// them.
// SPDX-License-Identifier: MIT

// Returns the address of entry i of half `part` of the log.
uvec2 mur_paged_entry(MurPagedRef p, uint part, uint i) {
    uint at = min(i, p.maxPending - 1u) + (part & 1u) * p.maxPending;
    return mur_offset(mur_offset(p.state, MUR_PAGED_HEADER_WORDS + p.maxLeaves, 2u), at, 5u);
}

// Adds to a 64-bit count of the state's header by 32-bit atomics.
void mur_paged_count(MurPagedRef p, uint word, uint amount) {
    uint old = atomicAdd(MUR_PAGED_STATE(p, word), amount);
    if (old + amount < old) {
        atomicAdd(MUR_PAGED_STATE(p, word + 1u), 1u);
    }
}

// Appends an entry to a half of the log. Returns false if this half is full.
bool mur_paged_append(MurPagedRef p, uint part, uvec4 first, uvec4 second) {
    uint count = MUR_PAGED_COUNTS + (part & 1u);
    if (MUR_PAGED_STATE(p, count) >= p.maxPending) {
        return false; // otherwise rejected writes could make the count wrap
    }
    uint at = atomicAdd(MUR_PAGED_STATE(p, count), 1u);
    if (at >= p.maxPending) {
        return false;
    }
    uvec2 entry = mur_paged_entry(p, part, at);
    MurPageQuad(entry).words = first;
    MurPageQuad(mur_offset(entry, 1u, 4u)).words = second;
    return true;
}

// Logs a write and returns MUR_PENDING. If the log is full, counts the write and returns MUR_FULL.
uint mur_paged_log(MurPagedRef p, uint part, uvec2 key, uvec2 value, uint op) {
    uvec4 second = uvec4(part, op, MUR_PAGED_STATE(p, MUR_PAGED_EPOCH), 0u);
    if (mur_paged_append(p, MUR_PAGED_STATE(p, MUR_PAGED_HALF), uvec4(key, value), second)) {
        return MUR_PENDING;
    }
    mur_paged_count(p, MUR_PAGED_REJECTED, 1u);
    return MUR_FULL;
}

// Executes a write on the table in a page. op: MUR_MODE_* or MUR_PAGED_ERASE. old (output): the old
// value. Returns MUR_FULL if a new key finds no slot within `sectors` sectors, which keeps probes
// short. A rebuild of the page may have moved an existing key further; such a key keeps its slot.
uint mur_paged_do(MurTableRef t, uint format, uint sectors, uvec2 key, uvec2 value, uint op,
                  out uvec2 old) {
    uvec3 hash = mur_hash_of(t, format, uvec3(key, 0u));
    uint slot = MUR_NO_SLOT;
    uint all = t.probeSectors;
    t.probeSectors = min(sectors, all);
    for (uint i = 0u; i < 2u; ++i) {
        if (op < MUR_MODE_UPDATE) {
            uint status = mur_insert_hash(t, format, hash, value, op, slot, old);
            if (status != MUR_FULL || t.probeSectors == all) {
                return status;
            }
        }
        t.probeSectors = all;
        slot = mur_find_entry(t, format, uvec3(key, 0u), old);
        if (op >= MUR_MODE_UPDATE || slot == MUR_NO_SLOT) {
            break;
        }
    }
    if (slot == MUR_NO_SLOT) {
        return op < MUR_MODE_UPDATE ? MUR_FULL : MUR_ABSENT;
    }
    return op == MUR_PAGED_ERASE   ? mur_erase_found(t, format, uvec3(key, 0u), slot, false, old)
           : op == MUR_MODE_UPDATE ? mur_update_found(t, format, hash, value, slot, old)
                                   : MUR_FOUND;
}

// Returns the error status of a write that the table rejects for every key, else MUR_PENDING.
uint mur_paged_rejects(MurPagedRef p, uint format, uvec2 value, uint op) {
    MurTableRef t = mur_paged_table(p, uvec2(0u));
    uint mode = op == MUR_PAGED_ERASE ? MUR_MODE_ASSIGN : op;
    bool reserved = op != MUR_PAGED_ERASE && mur_is_empty_value(t, format, value);
    return !mur_offers(t, format, mode) ? MUR_UNSUPPORTED
           : reserved                   ? MUR_INVALID_VALUE
                                        : MUR_PENDING;
}

// Did a write with this status change the page?
bool mur_paged_changed(uint status, uint op) {
    return status == MUR_INSERTED || status == MUR_ERASED ||
           (status == MUR_EXISTED && op != MUR_MODE_INSERT);
}

// Executes or logs a write. Returns the status of the write on the page's table, MUR_PENDING if the
// write was logged, also because the page is full, or MUR_FULL if the log is full (no effect). old:
// the old value if the write has executed, else the empty value.
uint mur_paged_write(MurPagedRef p, uint format, uint part, uvec2 key, uvec2 value, uint op,
                     out uvec2 old) {
    MurTableRef table = mur_paged_table(p, uvec2(0u));
    old = mur_none(table, format);
    uint status = mur_paged_rejects(p, format, value, op);
    if (status != MUR_PENDING) {
        return status;
    }
    uint leaf = mur_paged_leaf(p, format, part, key);
    if (leaf == MUR_PAGED_NONE && (op == MUR_PAGED_ERASE || op == MUR_MODE_UPDATE)) {
        return MUR_ABSENT;
    }
    uint poolPage;
    if (leaf != MUR_PAGED_NONE && mur_paged_enter(p, leaf, 255u, poolPage, table)) {
        status = mur_paged_do(table, format, p.probeSectors, key, value, op, old);
        if (mur_paged_changed(status, op)) {
            mur_page_written(p.pager, poolPage);
        }
        if (status != MUR_FULL) {
            return status;
        }
    }
    return mur_paged_log(p, part, key, value, op);
}
