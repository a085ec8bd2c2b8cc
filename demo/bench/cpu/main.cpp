// murbench-cpu: hash tables on the host, with the keys of murbench's size suite, and rows with the
// same columns. Rates are medians after a warm-up. Every result is verified; a wrong result ends
// the program with an error.
// SPDX-License-Identifier: MIT
#include "maps.hpp"

#include <murmuration/hash.h>

#include <getopt.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Options {
    unsigned minLog2 = 16, maxLog2 = 22, reps = 7;
    unsigned threads = std::max(1u, std::thread::hardware_concurrency());
    const char *csv = nullptr;
    const char *only = nullptr;
};

struct Row {
    std::string operation, variant;
    std::size_t pairs;
    double milliseconds;
};

// The pairs of murbench: see shaders/pair.glsl.
std::uint32_t pairKey(std::uint32_t i) {
    return mur_hash(i, 0x9E3779B9u);
}
std::uint32_t pairValue(std::uint32_t i) {
    return ((i * 0x9E3779B1u) >> 1) + 1u;
}
constexpr std::uint32_t absent = 0xFFFFFFFFu;

[[noreturn]] void fail(const std::string &message) {
    std::fprintf(stderr, "murbench-cpu: %s\n", message.c_str());
    std::exit(EXIT_FAILURE);
}

// Runs work(first, end) on slices of 0 ... count in N threads.
void inParallel(unsigned threads, std::size_t count,
                const std::function<void(std::size_t, std::size_t)> &work) {
    std::vector<std::thread> others;
    for (unsigned i = 1; i < threads; ++i) {
        others.emplace_back(work, count * i / threads, count * (i + 1) / threads);
    }
    work(0, count / threads);
    for (std::thread &other : others) {
        other.join();
    }
}

