// Shared by the steps of bulk commands on paged tables. The steps sort the batch by page: they
// create missing pages, mark pages with logged writes, count the items of each page, assign each
// page a range, and write the items there. Then one workgroup per page applies its items. Writes to
// marked pages are logged. Commands without a batch need only the last step.
// SPDX-License-Identifier: MIT

#define memory_word(array, i) MurPagedOwn(mur_offset(array, i, 2u)).words[0]
#define bulk_word(w, i) MurPagedOwn(given.work).words[MUR_BULK_WORK_AT + MUR_BULK_WORDS * (w) + (i)]

uint bulk_items() {
    return mur_count_at(given.count, given.maxCount);
}

bool bulk_writes() {
    return given.op != MUR_BULK_FIND;
}

uint bulk_partition(uint item) {
    return mur_wanted(given.partitions) ? mur_input(given.partitions, item) : 0u;
}

uvec2 bulk_none() {
    return mur_none(mur_paged_table(push, uvec2(0u)), KERNEL_FORMAT);
}

bool bulk_takes_values() {
    return given.op <= MUR_MODE_UPDATE;
}

// Writes the results of an item. value: the value of the found or erased entry.
void answer(uint item, uint status, uvec2 value) {
    mur_output(given.statuses, item, status);
    if (!bulk_takes_values()) {
        mur_output_value(given.values, item, value);
    }
}

// Logs a write that cannot execute now. Returns the item's status, MUR_NOT_RESIDENT for finds.
uint postpone(uint item, uvec2 key, uvec2 value) {
    return bulk_writes() ? mur_paged_log(push, bulk_partition(item), key, value, given.op)
                         : MUR_NOT_RESIDENT;
}
