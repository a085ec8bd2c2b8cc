/* Shared by the case files of database_test.
 * SPDX-License-Identifier: MIT */
#ifndef DATABASE_TEST_H
#define DATABASE_TEST_H

/* Runs the task with this name, in another process of this test program. */
int system_task(const char *name);

#endif