// Times all operations on one type of map at one size.
template <class Map> class Trial {
  public:
    Trial(const Options &given, const char *map, std::size_t size, std::vector<Row> &into)
        : options(given), name(map), pairs(size), rows(into), keys(2 * size), values(size),
          results(size) {
        for (std::size_t i = 0; i < keys.size(); ++i) {
            keys[i] = pairKey(static_cast<std::uint32_t>(i));
        }
        for (std::size_t i = 0; i < size; ++i) {
            values[i] = pairValue(static_cast<std::uint32_t>(i));
        }
    }

    void run() {
        for (unsigned threads : {1u, options.threads}) {
            if (threads == 1 || (Map::concurrent && options.threads > 1)) {
                measure(
                    "insert", threads, pairs, [this] { table = std::make_unique<Map>(pairs); },
                    [this](std::size_t first, std::size_t end) { insert(first, end); });
                require(table->size() == pairs, "insert");
            }
        }
        for (unsigned threads : {1u, options.threads}) {
            if (threads == 1 || options.threads > 1) {
                find("find hit", threads, 0);
                find("find miss", threads, pairs);
            }
        }
        const unsigned writers = Map::concurrent ? options.threads : 1;
        measure(
            "erase half", writers, pairs / 2, [this] { insert(0, pairs / 2); },
            [this](std::size_t first, std::size_t end) { erase(first, end); });
        require(table->size() == pairs - pairs / 2 &&
                    std::count(results.begin(), results.begin() + static_cast<long>(pairs / 2),
                               0u) == 0,
                "erase half");
    }

  private:
    void insert(std::size_t first, std::size_t end) {
        if constexpr (Map::batches) {
            table->insert(&keys[first], &values[first], end - first);
        } else {
            for (std::size_t i = first; i < end; ++i) {
                table->insert(keys[i], values[i]);
            }
        }
    }

    void erase(std::size_t first, std::size_t end) {
        if constexpr (Map::batches) {
            table->erase(&keys[first], &results[first], end - first);
        } else {
            for (std::size_t i = first; i < end; ++i) {
                results[i] = table->erase(keys[i]);
            }
        }
    }

    void lookUp(std::size_t first, std::size_t end, std::size_t from) {
        if constexpr (Map::batches) {
            table->find(&keys[from + first], &results[first], end - first);
        } else {
            for (std::size_t i = first; i < end; ++i) {
                results[i] = table->find(keys[from + i], absent);
            }
        }
    }

    // Finds the keys from index `from` on, all of which are present, or all absent.
    void find(const char *operation, unsigned threads, std::size_t from) {
        measure(
            operation, threads, pairs, [] {},
            [this, from](std::size_t first, std::size_t end) { lookUp(first, end, from); });
        for (std::size_t i = 0; i < pairs; ++i) {
            require(results[i] == (from ? absent : values[i]), operation);
        }
    }

    void require(bool good, const char *operation) const {
        if (!good) {
            fail(name + ", " + operation + ": wrong results at " + std::to_string(pairs) +
                 " pairs");
        }
    }

    void measure(const char *operation, unsigned threads, std::size_t count,
                 const std::function<void()> &setup,
                 const std::function<void(std::size_t, std::size_t)> &work) {
        using Clock = std::chrono::steady_clock;
        std::vector<double> times;
        for (unsigned i = 0; i <= options.reps; ++i) { // the first run warms up
            setup();
            const auto begin = Clock::now();
            inParallel(threads, count, work);
            const std::chrono::duration<double, std::milli> time = Clock::now() - begin;
            if (i > 0) {
                times.push_back(time.count());
            }
        }
        std::sort(times.begin(), times.end());
        const std::string on = threads == 1 ? " thread" : " threads";
        rows.push_back({operation, name + ", " + std::to_string(threads) + on, count,
                        times[times.size() / 2]});
        const Row &row = rows.back();
        std::printf("%-12s %-40s %10zu pairs %10.4f ms %9.4f G/s\n", operation, row.variant.c_str(),
                    count, row.milliseconds, 1e-6 * static_cast<double>(count) / row.milliseconds);
        std::fflush(stdout);
    }

    const Options &options;
    std::string name;
    std::size_t pairs;
    std::vector<Row> &rows;
    std::vector<std::uint32_t> keys, values, results;
    std::unique_ptr<Map> table;
};

template <class Map>
void runMap(const Options &options, const char *name, std::size_t pairs, std::vector<Row> &rows) {
    if (!options.only || std::strstr(name, options.only)) {
        Trial<Map>(options, name, pairs, rows).run();
    }
}

void runAll(const Options &options, std::vector<Row> &rows) {
    for (unsigned log2 = options.minLog2; log2 <= options.maxLog2; log2 += 2) {
        const std::size_t pairs = std::size_t{1} << log2;
        runMap<StdMap>(options, "std::unordered_map", pairs, rows);
#ifdef HAS_ABSL
        runMap<AbslMap>(options, "absl::flat_hash_map", pairs, rows);
#endif
#ifdef HAS_BOOST
        runMap<BoostMap>(options, "boost::unordered_flat_map", pairs, rows);
#endif
#ifdef HAS_TBB
        runMap<TbbMap>(options, "tbb::concurrent_hash_map", pairs, rows);
#endif
        runMap<HostMap<MUR_ATOMIC_WIDTH_64, false>>(options, "murmuration, one by one", pairs,
                                                    rows);
        runMap<HostMap<MUR_ATOMIC_WIDTH_64, true>>(options, "murmuration, batches", pairs, rows);
        runMap<HostMap<MUR_ATOMIC_WIDTH_32, true>>(options, "murmuration 32-bit, batches", pairs,
                                                   rows);
    }
}

