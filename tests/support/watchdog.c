/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700
#include "watchdog.h"

#include <stdio.h>
#include <sys/resource.h>

void watchdog(unsigned seconds) {
    struct rusage usage;
    struct rlimit limit;
    if (getrusage(RUSAGE_SELF, &usage) != 0 || getrlimit(RLIMIT_CPU, &limit) != 0) {
        return;
    }
    const rlim_t used = (rlim_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec);
    const rlim_t wanted = used + seconds + 2; /* both times are rounded down to seconds */
    limit.rlim_cur = seconds && wanted < limit.rlim_max ? wanted : limit.rlim_max;
    if (setrlimit(RLIMIT_CPU, &limit) != 0) { /* at the limit, SIGXCPU ends the process */
        perror("setrlimit");
    }
}
