/* An engine with pages in a database: writes a page, and reads it after reopening.
 * SPDX-License-Identifier: MIT */
#include <murmuration/database.h>

#include <stdio.h>
#include <string.h>

/* argv[1]: a path at which there is no file. */
int main(int argc, char **argv) {
    static char page[4096], found[4096];
    const MurDatabaseInfo info = {
        .pPath = argc == 2 ? argv[1] : NULL, .pageSize = 4096, .pageCount = 9};
    MurDatabase database;
    memset(page, 7, sizeof page);
    if (murCreateDatabase(&info, &database) != VK_SUCCESS) {
        return 1;
    }
    MurPageFile file = murGetDatabaseFile(database);
    if (file.pfnWrite(file.pUserData, 3, page) != VK_SUCCESS ||
        file.pfnCommit(file.pUserData) != VK_SUCCESS) {
        return 2;
    }
    murCloseDatabase(database);
    if (murOpenDatabase(&info, &database) != VK_SUCCESS) {
        return 3;
    }
    file = murGetDatabaseFile(database);
    const VkResult result = file.pfnRead(file.pUserData, 3, found);
    murCloseDatabase(database);
    return result == VK_SUCCESS && memcmp(page, found, sizeof page) == 0 ? 0 : 4;
}
