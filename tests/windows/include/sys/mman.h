/* The POSIX functions that tests/support/image.c uses, implemented by Windows functions.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_TEST_MMAN_H
#define MUR_TEST_MMAN_H

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

enum { PROT_NONE, PROT_READ, PROT_WRITE, MAP_PRIVATE, MAP_ANONYMOUS, _SC_PAGESIZE };
#define MAP_FAILED NULL

#define mmap(at, size, access, flags, file, offset) \
    VirtualAlloc(at, size, MEM_RESERVE | MEM_COMMIT, PAGE_NOACCESS)
#define mprotect(at, size, access) (VirtualProtect(at, size, PAGE_READWRITE, &(DWORD){0}) ? 0 : -1)
#define munmap(at, size)           (VirtualFree(at, 0, MEM_RELEASE) ? 0 : -1)
#define sysconf(name)              4096

#endif
