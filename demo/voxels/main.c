/* murvoxels: sparse voxels in a GPU hash table. See README.md.
 *
 * SPDX-License-Identifier: MIT */
#include "script.h"
#include "settings.h"

#include "common/say.h"

#include <stdlib.h>

int main(int argc, char **argv) {
    Settings settings;
    sayProgram("murvoxels");
    switch (settingsRead(argc, argv, &settings)) {
    case SETTINGS_RUN:
        return scriptRun(&settings) ? EXIT_SUCCESS : EXIT_FAILURE;
    case SETTINGS_DONE:
        return EXIT_SUCCESS;
    default:
        return EXIT_FAILURE;
    }
}
