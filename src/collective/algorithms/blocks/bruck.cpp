// SPDX-License-Identifier: Apache-2.0
#include "collective/bruck.hpp"

#include "collective/fold.hpp"
#include "plan/join.hpp"

#include <algorithm>
#include <utility>

namespace sode::internal {
namespace {

/// The part of one rank in the share of one leader of each machine: the blocks of every `leaders`th rank there.
class bruck_builder {
public:
    bruck_builder(block_terms const& t, int rank, int speaker)
        : t_(t), mine_(t.blocks.at(rank)), rank_(rank), speaker_(speaker), here_(t.machines.of(rank)),
          leader_(t.machines.on(here_)[speaker]), b_(t.name, rank, t.ranks()), own_(b_.add_stream(-1)) {
        for (int d = 0; d < machines(); ++d) {
            at_.push_back(area_);
            area_ += alltoall() ? bytes_between(here_, to(d)) : bytes_of(to(d));
        }
        // What is sent lies in order at both ends; all ranks of a machine know the same of its memory.
        for (int unit = 1; unit < machines(); unit *= t_.radix)
            for (int j = 1; j < t_.radix && j * unit < machines(); ++j) plan_message(unit, j);
    }

    plan build() {
        if (leads()) {
            begin_receives();
            main_ = b_.add_stream(-1);
        }
        give();
        if (leads()) exchange();
        take();
        if (leads()) {
            b_.target().own_lines = 3 + flags_;
            b_.target().own_stage = 2 * area_;
        }
        return b_.finish();
    }

private:
    // One of each round and digit: what position of this machine goes `j * unit` machines on, or comes from as far behind.
    struct message {
        int unit;
        int j;
        std::vector<int> positions;
        std::int64_t sent = 0, got = 0;   // bytes
        std::int64_t out = -1, in = 0;    // where they lie; -1: it is sent from where its only position is
        std::uint32_t come = 0, left = 0; // flags
    };

    [[nodiscard]] bool alltoall() const noexcept { return t_.kind == block_kind::alltoall; }
    [[nodiscard]] bool leads() const noexcept { return rank_ == leader_; }
    [[nodiscard]] int machines() const noexcept { return t_.machines.machines(); }
    [[nodiscard]] int to(int distance) const noexcept { return ((here_ + distance) % machines() + machines()) % machines(); }
    [[nodiscard]] bool gives(int rank) const noexcept { return t_.machines.place(rank) % t_.leaders == speaker_; }
    [[nodiscard]] int number(int rank) const noexcept { return t_.machines.place(rank) / t_.leaders; }
    [[nodiscard]] int givers(int machine) const noexcept {
        return (t_.machines.on(machine).size() - speaker_ + t_.leaders - 1) / t_.leaders;
    }
    [[nodiscard]] std::int64_t bytes_of(int machine) const noexcept { return t_.bytes * givers(machine); }
    [[nodiscard]] std::int64_t bytes_between(int from, int target) const noexcept {
        return bytes_of(from) * t_.machines.on(target).size();
    }

    // Alltoall: what is `d` machines from where it belongs, while digits below `unit` have been travelled.
    [[nodiscard]] std::int64_t travelling(int d, int unit, int behind) const noexcept {
        int const origin = to(-(d % unit) - behind);
        return bytes_between(origin, (origin + d) % machines());
    }
    void plan_message(int unit, int j) {
        message m{.unit = unit, .j = j, .positions = {}};
        int const step = j * unit;
        if (alltoall()) {
            for (int d = 0; d < machines(); ++d)
                if (d / unit % t_.radix == j) m.positions.push_back(d);
            for (int const d : m.positions) {
                m.sent += travelling(d, unit, 0);
                m.got += travelling(d, unit, step);
            }
            if (m.positions.size() > 1) m.out = std::exchange(area_, area_ + m.sent);
            m.in = std::exchange(area_, area_ + m.got);
        } else {
            for (int d = 0; d < std::min(unit, machines() - step); ++d) {
                m.sent += bytes_of(to(d));
                m.got += bytes_of(to(step + d));
            }
            m.out = 0;
            m.in = at_[static_cast<std::size_t>(step)];
        }
        messages_.push_back(std::move(m));
    }
    // Allgather brings what is further on; alltoall sends it there.
    [[nodiscard]] int target_of(message const& m) const noexcept {
        return leader_on(to(alltoall() ? m.j * m.unit : -m.j * m.unit));
    }
    [[nodiscard]] int source_of(message const& m) const noexcept {
        return leader_on(to(alltoall() ? -m.j * m.unit : m.j * m.unit));
    }
    [[nodiscard]] int leader_on(int machine) const noexcept { return t_.machines.on(machine)[speaker_]; }

