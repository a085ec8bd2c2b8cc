/* Murmuration, optional: C++17 owners of the C API's objects, with the commands as members. All
 * functions are inline. An owner contains only the handle; it has no virtual function and allocates
 * nothing.
 *
 *     mur::Context context = mur::createContext(contextInfo).take();
 *     mur::Table table = context.createTable(tableInfo).take();
 *     table.clear(cmd);
 *     table.barrier(cmd);
 *     table.insert(cmd, MUR_MODE_INSERT, batch);
 *
 * vk::CommandBuffer converts to VkCommandBuffer. Members call the C functions, which murmuration.h
 * describes. Call C functions without a member with get(). Structs are those of C: initialize them
 * with {}, so that other fields are zero.
 *
 * Errors. Commands return the VkResult. createTable and similar functions return it and the owner;
 * take() returns the owner. On errors take() throws mur::Error, or ends the program if exceptions
 * are disabled.
 *
 * Owners can be moved, not copied. Their destructor destroys the object: GPU work that uses it must
 * have finished. Tables must be destroyed before their context, so declare contexts first.
 *
 * SPDX-License-Identifier: MIT */
#ifndef MURMURATION_HPP
#define MURMURATION_HPP

#include <murmuration/blocking.h>
#include <murmuration/buckets.h>
#include <murmuration/database.h>
#include <murmuration/group.h>
#include <murmuration/growable.h>
#include <murmuration/mirror.h>
#include <murmuration/multi.h>
#include <murmuration/paged.h>
#include <murmuration/rows.h>

#include <exception>
#include <utility>

namespace mur {

class Error : public std::exception {
  public:
    explicit Error(VkResult result) noexcept : code(result) {
    }
    const char *what() const noexcept override {
        return murResultName(code);
    }
    VkResult result() const noexcept {
        return code;
    }

  private:
    VkResult code;
};

/* Throws mur::Error if the result is not VK_SUCCESS. */
inline void check(VkResult result) {
    if (result != VK_SUCCESS) {
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
        throw Error(result);
#else
        std::terminate();
#endif
    }
}

/* A result and, if it is VK_SUCCESS, the created object. */
template <class Owner> struct [[nodiscard]] Made {
    VkResult result;
    Owner owner;

    explicit operator bool() const noexcept {
        return result == VK_SUCCESS;
    }
    Owner take() {
        check(result);
        return std::move(owner);
    }
};

/* A handle without ownership. Pass it by value. */
template <class Handle> class View {
  public:
    constexpr View(Handle viewed = nullptr) noexcept : handle(viewed) {
    }
    Handle get() const noexcept {
        return handle;
    }
    explicit operator bool() const noexcept {
        return handle != nullptr;
    }

  protected:
    Handle handle;
};

/* A view that owns its object and may be empty. An owner converts to the view. */
template <class Viewed, auto destroy> class Owner : public Viewed {
    using Handle = decltype(Viewed().get());

  public:
    constexpr Owner() noexcept = default;
    constexpr explicit Owner(Handle owned) noexcept : Viewed(owned) {
    }
    Owner(Owner &&other) noexcept : Viewed(other.release()) {
    }
    Owner &operator=(Owner &&other) noexcept {
        if (this != &other) {
            reset(other.release());
        }
        return *this;
    }
    ~Owner() {
        reset();
    }

    /* Returns the handle; the owner is then empty and destroys nothing. */
    Handle release() noexcept {
        return std::exchange(this->handle, nullptr);
    }
    void reset(Handle owned = nullptr) noexcept {
        if (this->handle) {
            destroy(this->handle);
        }
        this->handle = owned;
    }
};

/* Internal: calls a creation function and returns the owner of its object. */
template <class Owned, auto create, class... From> Made<Owned> make(From... from) noexcept {
    decltype(Owned().get()) handle = nullptr;
    const VkResult result = create(from..., &handle);
    return {result, Owned(handle)};
}

/* Internal: define a member that records a command, without a struct and with one. */
#define MUR_MEMBER(name, function)                      \
    VkResult name(VkCommandBuffer cmd) const noexcept { \
        return function(cmd, get());                    \
    }
#define MUR_MEMBER_WITH(name, function, Struct)                              \
    VkResult name(VkCommandBuffer cmd, const Struct &given) const noexcept { \
        return function(cmd, get(), &given);                                 \
    }

class TableView : public View<MurTable> {
  public:
    using View::View;

    MurTableRef ref() const noexcept {
        return murGetTableRef(get());
    }
    uint32_t maxEntries() const noexcept {
        return murGetMaxEntries(get());
    }
    MurBufferRange memory() const noexcept {
        return murGetTableMemory(get());
    }
    VkDeviceSize scratchSize(MurCommand command, MurInsertMode mode,
                             const MurBatch &batch) const noexcept {
        return murGetScratchSize(get(), command, mode, &batch);
    }

