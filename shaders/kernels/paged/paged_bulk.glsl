// What the steps of bulk commands on paged tables share. The batch is sorted by page: pages that
// are lacking are made, those that have pending writes marked, the items of each page counted, each
// page given a place, the items put there. Then a workgroup a page does them. Items of pages that
// wait go to the log, if they write. Commands without a batch need the last step only.
//
// SPDX-License-Identifier: MIT

MurPagedOwn memory_word(uvec2 array, uint i) {
    return MurPagedOwn(mur_offset(array, i, 2u));
}

MurPagedOwn bulk_word(uint w, uint i) {
    return memory_word(given.work, MUR_BULK_WORK_AT + MUR_BULK_WORDS * w + i);
}

uint bulk_items() {
    return mur_count_at(given.count, given.maxCount);
}

bool bulk_writes() {
    return given.op != MUR_BULK_FIND;
}

uint bulk_name(uint item) {
    return mur_wanted(given.names) ? mur_input(given.names, item) : 0u;
}

uvec2 bulk_none() {
    uint none = (push.flags & MUR_TABLE_ZERO) != 0u ? 0u : 0xFFFFFFFFu;
    return uvec2(none, KERNEL_FORMAT == MUR_FORMAT_K64V64 ? none : 0u);
}

bool bulk_takes_values() {
    return given.op <= MUR_MODE_UPDATE;
}

// value: what a find found, or an erase erased.
void answer(uint item, uint status, uvec2 value) {
    mur_output(given.statuses, item, status);
    if (!bulk_takes_values()) {
        mur_output_value(given.values, item, value);
    }
}

// An item that cannot be done now.
void postpone(uint item, uint name, uvec2 key, uvec2 value) {
    uint status = MUR_NOT_RESIDENT;
    if (bulk_writes()) {
        uvec4 second = uvec4(name, given.op, own(MUR_PAGED_EPOCH).word, 0u);
        status = MUR_PENDING;
        if (!mur_paged_append(push, own(MUR_PAGED_HALF).word, uvec4(key, value), second)) {
            mur_paged_count(push, MUR_PAGED_REFUSED, 1u);
            status = MUR_FULL;
        }
    }
    answer(item, status, bulk_none());
}
