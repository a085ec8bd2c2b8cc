/* SPDX-License-Identifier: MIT */
#include "script.h"

#include "edit/build.h"
#include "edit/fit.h"
#include "common/clocks.h"
#include "common/message.h"
#include "model/files.h"
#include "model/output.h"

#include <murmuration/buckets.h>

#include <stdlib.h>
#include <string.h>

typedef struct Script {
    Settings settings;
    Output screenshot, stats, save, exported;
    Replay replay;
    Source source;
    Gpu gpu;
    Clocks clocks;
    World *world;
    Player player;
    Stage stage;
    StagePainter *painter;
    const PlayerWitness *witness;
    Report report;
} Script;

/* Takes the settings of the replay that the command line does not set. */
static void takeFromReplay(Settings *settings, const Replay *replay) {
    SourceOptions *source = &settings->source;
    WorldRoom *room = &settings->room;
    room->large = settings->replay; /* the size of its edits is not known */
    if (!source->vox && !source->load && !source->emptySize &&
        (replay->source.emptySize || replay->source.terrainSize)) {
        *source = replay->source;
    }
    room->poolMib = room->poolMib ? room->poolMib : replay->room.poolMib;
    room->tableSlots = room->tableSlots ? room->tableSlots : replay->room.tableSlots;
    if (room->undoMib == ROOM_FITS && replay->room.undoMib) {
        room->undoMib = replay->room.undoMib;
    }
}

/* A run without a window cannot ask the user: it does not replace its .vox file if parts of that
 * file were not read. */
static bool losesNothing(const Settings *settings, const Source *source) {
    const char *const written[] = {settings->save, settings->exported};
    for (size_t i = 0; source->omitted[0] && i < 2; ++i) {
        if (written[i] && outputSame(written[i], settings->source.vox)) {
            return sayError("%s would lose parts that are not read (%s), and names, layers and "
                            "cameras: choose another name",
                            written[i], source->omitted);
        }
    }
    return true;
}

static bool openFiles(Script *script) {
    Settings *settings = &script->settings;
    char error[REPLAY_ERROR_SIZE];
    if (settings->replay && !replayLoad(settings->replay, &script->replay, error)) {
        return sayError("%s", error);
    }
    takeFromReplay(settings, &script->replay);
    return sourceOpen(&settings->source, &script->source) &&
           losesNothing(settings, &script->source) &&
           outputOpen(settings->screenshot, &script->screenshot) &&
           outputOpen(settings->stats, &script->stats) &&
           outputOpen(settings->save, &script->save) &&
           outputOpen(settings->exported, &script->exported);
}

/* Were times requested? Pictures and edits alone do not wait for the clocks, and with validation
 * layers times mean little. */
static bool wantsTimes(const Settings *settings) {
    return (settings->stats || settings->times) && !settings->validation;
}

static bool openDevice(Script *script) {
    const Settings *settings = &script->settings;
    const GpuOptions options = {
        .application = "murvoxels",
        .device = settings->device,
        .validation = settings->validation,
    };
    if (!gpuOpen(&script->gpu, &options)) {
        return false;
    }
    (void)printf("device: %s\n", script->gpu.properties.deviceName);
    if (wantsTimes(settings)) {
        return clocksOpen(&script->gpu, false, &script->clocks);
    }
    return true;
}

/* Runs a part of the run and reports its times. */
static bool timed(Script *script, bool (*part)(Script *script), const char *what) {
    double around;
    if (!clocksBefore(&script->clocks, 0) || !part(script) ||
        !clocksAfter(&script->clocks, &around)) {
        return false;
    }
    const double slow = clocksUnsettled(&script->clocks, around);
    if (slow > 0) {
        (void)sayError("%s: the device's clocks did not stay up, the reference took %.2f times as "
                       "long: times of it cannot be relied on",
                       what, slow);
    }
    return true;
}

static bool draw(Script *script) {
    const Settings *settings = &script->settings;
    Stage *stage = &script->stage;
    if (!stageDraw(stage, script->screenshot.file, settings->screenshot, settings->mode,
                   settings->samples)) {
        return false;
    }
    reportRow(&script->report, "stage", 0, "render", stage->picture.milliseconds, script->world,
              NULL);
    return true;
}

static bool openWorld(Script *script) {
    double milliseconds;
    script->world = buildWorld(&script->gpu, &script->settings.room, &script->source, NULL,
                               &milliseconds);
    if (!script->world) {
        return false;
    }
    if (script->source.omitted[0]) {
        (void)printf("%s\n", script->source.omitted);
    }
    if (milliseconds >= 0) {
        (void)printf("terrain: %.3f ms\n", milliseconds);
    }
    reportStart(&script->report, script->stats.file);
    reportRow(&script->report, "stage", 0, "build", milliseconds, script->world, NULL);
    script->stage = (Stage){.gpu = &script->gpu,
                            .settings = &script->settings,
                            .source = &script->source,
                            .world = script->world,
                            .report = &script->report,
                            .clocks = &script->clocks,
                            .painter = script->painter};
    stageOpen(&script->stage);
    script->player = (Player){
        .gpu = &script->gpu,
        .world = script->world,
        .source = &script->source,
        .witness = script->witness,
        .report = &script->report,
        .stage = &script->stage,
    };
    return playerOpen(&script->player);
}

