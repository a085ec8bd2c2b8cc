/* Murmuration, optional: C++17 owners of the C API's objects, with its commands as members. All
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
 * Errors. Commands return the VkResult. createTable and similar functions return it with the owner.
 * take() returns the owner. On errors it throws mur::Error, or ends the program if exceptions are
 * disabled.
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

/* A view that owns its object. It converts to the view. May be empty. */
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

    /* Returns the handle and gives up ownership. */
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

    VkResult clear(VkCommandBuffer cmd) const noexcept {
        return murCmdClear(cmd, get());
    }
    VkResult barrier(VkCommandBuffer cmd) const noexcept {
        return murCmdBarrier(cmd, get());
    }
    VkResult insert(VkCommandBuffer cmd, MurInsertMode mode, const MurBatch &batch) const noexcept {
        return murCmdInsert(cmd, get(), mode, &batch);
    }
    VkResult build(VkCommandBuffer cmd, MurInsertMode mode, const MurBatch &batch) const noexcept {
        return murCmdBuild(cmd, get(), mode, &batch);
    }
    VkResult find(VkCommandBuffer cmd, const MurBatch &batch) const noexcept {
        return murCmdFind(cmd, get(), &batch);
    }
    VkResult erase(VkCommandBuffer cmd, const MurBatch &batch) const noexcept {
        return murCmdErase(cmd, get(), &batch);
    }
    VkResult extract(VkCommandBuffer cmd, const MurExtract &what) const noexcept {
        return murCmdExtract(cmd, get(), &what);
    }
    VkResult eraseWhere(VkCommandBuffer cmd, const MurExtract &what) const noexcept {
        return murCmdEraseWhere(cmd, get(), &what);
    }
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
    VkResult compact(VkCommandBuffer cmd, const MurRehash &how) const noexcept {
        return murCmdCompact(cmd, get(), &how);
    }

    /* buckets.h */
    VkResult beginEviction(VkCommandBuffer cmd) const noexcept {
        return murCmdBeginEviction(cmd, get());
    }
    VkResult endEviction(VkCommandBuffer cmd) const noexcept {
        return murCmdEndEviction(cmd, get());
    }
    VkResult rebuildFilter(VkCommandBuffer cmd) const noexcept {
        return murCmdRebuildFilter(cmd, get());
    }
    VkResult evict(VkCommandBuffer cmd, const MurEvict &how) const noexcept {
        return murCmdEvict(cmd, get(), &how);
    }

    /* group.h and rows.h */
    VkResult group(VkCommandBuffer cmd, const MurGroup &how) const noexcept {
        return murCmdGroup(cmd, get(), &how);
    }
    VkResult insertRows(VkCommandBuffer cmd, const MurRowBatch &batch) const noexcept {
        return murCmdInsertRows(cmd, get(), &batch);
    }
    VkResult findRows(VkCommandBuffer cmd, const MurRowBatch &batch) const noexcept {
        return murCmdFindRows(cmd, get(), &batch);
    }

    /* multi.h */
    VkResult multiInsert(VkCommandBuffer cmd, const MurBatch &batch) const noexcept {
        return murCmdMultiInsert(cmd, get(), &batch);
    }
    VkResult multiCount(VkCommandBuffer cmd, const MurBatch &batch) const noexcept {
        return murCmdMultiCount(cmd, get(), &batch);
    }
    VkResult multiFind(VkCommandBuffer cmd, const MurBatch &batch) const noexcept {
        return murCmdMultiFind(cmd, get(), &batch);
    }
    VkResult multiErase(VkCommandBuffer cmd, const MurBatch &batch) const noexcept {
        return murCmdMultiErase(cmd, get(), &batch);
    }
    VkResult multiEraseKeys(VkCommandBuffer cmd, const MurBatch &batch) const noexcept {
        return murCmdMultiEraseKeys(cmd, get(), &batch);
    }
    VkResult multiRetrieve(VkCommandBuffer cmd, const MurMultiRetrieve &how) const noexcept {
        return murCmdMultiRetrieve(cmd, get(), &how);
    }
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

/* Call the functions of blocking.h, pager.h, paged.h and database.h with get(). Destroy a pager
 * before its database, and a paged table before its pager. */
using Blocking = Owner<View<MurBlocking>, murDestroyBlocking>;
using Pager = Owner<View<MurPager>, murDestroyPager>;
using PagedTable = Owner<View<MurPagedTable>, murDestroyPagedTable>;
using Database = Owner<View<MurDatabase>, murCloseDatabase>;

class ContextView : public View<MurContext> {
  public:
    using View::View;

    Made<Table> createTable(const MurTableCreateInfo &info) const noexcept {
        return make<Table, murCreateTable>(get(), &info);
    }
    Made<Growable> createGrowable(const MurGrowableCreateInfo &info) const noexcept {
        return make<Growable, murCreateGrowable>(get(), &info);
    }
    Made<Blocking> createBlocking(const MurBlockingCreateInfo &info) const noexcept {
        return make<Blocking, murCreateBlocking>(get(), &info);
    }
    Made<Pager> createPager(const MurPagerCreateInfo &info) const noexcept {
        return make<Pager, murCreatePager>(get(), &info);
    }
    Made<PagedTable> createPagedTable(const MurPagedTableCreateInfo &info) const noexcept {
        return make<PagedTable, murCreatePagedTable>(get(), &info);
    }
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

} // namespace mur

#endif
