/* murpages: lists, checks, repairs and compacts databases of pages (murmuration/database.h).
 * SPDX-License-Identifier: MIT */
#include "common/message.h"
#include "common/options.h"

#include <murmuration/database.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Options {
    bool check, list;
    const char *repair, *compact;
    uint32_t compression;
} Options;

static const char *const methods[] = {"none", "zstd", "same", NULL}; /* as MurCompression */

#define OPTION_INTO Options
static const Option options[] = {
    OPTION_HEADING(
        "Usage: murpages [OPTION]... FILE\n"
        "Checks a database of pages. FILE is never changed. The exit status is 0 if FILE "
        "is\nintact, or if a new file was written."),
    OPTION_FLAG("check", check, "prints the damaged pages and a summary; the default"),
    OPTION_FLAG("list", list,
                "prints every page that is not zero: its number, the commit that\n"
                "wrote it, its bytes in the file"),
    OPTION_OUTPUT("repair", "NEW", repair,
                  "writes the intact pages and the intact blob to NEW; damaged\n"
                  "pages become zero"),
    OPTION_OUTPUT("compact", "NEW", compact,
                  "writes all pages to NEW, without free space; fails if FILE is\n"
                  "damaged"),
    OPTION_CHOICE("compression", "METHOD", compression, methods,
                  "of the pages in NEW; default same, as in FILE"),
    OPTION_HELP("this text"),
};
enum { OPTIONS = sizeof options / sizeof *options };

/* The last error of the library. */
static char reason[256];

static void VKAPI_PTR onLog(void *user, MurLogSeverity severity, const char *text) {
    (void)user;
    if (severity == MUR_LOG_ERROR) {
        (void)snprintf(reason, sizeof reason, "%s", text);
    }
}

/* Prints a page if it is damaged, or if *user is true. */
static void VKAPI_PTR onPage(void *user, const MurDatabasePage *page) {
    const bool *all = user;
    if (!*all && !page->damaged) {
        return;
    }
    if (page->page == MUR_NO_PAGE) {
        (void)printf("blob");
    } else {
        (void)printf("page %" PRIu32, page->page);
    }
    (void)printf(" commit %" PRIu64 " bytes %" PRIu64 "%s\n", page->commit, page->size,
                 page->damaged ? " damaged" : "");
}

static void printSummary(const MurDatabaseReport *report) {
    (void)printf(
        "%" PRIu32 " pages of %" PRIu32 " bytes, %" PRIu64 " commits, a blob of %" PRIu64 " bytes\n"
        "%" PRIu32 " pages are intact and not zero, %" PRIu32 " are damaged\n"
        "%" PRIu64 " bytes of pages and blob in a file of %" PRIu64 " bytes, compression "
        "%s\n",
        report->pageCount, report->pageSize, report->commits, report->blobSize, report->intactPages,
        report->damagedPages, report->storedSize, report->fileSize, methods[report->compression]);
    if (report->blobDamaged) {
        (void)printf("the blob is damaged\n");
    }
    if (report->headerDamaged) {
        (void)printf("the header is damaged; some numbers are guesses\n");
    }
    if (report->tablesDamaged) {
        (void)printf("the index or SQLite's structures are damaged; some pages may be older than "
                     "the last commit\n");
    }
}

static bool isDamaged(const MurDatabaseReport *report) {
    return report->damagedPages || report->blobDamaged || report->headerDamaged ||
           report->tablesDamaged;
}

static bool explain(const char *path, VkResult result) {
    return sayError("%s: %s", path, reason[0] ? reason : murResultName(result));
}

static bool check(const char *path, bool list) {
    const MurDatabaseInfo info = {.pPath = path, .pfnLog = onLog};
    MurDatabaseReport report = {0};
    const VkResult result = murCheckDatabase(&info, onPage, &list, &report);
    if (report.pageSize == 0 || (result != VK_SUCCESS && result != MUR_ERROR_CORRUPT)) {
        return explain(path, result);
    }
    printSummary(&report);
    return result == VK_SUCCESS || sayError("%s is damaged; --repair saves its intact pages", path);
}

/* Removes the copy of a damaged file, which is not compact but incomplete. */
static bool dropCopy(const char *path, const char *to) {
    char lock[4096];
    (void)snprintf(lock, sizeof lock, "%s-lock", to);
    (void)remove(to);
    (void)remove(lock);
    return sayError("%s is damaged; --repair saves its intact pages", path);
}

static bool copy(const char *path, const Options *settings) {
    const char *to = settings->repair ? settings->repair : settings->compact;
    const MurDatabaseInfo from = {.pPath = path, .pfnLog = onLog};
    const MurDatabaseInfo copyInfo = {
        .pPath = to, .pfnLog = onLog, .compression = (MurCompression)settings->compression};
    MurDatabaseReport report = {0};
    bool list = settings->list;
    const VkResult result = murCopyDatabase(&from, &copyInfo, onPage, &list, &report);
    if (result != VK_SUCCESS) {
        return explain(path, result);
    }
    if (settings->compact && isDamaged(&report)) {
        return dropCopy(path, to);
    }
    printSummary(&report);
    const MurDatabaseInfo reopened = {.pPath = to, .pfnLog = onLog};
    if (murCheckDatabase(&reopened, NULL, NULL, &report) != VK_SUCCESS) {
        return sayError("%s is damaged right after it was written", to);
    }
    (void)printf("%s: %" PRIu64 " bytes\n", to, report.fileSize);
    return true;
}

int main(int argc, char **argv) {
    Options settings = {.compression = MUR_COMPRESSION_OF_SOURCE};
    int status;
    sayProgram("murpages");
    char **words = optionsRead(options, OPTIONS, argc, argv, 1, &settings, &status);
    if (!words) {
        return status;
    }
    if (!words[0]) {
        (void)sayError("a file is required; see --help");
        return EXIT_FAILURE;
    }
    if ((settings.repair != NULL) + (settings.compact != NULL) + settings.check > 1) {
        (void)sayError("--check, --repair and --compact exclude each other");
        return EXIT_FAILURE;
    }
    bool done = settings.repair || settings.compact ? copy(words[0], &settings)
                                                    : check(words[0], settings.list);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        done = sayError("standard output: %s", strerror(errno));
    }
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
