// SPDX-License-Identifier: Apache-2.0
#include "collective/contributions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace sode {
namespace {

// The contributions of all ranks lie one behind the other in the memory of each machine, hosted by its leader, its lowest rank:
// machine by machine, so that what one machine sends to another is one piece.
class gathered {
public:
    explicit gathered(std::vector<int> const& machines) : machines_(machines), order_(machines.size()), place_(machines.size()) {
        std::iota(order_.begin(), order_.end(), 0);
        std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) { return machine(a) < machine(b); });
        for (std::size_t i = 0; i < order_.size(); ++i) {
            place_[static_cast<std::size_t>(order_[i])] = static_cast<std::int64_t>(i);
            if (i == 0 || machine(order_[i]) != machine(order_[i - 1])) leaders_.push_back(order_[i]);
        }
    }

    [[nodiscard]] std::vector<int> const& leaders() const noexcept { return leaders_; }
    [[nodiscard]] int leader_of(int rank) const {
        return *std::find_if(leaders_.begin(), leaders_.end(), [&](int l) { return machine(l) == machine(rank); });
    }
    [[nodiscard]] std::int64_t place(int rank) const noexcept { return place_[static_cast<std::size_t>(rank)]; }
    [[nodiscard]] std::int64_t ranks_of(int leader) const {
        return std::count(machines_.begin(), machines_.end(), machine(leader));
    }

private:
    [[nodiscard]] int machine(int rank) const noexcept { return machines_[static_cast<std::size_t>(rank)]; }

    std::vector<int> const& machines_;
    std::vector<int> order_;
    std::vector<std::int64_t> place_;
    std::vector<int> leaders_;
};

} // namespace

plan build_reduce_over_machines(int rank, std::vector<int> const& machines, reduce_terms const& terms) {
    auto const size = terms.bytes();
    auto const room = reduce_room(size);
    auto const ranks = static_cast<int>(machines.size());
    gathered const all{machines};
    int const leader = all.leader_of(rank);
    plan_builder b{fmt::format("{} of {} bytes", terms.root < 0 ? "reduce" : "broadcast", size), rank, ranks};
    auto& p = b.target();
    auto const leaders = static_cast<std::uint32_t>(all.leaders().size());
    p.own_lines = rank == leader ? 2 + 2 * leaders : 0;
    p.own_stage = rank == leader ? 2 * ranks * room : 0;
    p.own_scratch = 2 * room;

    auto const contributed =
        b.add(counter{.host = leader, .writer = -1, .index = 0, .kind = counter_kind::sum, .step = all.ranks_of(leader)});
    auto const complete = b.add(counter{.host = leader, .writer = leader, .index = 1});
    auto const area = b.add(buffer{.host = leader, .role = buffer_role::stage, .instances = parity::epoch, .bytes = ranks * room});
    auto const input = b.add(buffer{.host = rank, .role = buffer_role::scratch, .offset = 0, .bytes = room});
    auto const result = b.add(buffer{.host = rank, .role = buffer_role::scratch, .offset = room, .bytes = room});

    auto const local = b.add_stream(-1);
    auto& put = terms.has(rank) ? b.copy(local, operation::pack, area, input, compile(contiguous(0, size), contiguous(0, size)))
                                : b.emit(local, operation::signal);
    put.dst_offset = terms.has(rank) ? all.place(rank) * room : 0;
    put.signal = contributed;
    put.value = 1;

    if (rank == leader) {
        auto const stream = b.add_stream(-1);
        std::vector<std::uint32_t> over;
        auto const message = [&](operation op, int peer, int whose) {
            auto const bytes_of_machine = all.ranks_of(whose) * room;
            over.push_back(b.add(counter{.host = rank, .writer = rank, .index = 2 + static_cast<std::uint32_t>(over.size())}));
            auto& d =
                b.copy(stream, op, area, area, compile(contiguous(0, bytes_of_machine), contiguous(0, bytes_of_machine)), peer);
            d.src_offset = d.dst_offset = all.place(whose) * room;
            d.signal = over.back();
        };
        auto const others = [&](auto f) {
            // Everybody begins with the one above, so that nobody is sent to by all at once.
            auto const& list = all.leaders();
            auto const me = std::find(list.begin(), list.end(), rank);
            std::for_each(std::next(me), list.end(), f);
            std::for_each(list.begin(), me, f);
        };
        auto const gives = [&](int leader_of_machine) { return terms.root < 0 || all.leader_of(terms.root) == leader_of_machine; };
        others([&](int other) {
            if (gives(other)) message(operation::receive, other, other);
        });
        b.emit(stream, operation::wait).trigger = contributed;
        others([&](int other) {
            if (gives(rank)) message(operation::send, other, rank);
        });
        for (auto const flag : over) b.emit(stream, operation::wait).trigger = flag;
        b.emit(stream, operation::signal).signal = complete;
    }

    auto const combining = b.add_stream(leader == rank ? -1 : leader);
    auto& ready = b.emit(combining, operation::wait);
    ready.trigger = complete;
    combine_contributions(b, combining, terms, ranks, result,
                          [&](int r) { return contribution{.buffer = area, .offset = all.place(r) * room}; });
    return b.finish();
}

} // namespace sode
