/* Checks that every member of murmuration.hpp calls its C function with the same arguments and
 * returns its result. stubs.inc defines the C functions; headers.sh writes it from the headers.
 * Each stub records its call. The program prints the names of all called functions.
 * SPDX-License-Identifier: MIT */
#include <murmuration/murmuration.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

struct Call {
    std::string name;
    std::vector<std::string> arguments; /* bytes of each argument */
};
static std::vector<Call> calls;

template <class T> std::string bytes(T value) {
    return std::string(reinterpret_cast<const char *>(&value), sizeof value);
}

template <class T> T pattern() {
    T value;
    memset(static_cast<void *>(&value), 0x5A, sizeof value);
    return value;
}

/* Fills a result in memory if its type is complete and not const. Handles point to incomplete
 * types, so the second overload ignores them. */
template <class T>
auto fill(T *into, int) -> std::enable_if_t<!std::is_const_v<T> && (sizeof(T) > 0)> {
    *into = pattern<T>();
}
template <class T> void fill(T, long) {
}

template <class R, class... Arguments> R note(const char *name, Arguments... arguments) {
    calls.push_back({name, {bytes(arguments)...}});
    (fill(arguments, 0), ...);
    if constexpr (!std::is_void_v<R>) {
        return pattern<R>();
    }
}

extern "C" {
#include "stubs.inc"
}

static void require(bool holds, const char *text) {
    if (!holds) {
        fprintf(stderr, "wrapper: %s is wrong\n", text);
        exit(1);
    }
}

template <class T> bool is_result(const T &value) {
    return bytes(value) == bytes(pattern<T>());
}
template <class Owner> bool is_result(const mur::Made<Owner> &made) {
    return is_result(made.result) && is_result(made.owner.get());
}

/* Requires that exactly one call was recorded, with these arguments. An empty expected argument
 * matches any bytes: it stands for the address of a result. */
