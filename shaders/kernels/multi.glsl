// What the kernels of tables with many values a key share.
//
// SPDX-License-Identifier: MIT
#define MUR_KERNEL_FORMAT MUR_FORMAT_K64V32
#include "format_kernel.glsl"

MurTableRef multi_table(MurTableRef table) {
    table = mur_kernel_table(table);
    table.flags |= MUR_TABLE_ZERO;
    return table;
}
