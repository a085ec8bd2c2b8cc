/* Parts of database_test.
 *
 * SPDX-License-Identifier: MIT */
#ifndef DATABASE_TEST_H
#define DATABASE_TEST_H

/* What another process is for: this program with the task's name. */
int system_task(const char *name);

#endif
