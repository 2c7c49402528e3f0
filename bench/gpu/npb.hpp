// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "two_ranks.hpp"

#include <sode/error.hpp>
#include <sode/gmpi.hpp>
#include <sode/sode.hpp>
#include <sode/threads.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <mutex>
#include <string>

/// What programs after the NAS Parallel Benchmarks have in common. They are written from the report that specifies them (Bailey et
/// al., NAS-94-007), with the results by which it verifies.
namespace npb {

/// The generator of the report: x(k+1) = a x(k) mod 2^46, a = 5^13, in whole numbers.
class random_numbers {
public:
    static constexpr std::uint64_t factor = 1220703125;

    explicit SODE_GPU random_numbers(std::uint64_t seed) : x_(seed) {}
    /// In (0, 1).
    SODE_GPU double next() {
        x_ = times(x_, factor);
        return static_cast<double>(x_) * 0x1p-46;
    }
    static SODE_GPU std::uint64_t times(std::uint64_t a, std::uint64_t b) { return (a * b) & ((std::uint64_t{1} << 46) - 1); }
    /// What `seed` becomes after so many numbers.
    static SODE_GPU std::uint64_t ahead(std::uint64_t seed, std::uint64_t numbers) {
        for (std::uint64_t a = factor; numbers != 0; numbers >>= 1, a = times(a, a))
            if ((numbers & 1) != 0) seed = times(seed, a);
        return seed;
    }

private:
    std::uint64_t x_;
};

/// `device`: by which kernels have run; `right`: by the verification of the report.
struct outcome : bench::result_facts {
    std::string what; ///< "EP class S"
    int ranks = 1;
    double in_kernel = 0; ///< seconds, all communication by the kernel
    double by_host = 0;   ///< the same kernels, and communication between them by the host
    std::string values{}; ///< what was verified
};

inline bool near(double value, double wanted, double tolerance) {
    return std::abs((value - wanted) / wanted) <= tolerance;
}

/// Memory of the device, and what the host has of it.
template <class T> void bring(gmpi::context& ctx, T* to, T const* from, std::size_t count) {
    ctx.of_device().write(reinterpret_cast<std::byte*>(to), from, count * sizeof(T));
}

/// The problem of --class. Errors: usage.
template <class Classes> auto const& wanted_class(sode::runtime& rt, Classes const& classes) {
    auto const wanted = rt.arg("--class", "S");
    for (auto const& c : classes)
        if (wanted == std::string{c.name}) return c;
    throw sode::error{sode::error_kind::usage, "there is no class " + wanted, "classes are S, W and A", "use --class S"};
}

/// As --two-hops says.
inline gmpi::options options_of(sode::runtime& rt) {
    return {.two_hops = rt.flag("--two-hops")};
}

/// `on_gpu`, or on the emulated device as --blocks and --threads say.
inline gmpi::launch_shape shape_for(sode::runtime& rt, gmpi::context& ctx, gmpi::launch_shape on_gpu) {
    if (std::string{ctx.of_device().name()} == "CUDA") return on_gpu;
    return {static_cast<std::uint32_t>(rt.arg("--blocks", 1)), static_cast<std::uint32_t>(rt.arg("--threads", 1))};
}

inline double seconds_of(sode::runtime& rt, std::function<void()> const& work) {
    rt.barrier();
    auto const began = std::chrono::steady_clock::now();
    work();
    rt.barrier();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

[[nodiscard]] inline outcome outcome_of(std::string what, gmpi::context& ctx) {
    outcome o;
    o.what = std::move(what);
    o.device = ctx.of_device().name();
    o.right = false; // until it is verified
    return o;
}

inline std::vector<bench::goal> goals_of(outcome const& all) {
    return {bench::at_least("NPB " + all.what + ", host / one kernel", all.by_host / all.in_kernel, 1.0)};
}
inline void print(outcome const& all) {
    std::printf("%s, %d ranks, %s: %s, %s\n  %.4f s in one kernel, %.4f s by the host, host / kernel %.2f\n", all.what.c_str(),
                all.ranks, all.device.c_str(), all.values.c_str(), all.right ? "verified" : "NOT VERIFIED", all.in_kernel,
                all.by_host, all.by_host / all.in_kernel);
}
inline void write_json(outcome const& all, std::string const& file) {
    bench::begin_json(file, all) << ", \"problem\": \"" << all.what << "\", \"ranks\": " << all.ranks
                                 << ", \"seconds\": {\"kernel\": " << all.in_kernel << ", \"host\": " << all.by_host << "}}\n";
}
inline void write_html(outcome const& all, std::string const& file) {
    bench::begin_section(file, "NPB " + all.what, all)
        << "<p>" << all.values << ": " << (all.right ? "verified" : "NOT VERIFIED")
        << ".</p>\n<table><tr><th>in one kernel, s<th>by the host, s<th>host / kernel</tr>\n<tr><td>"
        << bench::rounded(all.in_kernel) << "<td>" << bench::rounded(all.by_host) << "<td>"
        << bench::rounded(all.by_host / all.in_kernel) << "</tr>\n</table>\n";
}

/// Runs `problem` on the ranks that a launcher has started, or with --together N on N ranks that are threads of this process and
/// share a device. Says what came out, and writes it to --json FILE and --html FILE. \return of main()
inline int run(int argc, char** argv, std::function<outcome(sode::runtime&)> const& problem) try {
    outcome all;
    bench::result_files files;
    auto const one = [&](sode::runtime& rt) {
        auto mine = problem(rt);
        mine.ranks = rt.size();
        if (!rt.root()) return;
        all = std::move(mine);
        files = bench::result_files{rt};
    };
    int together = 0;
    for (int i = 1; i + 1 < argc; ++i)
        if (std::strcmp(argv[i], "--together") == 0) together = std::atoi(argv[i + 1]);
    if (together > 0) {
        sode::run_threads(together, one, argc, argv);
    } else {
        sode::runtime rt{argc, argv};
        one(rt);
        if (!rt.root()) return 0;
    }
    return files.report(all);
} catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}

} // namespace npb
