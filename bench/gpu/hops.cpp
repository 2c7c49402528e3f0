// SPDX-License-Identifier: Apache-2.0
// What paper P2 measures of single hops: the start of a kernel (table 2), bytes from a kernel to the host (figure 8), and from one
// kernel to another (figure 9): the reader polls each unit of 4 bytes, one flag behind all, or a counter to which each
// thread adds. Two ranks, threads of this process, share the device. All units are checked.
//
//     gmpi_hops [-s TIMES] [-r REPEATS] [--json FILE] [--html FILE]
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

/// What goes to and fro: the paper counts 4 bytes.
using unit = std::uint32_t;

// One at a time, and seen by the other end.
SODE_GPU inline unit load(unit const& u) {
#if defined(__CUDA_ARCH__)
    return cuda::atomic_ref<unit, cuda::thread_scope_system>{const_cast<unit&>(u)}.load(cuda::memory_order_relaxed);
#else
    return std::atomic_ref<unit>{const_cast<unit&>(u)}.load(std::memory_order_acquire);
#endif
}
SODE_GPU inline void store(unit& u, unit value) {
#if defined(__CUDA_ARCH__)
    cuda::atomic_ref<unit, cuda::thread_scope_system>{u}.store(value, cuda::memory_order_relaxed);
#else
    std::atomic_ref<unit>{u}.store(value, std::memory_order_release);
#endif
}
/// Behind all stores of this thread.
SODE_GPU inline void count(word& w) {
#if defined(__CUDA_ARCH__)
    cuda::atomic_ref<word, cuda::thread_scope_system>{w}.fetch_add(1, cuda::memory_order_release);
#else
    std::atomic_ref<word>{w}.fetch_add(1, std::memory_order_release);
#endif
}

/// One end's units, where the other end stores them, and a flag.
struct end_of_line {
    unit* units;
    word* flag;
};

/// How an end learns that units are there.
enum class notice {
    units, ///< it polls each of them
    flag,  ///< a flag, which one thread sets behind a synchronisation of all
    atomic ///< a counter, to which each thread adds behind its own units: nobody synchronises
};

/// Units go to the other end, and come back from there.
struct bounce {
    int rounds;
    notice by;
    bool begins;
    std::uint32_t given, got; ///< units

    template <class Thread>
    SODE_GPU void operator()(Thread const& t, gmpi::device_handle ctx, end_of_line mine, end_of_line theirs, int* failed) const {
        auto const block = t.block();
        auto const p = block.platform();
        for (unit round = 1; round <= static_cast<unit>(rounds); ++round) {
            if (begins) give(p, block, theirs, round);
            if (!take(p, block, ctx, mine, round)) {
                *failed = 1;
                return;
            }
            if (!begins) give(p, block, theirs, round);
        }
    }
    template <class P, class Block> SODE_GPU void give(P const& p, Block const& block, end_of_line to, unit round) const {
        for (auto i = block.thread_rank(); i < given; i += block.size()) store(to.units[i], round);
        if (by == notice::atomic) count(*to.flag);
        if (by != notice::flag) return;
        block.sync();
        if (block.thread_rank() == 0) p.template store_release<ordering::raise, scope::system>(*to.flag, word{round});
    }
    template <class P, class Block>
    SODE_GPU bool take(P const& p, Block const& block, gmpi::device_handle const& ctx, end_of_line at, unit round) const {
        using gmpi::detail::site;
        code c = code::ok;
        if (by == notice::flag) {
            if (block.thread_rank() == 0) c = gmpi::detail::await(p, ctx.alarm, site::signal, *at.flag, word{round});
            c = gmpi::detail::scattered(p, block, c);
        } else if (by == notice::atomic) {
            c = gmpi::detail::await(p, ctx.alarm, site::signal, *at.flag, word{round} * block.size());
        }
        for (auto i = block.thread_rank(); c == code::ok && i < got; i += block.size()) {
            if (by == notice::units) c = await_unit(p, ctx, at.units[i], round);
            if (c == code::ok && load(at.units[i]) < round) c = code::usage;
        }
        return c == code::ok;
    }
    template <class P> SODE_GPU static code await_unit(P const& p, gmpi::device_handle const& ctx, unit const& at, unit round) {
        gmpi::detail::patience<P> wait{p, ctx.alarm, gmpi::detail::site::signal, round};
        for (unit seen = load(at); seen < round; seen = load(at))
            if (code const c = wait.step(seen, round); c != code::ok) return c;
        return code::ok;
    }
};

struct nothing {
    template <class Thread> SODE_GPU void operator()(Thread const&) const {}
};

constexpr std::array sizes{4L, 8L, 16L, 32L, 64L, 128L, 256L, 512L, 1024L};

struct row {
    long bytes;
    double to_host, by_units, by_flag, by_atomics; ///< microseconds: there and back; the others one way
};

struct results : bench::result_facts {
    double start = 0;
    std::vector<row> rows{};
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
    measurer(sode::runtime& rt, std::array<end_of_line, 2>& places, int times, int repeats)
        : rt_(rt), places_(places), times_(times), repeats_(repeats), ctx_(rt), shape_{1, is_gpu() ? 32U : 2U},
          failed_(ctx_.allocate_mapped<int>(1)) {}

