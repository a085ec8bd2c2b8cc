// The maps that murbench-cpu times, with a common interface. Each has its default hash function and
// load, as for its users.
// SPDX-License-Identifier: MIT
#ifndef MURBENCH_CPU_MAPS_HPP
#define MURBENCH_CPU_MAPS_HPP

#include <murmuration/host.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <unordered_map>
#include <utility>

#ifdef HAS_ABSL
#include <absl/container/flat_hash_map.h>
#endif
#ifdef HAS_BOOST
#include <boost/unordered/unordered_flat_map.hpp>
#endif
#ifdef HAS_TBB
#include <tbb/concurrent_hash_map.h>
#endif

// A map that one thread may change, or many may read.
template <class Map> class Sequential {
  public:
    static constexpr bool concurrent = false;
    static constexpr bool batches = false;

    explicit Sequential(std::size_t count) {
        map.reserve(count);
    }
    void insert(std::uint32_t key, std::uint32_t value) {
        map.insert_or_assign(key, value);
    }
    std::uint32_t find(std::uint32_t key, std::uint32_t absent) const {
        const auto entry = map.find(key);
        return entry == map.end() ? absent : entry->second;
    }
    bool erase(std::uint32_t key) {
        return map.erase(key) == 1;
    }
    std::size_t size() const {
        return map.size();
    }

  private:
    Map map;
};

using StdMap = Sequential<std::unordered_map<std::uint32_t, std::uint32_t>>;
#ifdef HAS_ABSL
using AbslMap = Sequential<absl::flat_hash_map<std::uint32_t, std::uint32_t>>;
#endif
#ifdef HAS_BOOST
using BoostMap = Sequential<boost::unordered_flat_map<std::uint32_t, std::uint32_t>>;
#endif

#ifdef HAS_TBB
// A map that many threads may change at the same time.
class TbbMap {
  public:
    static constexpr bool concurrent = true;
    static constexpr bool batches = false;

    explicit TbbMap(std::size_t count) : map(count) {
    }
    void insert(std::uint32_t key, std::uint32_t value) {
        Map::accessor entry;
        map.insert(entry, key);
        entry->second = value;
    }
    std::uint32_t find(std::uint32_t key, std::uint32_t absent) const {
        Map::const_accessor entry;
        return map.find(entry, key) ? entry->second : absent;
    }
    bool erase(std::uint32_t key) {
        return map.erase(key);
    }
    std::size_t size() const {
        return map.size();
    }

  private:
    using Map = tbb::concurrent_hash_map<std::uint32_t, std::uint32_t>;
    Map map;
};
#endif

// Murmuration's table in host memory, at a load of 0.5. Many threads may change it. inBatches:
// calls for many keys, otherwise for one key.
template <MurAtomicWidth width, bool inBatches> class HostMap {
  public:
    static constexpr bool concurrent = true;
    static constexpr bool batches = inBatches;

    explicit HostMap(std::size_t count) {
        MurTableCreateInfo info = {};
        info.capacity = 2 * count;
        info.atomicWidth = width;
        std::uint64_t size = 0;
        if (murHostGetImageSize(&info, &size) == VK_SUCCESS) {
            image.reset(std::aligned_alloc(64, (size + 63) / 64 * 64));
        }
        if (!image || murHostCreate(&info, image.get(), size, &table) != VK_SUCCESS) {
            std::abort();
        }
    }
    void insert(std::uint32_t key, std::uint32_t value) {
        murHostInsert(&table, MUR_MODE_ASSIGN, key, value);
    }
    std::uint32_t find(std::uint32_t key, std::uint32_t) const {
        return static_cast<std::uint32_t>(murHostFind(&table, key).value);
    }
    bool erase(std::uint32_t key) {
        return murHostErase(&table, key).status == MUR_ERASED;
    }
    void insert(const std::uint32_t *keys, const std::uint32_t *values, std::size_t count) {
        murHostInsertBatch(&table, MUR_MODE_ASSIGN, count, keys, values, nullptr, nullptr, nullptr);
    }
    void find(const std::uint32_t *keys, std::uint32_t *values, std::size_t count) const {
        murHostFindBatch(&table, count, keys, values, nullptr, nullptr);
    }
    void erase(const std::uint32_t *keys, std::uint32_t *statuses, std::size_t count) {
        murHostEraseBatch(&table, count, keys, nullptr, statuses, nullptr);
    }
    std::size_t size() const {
        MurStats stats;
        murHostStats(&table, &stats);
        return stats.live;
    }

  private:
    struct Free {
        void operator()(void *memory) const {
            std::free(memory);
        }
    };
    std::unique_ptr<void, Free> image;
    MurHostTable table = {};
};

#endif
