#version 450
#extension GL_GOOGLE_include_directive : require
// murCmdUpdatePager of a pager that replaces host pages, before pager_scan, one workgroup: gives
// host pages to requested pages without one, and lists the pages that the host must read. If no
// host page is free, the clock algorithm replaces one whose content is in the file. Pages in the
// pool, held pages and pages that the host reads keep their host pages, so neither a kernel nor a
// thread of the host accesses the replaced one.
// SPDX-License-Identifier: MIT
#include "pager.glsl"
#include "../scan.glsl"

shared uint shared_passed;

// Maximum number of host pages that a call examines, in units of MUR_WORKGROUP.
const uint MOST_STEPS = 256u;

// The clock, and the counts of a call. Equal in all invocations.
struct Clock {
    uint count; // host pages that can be replaced
    uint hand;
    uint free;  // length of the free list
    uint steps; // number of steps that this call may still make
    // Paged tables: requests leave this number of host pages free for new pages. To free these, the
    // clock ignores MUR_PAGE_REQUESTED: otherwise logged writes could wait for each other forever.
    uint ahead;
    uint ignored;
} clock;

bool may_replace(uint owner) {
    const uint keeps = MUR_PAGE_RESIDENT | MUR_PAGE_REQUESTED | MUR_PAGE_IN_FILE | MUR_PAGE_HELD |
                       MUR_PAGE_CHANGED;
    uint page = owner & ~MUR_HOST_USED;
    return owner == MUR_HOST_LOST ||
           (page < push.pager.pageCount && (directory_read(page) & keeps & ~clock.ignored) == 0u);
}

// Moves a host page from its owner to element `to` of the free list.
void replace(uint host_page, uint owner, uint to) {
    if (owner < push.pager.pageCount) {
        uint state = directory_read(owner);
        directory_write(owner, (state & MUR_PAGE_ZERO) != 0u ? state : state | MUR_PAGE_IN_FILE);
        host(map_at(owner)) = MUR_HOST_NONE;
        list_write(push.mapAt + owner, MUR_HOST_NONE);
    }
    host(owner_at(host_page)) = MUR_HOST_NONE;
    host(free_at(to)) = host_page;
}

// Moves the clock's hand until this number of host pages is free, or the call has no steps left.
void sweep(uint wanted) {
    uint lane = gl_LocalInvocationIndex;
    while (clock.free < wanted && clock.steps != 0u) {
        uint width = min(MUR_WORKGROUP, clock.count);
        uint host_page = (clock.hand + lane) % clock.count;
        uint owner = lane < width ? host(owner_at(host_page)) : MUR_HOST_NONE;
        bool may = may_replace(owner);
        bool used = (owner & MUR_HOST_USED) != 0u && owner != MUR_HOST_LOST;
        uint total;
        uint before = workgroup_sum_before(may && !used ? 1u : 0u, total);
        uint needed = wanted - clock.free;
        if (lane == 0u) {
            shared_passed = width;
        }
        barrier();
        if (may && before < needed) {
            if (used) {
                host(owner_at(host_page)) = owner & ~MUR_HOST_USED;
            } else {
                replace(host_page, owner, clock.free + before);
                if (before + 1u == needed) {
                    shared_passed = lane + 1u;
                }
            }
        }
        memoryBarrierBuffer();
        barrier();
        clock.hand = (clock.hand + shared_passed) % clock.count;
        clock.free += min(total, needed);
        --clock.steps;
        barrier();
    }
}

// Gives a free host page to a page, which becomes its owner.
void give(uint page, uint state, uint host_page) {
    host(owner_at(host_page)) = page | MUR_HOST_USED;
    host(map_at(page)) = host_page;
    list_write(push.mapAt + page, host_page);
}

