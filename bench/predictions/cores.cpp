// SPDX-License-Identifier: Apache-2.0
// What the evaluator must know of two cores, by nothing but words and copies from one to the other: no plan and no collective runs.
// The first two cores that this process may use; the last figure by so many processes on the first of them.
//
//     bench_cores [PROCESSES [PAGES]]
#include "support/cores.hpp"
#include "support/clock.hpp"
#include "support/fork_team.hpp"
#include "support/regime.hpp"
#include "support/statistics.hpp"

#include "layout/copy_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <sched.h>
#include <stdexcept>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace {

using namespace sode::internal;
using namespace sode::internal::bench;

constexpr std::int64_t small = 16 << 10, large = 64 << 10, past_cache = 4 << 20;

struct alignas(128) word {
    std::atomic<std::uint64_t> said{0};
};
/// What both processes see.
struct place {
    std::array<word, 2> words;
    alignas(4096) std::array<std::byte, large> stage;
};

place& shared_place() {
    void* const memory = mmap(nullptr, sizeof(place), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error{"cannot map the memory of the two processes"};
    return *new (memory) place{};
}

std::byte* own_bytes(std::int64_t bytes) {
    auto* const memory = static_cast<std::byte*>(std::aligned_alloc(4096, static_cast<std::size_t>(bytes)));
    std::memset(memory, 1, static_cast<std::size_t>(bytes));
    return memory;
}

void sums(std::byte* to, std::byte const* a, std::byte const* b, std::int64_t bytes) {
    auto* __restrict const result = reinterpret_cast<long*>(to);
    auto const* const first = reinterpret_cast<long const*>(a);
    auto const* const second = reinterpret_cast<long const*>(b);
    for (std::size_t i = 0; i < static_cast<std::size_t>(bytes) / sizeof(long); ++i) result[i] = first[i] + second[i];
}

/// One of the two processes.
class half {
public:
    half(fork_rank& self, place& memory) : self_(self), memory_(memory) {}

    [[nodiscard]] double round_trip() { return self_.shared().round_trip_ns(rate_); }

    /// A word one way; each has a line of its own, which it alone writes.
    [[nodiscard]] double word_ns() {
        constexpr int trips = 200;
        std::vector<double> times;
        auto& mine = memory_.words[static_cast<std::size_t>(self_.rank())].said;
        auto const& theirs = memory_.words[static_cast<std::size_t>(1 - self_.rank())].said;
        for (int batch = 0; batch < 50; ++batch) {
            self_.shared().barrier();
            auto const begin = ticks();
            for (int i = 0; i < trips; ++i) {
                ++epoch_;
                if (self_.rank() == 0) mine.store(epoch_, std::memory_order_release);
                while (theirs.load(std::memory_order_acquire) < epoch_) {
                }
                if (self_.rank() == 1) mine.store(epoch_, std::memory_order_release);
            }
            times.push_back(rate_.us(begin, ticks()) * 1000 / (2 * trips));
        }
        return of_first(median(times));
    }

    /// The second reads what the first has computed, or copied, by turns; then the first computes there again.
    struct passage {
        double computed = 0, read = 0;
    };
    [[nodiscard]] passage pass(std::int64_t bytes) {
        auto const copy = compile(contiguous(0, bytes), contiguous(0, bytes));
        auto* const stage = memory_.stage.data();
        std::vector<double> computed, read;
        for (int i = 0; i < 600; ++i) {
            self_.shared().barrier();
            if (self_.rank() == 0 && i % 2 == 0) {
                auto const begin = ticks();
                sums(stage, own_, own_ + past_cache, bytes);
                computed.push_back(rate_.us(begin, ticks()) * 1000);
            } else if (self_.rank() == 0) {
                run(copy, stage, own_);
            }
            self_.shared().barrier();
            if (self_.rank() == 1) read.push_back(timed(copy, own_, stage));
        }
        return {of_first(median(computed)), self_.shared().broadcast(median(read), 1)};
    }

    /// A byte from own memory to own memory.
    [[nodiscard]] double local_byte(std::int64_t bytes, int times) {
        auto const copy = compile(contiguous(0, bytes), contiguous(0, bytes));
        std::vector<double> all;
        for (int i = 0; i < times; ++i) all.push_back(timed(copy, own_ + bytes, own_));
        return of_first(median(all)) / static_cast<double>(bytes);
    }

private:
    [[nodiscard]] double timed(copy_program const& copy, std::byte* to, std::byte const* from) {
        auto const begin = ticks();
        run(copy, to, from);
        return rate_.us(begin, ticks()) * 1000;
    }
    [[nodiscard]] double of_first(double value) { return self_.shared().broadcast(value, 0); }

    fork_rank& self_;
    place& memory_;
    tick_rate rate_;
    std::byte* own_ = own_bytes(2 * past_cache);
    std::uint64_t epoch_ = 0;
};

void measure_pair(fork_rank& self, place& memory) {
    half h{self, memory};
    double const before = h.round_trip();
    double const flag = h.word_ns();
    auto const little = h.pass(small), much = h.pass(large);
    double const after = h.round_trip();
    constexpr double more = large - small;
    double const local = h.local_byte(large, 300), big = h.local_byte(past_cache, 20);
    if (self.rank() != 0) return;
    fmt::print("{{\"regime\": \"{}\", \"round_trip\": {:.1f}, \"flag\": {:.1f}, \"stream_byte\": {:.5f}, \"reclaim_byte\": {:.5f}, "
               "\"local_byte\": {:.5f}, \"local_byte_big\": {:.5f}, \"core_cache_bytes\": {}, ",
               to_string(classify(before, after)), (before + after) / 2, flag, (much.read - little.read) / more,
               (much.computed - little.computed) / more - local, local, big, sysconf(_SC_LEVEL2_CACHE_SIZE));
}

/// How long a core takes from one process to the next: all pass a word around, and give the core up until it is there.
/// Each touches so many pages at each turn, as a rank does that looks after its plan.
void measure_turns(fork_rank& self, word& ball, int pages) {
    constexpr std::uint64_t batch = 100, rounds = 50 * batch;
    tick_rate const rate;
    bind_to_core(self.cores()[0]);
    auto const all = static_cast<std::uint64_t>(self.ranks()), me = static_cast<std::uint64_t>(self.rank());
    constexpr std::size_t page = 4096, line = 64;
    auto const* const own = own_bytes(static_cast<std::int64_t>(page) * std::max(pages, 1));
    auto const look = [&] {
        for (std::size_t p = 0; p < static_cast<std::size_t>(pages); ++p)
            static_cast<void>(*const_cast<std::byte const volatile*>(own + p * page + p * line % page));
    };
    double yields = 0;
    std::vector<double> batches;
    self.shared().barrier();
    for (std::uint64_t round = 0; round < rounds;) {
        auto const begin = ticks();
        for (auto const last = round + batch; round < last; ++round) {
            for (; ball.said.load(std::memory_order_acquire) < round * all + me; ++yields) {
                sched_yield();
                look();
            }
            ball.said.store(round * all + me + 1, std::memory_order_release);
        }
        batches.push_back(rate.us(begin, ticks()) * 1000);
    }
    yields = self.shared().sum(yields) / static_cast<double>(batches.size());
    if (self.rank() == 0) fmt::print("\"yield\": {:.0f}}}\n", median(batches) / yields);
}

int number(char const* text, int least, int most, char const* what) {
    std::string_view const all{text};
    int value = 0;
    auto const [end, wrong] = std::from_chars(all.data(), all.data() + all.size(), value);
    if (wrong != std::errc{} || end != all.data() + all.size() || value < least || value > most)
        throw std::invalid_argument{fmt::format("\"{}\" is no number of {} (from {} to {})\nWrite: bench_cores [PROCESSES [PAGES]]",
                                                all, what, least, most)};
    return value;
}

} // namespace

int main(int argc, char** argv) {
    try {
        if (argc > 3) throw std::invalid_argument{"there are too many words\nWrite: bench_cores [PROCESSES [PAGES]]"};
        int const processes = argc > 1 ? number(argv[1], 2, 256, "processes") : 2;
        int const pages = argc > 2 ? number(argv[2], 0, 4096, "pages") : 0;
        if (usable_cores().size() < 2) throw std::runtime_error{"two cores are needed"};
        auto& memory = shared_place();
        run_forked(2, [&](fork_rank& self) { measure_pair(self, memory); });
        memory.words[0].said = 0;
        run_forked(processes, [&](fork_rank& self) { measure_turns(self, memory.words[0], pages); });
        return 0;
    } catch (std::exception const& e) {
        fmt::print(stderr, "bench_cores: {}\n", e.what());
        return 2;
    }
}
