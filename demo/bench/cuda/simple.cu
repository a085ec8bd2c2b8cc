// murbench-cuda: the plain GPU hash table in CUDA, for comparison on the same device. It uses
// linear probing over {key, value} pairs: a 32-bit atomicCAS claims the key, a separate store
// publishes the value, an erase stores the empty value. The algorithm is David Farrell's "A Simple
// GPU Hash Table" (2020); the code is our own.
//
// Times are measured like murbench's: medians after warm-up, by device events, with murbench's
// keys. Every result is verified on the device. Rows have murbench's columns.
// SPDX-License-Identifier: MIT
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

namespace {

constexpr uint32_t empty = 0xFFFFFFFFu; // neither a key nor a value
constexpr int warmUp = 2;
constexpr int reps = 7;
constexpr uint32_t block = 256;

struct Pair {
    uint32_t key, value;
};

// The 32-bit finalizer of MurmurHash3 by Austin Appleby (public domain).
__device__ uint32_t finalizer(uint32_t h) {
    h ^= h >> 16;
    h *= 0x85EBCA6Bu;
    h ^= h >> 13;
    h *= 0xC2B2AE35u;
    return h ^ (h >> 16);
}

// The pairs of murbench: see shaders/pair.glsl.
__device__ uint32_t pairKey(uint32_t i) {
    return finalizer(i ^ 0x9E3779B9u);
}
__device__ uint32_t pairValue(uint32_t i) {
    return ((i * 0x9E3779B1u) >> 1) + 1u;
}

__device__ uint32_t item() {
    return blockIdx.x * block + threadIdx.x;
}

__global__ void generate(uint32_t *keys, uint32_t *values, uint32_t count) {
    const uint32_t i = item();
    if (i < count) {
        keys[i] = pairKey(i);
        values[i] = pairValue(i);
    }
}

__global__ void insert(Pair *table, uint32_t mask, const uint32_t *keys, const uint32_t *values,
                       uint32_t count) {
    const uint32_t i = item();
    if (i >= count) {
        return;
    }
    const uint32_t key = keys[i];
    for (uint32_t slot = finalizer(key) & mask;; slot = (slot + 1) & mask) {
        const uint32_t there = atomicCAS(&table[slot].key, empty, key);
        if (there == empty || there == key) {
            table[slot].value = values[i];
            return;
        }
    }
}

__global__ void find(const Pair *table, uint32_t mask, const uint32_t *keys, uint32_t *values,
                     uint32_t count) {
    const uint32_t i = item();
    if (i >= count) {
        return;
    }
    const uint32_t key = keys[i];
    for (uint32_t slot = finalizer(key) & mask;; slot = (slot + 1) & mask) {
        const Pair there = table[slot];
        if (there.key == key || there.key == empty) {
            values[i] = there.key == key ? there.value : empty;
            return;
        }
    }
}

__global__ void erase(Pair *table, uint32_t mask, const uint32_t *keys, uint32_t count) {
    const uint32_t i = item();
    if (i >= count) {
        return;
    }
    const uint32_t key = keys[i];
    for (uint32_t slot = finalizer(key) & mask;; slot = (slot + 1) & mask) {
        const uint32_t there = table[slot].key;
        if (there == key) {
            table[slot].value = empty;
        }
        if (there == key || there == empty) {
            return;
        }
    }
}

// Counts errors: items from `first` on must have their pair's value, items before it none. absent:
// no item has a value.
__global__ void verify(const uint32_t *values, uint32_t first, uint32_t count, bool absent,
                       uint32_t *errors) {
    const uint32_t i = item();
    if (i < count && values[i] != (absent || i < first ? empty : pairValue(i))) {
        atomicAdd(errors, 1u);
    }
}

void check(cudaError_t error) {
    if (error != cudaSuccess) {
        std::fprintf(stderr, "murbench-cuda: %s\n", cudaGetErrorString(error));
        std::exit(EXIT_FAILURE);
    }
}

uint32_t blocks(uint32_t count) {
    return (count + block - 1) / block;
}

// Makes random compare-and-swaps on memory that stays zero.
__global__ void swap(uint32_t *words, uint32_t mask) {
    atomicCAS(&words[finalizer(item()) & mask], 0u, 0u);
}

// Keeps the device busy to raise its clocks before the next measurement: an idle device runs at a
// third of its clocks, and short work does not raise them. See murbench's demo/common/clocks.h.
void busy(double milliseconds) {
    constexpr uint32_t words = 1u << 26; // 256 MiB
    static uint32_t *memory = nullptr;
    if (!memory) {
        check(cudaMalloc(&memory, 4ull * words));
        check(cudaMemset(memory, 0, 4ull * words));
    }
    const auto begin = std::chrono::steady_clock::now();
    std::chrono::duration<double, std::milli> spent{0};
    while (spent.count() < milliseconds) {
        swap<<<(1u << 22) / block, block>>>(memory, words - 1);
        check(cudaDeviceSynchronize());
        spent = std::chrono::steady_clock::now() - begin;
    }
}

constexpr double busyFirst = 4000, busyEach = 20; // milliseconds: first, and per row

struct Trial {
    const char *suite;
    uint32_t pairs, capacity; // capacity: a power of two
    std::FILE *csv;
    Pair *table;
    uint32_t *keys, *values, *results, *errors;

