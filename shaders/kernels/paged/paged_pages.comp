#version 450
#extension GL_GOOGLE_include_directive : require
// One workgroup per page applies the page's entries of the log, or its items of a bulk command. One
// shader serves both, because inserts, erases and lookups are most of the code.
// SPDX-License-Identifier: MIT
#define MUR_PAGED_GIVEN
#define MUR_COHERENT_INSERTS // this kernel also clears tables
#define MUR_SHORT_PROBES     // pages split before probes become long
#include "paged.glsl"
#include "../header.glsl"
#include "paged_page.glsl"
#include "paged_bulk.glsl"
#include "paged_where.glsl"

const bool STREAMS = MUR_VARIANT == MUR_PAGED_STEP_STREAM; // a bulk command

shared uint shared_age;

// The work on a page.
struct Job {
    Place p;
    Target t;
    bool clears;        // the page's tables are created, empty
    MurTableRef source; // the old content of the page, if it is rebuilt
    uint slots;         // number of slots of source to move; 0: the page is not rebuilt
    uint first, count;  // the page's range in the list of entries or items
    uint index, pool_page; // log: the work item, its pool page
    uint page;          // log: the new page if it splits, or MUR_PAGED_INDEX
    Where at, other;    // bulk command: the page, and its new page or the same one
};

#include "paged_apply.glsl"
#include "paged_stream.glsl"

// Moves the entries of a page that is rebuilt. Then applies the log's entries, one epoch per round.
// Returns true after a round that found the table full. A bulk command has only one round.
bool do_entries(Job job) {
    bool moves = job.slots != 0u;
    for (uint left = job.count + 1u; left != 0u; --left) { // each round applies at least one entry
        if (gl_LocalInvocationIndex == 0u) {
            shared_age = 0u;
            shared_left = 0u;
        }
        barrier_all();
        for (uint i = gl_LocalInvocationIndex; i < job.count && !STREAMS; i += MUR_WORKGROUP) {
            atomicMax(shared_age, age_of(listed(job.first + i).word));
        }
        barrier();
        uint age = shared_age;
        if (age == 0u && !moves && !STREAMS) {
            return false;
        }
        uint done = 0u;
        uint end = moves ? job.slots : job.count;
        for (uint i = gl_LocalInvocationIndex; i < end; i += MUR_WORKGROUP) {
            uint at = moves ? i : STREAMS ? job.first + i : listed(job.first + i).word;
            uint op = MUR_MODE_ASSIGN;
            uvec2 key, value, old;
            bool wanted = true;
            if (moves) {
                wanted = slot_entry(job.source, at, key, value);
            } else if (STREAMS) {
                take_item(at, key, value, op);
            } else {
                wanted = take_entry(at, age, key, value, op);
            }
            if (!wanted) {
                continue;
            }
            MurTableRef table = side_of(job.t, key);
            uint sectors = moves ? push.slotCount : job.t.sectors;
            uint status = MUR_CONTENDED; // other entries of the log cause at most maxPending tries
            uint tries = STREAMS ? 1u : push.maxPending;
            for (; tries != 0u && status == MUR_CONTENDED; --tries) {
                status = mur_paged_do(table, KERNEL_FORMAT, sectors, key, value, op, old);
            }
            if (STREAMS) {
                if (bulk_writes() && mur_paged_changed(status, op)) {
                    shared_changed = 1u;
                }
                if (!moves) {
                    end_item(at, key, value, status, old);
                }
            } else if (status == MUR_FULL || status == MUR_CONTENDED) {
                shared_left = 1u;
            } else if (!moves) {
                entry_word(at, MUR_PENDING_OP).word = MUR_PAGED_NONE;
                ++done;
            }
        }
        if (done != 0u) {
            mur_paged_count(push, MUR_PAGED_APPLIED, done);
        }
        barrier_all();
        bool full = shared_left != 0u;
        barrier();
        if (full || STREAMS) {
            return full;
        }
        moves = false;
    }
    return false;
}

void main() {
    uint groups = gl_NumWorkGroups.x * gl_NumWorkGroups.y;
    uint jobs;
    if (STREAMS) {
        take_arguments();
        if (given.op == MUR_BULK_EXTRACT) {
            extract_pages(groups);
            return;
        }
        jobs = count_streamed(groups);
    } else {
        jobs = count_logged();
    }
    for (uint i = mur_workgroup(); i < jobs; i += groups) {
        Job job;
        uint part;
        uvec2 key;
        bool wanted = STREAMS ? find_streamed(i, job, part, key) : find_logged(i, job, part, key);
        if (wanted) {
            job.p = place_of(KERNEL_FORMAT, part, key);
            wanted = STREAMS ? start_streamed(job) : start_logged(i, job);
        }
        if (wanted) {
            if (job.clears) {
                clear_tables(job.t, job.p.part);
            }
            barrier_all();
            bool full = do_entries(job);
            uint lower, upper; // leaves
            if (STREAMS) {
                end_streamed(job, lower, upper);
            } else {
                end_logged(job, full, lower, upper);
            }
            if (lower != job.p.leaf) {
                set_leaves(job.p, lower, upper);
            }
        }
        barrier();
    }
}
