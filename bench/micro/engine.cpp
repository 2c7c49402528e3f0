// SPDX-License-Identifier: Apache-2.0
// What interpretation costs: 26 small local copies as a plan whose every step waits for a counter that is there already, against
// the same copies called from a list. One core, everything hot.
#include "support/report.hpp"

#include "engine/prepared.hpp"
#include "model/job.hpp"
#include "plan/builder.hpp"

#include <sode/runtime.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstring>
#include <fstream>

namespace {

using namespace sode;
using namespace sode::internal;
using namespace sode::internal::bench;

constexpr int ops = 26;
constexpr std::int64_t apart = 4096 + 64; // a cache line each, and not all in one set
constexpr std::int64_t all_bytes = ops * apart;

struct call {
    copy_program program;
    std::byte* target;
    std::byte const* source;
};

plan build(std::int64_t length) {
    plan_builder b{"interpretation", 0, 1};
    b.target().own_lines = 1;
    auto const from = b.add(buffer{.host = 0, .role = buffer_role::array, .ordinal = 0, .bytes = all_bytes});
    auto const to = b.add(buffer{.host = 0, .role = buffer_role::array, .ordinal = 1, .bytes = all_bytes});
    auto const ready = b.add(counter{.host = 0, .writer = 0, .index = 0});
    auto const stream = b.add_stream(-1);
    b.emit(stream, operation::signal).signal = ready;
    for (int i = 0; i < ops; ++i) {
        auto& d = b.copy(stream, operation::copy, to, from, compile(contiguous(0, length), contiguous(0, length)));
        d.trigger = ready;
        d.src_offset = d.dst_offset = i * apart;
    }
    return b.finish();
}

/// Nanoseconds of a call, the median of short batches.
template <class F> double nanoseconds(tick_rate const& rate, F f) {
    constexpr int batches = 50, calls = 200;
    std::vector<double> times;
    for (int b = 0; b < batches; ++b) {
        std::uint64_t const begin = ticks();
        for (int i = 0; i < calls; ++i) f();
        times.push_back(rate.us(begin, ticks()) * 1e3 / calls);
    }
    return median(times);
}

measured_case measure(detail::job& j, tick_rate const& rate, std::int64_t length, int turns) {
    auto const room = static_cast<std::size_t>(all_bytes);
    std::byte* const source = j.memory->allocate(room);
    std::byte* const target = j.memory->allocate(room);
    j.freed.expose(source);
    j.freed.expose(target);
    for (std::size_t i = 0; i < room; ++i) source[i] = static_cast<std::byte>(i * 7);

    plan const p = build(length);
    bound_array const arrays[] = {{{source, nullptr}}, {{target, nullptr}}};
    prepared engine{p, j.surroundings(), {.arrays = arrays, .fingerprint = 1}};
    std::vector<call> calls;
    for (auto const& d : p.descriptors)
        if (d.op == operation::copy) calls.push_back({p.programs[d.program], target + d.dst_offset, source + d.src_offset});
    auto const* const kernels = copy_kernels();

    measured_case result{fmt::format("{} bytes", length), {}};
    for (int t = 0; t < turns; ++t) {
        double const planned = nanoseconds(rate, [&] {
            engine.start();
            engine.wait();
        });
        double const listed = nanoseconds(rate, [&] {
            for (auto const& c : calls) kernels[c.program.kernel](c.program, c.target, c.source);
        });
        auto const add = [&](char const* name, double ns) {
            double const us = ns * 1e-3 / ops;
            result.samples.push_back({t, name, {regime::unprobed, 0, us, us}});
        };
        add("plan", planned);
        add("list", listed);
        add("interpretation", planned - listed);
    }
    for (auto const& c : calls)
        if (std::memcmp(c.target, c.source, static_cast<std::size_t>(length)) != 0)
            throw std::runtime_error{"the plan copied something else"};
    j.freed.release(source, room);
    j.freed.release(target, room);
    return result;
}

} // namespace

int main(int argc, char** argv) {
    int turns = 10;
    std::string setup = "default", json;
    CLI::App app{"The cost of interpreting a plan, per descriptor"};
    app.add_option("--turns", turns)->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--setup", setup, "A label for the results");
    app.add_option("--json", json, "Write every sample to this file");
    CLI11_PARSE(app, argc, argv);
    try {
        runtime const rt{0, nullptr};
        tick_rate const rate;
        report result{"engine", "", setup, 1, {}, {}};
        for (std::int64_t length : {8, 64, 512}) result.cases.push_back(measure(rt.job(), rate, length, turns));
        fmt::print("{}", result.table());
        if (!json.empty()) std::ofstream{json} << result.json() << '\n';
        return 0;
    } catch (std::exception const& e) {
        fmt::print(stderr, "bench_engine: {}\n", e.what());
        return 1;
    }
}
