// SPDX-License-Identifier: Apache-2.0
// The copies behind the patterns, on one core and without messages: from the sender's layout straight to the receiver's, packed and
// unpacked, against the loops that an author would write; and what it costs to understand a pair of fresh datatypes. Where the
// layer for datatypes is slow, this tells whether its copies are.
#include "datatypes/copies/fft_blocks.hpp"
#include "datatypes/copies/first_use.hpp"
#include "datatypes/pattern.hpp"
#include "interpose/datatypes/datatype_layout.hpp"
#include "layout/copy_sequence.hpp"
#include "support/clock.hpp"
#include "support/mpi_world.hpp"
#include "support/statistics.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <regex>

namespace {

using namespace sode;
using namespace sode::internal;
using namespace sode::internal::bench;

/// Microseconds of one call: the median of 15 batches of about 200 us.
template <typename Function> double timed(tick_rate const& rate, Function what) {
    auto const batch = [&](int calls) {
        std::uint64_t const begin = ticks();
        for (int i = 0; i < calls; ++i) what();
        return rate.us(begin, ticks());
    };
    int const calls = std::max(1, static_cast<int>(200 / std::max(batch(1), 0.01)));
    std::vector<double> all;
    for (int i = 0; i < 15; ++i) all.push_back(batch(calls) / calls);
    return median(all);
}

/// Understood from the datatypes, as the layer does.
struct understood {
    layout source, target;
    copy_sequence direct, pack, unpack;
};
understood understand(typed const& out, typed const& in) {
    understood u{layout_of(out.type.get(), out.count), layout_of(in.type.get(), in.count), {}, {}, {}};
    u.direct = compile_sequence(u.source, u.target, target_overlap::excluded);
    layout const packed = sode::internal::contiguous(0, u.direct.bytes);
    u.pack = compile_sequence(u.source, packed, target_overlap::excluded);
    u.unpack = compile_sequence(packed, u.target, target_overlap::excluded);
    return u;
}

std::byte* bytes(std::vector<double>& memory, std::ptrdiff_t offset = 0) {
    return reinterpret_cast<std::byte*>(memory.data()) + offset;
}
char* chars(std::vector<double>& memory) {
    return reinterpret_cast<char*>(memory.data());
}

/// Wrong words.
long measure(pattern_case const& c, tick_rate const& rate) {
    auto const p = c.make();
    auto const sent = p->sent(), received = p->received();
    auto const length = static_cast<std::size_t>(total_bytes(sent));
    std::vector<double> mine(p->memory_bytes() / sizeof(double) + 1), theirs(mine.size()), message(length / sizeof(double) + 1);
    stamp(chars(mine), sent, 1);

    auto const out = p->send_type(), in = p->receive_type();
    double const start = timed(rate, [&] {
        auto const fresh_out = p->send_type(), fresh_in = p->receive_type();
        static_cast<void>(compile_sequence(layout_of(fresh_out.type.get(), fresh_out.count),
                                           layout_of(fresh_in.type.get(), fresh_in.count), target_overlap::excluded));
    });
    double const build = timed(rate, [&] { static_cast<void>(p->send_type()), static_cast<void>(p->receive_type()); });
    auto const u = understand(out, in);

    double const direct = timed(rate, [&] { run(u.direct, bytes(theirs, in.offset), bytes(mine, out.offset)); });
    long wrong = wrong_words(chars(theirs), received, 1);
    wipe(chars(theirs), received);
    double const pack = timed(rate, [&] { run(u.pack, bytes(message), bytes(mine, out.offset)); });
    double const unpack = timed(rate, [&] { run(u.unpack, bytes(theirs, in.offset), bytes(message)); });
    wrong += wrong_words(chars(theirs), received, 1);
    double const hand_pack = timed(rate, [&] { p->pack(chars(mine), chars(message)); });
    double const hand_unpack = timed(rate, [&] { p->unpack(chars(message), chars(theirs)); });
    double const memcpy_us = timed(rate, [&] { std::memcpy(theirs.data(), message.data(), length); });

    fmt::print("{:<22} {:>9.2f} {:>7.2f} {:>9.2f} {:>9.2f} {:>6.2f} {:>9.2f} {:>9.2f} {:>6.2f} {:>9.2f} {:>8.1f} {:>6}{}\n", c.name,
               direct, (hand_pack + hand_unpack) / direct, pack, hand_pack, hand_pack / pack, unpack, hand_unpack,
               hand_unpack / unpack, memcpy_us, start - build, u.direct.steps.size(), wrong == 0 ? "" : "  WRONG");
    return wrong;
}

void print_first_use(pattern_case const& c, tick_rate const& rate, int turns) {
    first_use const f = first_use_of(*c.make(), rate, turns);
    fmt::print("{:<22} {:>7} {:>8.1f} {:>8.1f} {:>8.1f} {:>8.1f} {:>8.1f} {:>8.1f} {:>9.2f}\n", c.name, f.blocks, f.build, f.read,
               f.know, f.compile, f.cut, f.all(), f.all() * 1e3 / static_cast<double>(f.blocks));
}

} // namespace

int main(int argc, char** argv) {
    mpi_world const world{argc, argv};
    std::string wanted = ".*";
    CLI::App app{"The copies behind datatypes, on one core"};
    app.add_option("cases", wanted, "An expression for the names of the cases")->capture_default_str();
    int turns = 0;
    app.add_option("--first-uses", turns, "Instead: what a first use costs, step by step, the median of so many")
        ->check(CLI::Range(1, 100000));
    CLI11_PARSE(app, argc, argv);
    tick_rate const rate;
    if (turns > 0)
        fmt::print("microseconds of both sides; nanoseconds a block\n{:<22} {:>7} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>9}\n",
                   "case", "blocks", "(build)", "read", "know", "compile", "cut", "all", "ns/block");
    else
        fmt::print("microseconds\n{:<22} {:>9} {:>7} {:>9} {:>9} {:>6} {:>9} {:>9} {:>6} {:>9} {:>8} {:>6}\n", "case", "direct",
                   "hand/", "pack", "by hand", "ratio", "unpack", "by hand", "ratio", "memcpy", "start", "steps");
    long wrong = 0;
    try {
        auto cases = all_patterns();
        for (auto const& c : fft_blocks()) cases.push_back(c);
        for (auto const& c : cases) {
            if (!std::regex_match(c.name, std::regex{wanted})) continue;
            if (turns > 0)
                print_first_use(c, rate, turns);
            else
                wrong += measure(c, rate);
        }
    } catch (std::exception const& e) {
        fmt::print(stderr, "bench_datatypes_copies: {}\n", e.what());
        return 2;
    }
    return wrong == 0 ? 0 : 1;
}