// Serves one request per invocation. listed: length of the list of wanted pages. reading: number of
// pages that the host reads, from all lists. Both have the limit maxListed.
void serve(uint page, uint state, inout uint listed, inout uint reading) {
    bool asks = (state & MUR_PAGE_REQUESTED) != 0u && (state & MUR_PAGE_RESIDENT) == 0u;
    bool in_file = (state & MUR_PAGE_IN_FILE) != 0u;
    uint own = asks ? host(map_at(page)) : MUR_HOST_DAMAGED;
    bool needs = own == MUR_HOST_NONE;
    bool waits = own < push.pager.hostPageCount && in_file; // the host is reading the page
    // One scan computes three counts of at most 512, with 10 bits each.
    uint all;
    uint counts = needs ? (in_file ? 1u : 1u << 10u) : waits ? 1u << 20u : 0u;
    uint before = workgroup_sum_before(counts, all);
    uint room = push.maxListed - max(min(listed, push.maxListed), min(reading, push.maxListed));
    uint reads = min(all & 0x3FFu, room);
    uint at = in_file ? before & 0x3FFu : reads + (before >> 10u & 0x3FFu);
    uint wanted = reads + (all >> 10u & 0x3FFu);
    sweep(wanted + clock.ahead);
    uint given = min(wanted, clock.free - min(clock.free, clock.ahead));
    clock.free -= given;
    reads = min(reads, given);
    if (needs && at < (in_file ? reads : given)) {
        give(page, state, host(free_at(clock.free + at)));
        if (in_file) {
            list_wanted(listed + at, page | MUR_WANTED_NEW, state);
        }
    }
    listed += reads;
    reading += reads;
    at = listed + (before >> 20u);
    if (waits && at < push.maxListed) {
        list_wanted(at, page, state);
    }
    listed = min(listed + (all >> 20u), push.maxListed);
    memoryBarrierBuffer();
    barrier();
}

void main() {
    uint lane = gl_LocalInvocationIndex;
    uint fixed_pages = min(host(MUR_HOST_FIXED), push.pager.hostPageCount - 1u);
    clock.count = push.pager.hostPageCount - fixed_pages;
    clock.hand = host(MUR_HOST_HAND) % clock.count;
    clock.free = min(host(MUR_HOST_FREE), push.pager.hostPageCount);
    clock.steps = min(2u * (clock.count / MUR_WORKGROUP) + 3u, MOST_STEPS);
    uint pool = push.pager.poolPageCount;
    uint ahead = max(clock.count / 16u, min(clock.count / 4u, 16u));
    clock.ahead = fixed_pages == 0u ? 0u : min(ahead, max(clock.count, pool + 1u) - pool - 1u);
    clock.ignored = 0u;
    uint listed = list_read(MUR_LISTS_WANTED);
    uint reading = host(MUR_HOST_READING);
    uint count = min(MurPageWord(push.pager.requests).word, push.pager.maxRequests);
    barrier();
    uint end = count + (clock.ahead == 0u ? 0u : MUR_WORKGROUP); // last round: no requests
    for (uint start = 0u; start < end; start += MUR_WORKGROUP) {
        clock.ignored = start < count ? 0u : MUR_PAGE_REQUESTED;
        uvec2 at = mur_offset(push.pager.requests, MUR_REQUESTS_LIST + start + lane, 2u);
        uint page = start + lane < count ? MurPageWord(at).word : MUR_NO_PAGE;
        serve(page, mur_page_state(push.pager, page), listed, reading);
    }
    if (lane == 0u) {
        host(MUR_HOST_HAND) = clock.hand;
        host(MUR_HOST_FREE) = clock.free;
        host(MUR_HOST_READING) = reading;
        list_write(MUR_LISTS_WANTED, listed);
        uint changed = host(MUR_HOST_CHANGED);
        // Subtracts `ahead`: otherwise too few changed pages for a checkpoint could block requests.
        uint most = max(clock.count - min(clock.count, pool + clock.ahead), 2u) / 2u;
        list_write(MUR_LISTS_CHANGED, changed);
        list_write(MUR_LISTS_FULL, changed >= most ? 1u : 0u);
    }
}
