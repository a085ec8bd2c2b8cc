/* murvoxels: sparse voxels in a GPU hash table. See README.md.
 * SPDX-License-Identifier: MIT */
#include "window/editor.h"
#include "script/script.h"
#include "settings.h"

#include "common/message.h"

#include <stdlib.h>

/* Options that only a run from beginning to end supports open no window. */
static bool needsWindow(const Settings *settings) {
    return !settings->headless && !settings->replay && !settings->stats && !settings->exported &&
           settings->screenshot;
}

int main(int argc, char **argv) {
    Settings settings;
    sayProgram("murvoxels");
    switch (settingsRead(argc, argv, &settings)) {
    case SETTINGS_RUN:
        return !needsWindow(&settings) ? scriptRun(&settings, NULL, NULL)
               : editorRun(&settings)  ? EXIT_SUCCESS
                                       : EXIT_FAILURE;
    case SETTINGS_DONE:
        return EXIT_SUCCESS;
    default:
        return EXIT_FAILURE;
    }
}
