// Murmuration: how murmuration.wgsl, which it belongs to, reads a table that nobody writes.
//
// SPDX-License-Identifier: MIT

fn mur_half(part: u32) -> vec4<u32> {
    return mur_table[part];
}

fn mur_word(at: u32) -> u32 {
    return mur_table[at / 4u][at % 4u];
}

// Is every cluster known to be sorted by hash?
fn mur_ordered() -> bool {
    let state = mur_word(MUR_HEADER_STATE);
    return (state & (MUR_STATE_ORDERED | MUR_STATE_WRAPPED)) == MUR_STATE_ORDERED;
}
