// What the kernels of tables with many values a key share.
//
// SPDX-License-Identifier: MIT
#define MUR_KERNEL_FORMAT MUR_FORMAT_K64V32
#include "../format_kernel.glsl"

// Has the sort found a bin crowded? Of a sorted batch only, whose slots are the address of the
// counter MUR_SORT_CROWDED.
#define multi_is_crowded() (mur_input(push.slots, 0u) != 0u)

MurTableRef multi_table(MurTableRef table) {
    table = mur_kernel_table(table);
    table.flags |= MUR_TABLE_ZERO;
    return table;
}
