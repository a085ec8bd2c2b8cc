/* Names of results and statuses.
 * SPDX-License-Identifier: MIT */
#include "base.h"

#include <murmuration/paged_layout.h>

typedef struct MurResultName {
    VkResult result;
    const char *name;
} MurResultName;

const char *murResultName(VkResult result) {
#define MUR_NAME(result) \
    { result, #result }
    static const MurResultName names[] = {
        MUR_NAME(VK_SUCCESS),
        MUR_NAME(VK_NOT_READY),
        MUR_NAME(VK_TIMEOUT),
        MUR_NAME(VK_EVENT_SET),
        MUR_NAME(VK_EVENT_RESET),
        MUR_NAME(VK_INCOMPLETE),
        MUR_NAME(VK_ERROR_OUT_OF_HOST_MEMORY),
        MUR_NAME(VK_ERROR_OUT_OF_DEVICE_MEMORY),
        MUR_NAME(VK_ERROR_INITIALIZATION_FAILED),
        MUR_NAME(VK_ERROR_DEVICE_LOST),
        MUR_NAME(VK_ERROR_MEMORY_MAP_FAILED),
        MUR_NAME(VK_ERROR_LAYER_NOT_PRESENT),
        MUR_NAME(VK_ERROR_EXTENSION_NOT_PRESENT),
        MUR_NAME(VK_ERROR_FEATURE_NOT_PRESENT),
        MUR_NAME(VK_ERROR_INCOMPATIBLE_DRIVER),
        MUR_NAME(VK_ERROR_TOO_MANY_OBJECTS),
        MUR_NAME(VK_ERROR_FORMAT_NOT_SUPPORTED),
        MUR_NAME(VK_ERROR_FRAGMENTED_POOL),
        MUR_NAME(VK_ERROR_UNKNOWN),
        MUR_NAME(VK_ERROR_OUT_OF_POOL_MEMORY),
        MUR_NAME(VK_ERROR_INVALID_EXTERNAL_HANDLE),
        MUR_NAME(VK_ERROR_FRAGMENTATION),
        MUR_NAME(VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS),
        MUR_NAME(MUR_ERROR_INVALID_ARGUMENT),
        MUR_NAME(MUR_ERROR_TOO_LARGE),
        MUR_NAME(MUR_ERROR_UNSUPPORTED),
        MUR_NAME(MUR_ERROR_CORRUPT),
        MUR_NAME(MUR_ERROR_VERSION),
        MUR_NAME(MUR_ERROR_FILE),
    };
#undef MUR_NAME
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (names[i].result == result) {
            return names[i].name;
        }
    }
    return "unknown VkResult";
}

const char *murStatusName(uint32_t status) {
    static const char *const names[] = {
        [MUR_ABSENT] = "absent",
        [MUR_FOUND] = "found",
        [MUR_INSERTED] = "inserted",
        [MUR_EXISTED] = "existed",
        [MUR_ERASED] = "erased",
        [MUR_FULL] = "full",
        [MUR_INVALID_VALUE] = "invalid value",
        [MUR_UNSUPPORTED] = "unsupported",
        [MUR_CONTENDED] = "contended",
        [MUR_NOT_RESIDENT] = "not resident",
        [MUR_PENDING] = "pending",
    };
    return status < sizeof names / sizeof names[0] ? names[status] : "unknown status";
}

uint32_t murGetVersion(void) {
    return MUR_VERSION;
}
