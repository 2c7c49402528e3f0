// SPDX-License-Identifier: Apache-2.0
#include "array/exchange/kernel_reads.hpp"

#include "layout/copy_program.hpp"
#include "plan/builder.hpp"

#include <algorithm>
#include <span>

namespace sode::internal {
namespace {

buffer array_of(int host, kernel_reads::place const& p) {
    return {.host = host, .role = buffer_role::array, .ordinal = p.region, .bytes = p.region_bytes};
}

class reads_planner {
public:
    reads_planner(kernel_reads const& what, reading how)
        : what_(what), how_(how), rank_(what.rank), b_(what.name, what.rank, what.ranks) {}

    plan build() {
        b_.target().own_lines = 1 + what_.ranks;
        auto const own = b_.add_stream(-1);
        if (!what_.targets.empty()) b_.emit(own, operation::signal).signal = ready(rank_);
        auto const& all = what_.gets;
        for (auto const& m : all)
            if (m.source == rank_)
                load(own, m, -1);
            else if (how_ == reading::by_call)
                b_.target().calls.push_back({.array = m.to.region, .reads = {}, .writes = m.to.where});
        // It begins with the rank above itself, so that not all read rank 0 first.
        for (int i = 1; i < what_.ranks; ++i) {
            int const peer = (rank_ + i) % what_.ranks;
            auto const first = std::ranges::lower_bound(all, peer, {}, &kernel_reads::message::source);
            auto const last = std::ranges::upper_bound(all, peer, {}, &kernel_reads::message::source);
            bool const gives = std::ranges::binary_search(what_.targets, peer);
            if (first == last && !gives) continue;
            auto const stream = b_.add_stream(peer);
            if (first != last) read(stream, peer, {first, last});
            if (gives) await(stream, operation::credit, peer, has_read(peer, rank_));
        }
        return b_.finish();
    }

private:
    [[nodiscard]] std::uint32_t ready(int r) { return b_.add(counter{.host = r, .writer = r, .index = 0}); }
    [[nodiscard]] std::uint32_t has_read(int reader, int source) {
        return b_.add(counter{.host = reader, .writer = reader, .index = 1 + static_cast<std::uint32_t>(source)});
    }
    void await(std::uint32_t stream, operation op, int peer, std::uint32_t counter_index) {
        auto& d = b_.emit(stream, op);
        d.trigger = counter_index;
        d.peer = peer;
    }

    void read(std::uint32_t stream, int source, std::span<kernel_reads::message const> messages) {
        await(stream, operation::wait, source, ready(source));
        for (auto const& m : messages) {
            if (how_ == reading::by_load) {
                load(stream, m, source);
                continue;
            }
            auto const array = b_.add(array_of(rank_, m.to));
            auto& d = b_.emit(stream, operation::call);
            d.dst = d.src = array;
            d.argument = call_of(m);
        }
        auto& d = b_.emit(stream, operation::signal);
        d.signal = has_read(rank_, source);
        d.peer = source;
    }

    // Calls are numbered in the order of the messages, streams begin elsewhere.
    [[nodiscard]] std::uint32_t call_of(kernel_reads::message const& m) const {
        auto const* const first = what_.gets.data();
        return static_cast<std::uint32_t>(std::count_if(first, &m, [&](auto const& other) { return other.source != rank_; }));
    }

    void load(std::uint32_t stream, kernel_reads::message const& m, int peer) {
        auto const to = b_.add(array_of(rank_, m.to)), from = b_.add(array_of(m.source, m.from));
        b_.copy(stream, operation::copy, to, from, compile(m.from.where, m.to.where), peer);
        if (how_ == reading::by_load)
            b_.target().deliveries.push_back({.source_rank = m.source,
                                              .source_array = m.from.region,
                                              .source = m.from.where,
                                              .target_array = m.to.region,
                                              .target = m.to.where});
    }

    kernel_reads const& what_;
    reading how_;
    int rank_;
    plan_builder b_;
};

} // namespace

plan plan_kernel_reads(kernel_reads const& what, reading how) {
    return reads_planner{what, how}.build();
}

} // namespace sode::internal
