/* Linked into every test program and demo of sanitizer builds.
 *
 * Drivers and layers leak a little. After they are unloaded, LeakSanitizer cannot name the leaking
 * library. So nothing is unloaded, and leaks whose stack contains one of these libraries are
 * suppressed. Other checks detect Vulkan objects that Murmuration leaks: the validation layers when
 * the device is destroyed, and the counts of interpose.h.
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

/* Locks and atomics of drivers and layers are not instrumented, which causes false reports. */
const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void) {
    return "called_from_lib:libvulkan_lvp.so\n"
           "called_from_lib:libLLVM\n"
           "called_from_lib:libVkLayer_khronos_validation.so\n";
}