    results all(bench::keep_results<results> const& keep) {
        results found;
        found.device = ctx_.of_device().name();
        found.start = start();
        for (long const bytes : sizes) {
            auto const n = static_cast<std::uint32_t>(bytes / static_cast<long>(sizeof(unit)));
            found.rows.push_back({bytes, to_host(n), to_kernel(n, notice::units) / 2, to_kernel(n, notice::flag) / 2,
                                  to_kernel(n, notice::atomic) / 2});
            found.right = failed_[0] == 0;
            keep(found);
        }
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
            auto const flags = ctx_.allocate_mapped<word>(2);
            auto const given = ctx_.allocate_mapped<unit>(n);
            end_of_line const at_host{given.get(), &flags[0]}, at_kernel{nullptr, &flags[1]};
            auto kernel = gmpi::launch(ctx_, shape_, bounce{times_, notice::flag, true, n, 0}, ctx_.device_handle(), at_kernel,
                                       at_host, failed_.get());
            auto const one_round = [&](unit round) {
                for (std::uint32_t polls = 0; host::load_acquire<ordering::hear, scope::system>(*at_host.flag) < round;) {
                    if (kernel.test()) return;
                    if (!is_gpu()) host::pause(++polls);
                }
                for (std::uint32_t i = 0; i < n; ++i)
                    if (load(at_host.units[i]) != round) failed_[0] = 1;
                host::store_release<ordering::raise, scope::system>(*at_kernel.flag, word{round});
            };
            one_round(1); // the kernel has begun
            auto const us = microseconds_of([&] {
                for (unit round = 2; round <= static_cast<unit>(times_); ++round) one_round(round);
            });
            kernel.wait();
            return us / std::max(1, times_ - 1);
        });
    }
    // There and back.
    double to_kernel(std::uint32_t n, notice by) {
        auto const me = static_cast<std::size_t>(rt_.rank());
        return repeated([&] {
            auto const got = ctx_.allocate<unit>(n);
            auto const flag = ctx_.allocate<word>(1);
            end_of_line const mine = places_[me] = {got.get(), flag.get()};
            rt_.barrier();
            auto const theirs = places_[1 - me];
            auto const us = microseconds_of([&] {
                gmpi::launch(ctx_, shape_, bounce{times_, by, me == 0, n, n}, ctx_.device_handle(), mine, theirs, failed_.get())
                    .wait();
            });
            rt_.barrier();
            return us / times_;
        });
    }

    sode::runtime& rt_;
    std::array<end_of_line, 2>& places_; // between barriers
    int times_, repeats_;
    gmpi::context ctx_;
    gmpi::launch_shape shape_;
    std::shared_ptr<int[]> failed_;
};

std::vector<bench::goal> goals_of(results const& all) {
    if (all.rows.empty()) return {};
    auto const& r = all.rows.front();
    return {bench::at_most("4 bytes from kernel to kernel, one way, us", std::min({r.by_units, r.by_flag, r.by_atomics}), 2.0)};
}

void print(results const& all) {
    std::printf("device: %s; data %s\nstart of a kernel, and its end: %.2f us\n", all.device.c_str(), all.right ? "right" : "WRONG",
                all.start);
    std::printf("%8s %26s %22s %22s %22s\n", "bytes", "to the host and back, us", "to a kernel, units, us", "to a kernel, flag, us",
                "by atomics, us");
    for (auto const& r : all.rows)
        std::printf("%8ld %26.2f %22.2f %22.2f %22.2f\n", r.bytes, r.to_host, r.by_units, r.by_flag, r.by_atomics);
}

void write_json(results const& all, std::string const& file) {
    auto out = bench::begin_json(file, all);
    out << ", \"start_us\": " << all.start << ", \"hops\": [";
    for (std::size_t i = 0; i < all.rows.size(); ++i) {
        auto const& r = all.rows[i];
        out << (i == 0 ? "\n" : ",\n") << "  {\"bytes\": " << r.bytes << ", \"to_host_and_back_us\": " << r.to_host
            << ", \"to_kernel_by_units_us\": " << r.by_units << ", \"to_kernel_by_flag_us\": " << r.by_flag
            << ", \"to_kernel_by_atomics_us\": " << r.by_atomics << "}";
    }
    out << "\n ]}\n";
}

void write_html(results const& all, std::string const& file) {
    auto out = bench::begin_section(file, "Single hops", all);
    out << "<p>Start of a kernel, and its end: " << bench::rounded(all.start)
        << " us (paper P2, start alone: 3.3). P2 has from kernel to kernel just under 2 us, and polling of units is better up to "
           "128 bytes, atomics above.</p>\n<table><tr><th>bytes<th>to the host and back, us<th>to a kernel, polls units, us<th>to "
           "a kernel, polls a flag, "
           "us<th>to a kernel, by atomics, us</tr>\n";
    for (auto const& r : all.rows)
        out << "<tr><td>" << r.bytes << "<td>" << bench::rounded(r.to_host) << "<td>" << bench::rounded(r.by_units) << "<td>"
            << bench::rounded(r.by_flag) << "<td>" << bench::rounded(r.by_atomics) << "</tr>\n";
    out << "</table>\n";
}

} // namespace

int main(int argc, char** argv) {
    std::array<end_of_line, 2> places{};
    return bench::two_ranks<results>(argc, argv, [&](sode::runtime& rt, auto const& keep) {
        return measurer{rt, places, static_cast<int>(rt.arg("-s", 1000)), static_cast<int>(rt.arg("-r", 5))}.all(keep);
    });
}
