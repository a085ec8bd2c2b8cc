/* The memory that kernels declare to read and to write, in runtime/kernels/kernels.def.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TOUCHED_H
#define MUR_TOUCHED_H

#include <plan/plan.h>

/* An address in push constants. */
typedef struct Address {
    const char *member; /* of the struct */
    size_t at;          /* bytes from the start of the push constants */
} Address;
/* The addresses that the kernel's push constants hold; the last has no member. */
const Address *kernel_addresses(MurKernel kernel);

/* Bit i is address number i of the kernel's push constants. */
typedef struct Touched {
    uint32_t reads, writes;
} Touched;
Touched kernel_touches(MurKernel kernel);

/* The value of an address in the push constants of a step; 0: the command does not have it. */
uint64_t step_address(const MurStep *step, const Address *address);

/* True for two kernels that a plan records without a barrier between them although both write the
 * same memory: the GPU lets only one of them do anything. */
bool kernels_alternate(MurKernel a, MurKernel b);

#endif
