#version 450
#extension GL_GOOGLE_include_directive : require
// The shader of a user: each invocation runs one item.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_PAGER
#include "murmuration.glsl"
#include "layout.h"

layout(local_size_x = 64) in;
layout(push_constant) uniform Push {
    VisitPush push;
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Item {
    VisitItem item;
};
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Answer {
    uint frame;
    uint value;
};

void main() {
    if (gl_GlobalInvocationID.x >= push.count) {
        return;
    }
    VisitItem item = Item(mur_offset(push.items, 5u * gl_GlobalInvocationID.x, 2u)).item;
    Answer answer = Answer(mur_offset(push.answers, VISIT_ANSWER * gl_GlobalInvocationID.x, 2u));
    uint frame;
    bool there = item.verb == VISIT_PEEK
                     ? mur_page_peek(push.pager, item.page, frame)
                     : mur_page_request(push.pager, item.page, item.priority, frame);
    answer.frame = frame;
    answer.value = 0u;
    if (item.verb == VISIT_FRAME) {
        mur_page_written(push.pager, item.page);
        mur_page_touch(push.pager, item.page);
        mur_page_store(push.pager, item.page, item.word, item.value);
    }
    if (!there) {
        return;
    }
    if (item.verb == VISIT_STORE) {
        mur_page_store(push.pager, frame, item.word, item.value);
        mur_page_written(push.pager, frame);
    } else if (item.verb == VISIT_STORE_QUAD) {
        uvec4 values = item.value + uvec4(0u, 1u, 2u, 3u);
        mur_page_written(push.pager, frame);
        mur_page_store_quad(push.pager, frame, item.word / 4u, values);
    } else if (item.verb == VISIT_SUM) {
        answer.value = item.value;
        for (uint i = 0u; i < 1u << (push.pager.pageShift - 2u); ++i) {
            answer.value = 31u * answer.value + mur_page_load(push.pager, frame, i);
        }
    } else {
        uvec4 quad = mur_page_load_quad(push.pager, frame, item.word / 4u);
        uint word = mur_page_load(push.pager, frame, item.word);
        answer.value = quad[item.word % 4u] == word ? word : ~word;
    }
}
