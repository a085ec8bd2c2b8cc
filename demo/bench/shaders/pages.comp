#version 450
#extension GL_GOOGLE_include_directive : require
// Writes, compares or requests the contents of a pager's pages, with one workgroup per page.
// SPDX-License-Identifier: MIT
#define MUR_READ_ONLY
#define MUR_PAGER
#define PUSH PagesPush
#include "murmuration.glsl"
#include "item.glsl"

void main() {
    uint page = push.first + item() / 256u;
    uint words = 1u << (push.pager.pageShift - 2u);
    uint frame;
    if (page - push.first >= push.count) {
        return;
    }
    if (push.task == PAGES_ASK) {
        mur_page_request(push.pager, page, 1u, frame);
        return;
    }
    bool there = mur_page_peek(push.pager, page, frame);
    for (uint i = gl_LocalInvocationIndex; i < words; i += 256u) {
        uint word = mur_hash(page * words + i, push.version);
        if (push.task == PAGES_FILL) {
            if (there) {
                mur_page_store(push.pager, frame, i, word);
            }
        } else if (!there || mur_page_load(push.pager, frame, i) != word) {
            atomicAdd(Word(push.errors).word, 1u);
        }
    }
    if (push.task == PAGES_FILL && there) {
        mur_page_written(push.pager, frame);
    }
}
