// The maps that murbench-cpu times, behind one interface, each with its own defaults: a hash function
// and a load are part of what a library's user gets.
//
// SPDX-License-Identifier: MIT
#ifndef MURBENCH_CPU_MAPS_HPP
#define MURBENCH_CPU_MAPS_HPP

#include <cstddef>
#include <cstdint>
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

#endif
