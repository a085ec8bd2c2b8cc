# use_swiftshader FOLDER: programs started from here on find only SwiftShader, in the folder of fetch.sh.
# SPDX-License-Identifier: MIT
use_swiftshader() {
    VK_DRIVER_FILES=$1/usr/lib/chromium/vk_swiftshader_icd.json
    VK_ICD_FILENAMES=$VK_DRIVER_FILES
    export VK_DRIVER_FILES VK_ICD_FILENAMES
}
