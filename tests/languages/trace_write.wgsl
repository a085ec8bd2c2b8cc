// See trace.wgsl. SPDX-License-Identifier: MIT

@group(0) @binding(0) var<storage, read_write> mur_table: array<atomic<u32>>;

fn insert(t: MurTableRef, op: vec4<u32>, value: u32) -> MurWritten {
    switch mur_format(t) {
        case MUR_FORMAT_K64V32: { return mur_insert_mode_64(t, op.yz, value, op.w); }
        case MUR_FORMAT_K32: { return mur_set_insert(t, op.y); }
        case MUR_FORMAT_K64: { return mur_set_insert_64(t, op.yz); }
        default: { return mur_insert_mode(t, op.y, value, op.w); }
    }
}

fn erase(t: MurTableRef, op: vec4<u32>) -> MurWritten {
    switch mur_format(t) {
        case MUR_FORMAT_K64V32: { return mur_erase_64(t, op.yz); }
        case MUR_FORMAT_K32: { return mur_set_erase(t, op.y); }
        case MUR_FORMAT_K64: { return mur_set_erase_64(t, op.yz); }
        default: { return mur_erase(t, op.y); }
    }
}

fn write(t: MurTableRef, op: vec4<u32>) -> vec4<u32> {
    var value = op.x >> 8u;
    if (value == 0xFFFFFFu) {
        value = 0xFFFFFFFFu;
    }
    let is_set = mur_is_set(mur_format(t));
    var written = MurWritten(0u, 0u, 0u);
    switch op.x & 0xFFu {
        case TRACE_EXCHANGE: {
            return vec4<u32>(0u, mur_slot_exchange(t, op.y, value), 0u, 0u);
        }
        case TRACE_COMPARE: {
            return vec4<u32>(0u, mur_slot_compare_exchange(t, op.y, op.z, value), 0u, 0u);
        }
        case TRACE_FREE: {
            mur_evict(t, op.y);
            return vec4<u32>(0u);
        }
        case TRACE_STAY: {
            mur_retain(t, op.y);
            return vec4<u32>(0u);
        }
        case TRACE_TOUCH: {
            mur_touch(t, op.y, op.z);
            return vec4<u32>(0u);
        }
        case TRACE_INSERT, TRACE_NAMED: {
            written = insert(t, op, value); // by name: wgsl.sh checks the text
            written.slot = select(written.slot, 0u, is_set && (op.x & 0xFFu) == TRACE_NAMED);
        }
        default: {
            written = erase(t, op);
            if ((op.x & 0xFFu) == TRACE_ERASE_ONLY) {
                return vec4<u32>(written.status, 0u, 0u, 0u);
            }
        }
    }
    return vec4<u32>(written.status, select(written.value, 0u, is_set), written.slot, 0u);
}
