/* Tests the owners of murmuration.hpp, in the engine of consumer.c.
 *
 * SPDX-License-Identifier: MIT */
#define main consumer_main
#include "../consumer.c"
#undef main

#include <murmuration/murmuration.hpp>
#include <murmuration/tuning.h>

#include <type_traits>
#include <utility>

int consumer_main(int argc, char **argv);

/* Owners store only the handle. */
static_assert(sizeof(mur::Table) == sizeof(MurTable) && sizeof(mur::Context) == sizeof(MurContext));
static_assert(sizeof(mur::TableView) == sizeof(MurTable));
static_assert(!std::is_copy_constructible_v<mur::Table> && !std::is_copy_assignable_v<mur::Table>);
static_assert(std::is_nothrow_move_constructible_v<mur::Table>);
static_assert(std::is_nothrow_move_assignable_v<mur::Table>);
static_assert(std::is_convertible_v<mur::Table &, mur::TableView>);
static_assert(!std::is_convertible_v<MurTable, mur::Table>); /* conversion must be explicit */

static MurArray part(const Device &d, VkDeviceSize first, VkDeviceSize count) {
    return {d.address + first * sizeof(uint32_t), count * sizeof(uint32_t)};
}

/* Inserts keys, erases some of them, and looks all keys up. */
static void use(Device &d, mur::TableView table) {
    MurBatch inserted{}, erased{}, found{};
    inserted.maxCount = COUNT;
    inserted.keys = part(d, KEYS, COUNT);
    inserted.values = part(d, VALUES, COUNT);
    erased.maxCount = COUNT / 4;
    erased.keys = part(d, KEYS, COUNT / 4);
    found.maxCount = 2 * COUNT;
    found.keys = part(d, KEYS, 2 * COUNT);
    found.values = part(d, RESULTS, 2 * COUNT);
    begin(&d);
    for (VkResult result :
         {table.clear(d.cmd), table.barrier(d.cmd), table.insert(d.cmd, MUR_MODE_INSERT, inserted),
          table.barrier(d.cmd), table.erase(d.cmd, erased), table.barrier(d.cmd),
          table.find(d.cmd, found), table.barrier(d.cmd)}) {
        mur::check(result);
    }
    submit(&d);
    for (uint32_t i = 0; i < 2 * COUNT; ++i) {
        REQUIRE(d.words[RESULTS + i] == (i >= COUNT / 4 && i < COUNT ? i + d.salt : UINT32_MAX));
    }
}

/* Moves and destroys owners. The validation layers report objects destroyed twice, or never. */
static void own(Device &d, mur::ContextView context, uint32_t family) {
    MurTableCreateInfo info{};
    info.capacity = 2 * COUNT;
    mur::Table first = context.createTable(info).take();
    mur::Table table(std::move(first));
    REQUIRE(!first && table && !first.get());
    const MurTable raw = table.get();
    REQUIRE(table.maxEntries() > 2 * COUNT);
    table = std::move(table);
    REQUIRE(table.get() == raw && table.ref().capacity == info.capacity);
    use(d, table);
    mur::Table other = context.createTable(info).take();
    other = std::move(table); /* destroys the previous table of other */
    REQUIRE(!table && other.get() == raw && other.memory().buffer);
    murDestroyTable(other.release());
    REQUIRE(!other);

    info.capacity = 0;
    mur::Made<mur::Table> none = context.createTable(info);
    REQUIRE(!none && none.result == MUR_ERROR_INVALID_ARGUMENT && !none.owner);
    bool thrown = false;
    try {
        none.take();
    } catch (const mur::Error &error) {
        thrown = error.result() == none.result && strlen(error.what()) > 0;
    }
    REQUIRE(thrown);

    MurBlockingCreateInfo blockingInfo{};
    blockingInfo.queue = d.queue;
    blockingInfo.queueFamilyIndex = family;
    mur::Blocking blocking = context.createBlocking(blockingInfo).take();
    REQUIRE(murBlockingClear(blocking.get(), d.table) == VK_SUCCESS);

    MurGrowableCreateInfo growing{};
    growing.table.capacity = COUNT;
    growing.framesInFlight = 2;
    mur::Growable growable = context.createGrowable(growing).take();
    MurGrowableFrame frame{};
    frame.frame = 1;
    frame.maxInserts = COUNT;
    MurGrowableFrameTable used{};
    begin(&d);
    mur::check(growable.beginFrame(d.cmd, frame, used));
    submit(&d);
    REQUIRE(used.table && growable.status().capacity >= COUNT);

    MurPagerCreateInfo paging{};
    paging.pageCount = paging.poolPageCount = paging.framesInFlight = 2;
    paging.pageSize = MUR_PAGE_MIN_SIZE;
    const mur::Pager pager = context.createPager(paging).take();
    MurPagedTableCreateInfo inPages{};
    inPages.pager = pager.get();
    const mur::PagedTable paged = context.createPagedTable(inPages).take();
    REQUIRE(murGetPagedTableRef(paged.get(), 1).pager.pageCount == paging.pageCount);
}

/* Returns the table's statistics after the commands. */
template <class Commands> MurStats after(Device &d, mur::TableView table, Commands commands) {
    begin(&d);
    for (VkResult result :
         {commands(d.cmd), table.barrier(d.cmd),
          table.stats(d.cmd, part(d, RESULTS, sizeof(MurStats) / sizeof(uint32_t))),
          table.barrier(d.cmd)}) {
        mur::check(result);
    }
    submit(&d);
    MurStats stats;
    memcpy(&stats, d.words + RESULTS, sizeof stats);
    return stats;
}

