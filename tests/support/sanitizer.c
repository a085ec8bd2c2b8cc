/* In sanitizer builds, linked into every test program.
 *
 * Drivers and layers leak a little when they are unloaded, and LeakSanitizer cannot say whose a
 * leak is once the library is gone. So nothing is unloaded, and leaks whose stack passes through
 * one of these libraries are theirs. A Vulkan object that Murmuration forgets is caught elsewhere:
 * by the validation layers at the device's end, and by the counts of interpose.h.
 *
 * SPDX-License-Identifier: MIT */

int dlclose(void *library);
int dlclose(void *library) {
    (void)library;
    return 0;
}

const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libvulkan_lvp.so\n"
           "leak:libLLVM\n"
           "leak:libVkLayer_\n"
           "leak:libvulkan.so\n";
}

/* Their locks and atomics are not instrumented, so they seem to race with themselves. */
const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void) {
    return "called_from_lib:libvulkan_lvp.so\n"
           "called_from_lib:libLLVM\n"
           "called_from_lib:libVkLayer_khronos_validation.so\n";
}
