/* Declared reads and writes of kernels, from runtime/kernels/kernels.def.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TOUCHED_H
#define MUR_TOUCHED_H

#include <paging/plan_paging.h>

/* The place of an address in push constants. */
typedef struct Address {
    const char *member; /* name of the member */
    size_t at;          /* bytes from the start of the push constants */
} Address;
/* Returns the addresses in the kernel's push constants. The array ends with a NULL member. */
const Address *kernel_addresses(MurKernel kernel);

/* Bits: bit i is address number i of the kernel's push constants. */
typedef struct Touched {
    uint32_t reads, writes;
} Touched;
Touched kernel_touches(MurKernel kernel);

/* Returns an address from the push constants of a step, or 0 if the command has none. */
uint64_t step_address(const MurStep *step, const Address *address);

/* Returns true for two kernels that a plan records without a barrier although both write the same
 * memory. Only one of them does any work: the GPU decides which. */
bool kernels_alternate(MurKernel a, MurKernel b);

#endif
