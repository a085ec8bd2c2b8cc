/* Declared reads and writes of kernels, from runtime/kernels/kernels.def.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TOUCHED_H
#define MUR_TOUCHED_H

#include <paging/plan_paging.h>

/* An address in push constants. */
typedef struct Address {
    const char *member; /* of the struct */
    size_t at;          /* bytes from the start of the push constants */
} Address;
/* Returns the addresses in the kernel's push constants; the last one has no member. */
const Address *kernel_addresses(MurKernel kernel);

/* Bit i: address number i of the kernel's push constants. */
typedef struct Touched {
    uint32_t reads, writes;
} Touched;
Touched kernel_touches(MurKernel kernel);

/* Returns an address from the push constants of a step; 0: the command has none. */
uint64_t step_address(const MurStep *step, const Address *address);

/* Returns true for two kernels that a plan records without a barrier although both write the same
 * memory: the GPU lets only one of them do anything. */
bool kernels_alternate(MurKernel a, MurKernel b);

#endif
