/* The reads and writes that kernels declare in runtime/kernels/kernels.def.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TOUCHED_H
#define MUR_TOUCHED_H

#include <paging/plan_paging.h>

/* A push constant that is an address. */
typedef struct Address {
    const char *member; /* name of the member */
    size_t at;          /* bytes from the start of the push constants */
} Address;
/* Returns the addresses in the kernel's push constants. The array ends with a NULL member. */
const Address *kernel_addresses(MurKernel kernel);

/* Declared accesses of a kernel. Bit i stands for address number i of its push constants. */
typedef struct Touched {
    uint32_t reads, writes;
} Touched;
Touched kernel_touches(MurKernel kernel);

/* Returns an address from a step's push constants, or 0 if the step does not have this address. */
uint64_t step_address(const MurStep *step, const Address *address);

/* Returns whether the GPU decides which one of two kernels does the work. A plan records them
 * without a barrier, although both write the same memory. */
bool kernels_alternate(MurKernel a, MurKernel b);

#endif