    MUR_MEMBER(clear, murCmdClear)
    MUR_MEMBER(barrier, murCmdBarrier)
    VkResult insert(VkCommandBuffer cmd, MurInsertMode mode, const MurBatch &batch) const noexcept {
        return murCmdInsert(cmd, get(), mode, &batch);
    }
    VkResult build(VkCommandBuffer cmd, MurInsertMode mode, const MurBatch &batch) const noexcept {
        return murCmdBuild(cmd, get(), mode, &batch);
    }
    MUR_MEMBER_WITH(find, murCmdFind, MurBatch)
    MUR_MEMBER_WITH(erase, murCmdErase, MurBatch)
    MUR_MEMBER_WITH(extract, murCmdExtract, MurExtract)
    MUR_MEMBER_WITH(eraseWhere, murCmdEraseWhere, MurExtract)
    VkResult stats(VkCommandBuffer cmd, MurArray into) const noexcept {
        return murCmdStats(cmd, get(), into);
    }
    VkResult rehashTo(VkCommandBuffer cmd, TableView destination,
                      const MurRehash *how = nullptr) const noexcept {
        return murCmdRehash(cmd, get(), destination.get(), how);
    }
    VkResult mergeInto(VkCommandBuffer cmd, TableView destination, MurInsertMode mode,
                       const MurRehash *how = nullptr) const noexcept {
        return murCmdMerge(cmd, get(), destination.get(), mode, how);
    }
    MUR_MEMBER_WITH(compact, murCmdCompact, MurRehash)

    /* Commands of buckets.h. */
    MUR_MEMBER(beginEviction, murCmdBeginEviction)
    MUR_MEMBER(endEviction, murCmdEndEviction)
    MUR_MEMBER(rebuildFilter, murCmdRebuildFilter)
    MUR_MEMBER_WITH(evict, murCmdEvict, MurEvict)

    /* Commands of group.h and rows.h. */
    MUR_MEMBER_WITH(group, murCmdGroup, MurGroup)
    MUR_MEMBER_WITH(insertRows, murCmdInsertRows, MurRowBatch)
    MUR_MEMBER_WITH(findRows, murCmdFindRows, MurRowBatch)

    /* Commands of multi.h. */
    MUR_MEMBER_WITH(multiInsert, murCmdMultiInsert, MurBatch)
    MUR_MEMBER_WITH(multiCount, murCmdMultiCount, MurBatch)
    MUR_MEMBER_WITH(multiFind, murCmdMultiFind, MurBatch)
    MUR_MEMBER_WITH(multiErase, murCmdMultiErase, MurBatch)
    MUR_MEMBER_WITH(multiEraseKeys, murCmdMultiEraseKeys, MurBatch)
    MUR_MEMBER_WITH(multiRetrieve, murCmdMultiRetrieve, MurMultiRetrieve)
};
using Table = Owner<TableView, murDestroyTable>;

class GrowableView : public View<MurGrowable> {
  public:
    using View::View;

    VkResult beginFrame(VkCommandBuffer cmd, const MurGrowableFrame &frame,
                        MurGrowableFrameTable &use) const noexcept {
        return murCmdBeginGrowableFrame(cmd, get(), &frame, &use);
    }
    MurGrowableStatus status() const noexcept {
        MurGrowableStatus status;
        murGetGrowableStatus(get(), &status);
        return status;
    }
};
using Growable = Owner<GrowableView, murDestroyGrowable>;

class MirrorView : public View<MurMirror> {
  public:
    using View::View;

    MUR_MEMBER_WITH(update, murCmdUpdateMirror, MurMirrorUpdate)
    const MurHostTable *host() const noexcept {
        return murGetMirrorHostTable(get());
    }
    TableView table() const noexcept {
        return murGetMirrorTable(get());
    }
};
using Mirror = Owner<MirrorView, murDestroyMirror>;

/* Call the functions of blocking.h, pager.h, paged.h and database.h with get(). Destroy a pager
 * before its database, and a paged table before its pager. */
using Blocking = Owner<View<MurBlocking>, murDestroyBlocking>;
using Pager = Owner<View<MurPager>, murDestroyPager>;
using PagedTable = Owner<View<MurPagedTable>, murDestroyPagedTable>;
using Database = Owner<View<MurDatabase>, murCloseDatabase>;

#define MUR_MEMBER_CREATES(Owned, function)                                        \
    Made<Owned> create##Owned(const Mur##Owned##CreateInfo &info) const noexcept { \
        return make<Owned, function>(get(), &info);                                \
    }
class ContextView : public View<MurContext> {
  public:
    using View::View;

    MUR_MEMBER_CREATES(Table, murCreateTable)
    MUR_MEMBER_CREATES(Growable, murCreateGrowable)
    MUR_MEMBER_CREATES(Mirror, murCreateMirror)
    MUR_MEMBER_CREATES(Blocking, murCreateBlocking)
    MUR_MEMBER_CREATES(Pager, murCreatePager)
    MUR_MEMBER_CREATES(PagedTable, murCreatePagedTable)
    VkResult tableRequirements(const MurTableCreateInfo &info,
                               MurTableRequirements &requirements) const noexcept {
        return murGetTableRequirements(get(), &info, &requirements);
    }
    VkResult preparePipelines(const MurTableCreateInfo &info) const noexcept {
        return murPreparePipelines(get(), &info);
    }
};
using Context = Owner<ContextView, murDestroyContext>;

inline Made<Context> createContext(const MurContextCreateInfo &info) noexcept {
    return make<Context, murCreateContext>(&info);
}

inline Made<Database> createDatabase(const MurDatabaseInfo &info) noexcept {
    return make<Database, murCreateDatabase>(&info);
}
inline Made<Database> openDatabase(const MurDatabaseInfo &info) noexcept {
    return make<Database, murOpenDatabase>(&info);
}

#undef MUR_MEMBER
#undef MUR_MEMBER_WITH
#undef MUR_MEMBER_CREATES

} // namespace mur

#endif