    [[nodiscard]] std::uint32_t memory() {
        return b_.add(buffer{.host = leader_, .role = buffer_role::stage, .instances = parity::epoch, .bytes = area_});
    }
    [[nodiscard]] std::uint32_t array(std::uint32_t ordinal) {
        return b_.add(buffer{.host = rank_, .role = buffer_role::array, .ordinal = ordinal, .bytes = mine_.array_bytes[ordinal]});
    }
    [[nodiscard]] std::uint32_t given() {
        return b_.add(
            counter{.host = leader_, .writer = -1, .index = 1, .kind = counter_kind::sum, .step = t_.machines.on(here_).size()});
    }
    [[nodiscard]] std::uint32_t complete() { return b_.add(counter{.host = leader_, .writer = leader_, .index = 2}); }
    [[nodiscard]] std::uint32_t next_flag() { return b_.add(counter{.host = rank_, .writer = rank_, .index = 3 + flags_++}); }
    [[nodiscard]] int by_leader() const noexcept { return leads() ? -1 : leader_; }

    void give() {
        auto const pack = [&](blocks_of_rank::place const& p, std::int64_t at) {
            auto& d =
                b_.copy(own_, operation::pack, memory(), array(p.array), compile(p.where, contiguous(0, t_.bytes)), by_leader());
            d.dst_offset = at;
        };
        if (gives(rank_) && !alltoall()) pack(*mine_.given.front(), number(rank_) * t_.bytes);
        if (gives(rank_) && alltoall())
            for (int r = 0; r < t_.ranks(); ++r)
                if (r != rank_) pack(*mine_.given[static_cast<std::size_t>(r)], block(rank_, r));
        auto& d = b_.emit(own_, operation::signal);
        d.signal = given();
        d.value = 1;
        if (gives(rank_)) keep();
    }
    // A block of alltoall before it travels.
    [[nodiscard]] std::int64_t block(int source, int target) const noexcept {
        int const machine = t_.machines.of(target), d = (machine - here_ + machines()) % machines();
        auto const number_of = std::int64_t{number(source)} * t_.machines.on(machine).size() + t_.machines.place(target);
        return at_[static_cast<std::size_t>(d)] + number_of * t_.bytes;
    }
    // From this rank to itself.
    void keep() {
        auto const& from = mine_.given[alltoall() ? static_cast<std::size_t>(rank_) : 0];
        auto const& into = mine_.got[static_cast<std::size_t>(rank_)];
        if (!from || !into) return;
        b_.copy(own_, operation::copy, array(into->array), array(from->array), compile(from->where, into->where));
        record(rank_, *into);
    }

