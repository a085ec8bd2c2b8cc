/* Messages to the engine's log callback, and checks that many functions share.
 * SPDX-License-Identifier: MIT */
#include "base.h"

#include <stdarg.h>
#include <stdio.h>

/* Logs a message. function: the name with which the message begins, or NULL. */
static void log_list(const MurLogger *logger, MurLogSeverity severity, const char *function,
                     const char *format, va_list arguments) {
    if (!logger->pfnLog) {
        return;
    }
    char message[512]; /* longer messages are cut */
    const int at = function ? snprintf(message, sizeof message, "%s: ", function) : 0;
    vsnprintf(message + at, sizeof message - (size_t)at, format, arguments);
    logger->pfnLog(logger->pUserData, severity, message);
}

void mur_log(const MurLogger *logger, MurLogSeverity severity, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    log_list(logger, severity, NULL, format, arguments);
    va_end(arguments);
}

VkResult mur_fail(const MurLogger *logger, VkResult result, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    log_list(logger, MUR_LOG_ERROR, NULL, format, arguments);
    va_end(arguments);
    return result;
}

VkResult mur_check_result(MurContext context, VkResult result, const char *format, ...) {
    if (result != VK_SUCCESS) {
        char doing[256];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(doing, sizeof doing, format, arguments);
        va_end(arguments);
        mur_fail(mur_logger(context), result, "%s: %s", doing, murResultName(result));
    }
    return result;
}

VkResult mur_invalid_argument(MurContext context, const char *function, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    log_list(mur_logger(context), MUR_LOG_ERROR, function, format, arguments);
    va_end(arguments);
    return MUR_ERROR_INVALID_ARGUMENT;
}

VkResult mur_check_command(MurContext context, VkCommandBuffer cmd, const char *command) {
    return !context ? MUR_ERROR_INVALID_ARGUMENT
           : !cmd ? mur_invalid_argument(context, command, "cmd is NULL, expected a command buffer")
                  : VK_SUCCESS;
}

VkResult mur_check_struct(MurContext context, const char *function, const char *name,
                          const void *given) {
    const void *const *next = given;
    return !given  ? mur_invalid_argument(context, function, "%s is NULL, expected a struct", name)
           : *next ? mur_invalid_argument(context, function, "%s->pNext is %p, expected NULL", name,
                                          *next)
                   : VK_SUCCESS;
}

VkResult mur_check_numbers(MurContext context, const char *function, const MurNumber *numbers,
                           size_t count) {
    for (size_t i = 0; i < count; ++i) {
        const unsigned long long value = numbers[i].value, least = numbers[i].least;
        const unsigned long long most = numbers[i].most;
        if (value < least || value > most) {
            return mur_invalid_argument(context, function,
                                        least == most ? "%s is %llu, expected %llu"
                                                      : "%s is %llu, expected %llu to %llu",
                                        numbers[i].name, value, least, most);
        }
    }
    return VK_SUCCESS;
}

VkResult mur_check_frame(MurContext context, const char *function, uint64_t frame,
                         uint64_t completed, uint64_t last, uint32_t inFlight) {
    if (frame <= last) {
        return mur_invalid_argument(context, function,
                                    "frame is %llu, expected more than the last, %llu",
                                    (unsigned long long)frame, (unsigned long long)last);
    }
    const uint64_t least = frame > inFlight ? frame - inFlight : 0;
    return completed >= frame || completed < least
               ? mur_invalid_argument(context, function,
                                      "completedFrame is %llu, expected %llu to %llu",
                                      (unsigned long long)completed, (unsigned long long)least,
                                      (unsigned long long)frame - 1)
               : VK_SUCCESS;
}

VkResult mur_check_creation(MurContext context, const char *function, const void *info,
                            const void *output, const char *name) {
    if (!context) {
        return MUR_ERROR_INVALID_ARGUMENT;
    }
    MUR_TRY(mur_check_struct(context, function, "pCreateInfo", info));
    return output ? VK_SUCCESS
                  : mur_invalid_argument(context, function, "%s is NULL, expected a pointer", name);
}
