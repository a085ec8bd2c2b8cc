/* The owners of murmuration.hpp, in the engine of consumer.c.
 *
 * SPDX-License-Identifier: MIT */
#define main consumer_main
#include "../consumer.c"
#undef main

#include <murmuration/murmuration.hpp>

#include <type_traits>
#include <utility>

int consumer_main(int argc, char **argv);

/* No cost: the handle, and nothing but it. */
static_assert(sizeof(mur::Table) == sizeof(MurTable) && sizeof(mur::Context) == sizeof(MurContext));
static_assert(sizeof(mur::TableView) == sizeof(MurTable));
static_assert(!std::is_copy_constructible_v<mur::Table> && !std::is_copy_assignable_v<mur::Table>);
static_assert(std::is_nothrow_move_constructible_v<mur::Table>);
static_assert(std::is_nothrow_move_assignable_v<mur::Table>);
static_assert(std::is_convertible_v<mur::Table &, mur::TableView>);
static_assert(!std::is_convertible_v<MurTable, mur::Table>); /* a handle is taken over by name */

static MurArray part(const Device &d, VkDeviceSize first, VkDeviceSize count) {
    return {d.address + first * sizeof(uint32_t), count * sizeof(uint32_t)};
}

/* Inserts the first half of the keys, erases some, looks all up. */
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
         {table.clear(d.cmd), table.barrier(d.cmd), table.insert(d.cmd, MUR_MODE_KEEP, inserted),
          table.barrier(d.cmd), table.erase(d.cmd, erased), table.barrier(d.cmd),
          table.find(d.cmd, found), table.barrier(d.cmd)}) {
        mur::check(result);
    }
    submit(&d);
    for (uint32_t i = 0; i < 2 * COUNT; ++i) {
        REQUIRE(d.words[RESULTS + i] == (i >= COUNT / 4 && i < COUNT ? i + d.salt : UINT32_MAX));
    }
}

/* The layers report what is destroyed twice, or never. */
static void own(Device &d, mur::ContextView context, uint32_t family) {
    MurTableCreateInfo info{};
    info.capacity = 2 * COUNT;
    mur::Table first = context.createTable(info).take();
    mur::Table table(std::move(first));
    REQUIRE(!first && table && !first.get());
    const MurTable raw = table.get();
    table = std::move(table);
    REQUIRE(table.get() == raw && table.ref().capacity == info.capacity);
    use(d, table);
    mur::Table other = context.createTable(info).take();
    other = std::move(table); /* the one that it had is destroyed */
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
    MurGrowableUse used{};
    begin(&d);
    mur::check(growable.beginFrame(d.cmd, frame, used));
    submit(&d);
    REQUIRE(used.table && growable.status().capacity >= COUNT);
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
        close_device(&d);
    }
    vkDestroyInstance(engine.instance, NULL);
    return consumer_main(argc, argv); /* says whether all is right */
}