enum { SOME = 100, FEW = 30 };

static MurBatch pairs(const Device &d, uint32_t first, uint32_t count) {
    MurBatch batch{};
    batch.maxCount = count;
    batch.keys = part(d, KEYS + first, count);
    batch.values = part(d, VALUES + first, count);
    return batch;
}

/* Calls member functions. Each must do its own task with its own arguments. */
static void change(Device &d, mur::TableView table) {
    const MurBatch some = pairs(d, 0, SOME), more = pairs(d, SOME, FEW);
    const VkDeviceSize scratch = table.scratchSize(MUR_COMMAND_BUILD, MUR_MODE_INSERT, some);
    REQUIRE(scratch == murGetScratchSize(table.get(), MUR_COMMAND_BUILD, MUR_MODE_INSERT, &some));
    REQUIRE(scratch > table.scratchSize(MUR_COMMAND_BUILD, MUR_MODE_ADD, some));

    const auto build = [&](VkCommandBuffer cmd) { return table.build(cmd, MUR_MODE_INSERT, some); };
    const auto insert = [&](MurInsertMode mode) {
        return [&, mode](VkCommandBuffer cmd) { return table.insert(cmd, mode, more); };
    };
    REQUIRE(after(d, table, build).live == SOME);
    REQUIRE(after(d, table, insert(MUR_MODE_UPDATE)).live == SOME);
    REQUIRE(after(d, table, insert(MUR_MODE_INSERT)).live == SOME + FEW);
    REQUIRE(after(d, table, build).live == SOME);

    MurExtract low{};
    low.countAddress = part(d, WORDS - 1, 1).address;
    low.predicates[0] = {MUR_PREDICATE_VALUE, MUR_COMPARE_LESS, 0, FEW + d.salt};
    MurStats stats = after(d, table, [&](VkCommandBuffer cmd) { return table.extract(cmd, low); });
    REQUIRE(stats.live == SOME && d.words[WORDS - 1] == FEW);
    d.words[WORDS - 1] = 0;
    stats = after(d, table, [&](VkCommandBuffer cmd) { return table.eraseWhere(cmd, low); });
    REQUIRE(stats.live == SOME - FEW && stats.erased == FEW && d.words[WORDS - 1] == FEW);
}

/* Tests moves between tables. Requires the table that change leaves. */
static void move(Device &d, mur::TableView table, mur::TableView other) {
    const MurBatch more = pairs(d, SOME, FEW);
    MurRehash how{};
    how.result = part(d, WORDS - 8, 4);
    const auto rehash = [&](VkCommandBuffer cmd) { return table.rehashTo(cmd, other, &how); };
    MurStats stats = after(d, other, rehash);
    REQUIRE(stats.live == SOME - FEW && stats.erased == 0 && d.words[WORDS - 8] == SOME - FEW);
    const auto insert = [&](VkCommandBuffer cmd) {
        return table.insert(cmd, MUR_MODE_INSERT, more);
    };
    stats = after(d, table, insert);
    REQUIRE(stats.live == SOME && stats.erased == FEW); /* the source of the move is unchanged */
    for (MurInsertMode mode : {MUR_MODE_UPDATE, MUR_MODE_INSERT}) {
        d.words[WORDS - 8] = 0;
        stats = after(d, other,
                      [&](VkCommandBuffer cmd) { return table.mergeInto(cmd, other, mode, &how); });
        REQUIRE(stats.live == (mode == MUR_MODE_INSERT ? SOME : SOME - FEW) && d.words[WORDS - 8]);
    }
    how.scratch = part(d, RESULTS + 100,
                       murGetScratchSize(table.get(), MUR_COMMAND_COMPACT, 0, nullptr) /
                           sizeof(uint32_t));
    how.scratch.address = (how.scratch.address + 31) / 32 * 32;
    stats = after(d, table, [&](VkCommandBuffer cmd) { return table.compact(cmd, how); });
    REQUIRE(stats.live == SOME && stats.erased == 0 && d.words[WORDS - 8] == SOME);
    REQUIRE(after(d, table, [&](VkCommandBuffer cmd) { return table.clear(cmd); }).live == 0);
}

static void effects(Device &d, mur::ContextView context) {
    MurTableCreateInfo info{};
    info.capacity = 2 * SOME;
    info.kernels[0] = murKernelsRehash();
    info.kernels[1] = murKernelsBuild();
    info.kernels[2] = murKernelsLargeBatches();
    MurTuning tuning = murGetTuning(context.get()); /* so that all commands need scratch memory */
    tuning.buildMinItems = 0;
    tuning.sortWriteMinCacheRatio = tuning.sortMinBatchFraction = 0;
    mur::check(murSetTuning(context.get(), &tuning));
    MurTableRequirements needs{};
    mur::check(context.tableRequirements(info, needs));
    mur::check(context.preparePipelines(info));
    const mur::Table table = context.createTable(info).take();
    const mur::Table other = context.createTable(info).take();
    REQUIRE(needs.slotCount == table.ref().slotCount && needs.size == table.memory().size);
    change(d, table);
    move(d, table, other);
}

int main(int argc, char **argv) {
    Engine engine;
    REQUIRE(argc > 2);
    open_engine(&engine);
    for (int i = 0; i < atoi(argv[1]); ++i) {
        Device d;
        open_device(&engine, &d, static_cast<uint32_t>(i));
        const mur::ContextView context = d.context;
        own(d, context, engine.family);
        use(d, d.table);
        effects(d, context);
        close_device(&d);
    }
    vkDestroyInstance(engine.instance, NULL);
    return consumer_main(argc, argv); /* also prints the final result */
}