    descriptor& emit(std::uint32_t stream, operation op, int peer, std::int64_t at, std::int64_t bytes, std::uint32_t flag) {
        auto& d = b_.copy(stream, op, memory(), memory(), block_copy(bytes), peer);
        d.src_offset = d.dst_offset = at;
        d.signal = flag;
        return d;
    }
    void begin_receives() {
        auto const stream = b_.add_stream(-1);
        for (auto& m : messages_)
            if (m.got > 0) emit(stream, operation::receive, source_of(m), m.in, m.got, m.come = next_flag());
    }
    void exchange() {
        b_.emit(main_, operation::wait).trigger = given();
        for (std::size_t first = 0, last = 0; first < messages_.size(); first = last) {
            while (last < messages_.size() && messages_[last].unit == messages_[first].unit) ++last;
            for (auto i = first; i < last; ++i) send(messages_[i]);
            for (auto i = first; i < last; ++i) arrive(messages_[i]);
        }
        b_.emit(main_, operation::signal).signal = complete();
        for (auto const& m : messages_)
            if (m.left != 0) b_.emit(main_, operation::wait).trigger = m.left;
    }
    void send(message& m) {
        if (m.sent == 0) return;
        auto from = m.out;
        if (from < 0) from = at_[static_cast<std::size_t>(m.positions.front())];
        if (m.out >= 0 && alltoall()) {
            auto into = m.out;
            for (int const d : m.positions) {
                auto const bytes = travelling(d, m.unit, 0);
                if (bytes == 0) continue;
                auto& c = b_.copy(main_, operation::copy, memory(), memory(), block_copy(bytes));
                c.src_offset = at_[static_cast<std::size_t>(d)];
                c.dst_offset = into;
                into += bytes;
            }
        }
        m.left = next_flag();
        emit(main_, operation::send, target_of(m), from, m.sent, m.left);
    }
    void arrive(message const& m) {
        if (m.come != 0) b_.emit(main_, operation::wait).trigger = m.come;
        place_positions(m);
    }
    void place_positions(message const& m) {
        auto at = m.in;
        for (int const d : m.positions) {
            at_[static_cast<std::size_t>(d)] = at;
            at += travelling(d, m.unit, m.j * m.unit);
        }
    }

    void take() {
        if (!leads())
            for (auto const& m : messages_) place_positions(m);
        auto const stream = b_.add_stream(by_leader());
        b_.emit(stream, operation::wait).trigger = complete();
        for (int r = 0; r < t_.ranks(); ++r) {
            auto const& into = mine_.got[static_cast<std::size_t>(r)];
            if (r == rank_ || !into || !gives(r)) continue;
            auto& d = b_.copy(stream, operation::unpack, array(into->array), memory(),
                              compile(contiguous(0, t_.bytes), into->where), by_leader());
            d.src_offset = arrived(r);
            record(r, *into);
        }
    }
    [[nodiscard]] std::int64_t arrived(int source) const noexcept {
        int const machine = t_.machines.of(source), all = machines();
        int const d = alltoall() ? (here_ - machine + all) % all : (machine - here_ + all) % all;
        auto const number_of = alltoall() ? std::int64_t{number(source)} * t_.machines.on(here_).size() + t_.machines.place(rank_)
                                          : std::int64_t{number(source)};
        return at_[static_cast<std::size_t>(d)] + number_of * t_.bytes;
    }

    void record(int source, blocks_of_rank::place const& into) {
        auto const known = t_.blocks.find(source);
        if (known == t_.blocks.end()) return; // where nobody proves anything
        auto const& from = *known->second.given[alltoall() ? static_cast<std::size_t>(rank_) : 0];
        b_.target().deliveries.push_back({.source_rank = source,
                                          .source_array = from.array,
                                          .source = from.where,
                                          .target_array = into.array,
                                          .target = into.where});
    }

    block_terms const& t_;
    blocks_of_rank const& mine_;
    int rank_;
    int speaker_;
    int here_; // the machine
    int leader_;
    plan_builder b_;
    std::uint32_t own_ = 0, main_ = 0; // streams
    std::vector<std::int64_t> at_;     // where the block of each position is now
    std::int64_t area_ = 0;            // bytes of one instance
    std::vector<message> messages_;
    std::uint32_t flags_ = 0;
};

} // namespace

plan plan_bruck(block_terms const& t, int rank) {
    if (t.leaders == 1) return bruck_builder{t, rank, 0}.build();
    plan_builder whole{t.name, rank, t.ranks()};
    std::vector<plan_part> parts;
    for (int s = 0; s < t.leaders; ++s) {
        parts.push_back({bruck_builder{t, rank, s}.build()});
        auto& owed = parts.back().steps.deliveries;
        whole.target().deliveries.insert(whole.target().deliveries.end(), owed.begin(), owed.end());
    }
    join(whole, parts, t.blocks.at(rank).array_bytes);
    return whole.finish();
}

} // namespace sode::internal
