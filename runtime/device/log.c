/* Messages to the engine's log callback.
 *
 * SPDX-License-Identifier: MIT */
#include "device.h"

#include <stdarg.h>
#include <stdio.h>

static void log_list(const MurLogger *logger, MurLogSeverity severity, const char *format,
                     va_list arguments) {
    if (!logger->pfnLog) {
        return;
    }
    char message[512]; /* longer ones are cut, not lost */
    vsnprintf(message, sizeof message, format, arguments);
    logger->pfnLog(logger->pUserData, severity, message);
}

void mur_log(const MurLogger *logger, MurLogSeverity severity, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    log_list(logger, severity, format, arguments);
    va_end(arguments);
}

VkResult mur_fail(const MurLogger *logger, VkResult result, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    log_list(logger, MUR_LOG_ERROR, format, arguments);
    va_end(arguments);
    return result;
}