void writeCsv(const char *path, unsigned reps, const std::vector<Row> &rows) {
    std::FILE *file = std::fopen(path, "w");
    if (!file) {
        fail(std::string(path) + ": " + std::strerror(errno));
    }
    std::fprintf(file,
                 "suite,operation,variant,state,format,pairs,capacity,load,ms,rate,unit,ceiling,"
                 "of_ceiling,peer,of_peer,peer_does,scratch_bytes,scratch_a_pair,table_bytes,"
                 "reps,probe_mean,probe_max,bulk,unsettled\n");
    for (const Row &row : rows) {
        std::fprintf(file, "cpu,%s,\"%s\",,,%zu,0,0,%.6f,%.6f,G/s,0,0,0,0,,0,0,0,%u,0,0,0,0\n",
                     row.operation.c_str(), row.variant.c_str(), row.pairs, row.milliseconds,
                     1e-6 * static_cast<double>(row.pairs) / row.milliseconds, reps);
    }
    const bool good = !std::ferror(file);
    if (std::fclose(file) != 0 || !good) {
        fail(std::string(path) + ": not written");
    }
}

unsigned number(const char *name, const char *text, unsigned least, unsigned most) {
    char *end;
    const unsigned long value = std::strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || value < least || value > most) {
        fail(std::string("--") + name + ": \"" + text + "\" is not a number from " +
             std::to_string(least) + " to " + std::to_string(most));
    }
    return static_cast<unsigned>(value);
}

void help() {
    std::puts("usage: murbench-cpu [OPTION...]\n"
              "Measures hash tables of the host on the keys of murbench's size suite.\n\n"
              "  --min-log2n A  smallest size (default 16)\n"
              "  --max-log2n B  largest (default 22)\n"
              "  --reps R       timed runs a row, 7 to 29 (default 7)\n"
              "  --threads N    for finds, and for what a map lets run at the same time\n"
              "  --only TEXT    only maps whose name has the text in it\n"
              "  --csv FILE     also write the rows as CSV, with murbench's columns\n"
              "  --quick        small sizes\n"
              "  --help         this text");
}

Options parse(int argc, char **argv) {
    static const option longOptions[] = {
        {"min-log2n", required_argument, nullptr, 'a'},
        {"max-log2n", required_argument, nullptr, 'b'},
        {"reps", required_argument, nullptr, 'r'},
        {"threads", required_argument, nullptr, 't'},
        {"csv", required_argument, nullptr, 'c'},
        {"only", required_argument, nullptr, 'o'},
        {"quick", no_argument, nullptr, 'q'},
        {"help", no_argument, nullptr, 'h'},
        {nullptr, 0, nullptr, 0},
    };
    Options options;
    opterr = 0;
    for (int code; (code = getopt_long(argc, argv, "", longOptions, nullptr)) != -1;) {
        switch (code) {
        case 'a':
            options.minLog2 = number("min-log2n", optarg, 1, 28);
            break;
        case 'b':
            options.maxLog2 = number("max-log2n", optarg, 1, 28);
            break;
        case 'r':
            options.reps = number("reps", optarg, 7, 29);
            break;
        case 't':
            options.threads = number("threads", optarg, 1, 1024);
            break;
        case 'c':
            options.csv = optarg;
            break;
        case 'o':
            options.only = optarg;
            break;
        case 'q':
            options.minLog2 = 10;
            options.maxLog2 = 12;
            break;
        case 'h':
            help();
            std::exit(EXIT_SUCCESS);
        default:
            fail(std::string("\"") + argv[optind - 1] + "\" is not an option; see --help");
        }
    }
    if (optind < argc) {
        fail(std::string("\"") + argv[optind] + "\" is not an option; see --help");
    }
    if (options.minLog2 > options.maxLog2) {
        fail("--min-log2n is above --max-log2n");
    }
    return options;
}

} // namespace

int main(int argc, char **argv) {
    const Options options = parse(argc, argv);
#ifdef __GLIBC__
    // A map reuses the memory that the previous map freed. After the warm-up, no timed map accesses
    // new memory.
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
    std::vector<Row> rows;
    runAll(options, rows);
    if (options.csv) {
        writeCsv(options.csv, options.reps, rows);
    }
    return EXIT_SUCCESS;
}
