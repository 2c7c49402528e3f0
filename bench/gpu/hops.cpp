// SPDX-License-Identifier: Apache-2.0
// What paper P2 measures of single hops: the start of a kernel (table 2), bytes from a kernel to the host (figure 8), and from one
// kernel to another (figure 9): the reader polls each word, or one flag behind all. Two ranks, threads of this process, share the
// device. All words are checked.
//
//     gmpi_hops [-s TIMES] [-r REPEATS] [--json FILE] [--html FILE]
#include "page.hpp"
#include "two_ranks.hpp"

#include <sode/gmpi.hpp>
#include <sode/sode.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using gmpi::code;
using gmpi::word;
using gmpi::detail::ordering;
using gmpi::detail::scope;

/// One end's words, where the other end stores them, and a flag.
struct end_of_line {
    word *words, *flag;
};

/// Words go to the other end, and come back from there. `flagged`: a flag behind them says that they have arrived.
struct bounce {
    int rounds;
    bool flagged, begins;
    std::uint32_t given, got; ///< words

    template <class Thread>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, end_of_line mine, end_of_line theirs, int* failed) const {
        auto const block = t.block();
        auto const p = block.platform();
        for (word round = 1; round <= static_cast<word>(rounds); ++round) {
            if (begins) give(p, block, theirs, round);
            if (!take(p, block, ctx, mine, round)) {
                *failed = 1;
                return;
            }
            if (!begins) give(p, block, theirs, round);
        }
    }
    template <class P, class Block> SODE_GPU void give(P const& p, Block const& block, end_of_line to, word round) const {
        for (auto i = block.thread_rank(); i < given; i += block.size()) p.store(to.words[i], round);
        if (!flagged) return;
        block.sync();
        if (block.thread_rank() == 0) p.template store_release<ordering::raise, scope::system>(*to.flag, round);
    }
    template <class P, class Block>
    SODE_GPU bool take(P const& p, Block const& block, gmpi::device_handle const& ctx, end_of_line at, word round) const {
        using gmpi::detail::site;
        code c = code::ok;
        if (flagged) {
            if (block.thread_rank() == 0) c = gmpi::detail::await(p, ctx.alarm, site::signal, *at.flag, round);
            c = gmpi::detail::scattered(p, block, c);
        }
        for (auto i = block.thread_rank(); c == code::ok && i < got; i += block.size()) {
            if (!flagged) c = gmpi::detail::await(p, ctx.alarm, site::signal, at.words[i], round);
            if (c == code::ok && p.load(at.words[i]) < round) c = code::usage;
        }
        return c == code::ok;
    }
};

struct nothing {
    template <class Thread> SODE_GPU void operator()(Thread const&) const {}
};

constexpr std::array sizes{8L, 16L, 32L, 64L, 128L, 256L, 512L, 1024L};

struct row {
    long bytes;
    double to_host, by_words, by_flag; ///< microseconds: there and back, one way, one way
};

struct results {
    std::string device;
    double start = 0;
    std::vector<row> rows;
    bool right = true;
};

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

template <class F> double microseconds_of(F const& f) {
    auto const began = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - began).count();
}

/// One of the two ranks.
class measurer {
public:
    measurer(sode::runtime& rt, std::array<std::atomic<word*>, 2>& places, int times, int repeats)
        : rt_(rt), places_(places), times_(times), repeats_(repeats), ctx_(rt, {.deadline = 100}), shape_{1, is_gpu() ? 32U : 2U},
          failed_(ctx_.allocate_mapped<int>(1)) {}

    results all() {
        results found;
        found.device = ctx_.of_device().name();
        found.start = start();
        for (long const bytes : sizes) {
            auto const n = static_cast<std::uint32_t>(bytes / static_cast<long>(sizeof(word)));
            found.rows.push_back({bytes, to_host(n), to_kernel(n, false) / 2, to_kernel(n, true) / 2});
        }
        found.right = failed_[0] == 0;
        return found;
    }

private:
    [[nodiscard]] bool is_gpu() const { return ctx_.of_device().name() == "CUDA"; }

