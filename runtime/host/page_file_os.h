/* A file of the system as bytes.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MUR_PAGE_FILE_OS_H
#define MUR_PAGE_FILE_OS_H

#include <murmuration/page_file.h>

/* Opens what is there, for reading and writing, and keeps other processes out of it.
 * MUR_ERROR_FILE: errno. */
VkResult mur_os_file_open(const char *path, MurFileBytes *bytes);
void mur_os_file_close(MurFileBytes *bytes);

#endif