    void open() {
        const size_t words = pairs;
        check(cudaMalloc(&table, sizeof(Pair) * capacity));
        check(cudaMalloc(&keys, 8 * words));
        check(cudaMalloc(&values, 8 * words));
        check(cudaMalloc(&results, 4 * words));
        check(cudaMalloc(&errors, 4));
        generate<<<blocks(2 * pairs), block>>>(keys, values, 2 * pairs);
        clear();
        check(cudaDeviceSynchronize());
    }
    void close() {
        for (void *memory :
             {static_cast<void *>(table), static_cast<void *>(keys), static_cast<void *>(values),
              static_cast<void *>(results), static_cast<void *>(errors)}) {
            check(cudaFree(memory));
        }
    }

    void clear() {
        check(cudaMemsetAsync(table, 0xFF, sizeof(Pair) * capacity));
    }
    void fill(uint32_t first, uint32_t count) {
        insert<<<blocks(count), block>>>(table, capacity - 1, keys + first, values + first, count);
    }
    void lookUp(uint32_t from) {
        find<<<blocks(pairs), block>>>(table, capacity - 1, keys + from, results, pairs);
    }
    void eraseHalf() {
        erase<<<blocks(pairs / 2), block>>>(table, capacity - 1, keys, pairs / 2);
    }

    // Checks the results of the last finds. erased: number of erased pairs.
    void require(const char *operation, uint32_t erased, bool absent) {
        uint32_t wrong = 0;
        check(cudaMemset(errors, 0, 4));
        verify<<<blocks(pairs), block>>>(results, erased, pairs, absent, errors);
        check(cudaMemcpy(&wrong, errors, 4, cudaMemcpyDeviceToHost));
        if (wrong != 0) {
            std::fprintf(stderr, "murbench-cuda: %s: %u of %u results are wrong\n", operation,
                         wrong, pairs);
            std::exit(EXIT_FAILURE);
        }
    }

    // All repetitions are enqueued before the first wait.
    double measure(const std::function<void()> &setup, const std::function<void()> &run) {
        std::vector<cudaEvent_t> events(2 * (warmUp + reps));
        busy(busyEach);
        for (size_t i = 0; i < events.size(); i += 2) {
            check(cudaEventCreate(&events[i]));
            check(cudaEventCreate(&events[i + 1]));
            setup();
            check(cudaEventRecord(events[i]));
            run();
            check(cudaEventRecord(events[i + 1]));
        }
        check(cudaDeviceSynchronize());
        std::vector<float> times;
        for (size_t i = 0; i < events.size(); i += 2) {
            float milliseconds = 0;
            check(cudaEventElapsedTime(&milliseconds, events[i], events[i + 1]));
            if (i >= 2 * warmUp) {
                times.push_back(milliseconds);
            }
            check(cudaEventDestroy(events[i]));
            check(cudaEventDestroy(events[i + 1]));
        }
        std::sort(times.begin(), times.end());
        return times[times.size() / 2];
    }

