/* The editor's work between frames: files in and out, and pictures.
 * SPDX-License-Identifier: MIT */
#include "editor_internal.h"

#include "common/message.h"
#include "common/png_file.h"
#include "model/output.h"

#include <stdio.h>
#include <string.h>

/* Or shows a question first; then it is still to be saved. */
static void save(Editor *editor) {
    Document *document = &editor->document;
    const DocumentAnswer answer = documentSave(document, editor->as, editor->sure, editor->world,
                                               &editor->source);
    editor->sure = DOCUMENT_SAVED;
    if (answer == DOCUMENT_TAKEN) {
        editorAskFor(editor, COMMAND_SAVE_AS,
                     "another editor has that file open: it needs another name");
    } else if (answer >= DOCUMENT_EXISTS) {
        editorAsk(editor, ASKED_EXISTS + (answer - DOCUMENT_EXISTS));
    } else {
        const bool saved = answer == DOCUMENT_SAVED;
        hudTell(&editor->hud, saved, "saved", fileName(document->path));
        editor->save = false;
        editor->leaves = editor->leaves && saved; /* the action after it */
        editor->opens = editor->opens && saved;
        editor->as[0] = '\0';
        if (saved) {
            placesRemember(document->path);
            editorTitle(editor);
        }
    }
}

static void export(Editor *editor, const char *ending) {
    char path[DOCUMENT_PATH];
    documentFreeName(&editor->document, ending, path);
    const bool written = documentWrite(path, editor->world, &editor->source, buildExport);
    hudTell(&editor->hud, written, "exported", path);
}

static bool writePicture(const char *path, uint8_t *pixels, uint32_t width, uint32_t height) {
    Output output;
    const bool written = outputOpen(path, &output) &&
                         (pngWrite(output.file, pixels, width, height, false) ||
                          outputFailed(path)) &&
                         outputKeep(&output);
    outputClose(&output);
    return written;
}

/* The picture as it is, without panels, as fine as the program draws. */
static bool drawFine(Editor *editor) {
    const GpuSwapchain *swapchain = &editor->swapchain;
    const WorldRef world = editor->world->store.ref;
    char path[DOCUMENT_PATH];
    Picture picture = {0};
    View view = viewFrom(&editor->scene, &editor->camera, swapchain->width, swapchain->height);
    view.masks = editor->world->store.buffers[WORLD_MASKS].address;
    documentFreeName(&editor->document, ".png", path);
    const bool drawn = tracerPicture(&editor->tracer, &world, &view, editor->settings->samples,
                                     &picture);
    const bool written = drawn && writePicture(path, picture.pixels.mapped, swapchain->width,
                                               swapchain->height);
    pictureDestroy(&editor->gpu, &picture);
    if (drawn) {
        hudPrint(&editor->hud, written, "picture", path);
    }
    return drawn;
}

/* Another file, or the lost work on this one, in place of the present one, if it can be opened.
 * False: the present world is lost. */
static bool openSource(Editor *editor, const SourceOptions *options, bool *opened) {
    Source source;
    *opened = sourceOpen(options, &source);
    if (!*opened) {
        hudTell(&editor->hud, false, "", "");
        return true;
    }
    (void)vkDeviceWaitIdle(editor->gpu.device);
    sourceClose(&editor->source);
    editor->source = source;
    if (!editorOpenWorld(editor)) {
        return false;
    }
    editorStart(editor);
    lightForget(&editor->tracer.light);
    editor->working = GPU_FRAMES;
    return true;
}

bool editorOpenNext(Editor *editor) {
    Document *document = &editor->document;
    Document next;
    bool opened;
    documentOpen(&next, &editor->next, NULL, document, editor->settings->autosave);
    const bool fine = openSource(editor, &editor->next, &opened);
    Document *left = opened ? document : &next;
    if (next.lock != document->lock) {
        documentClose(left);
    }
    if (opened) {
        *document = next;
    }
    if (fine && opened) {
        editorDocument(editor);
    }
    return fine;
}

bool editorBetweenFrames(Editor *editor) {
    Document *document = &editor->document;
    bool fine = true;
    bool recovered = false;
    if (editor->unsettled || editor->working) {
        return true;
    }
    if (editor->recovers) {
        fine = openSource(editor, &(SourceOptions){.load = document->autosave}, &recovered);
        if (recovered) {
            documentChanged(document);
            hudSay(&editor->hud, HUD_GOOD, "%s",
                   widgetSays("this is the work that was not saved; # saves it", COMMAND_SAVE));
        }
    }
    if (fine && editor->save && !editor->hud.asked) {
        save(editor);
    }
    if (fine && editor->export) {
        export(editor, ".vox");
    }
    if (fine && editor->exportMesh) {
        export(editor, ".glb");
    }
    if (fine && editor->draw) {
        fine = drawFine(editor);
    }
    if (fine && editor->opens && !editor->save) {
        editor->opens = false;
        fine = editorOpenNext(editor);
    }
    if (fine && !toolsBusy(&editor->tools) &&
        !documentWait(document, editor->world, &editor->source, editor->input.seconds)) {
        hudTell(&editor->hud, false, "", document->autosave);
    }
    editor->export = editor->exportMesh = editor->draw = editor->recovers = false;
    if (fine && document->unsaved != editor->titled) {
        editorTitle(editor);
    }
    return fine;
}
