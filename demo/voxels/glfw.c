/* SPDX-License-Identifier: MIT */
#include "glfw.h"

#include <dlfcn.h>
#include <string.h>

Glfw glfw;

/* ISO C has no way from an object pointer to a function pointer but through their bytes. */
static bool find(void *library, const char *name, void *pointer) {
    void *found = dlsym(library, name);
    memcpy(pointer, &found, sizeof found);
    return found != NULL;
}

bool glfwLoad(void) {
    void *library = dlopen("libglfw.so.3", RTLD_NOW | RTLD_LOCAL);
    bool found = library != NULL;
#define GLFW_FIND(name) found = found && find(library, "glfw" #name, &glfw.name);
    GLFW_FUNCTIONS(GLFW_FIND)
#undef GLFW_FIND
    return found; /* it stays until the program ends */
}