static void sayUse(const Script *script) {
    const WorldUse use = worldUse(script->world);
    const MurStats *counted = worldTableStats(script->world);
    const MurStats stats = counted ? *counted : (MurStats){0};
    (void)printf("bricks: %u in a table of %u (load %.3f, %u erased, longest probe %u, moved %u "
                 "times), %u of %u in the pool\nmemory: %.1f MiB of bricks in use, %.1f "
                 "on the GPU with room for more, %.1f of them undo; a dense grid: %.1f MiB\n",
                 use.bricks, use.tableSlots, (double)use.bricks / use.tableSlots, stats.erased,
                 stats.probeMax, use.tableMoves, use.payloads, use.poolBricks,
                 (double)use.payloads * BRICK_BYTES / (1 << 20),
                 (double)storeBytes(&script->world->store) / (1 << 20),
                 (double)use.undoBytes / (1 << 20),
                 (double)fitDense(script->source.low, script->source.high) / (1 << 20));
}

static bool play(Script *script) {
    if (!playerPlay(&script->player, &script->replay)) {
        return false;
    }
    reportRow(&script->report, "stage", 0, "end", -1, script->world, NULL);
    sayUse(script);
    if (script->report.failed) {
        return sayError("no memory for the numbers");
    }
    reportSummary(&script->report, stdout);
    return true;
}

static void sayPicture(const Script *script) {
    const Picture *picture = &script->stage.picture;
    const ViewCounts *counts = &picture->counts;
    const double pixels = (double)script->settings.width * script->settings.height;
    if (picture->milliseconds >= 0) {
        (void)printf("picture: %.3f ms a frame of %u\n", picture->milliseconds, picture->frames);
    }
    if (counts->rays) { /* a reference counts none */
        const double *passes = picture->passes;
        (void)printf("the last frame: rays of cells %.3f ms, picture %.3f, cells %.3f\n", passes[0],
                     passes[1], passes[2]);
        const double rays = counts->rays;
        (void)printf("a ray: %.2f lookups, %.2f steps; a pixel: %.2f rays, %.2f lookups\n",
                     counts->lookups / rays, counts->steps / rays, rays / pixels,
                     counts->lookups / pixels);
        (void)printf("light: %u cells, %u found, %u inserted, %u freed, %u refused\n",
                     counts->cells, counts->found, counts->inserted, counts->freed,
                     counts->refused);
    }
}

static bool writeFiles(Script *script) {
    const Settings *settings = &script->settings;
    if ((settings->save &&
         !buildSave(script->world, &script->source, script->save.file, settings->save)) ||
        (settings->exported &&
         !buildExport(script->world, &script->source, script->exported.file, settings->exported)) ||
        !outputKeep(&script->screenshot) || !outputKeep(&script->stats) ||
        !outputKeep(&script->save) || !outputKeep(&script->exported)) {
        return false;
    }
    if (wantsTimes(settings)) {
        clocksPrint(&script->clocks);
    }
    if (settings->screenshot) {
        sayPicture(script);
        (void)printf("picture: %s\n", settings->screenshot);
    }
    return true;
}

int scriptRun(const Settings *settings, StagePainter *painter, const PlayerWitness *witness) {
    Script *script = calloc(1, sizeof *script);
    if (!script) {
        (void)sayError("no memory");
        return 1;
    }
    script->settings = *settings;
    script->painter = painter;
    script->witness = witness;
    bool done = openFiles(script) && openDevice(script) &&
                timed(script, openWorld, "making the world") && timed(script, play, "the replay") &&
                (!settings->screenshot || timed(script, draw, "the picture")) && writeFiles(script);
    if (script->gpu.device) {
        playerClose(&script->player);
        stageClose(&script->stage);
        worldDestroy(script->world);
        clocksClose(&script->clocks);
    }
    gpuClose(&script->gpu);
    if (script->gpu.messages) {
        done = sayError("the validation layers had %u messages", script->gpu.messages);
    }
    sourceClose(&script->source);
    replayFree(&script->replay);
    reportEnd(&script->report);
    outputClose(&script->screenshot);
    outputClose(&script->stats);
    outputClose(&script->save);
    outputClose(&script->exported);
    const int status = !done ? 1 : script->player.warned ? 2 : 0;
    free(script);
    return status;
}