    template <class F> double repeated(F const& f) {
        std::vector<double> times;
        for (int r = 0; r < repeats_; ++r) times.push_back(f());
        return median(times);
    }
    double start() {
        return repeated([&] {
            rt_.barrier();
            if (rt_.rank() != 0) return 0.0;
            return microseconds_of([&] {
                       for (int i = 0; i < times_; ++i) gmpi::launch(ctx_, shape_, nothing{}).wait();
                   }) /
                   times_;
        });
    }
    // A kernel gives words and a flag; the host reads them, and answers by a flag.
    double to_host(std::uint32_t n) {
        return repeated([&] {
            rt_.barrier();
            if (rt_.rank() != 0) return 0.0;
            using host = gmpi::detail::threads_platform;
            auto const memory = ctx_.allocate_mapped<word>(n + 2);
            end_of_line const at_host{&memory[2], &memory[0]}, at_kernel{nullptr, &memory[1]};
            auto kernel = gmpi::launch(ctx_, shape_, bounce{times_, true, true, n, 0}, ctx_.device_handle(), at_kernel, at_host,
                                       failed_.get());
            auto const one_round = [&](word round) {
                for (std::uint32_t polls = 0; host::load_acquire<ordering::hear, scope::system>(*at_host.flag) < round;) {
                    if (kernel.test()) return;
                    if (!is_gpu()) host::pause(++polls);
                }
                for (std::uint32_t i = 0; i < n; ++i)
                    if (host::load(at_host.words[i]) != round) failed_[0] = 1;
                host::store_release<ordering::raise, scope::system>(*at_kernel.flag, round);
            };
            one_round(1); // the kernel has begun
            auto const us = microseconds_of([&] {
                for (word round = 2; round <= static_cast<word>(times_); ++round) one_round(round);
            });
            kernel.wait();
            return us / std::max(1, times_ - 1);
        });
    }
    // There and back.
    double to_kernel(std::uint32_t n, bool flagged) {
        auto const me = static_cast<std::size_t>(rt_.rank());
        return repeated([&] {
            auto const memory = ctx_.allocate<word>(n + 1);
            places_[me] = memory.get();
            rt_.barrier();
            word* const other = places_[1 - me];
            end_of_line const mine{memory.get() + 1, memory.get()}, theirs{other + 1, other};
            auto const us = microseconds_of([&] {
                gmpi::launch(ctx_, shape_, bounce{times_, flagged, me == 0, n, n}, ctx_.device_handle(), mine, theirs,
                             failed_.get())
                    .wait();
            });
            rt_.barrier();
            return us / times_;
        });
    }

    sode::runtime& rt_;
    std::array<std::atomic<word*>, 2>& places_;
    int times_, repeats_;
    gmpi::context ctx_;
    gmpi::launch_shape shape_;
    std::shared_ptr<int[]> failed_;
};

void print(results const& all) {
    std::printf("device: %s; data %s\nstart of a kernel, and its end: %.2f us\n", all.device.c_str(), all.right ? "right" : "WRONG",
                all.start);
    std::printf("%8s %26s %22s %22s\n", "bytes", "to the host and back, us", "to a kernel, words, us", "to a kernel, flag, us");
    for (auto const& r : all.rows) std::printf("%8ld %26.2f %22.2f %22.2f\n", r.bytes, r.to_host, r.by_words, r.by_flag);
}

void write_json(results const& all, std::string const& file) {
    auto out = bench::open_results(file);
    out << "{" << bench::measured_where(all.device) << ", \"checked\": " << (all.right ? "true" : "false")
        << ", \"start_us\": " << all.start << ", \"hops\": [";
    for (std::size_t i = 0; i < all.rows.size(); ++i) {
        auto const& r = all.rows[i];
        out << (i == 0 ? "\n" : ",\n") << "  {\"bytes\": " << r.bytes << ", \"to_host_and_back_us\": " << r.to_host
            << ", \"to_kernel_by_words_us\": " << r.by_words << ", \"to_kernel_by_flag_us\": " << r.by_flag << "}";
    }
    out << "\n ]}\n";
}

void add_html(results const& all, std::string const& file) {
    auto out = bench::open_results(file, true); // behind what gmpi_measure has written
    out << "<h2>Single hops</h2>\n<p>Start of a kernel, and its end: " << bench::rounded(all.start)
        << " us (paper P2, start alone: 3.3). P2 has from kernel to kernel just under 2 us, and polling of words is better up to "
           "128 bytes."
           "</p>\n<table><tr><th>bytes<th>to the host and back, us<th>to a kernel, polls words, us<th>to a kernel, polls a flag, "
           "us</tr>\n";
    for (auto const& r : all.rows)
        out << "<tr><td>" << r.bytes << "<td>" << bench::rounded(r.to_host) << "<td>" << bench::rounded(r.by_words) << "<td>"
            << bench::rounded(r.by_flag) << "</tr>\n";
    out << "</table>\n";
}

} // namespace

int main(int argc, char** argv) {
    std::array<std::atomic<word*>, 2> places{};
    return bench::two_ranks(argc, argv, [&](sode::runtime& rt) {
        return measurer{rt, places, static_cast<int>(rt.arg("-s", 1000)), static_cast<int>(rt.arg("-r", 5))}.all();
    });
}