    void row(const char *operation, uint32_t count, double milliseconds) {
        const double load = static_cast<double>(pairs) / capacity;
        const double rate = 1e-6 * count / milliseconds;
        std::printf("%-6s %-18s %10u pairs, load %.2f %10.4f ms %8.4g G/s\n", suite, operation,
                    count, load, milliseconds, rate);
        if (csv) {
            std::fprintf(csv,
                         "cuda-%s,%s,\"linear probing, 32-bit atomicCAS\",,,%u,%u,%.4f,%.6f,%.6f,"
                         "G/s,0,0,0,0,%zu,%d,0,0\n",
                         suite, operation, count, capacity, load, milliseconds, rate,
                         sizeof(Pair) * capacity, reps);
        }
    }

    void run(bool erasing) {
        row("clear", pairs, measure([] {}, [this] { clear(); }));
        row("insert", pairs, measure([this] { clear(); }, [this] { fill(0, pairs); }));
        const double hit = measure([] {}, [this] { lookUp(0); });
        require("find hit", 0, false);
        row("find hit", pairs, hit);
        const double miss = measure([] {}, [this] { lookUp(pairs); });
        require("find miss", 0, true);
        row("find miss", pairs, miss);
        if (!erasing) {
            return;
        }
        const uint32_t half = pairs / 2;
        const double erasure = measure([this, half] { fill(0, half); }, [this] { eraseHalf(); });
        lookUp(0);
        require("erase half", half, false);
        row("erase half", half, erasure);
        const double after = measure([] {}, [this] { lookUp(0); });
        require("find after erase", half, false);
        row("find after erase", pairs, after);
        const double again = measure([this] { eraseHalf(); }, [this, half] { fill(0, half); });
        lookUp(0);
        require("reinsert", 0, false);
        row("reinsert", half, again);
        const double beside = measure(
            [this, half] {
                clear();
                fill(half, pairs - half);
            },
            [this, half] { fill(0, half); });
        lookUp(0);
        require("insert half", 0, false);
        row("insert half", half, beside);
    }
};

void one(const char *suite, uint32_t pairs, uint32_t capacity, bool erasing, std::FILE *csv) {
    Trial trial = {suite, pairs, capacity, csv, nullptr, nullptr, nullptr, nullptr, nullptr};
    trial.open();
    trial.run(erasing);
    trial.close();
}

int usage(std::FILE *file, int status) {
    std::fputs("usage: murbench-cuda [--csv FILE]\n"
               "Measures the plain GPU hash table on the pairs and sizes of murbench.\n",
               file);
    return status;
}

} // namespace

int main(int argc, char **argv) {
    std::FILE *csv = nullptr;
    if (argc == 2 && std::strcmp(argv[1], "--help") == 0) {
        return usage(stdout, EXIT_SUCCESS);
    }
    if (argc != 1 && (argc != 3 || std::strcmp(argv[1], "--csv") != 0)) {
        return usage(stderr, EXIT_FAILURE);
    }
    if (argc == 3 && !(csv = std::fopen(argv[2], "w"))) {
        std::perror(argv[2]);
        return EXIT_FAILURE;
    }
    if (csv) {
        std::fputs("suite,operation,variant,state,format,pairs,capacity,load,ms,rate,unit,ceiling,"
                   "of_ceiling,scratch_bytes,scratch_a_pair,table_bytes,reps,bulk,unsettled\n",
                   csv);
    }
    busy(busyFirst);
    for (uint32_t log2 = 16; log2 <= 27; log2 += log2 < 26 ? 2 : 1) {
        one("size", 1u << log2, 2u << log2, true, csv);
    }
    for (const double load : {0.5, 0.6, 0.7, 0.8, 0.9, 0.95}) {
        one("load", static_cast<uint32_t>(load * (1u << 25)), 1u << 25, false, csv);
    }
    return csv && std::fclose(csv) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
