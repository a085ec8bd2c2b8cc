/* Messages, and checks of arguments that all functions share.
 * SPDX-License-Identifier: MIT */
#ifndef MUR_BASE_H
#define MUR_BASE_H

#include <murmuration/murmuration.h>

#include "try.h"

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define MUR_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define MUR_PRINTF(text, first)
#endif

typedef struct MurLogger {
    PFN_murLog pfnLog;
    void *pUserData;
} MurLogger;

const MurLogger *mur_logger(MurContext context);

#define MUR_LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* log.c. mur_fail logs an error and returns its result. mur_check_result does the same if a Vulkan
 * call failed, and appends the name of the result. mur_invalid_argument logs an invalid argument
 * and returns MUR_ERROR_INVALID_ARGUMENT. */
void mur_log(const MurLogger *logger, MurLogSeverity severity, const char *format, ...)
    MUR_PRINTF(3, 4);
VkResult mur_fail(const MurLogger *logger, VkResult result, const char *format, ...)
    MUR_PRINTF(3, 4);
VkResult mur_check_result(MurContext context, VkResult result, const char *format, ...)
    MUR_PRINTF(3, 4);
VkResult mur_invalid_argument(MurContext context, const char *function, const char *format, ...)
    MUR_PRINTF(3, 4);
/* Returns the context of an object. Without an object, returns VK_NULL_HANDLE: checks then fail
 * without a message, because there is no log. */
#define MUR_CONTEXT(object) ((object) ? (object)->context : VK_NULL_HANDLE)
VkResult mur_check_command(MurContext context, VkCommandBuffer cmd, const char *command);
/* Rejects NULL, and structs whose pNext is not NULL. given: any struct that begins with pNext. */
VkResult mur_check_struct(MurContext context, const char *function, const char *name,
                          const void *given);
/* mur_check_numbers rejects numbers that are out of range. Its messages have the number's name. */
typedef struct MurNumber {
    const char *name;
    uint64_t value, least, most;
} MurNumber;
VkResult mur_check_numbers(MurContext context, const char *function, const MurNumber *numbers,
                           size_t count);
/* Rejects frames that do not follow the last frame, and more frames than may be in flight. */
VkResult mur_check_frame(MurContext context, const char *function, uint64_t frame,
                         uint64_t completed, uint64_t last, uint32_t inFlight);
/* Checks a create info, and that the output pointer, which messages call `name`, is not NULL. */
VkResult mur_check_creation(MurContext context, const char *function, const void *info,
                            const void *output, const char *name);

#endif
