/* Shared by pass.comp and the tests. SPDX-License-Identifier: MIT */
#define PASS_RUN      0u /* an eviction pass as PASS_DECISIONS says, concurrent with finds */
#define PASS_TOUCH    1u
#define PASS_ERASE    2u
#define PASS_EXCHANGE 3u /* exchanges values; Push.frame is the empty value */
#define PASS_COMPARE  4u

#define PASS_STAYS 1u
#define PASS_FREES 2u

/* Offsets of arrays, in 32-bit words. */
#define PASS_ITEMS     2048u
#define PASS_KEYS      0u
#define PASS_VALUES    (2u * PASS_ITEMS)
#define PASS_STATUSES  (3u * PASS_ITEMS)
#define PASS_SLOTS     (4u * PASS_ITEMS)
#define PASS_DECISIONS (5u * PASS_ITEMS)
#define PASS_LIVE      (6u * PASS_ITEMS)
#define PASS_ERASED    (7u * PASS_ITEMS)
#define PASS_RESULT    (8u * PASS_ITEMS)
#define PASS_WORDS     (8u * PASS_ITEMS + 16u)
