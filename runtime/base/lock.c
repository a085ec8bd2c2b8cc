/* SPDX-License-Identifier: MIT */
#include "lock.h"

#if defined(_WIN32)

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

_Static_assert(sizeof(SRWLOCK) == sizeof(void *) && sizeof(CONDITION_VARIABLE) == sizeof(void *),
               "as in MurLock");

void mur_create_lock(MurLock *lock) {
    InitializeSRWLock((SRWLOCK *)&lock->lock);
    InitializeConditionVariable((CONDITION_VARIABLE *)&lock->condition);
}

void mur_destroy_lock(MurLock *lock) {
    (void)lock; /* nothing to release */
}

void mur_lock(MurLock *lock) {
    AcquireSRWLockExclusive((SRWLOCK *)&lock->lock);
}

void mur_unlock(MurLock *lock) {
    ReleaseSRWLockExclusive((SRWLOCK *)&lock->lock);
}

void mur_wait(MurLock *lock) {
    SleepConditionVariableSRW((CONDITION_VARIABLE *)&lock->condition, (SRWLOCK *)&lock->lock,
                              INFINITE, 0);
}

void mur_wake(MurLock *lock) {
    WakeAllConditionVariable((CONDITION_VARIABLE *)&lock->condition);
}

#else

/* Locks have default attributes. With these, their creation fails on no supported system. */

void mur_create_lock(MurLock *lock) {
    pthread_mutex_init(&lock->lock, NULL);
    pthread_cond_init(&lock->condition, NULL);
}

void mur_destroy_lock(MurLock *lock) {
    pthread_cond_destroy(&lock->condition);
    pthread_mutex_destroy(&lock->lock);
}

void mur_lock(MurLock *lock) {
    pthread_mutex_lock(&lock->lock);
}

void mur_unlock(MurLock *lock) {
    pthread_mutex_unlock(&lock->lock);
}

void mur_wait(MurLock *lock) {
    pthread_cond_wait(&lock->condition, &lock->lock);
}

void mur_wake(MurLock *lock) {
    pthread_cond_broadcast(&lock->condition);
}

#endif