template <class T>
void expect(const char *text, const T &value, const char *name,
            const std::vector<std::string> &arguments) {
    require(is_result(value), text);
    require(calls.size() == 1 && calls[0].name == name, text);
    require(calls[0].arguments.size() == arguments.size(), text);
    for (size_t i = 0; i < arguments.size(); ++i) {
        require(arguments[i].empty() || calls[0].arguments[i] == arguments[i], text);
    }
    puts(name);
    calls.clear();
}
#define EXPECT(call, name, ...)                   \
    do {                                          \
        expect(#call, call, name, {__VA_ARGS__}); \
        calls.clear(); /* of a destroyed owner */ \
    } while (false)

/* Owners store only the handle, and views convert only from owners and handles. */
static_assert(sizeof(mur::Table) == sizeof(MurTable) && sizeof(mur::Context) == sizeof(MurContext));
static_assert(sizeof(mur::TableView) == sizeof(MurTable));
static_assert(!std::is_copy_constructible_v<mur::Table> && !std::is_copy_assignable_v<mur::Table>);
static_assert(std::is_nothrow_move_constructible_v<mur::Table>);
static_assert(std::is_nothrow_move_assignable_v<mur::Table>);
static_assert(std::is_convertible_v<mur::Table &, mur::TableView>);
static_assert(!std::is_convertible_v<MurTable, mur::Table>); /* conversion must be explicit */

template <class Handle> Handle handle(uintptr_t number) {
    return reinterpret_cast<Handle>(number);
}

/* Checks that an owner destroys each handle once, also after moves and release(). */
template <class Owner> void own(const char *name) {
    using Handle = decltype(Owner().get());
    {
        Owner first(handle<Handle>(8)), second(handle<Handle>(16)), none;
        none = std::move(first);
        none = std::move(second);
        Owner third(std::move(none)), &same = third;
        third = std::move(same);
        require(!first && !none && third.get() == handle<Handle>(16), name);
        handle<Handle>(32) == Owner(handle<Handle>(32)).release() ? void() : abort();
    }
    require(calls.size() == 2 && calls[0].name == name && calls[1].name == name, name);
    require(calls[0].arguments[0] == bytes(handle<Handle>(8)), name);
    require(calls[1].arguments[0] == bytes(handle<Handle>(16)), name);
    puts(name);
    calls.clear();
}

template <class Function> bool throws(Function function) {
    try {
        function();
    } catch (const mur::Error &error) {
        return error.result() == VK_INCOMPLETE;
    }
    return false;
}

static void results() {
    mur::check(VK_SUCCESS);
    require(throws([] { mur::check(VK_INCOMPLETE); }), "check");
    mur::Made<mur::Table> made{VK_SUCCESS, mur::Table(handle<MurTable>(8))};
    require(static_cast<bool>(made), "Made");
    mur::Table table = made.take();
    require(table.get() == handle<MurTable>(8) && table && !made.owner, "take");
    made.result = VK_INCOMPLETE;
    require(!made && throws([&] { made.take(); }), "take of none");
    table.release();
}

static void tables() {
    const VkCommandBuffer cmd = handle<VkCommandBuffer>(8);
    const mur::TableView t(handle<MurTable>(16)), other(handle<MurTable>(24));
    const std::string c = bytes(cmd), h = bytes(t.get()), o = bytes(other.get());
    const MurBatch batch{};
    const MurExtract what{};
    const MurRehash how{};
    const MurArray array{8, 32};
    const MurInsertMode mode = MUR_MODE_MAX;
    const std::string b = bytes(&batch), w = bytes(&what), r = bytes(&how), m = bytes(mode);
    const std::string none = bytes(static_cast<const MurRehash *>(nullptr));
    EXPECT(t.ref(), "murGetTableRef", h);
    EXPECT(t.maxEntries(), "murGetMaxEntries", h);
    EXPECT(t.memory(), "murGetTableMemory", h);
    EXPECT(t.scratchSize(MUR_COMMAND_BUILD, mode, batch), "murGetScratchSize", h,
           bytes(MUR_COMMAND_BUILD), m, b);
    EXPECT(t.clear(cmd), "murCmdClear", c, h);
    EXPECT(t.barrier(cmd), "murCmdBarrier", c, h);
    EXPECT(t.insert(cmd, mode, batch), "murCmdInsert", c, h, m, b);
    EXPECT(t.build(cmd, mode, batch), "murCmdBuild", c, h, m, b);
    EXPECT(t.find(cmd, batch), "murCmdFind", c, h, b);
    EXPECT(t.erase(cmd, batch), "murCmdErase", c, h, b);
    EXPECT(t.extract(cmd, what), "murCmdExtract", c, h, w);
    EXPECT(t.eraseWhere(cmd, what), "murCmdEraseWhere", c, h, w);
    EXPECT(t.stats(cmd, array), "murCmdStats", c, h, bytes(array));
    EXPECT(t.rehashTo(cmd, other, &how), "murCmdRehash", c, h, o, r);
    EXPECT(t.rehashTo(cmd, other), "murCmdRehash", c, h, o, none);
    EXPECT(t.mergeInto(cmd, other, mode, &how), "murCmdMerge", c, h, o, m, r);
    EXPECT(t.mergeInto(cmd, other, mode), "murCmdMerge", c, h, o, m, none);
    EXPECT(t.compact(cmd, how), "murCmdCompact", c, h, r);
}

/* Commands of single table types. */
static void types() {
    const VkCommandBuffer cmd = handle<VkCommandBuffer>(8);
    const mur::TableView t(handle<MurTable>(16));
    const std::string c = bytes(cmd), h = bytes(t.get());
    const MurBatch batch{};
    const MurEvict evict{};
    const MurGroup group{};
    const MurRowBatch rows{};
    const MurMultiRetrieve retrieve{};
    const std::string b = bytes(&batch), r = bytes(&rows);
    EXPECT(t.beginEviction(cmd), "murCmdBeginEviction", c, h);
    EXPECT(t.endEviction(cmd), "murCmdEndEviction", c, h);
    EXPECT(t.rebuildFilter(cmd), "murCmdRebuildFilter", c, h);
    EXPECT(t.evict(cmd, evict), "murCmdEvict", c, h, bytes(&evict));
    EXPECT(t.group(cmd, group), "murCmdGroup", c, h, bytes(&group));
    EXPECT(t.insertRows(cmd, rows), "murCmdInsertRows", c, h, r);
    EXPECT(t.findRows(cmd, rows), "murCmdFindRows", c, h, r);
    EXPECT(t.multiInsert(cmd, batch), "murCmdMultiInsert", c, h, b);
    EXPECT(t.multiCount(cmd, batch), "murCmdMultiCount", c, h, b);
    EXPECT(t.multiFind(cmd, batch), "murCmdMultiFind", c, h, b);
    EXPECT(t.multiErase(cmd, batch), "murCmdMultiErase", c, h, b);
    EXPECT(t.multiEraseKeys(cmd, batch), "murCmdMultiEraseKeys", c, h, b);
    EXPECT(t.multiRetrieve(cmd, retrieve), "murCmdMultiRetrieve", c, h, bytes(&retrieve));
}

static void contexts() {
    const mur::ContextView context(handle<MurContext>(16));
    const std::string h = bytes(context.get()), out;
    const MurTableCreateInfo table{};
    const MurGrowableCreateInfo growable{};
    const MurMirrorCreateInfo mirror{};
    const MurBlockingCreateInfo blocking{};
    const MurPagerCreateInfo pager{};
    const MurPagedTableCreateInfo paged{};
    const MurContextCreateInfo info{};
    const MurDatabaseInfo database{};
    MurTableRequirements needs{};
    EXPECT(context.createTable(table), "murCreateTable", h, bytes(&table), out);
    EXPECT(context.createGrowable(growable), "murCreateGrowable", h, bytes(&growable), out);
    EXPECT(context.createMirror(mirror), "murCreateMirror", h, bytes(&mirror), out);
    EXPECT(context.createBlocking(blocking), "murCreateBlocking", h, bytes(&blocking), out);
    EXPECT(context.createPager(pager), "murCreatePager", h, bytes(&pager), out);
    EXPECT(context.createPagedTable(paged), "murCreatePagedTable", h, bytes(&paged), out);
    EXPECT(context.tableRequirements(table, needs), "murGetTableRequirements", h, bytes(&table),
           bytes(&needs));
    EXPECT(context.preparePipelines(table), "murPreparePipelines", h, bytes(&table));
    EXPECT(mur::createContext(info), "murCreateContext", bytes(&info), out);
    EXPECT(mur::createDatabase(database), "murCreateDatabase", bytes(&database), out);
    EXPECT(mur::openDatabase(database), "murOpenDatabase", bytes(&database), out);
    EXPECT(mur::Error(VK_INCOMPLETE).what(), "murResultName", bytes(VK_INCOMPLETE));
}

int main() {
    const mur::GrowableView growable(handle<MurGrowable>(16));
    const VkCommandBuffer cmd = handle<VkCommandBuffer>(8);
    const MurGrowableFrame frame{};
    MurGrowableFrameTable use{};
    results();
    tables();
    types();
    contexts();
    EXPECT(growable.beginFrame(cmd, frame, use), "murCmdBeginGrowableFrame", bytes(cmd),
           bytes(growable.get()), bytes(&frame), bytes(&use));
    EXPECT(growable.status(), "murGetGrowableStatus", bytes(growable.get()), {});
    const mur::MirrorView mirror(handle<MurMirror>(16));
    const MurMirrorUpdate update{};
    EXPECT(mirror.update(cmd, update), "murCmdUpdateMirror", bytes(cmd), bytes(mirror.get()),
           bytes(&update));
    EXPECT(mirror.host(), "murGetMirrorHostTable", bytes(mirror.get()));
    EXPECT(mirror.table(), "murGetMirrorTable", bytes(mirror.get()));
    own<mur::Mirror>("murDestroyMirror");
    own<mur::Table>("murDestroyTable");
    own<mur::Growable>("murDestroyGrowable");
    own<mur::Blocking>("murDestroyBlocking");
    own<mur::Pager>("murDestroyPager");
    own<mur::PagedTable>("murDestroyPagedTable");
    own<mur::Database>("murCloseDatabase");
    own<mur::Context>("murDestroyContext");
    return 0;
}
