/* Parts of database_test.
 *
 * SPDX-License-Identifier: MIT */
#ifndef DATABASE_TEST_H
#define DATABASE_TEST_H

int model_tests(void);
int crash_tests(void);
int damage_tests(void);
int system_tests(void);
/* What another process is for: this program with the task's name. */
int system_task(const char *name);

#endif
