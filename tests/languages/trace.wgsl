// The trace in WGSL: see trace.h and trace.comp. The module consists of murmuration.wgsl, the
// constants of trace.h, this file, and trace_read.wgsl with murmuration_read.wgsl, or
// trace_write.wgsl with murmuration_write.wgsl.
// SPDX-License-Identifier: MIT

@group(0) @binding(1) var<storage, read> operations: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> answers: array<vec4<u32>>;

fn table_ref() -> MurTableRef {
    let low = operations[0];
    let high = operations[1];
    return MurTableRef(low.xy, low.z, low.w, high.x, high.y, high.z, high.w);
}

fn find(t: MurTableRef, op: vec4<u32>) -> MurFound {
    switch mur_format(t) {
        case MUR_FORMAT_K64V32: { return mur_find_64(t, op.yz); }
        case MUR_FORMAT_K32: { return MurFound(mur_set_find(t, op.y), 0u); }
        case MUR_FORMAT_K64: { return MurFound(mur_set_find_64(t, op.yz), 0u); }
        default: { return mur_find(t, op.y); }
    }
}

fn spatial(op: vec4<u32>) -> vec4<u32> {
    let position = bitcast<vec3<f32>>(op.yzw);
    let level = mur_spatial_level(position.x);
    let key = mur_spatial_key_at(position, TRACE_SCALE, level, mur_spatial_face(position));
    return vec4<u32>(key, mur_spatial_parent(key) ^ mur_spatial_child(key, op.w & 7u));
}

fn operate(t: MurTableRef, i: u32) {
    let op = operations[TRACE_FIRST / 4u + i];
    var answer = vec4<u32>(0u);
    switch op.x & 0xFFu {
        case TRACE_FIND, TRACE_FIND_VALUE: {
            let found = find(t, op);
            let told = (op.x & 0xFFu) == TRACE_FIND && found.slot != MUR_NO_SLOT;
            answer = vec4<u32>(select(0u, 1u, told), found.value, found.slot, 0u);
        }
        case TRACE_SLOT_VALUE: {
            answer.y = mur_slot_value(t, op.y);
        }
        case TRACE_ENTRY: {
            let entry = mur_slot_entry(t, op.y);
            answer.y = select(entry.value, 0u, mur_is_set(mur_format(t)));
            if (entry.there) {
                answer = vec4<u32>(1u, answer.y, entry.key);
            }
        }
        case TRACE_SPATIAL: {
            answer = spatial(op);
        }
        case TRACE_CENTER: {
            let center = bitcast<vec3<u32>>(mur_spatial_center(op.yz, 1.0 / TRACE_SCALE));
            answer = vec4<u32>(center,
                               mur_spatial_face_of(op.yz) | (mur_spatial_level_of(op.yz) << 3u));
        }
        default: {
            answer = write(t, op);
        }
    }
    answers[i] = answer;
}

@compute @workgroup_size(TRACE_WORKGROUP)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let t = table_ref();
    let alone = operations[TRACE_ALONE / 4u][TRACE_ALONE % 4u] != 0u;
    var end = operations[TRACE_COUNT / 4u][TRACE_COUNT % 4u];
    if (alone) {
        end = select(0u, end, id.x == 0u);
    } else {
        end = min(id.x + 1u, end);
    }
    for (var i = id.x; i < end; i++) {
        operate(t, i);
    }
}
