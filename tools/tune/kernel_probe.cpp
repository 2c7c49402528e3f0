// SPDX-License-Identifier: Apache-2.0
#include "tune/kernel_probe.hpp"

#include "base/clock.hpp"
#include "tune/estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace sode::internal::tools {
namespace {

constexpr std::size_t most_rounds = 200;
constexpr index_t bytes_at_once = 32 << 10; // as much as a clock can tell
constexpr std::size_t memory_bytes = std::size_t{256} << 10;

layout rows_at(index_t offset, index_t count, index_t bytes, index_t pitch) {
    return normalised({.offset = offset, .block = bytes, .loops = {{count, pitch}}, .list = {}});
}

layout scattered(index_t count, index_t bytes) {
    layout list;
    std::uint64_t chance = 5;
    for (index_t i = 0, at = 0; i < count; ++i) {
        list.list.push_back({at, bytes});
        chance = chance * 6364136223846793005U + 1442695040888963407U;
        at += bytes * (1 + static_cast<index_t>(chance >> 62));
    }
    return normalised(std::move(list));
}

double timed(kernel_set const& set, copy_program const& p, std::byte* to, std::byte const* from) {
    index_t const times = std::max<index_t>(1, bytes_at_once / std::max<index_t>(p.bytes, 1));
    auto const began = now_ns();
    for (index_t i = 0; i < times; ++i) run(set, p, to, from);
    return static_cast<double>(std::max<std::int64_t>(now_ns() - began, 1));
}

} // namespace

std::vector<probed_copy> const& probed_copies() {
    using enum kernel_class;
    static std::vector<probed_copy> const all{
        {words, rows_at(8, 256, 8, 528), contiguous(0, 256 * 8)},
        {words, contiguous(0, 256 * 4), rows_at(4, 256, 4, 140)},
        {short_blocks, rows_at(8, 256, 24, 96), rows_at(16, 256, 24, 160)},
        {short_blocks, rows_at(8, 256, 48, 160), contiguous(0, 256 * 48)},
        {rows, rows_at(8, 64, 200, 272), rows_at(16, 64, 200, 336)},
        {rows, rows_at(8, 64, 128, 200), rows_at(16, 64, 128, 264)},
        {long_rows, rows_at(8, 64, 512, 584), rows_at(16, 64, 512, 648)},
        {long_rows, rows_at(8, 16, 4096, 4168), rows_at(16, 16, 4096, 4232)},
        {big, contiguous(8, 65536), contiguous(16, 65536)},
        {lists, scattered(512, 24), contiguous(0, 512 * 24)},
        {lists, contiguous(0, 512 * 8), scattered(512, 8)},
        {tiles,
         normalised({.offset = 0, .block = 8, .loops = {{64, 512}, {64, 8}}, .list = {}}),
         {.offset = 0, .block = 8, .loops = {{64, 8}, {64, 512}}, .list = {}}},
    };
    return all;
}

kernel_times probe_kernels(std::vector<kernel_set const*> const& sets, double seconds) {
    std::vector<std::byte> from(memory_bytes, std::byte{1}), to(memory_bytes, std::byte{2});
    std::vector<copy_program> programs;
    for (auto const& c : probed_copies()) programs.push_back(compile(c.source, c.target));
    kernel_times times;
    auto const began = now_s();
    for (std::size_t round = 0; round < most_rounds && (round == 0 || now_s() - began < seconds); ++round) {
        std::array<std::vector<double>, kernel_classes> logarithms;
        std::array<double, kernel_classes> count{};
        for (auto& sums : logarithms) sums.assign(sets.size(), 0);
        for (std::size_t i = 0; i < programs.size(); ++i) {
            auto const c = static_cast<std::size_t>(probed_copies()[i].of);
            ++count[c];
            for (std::size_t k = 0; k < sets.size(); ++k) {
                std::size_t const turn = (k + round) % sets.size();
                logarithms[c][turn] += std::log(timed(*sets[turn], programs[i], to.data(), from.data()));
            }
        }
        for (std::size_t c = 0; c < kernel_classes; ++c) {
            auto& means = times[c].emplace_back();
            for (double const sum : logarithms[c]) means.push_back(std::exp(sum / std::max(count[c], 1.0)));
        }
    }
    return times;
}

kernel_choice choose_kernels(kernel_times const& times, std::vector<kernel_set const*> const& sets) {
    constexpr double worth_it = 0.93, most_rounds_of = 0.75;
    kernel_choice choice;
    choice.sets.fill(sets.front());
    auto const usual = usual_kernels();
    auto const probed = probed_kernel_sets();
    for (std::size_t c = 0; c < kernel_classes; ++c) {
        if (std::ranges::find(probed, usual.sets[c]) == probed.end()) {
            choice.sets[c] = usual.sets[c];
            continue;
        }
        double best = worth_it;
        for (std::size_t k = 1; k < sets.size(); ++k) {
            std::vector<double> ratios;
            for (auto const& round : times[c]) ratios.push_back(round[k] / round.front());
            if (ratios.empty()) continue;
            auto const faster = std::count_if(ratios.begin(), ratios.end(), [](double r) { return r < 1; });
            bool const steady = static_cast<double>(faster) >= most_rounds_of * static_cast<double>(ratios.size());
            if (double const ratio = median(ratios); steady && ratio < best) best = ratio, choice.sets[c] = sets[k];
        }
    }
    return choice;
}

std::string kernels_in_words(kernel_choice const& choice) {
    auto const* const usual = usual_kernels().sets.front();
    std::string text = usual->name;
    char const* before = ", but ";
    for (std::size_t c = 0; c < kernel_classes; ++c) {
        if (choice.sets[c] == usual) continue;
        text += fmt::format("{}{}: {}", before, to_string(static_cast<kernel_class>(c)), choice.sets[c]->name);
        before = ", ";
    }
    return text;
}

} // namespace sode::internal::tools
