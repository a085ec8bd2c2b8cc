/* A mutex and its condition variable, from the system's threads.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_LOCK_H
#define MUR_LOCK_H

#if defined(_WIN32)
/* Memory of an SRWLOCK and a CONDITION_VARIABLE, without windows.h and its macros. */
typedef struct MurLock {
    void *lock;
    void *condition;
} MurLock;
#else
#include <pthread.h>

typedef struct MurLock {
    pthread_mutex_t lock;
    pthread_cond_t condition;
} MurLock;
#endif

void mur_create_lock(MurLock *lock);
void mur_destroy_lock(MurLock *lock);
void mur_lock(MurLock *lock);
void mur_unlock(MurLock *lock);
/* The caller must hold the lock. mur_wait releases the lock until mur_wake is called, and can also
 * return earlier. mur_wake wakes all waiting threads. */
void mur_wait(MurLock *lock);
void mur_wake(MurLock *lock);

#endif
