// SPDX-License-Identifier: Apache-2.0
#include "collective/catalogue.hpp"
#include "collective/fold.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

namespace sode::internal {
namespace {

/// Several machines: the ranks of each put what they give into its memory, one rank of each exchanges it with the other
/// machines by one message a pair, and everybody combines what it gets in the order of ranks: the same bits on one machine and on
/// many. Right for small amounts, and for few machines.
class over_machines_builder {
public:
    over_machines_builder(collective_terms const& t, int rank)
        : terms_(t), rank_(rank), leader_(leader_of(rank)), shares_(t.shares()), share_(shares_[static_cast<std::size_t>(rank)]),
          b_(t.title(), rank, t.ranks()), number_(static_cast<std::size_t>(t.ranks()), -1) {
        add_operators(b_, t);
        record_share(b_, t, rank);
        std::int64_t next = 0;
        for (int m = 0; m < machines(); ++m) {
            first_.push_back(next);
            for (int const r : t.machines.on(m))
                if (t.is_needed(r)) number_[static_cast<std::size_t>(r)] = next++;
        }
        first_.push_back(next);
        for (int m = 0; m < machines(); ++m) {
            givers all;
            for (int const r : t.machines.on(m))
                if (auto const& s = shares_[static_cast<std::size_t>(r)]; s.bytes > 0)
                    all = {std::min(all.first, s.first), std::max(all.last, s.last)};
            heard_on_.push_back(all);
        }
        for (int s = 0; s < (dealt() ? machines() : 1); ++s) {
            sections_.push_back(area_bytes_);
            rooms_.push_back(room_of(s));
            area_bytes_ += first_.back() * rooms_.back();
        }
    }

    plan build() {
        auto const own = b_.add_stream(-1);
        if (terms_.empty()) return b_.finish();
        bool const leads = rank_ == leader_;
        b_.target().own_lines = leads ? 3 : 1;
        if (leads) b_.target().own_stage = 2 * area_bytes_;
        show(own);
        if (leads) exchange();
        take();
        return b_.finish();
    }

private:
    [[nodiscard]] int machines() const noexcept { return terms_.machines.machines(); }
    [[nodiscard]] int machine_of(int r) const noexcept { return terms_.machines.of(r); }
    [[nodiscard]] int leader_of(int r) const noexcept { return terms_.leader_on(machine_of(r)); }
    [[nodiscard]] bool barrier() const noexcept { return terms_.kind == collective_kind::barrier; }
    [[nodiscard]] bool dealt() const noexcept { return terms_.kind == collective_kind::reduce_scatter; }
    [[nodiscard]] bool gets() const noexcept { return share_.last > share_.first && share_.bytes > 0; }

    // What goes to a machine lies together: where each rank gets bytes of its own, in a section for each machine.
    [[nodiscard]] int section_for(int machine) const noexcept { return dealt() ? machine : 0; }
    [[nodiscard]] std::int64_t room(int section) const { return rooms_[static_cast<std::size_t>(section)]; }
    [[nodiscard]] std::int64_t room_of(int section) const {
        auto bytes = terms_.bytes();
        if (dealt()) {
            bytes = 0;
            for (int const r : terms_.machines.on(section)) bytes += terms_.dealt[static_cast<std::size_t>(r)];
        }
        return (bytes + 63) / 64 * 64;
    }
    [[nodiscard]] std::int64_t place(std::int64_t number, int section) const {
        return sections_[static_cast<std::size_t>(section)] + number * room(section);
    }
    [[nodiscard]] std::int64_t place_of(int r, int section) const { return place(number_[static_cast<std::size_t>(r)], section); }
    // Where the share of rank `taker` begins in what a rank has put into its section.
    [[nodiscard]] std::int64_t within(int taker) const {
        if (!dealt()) return 0;
        std::int64_t before = 0;
        for (int const r : terms_.machines.on(machine_of(taker)))
            if (r < taker) before += terms_.dealt[static_cast<std::size_t>(r)];
        return before;
    }
    // How many of the ranks of a machine, the first ones, give something that is needed on the other: up to the last one of whom
    // somebody there gets something.
    [[nodiscard]] std::int64_t needed(int from, int to) const {
        auto const here = terms_.machines.on(from);
        auto const heard = heard_on_[static_cast<std::size_t>(to)];
        for (int i = here.size(); i-- > 0;) {
            auto const number = number_[static_cast<std::size_t>(here[i])];
            if (number >= 0 && heard.first <= here[i] && here[i] < heard.last)
                return number - first_[static_cast<std::size_t>(from)] + 1;
        }
        return 0;
    }

    [[nodiscard]] std::uint32_t contributed() {
        return b_.add(counter{.host = leader_,
                              .writer = -1,
                              .index = 1,
                              .kind = counter_kind::sum,
                              .step = terms_.machines.on(machine_of(rank_)).size()});
    }
    [[nodiscard]] std::uint32_t complete() { return b_.add(counter{.host = leader_, .writer = leader_, .index = 2}); }
    [[nodiscard]] std::uint32_t area() {
        if (!area_)
            area_ = b_.add(buffer{.host = leader_, .role = buffer_role::stage, .instances = parity::epoch, .bytes = area_bytes_});
        return *area_;
    }

    void show(std::uint32_t own) {
        auto const put = [&](std::uint32_t from, std::int64_t at, std::int64_t bytes, std::int64_t to) {
            auto& d = b_.copy(own, operation::pack, area(), from, block_copy(bytes), rank_ == leader_ ? -1 : leader_);
            d.src_offset = at;
            d.dst_offset = to;
        };
        if (dealt()) {
            for (int r = 0; r < terms_.ranks(); ++r)
                if (auto const& s = shares_[static_cast<std::size_t>(r)]; s.bytes > 0)
                    put(b_.add(input_of(terms_, rank_)), s.offset, s.bytes, place_of(rank_, machine_of(r)) + within(r));
        } else if (terms_.is_needed(rank_)) {
            put(b_.add(input_of(terms_, rank_)), 0, terms_.bytes(), place_of(rank_, 0));
        }
        auto& d = b_.emit(own, operation::signal);
        d.signal = contributed();
        d.value = 1;
    }

    // The messages of a barrier are empty: they say nothing but that they come.
    void exchange() {
        auto const stream = b_.add_stream(-1);
        int const mine = machine_of(rank_);
        std::vector<std::uint32_t> over;
        auto const message = [&](operation op, int from, int to) {
            auto const count = needed(from, to);
            if (count == 0 && !barrier()) return;
            over.push_back(b_.add(counter{.host = rank_, .writer = rank_, .index = 3 + static_cast<std::uint32_t>(over.size())}));
            int const peer = terms_.leader_on(from == mine ? to : from);
            auto const section = section_for(to);
            auto const memory = area();
            auto& d = b_.copy(stream, op, memory, memory, block_copy(barrier() ? 0 : count * room(section)), peer);
            if (!barrier()) d.src_offset = d.dst_offset = place(first_[static_cast<std::size_t>(from)], section);
            d.signal = over.back();
        };
        // Everybody begins with the one above, so that nobody is sent to by all at once.
        for (int i = 1; i < machines(); ++i) message(operation::receive, (mine + i) % machines(), mine);
        // The others of this machine have put what they give, and are done with the epoch before.
        bool const alone = terms_.machines.on(mine).size() == 1;
        if (!alone || terms_.is_needed(rank_)) b_.emit(stream, operation::wait).trigger = contributed();
        for (int i = 1; i < machines(); ++i) message(operation::send, mine, (mine + i) % machines());
        b_.target().own_lines += static_cast<std::int64_t>(over.size());
        for (auto const flag : over) b_.emit(stream, operation::wait).trigger = flag;
        if (!alone || gets()) b_.emit(stream, operation::signal).signal = complete();
    }

    void take() {
        if (rank_ == leader_ && !gets()) return;
        auto const stream = b_.add_stream(leader_ == rank_ ? -1 : leader_);
        b_.emit(stream, operation::wait).trigger = complete();
        if (gets())
            emit_fold(b_, stream, terms_, share_, {.buffer = b_.add(output_of(terms_, rank_))}, [&](int r) {
                return contribution{.buffer = area(),
                                    .offset = place_of(r, section_for(machine_of(rank_))) + within(rank_),
                                    .peer = leader_ == rank_ ? -1 : leader_};
            });
    }

    collective_terms const& terms_;
    int rank_;
    int leader_;
    std::vector<collective_terms::share> shares_; // by rank
    collective_terms::share share_;               // of this one
    plan_builder b_;
    std::vector<std::int64_t> number_;   // by rank: of what it gives, machine by machine; -1: nothing
    std::vector<std::int64_t> first_;    // number, by machine
    std::vector<std::int64_t> sections_; // where they begin,
    std::vector<std::int64_t> rooms_;    // and what each rank has there
    std::int64_t area_bytes_ = 0;
    std::optional<std::uint32_t> area_;
    // Ranks first to last - 1 are those of whom a machine gets something: all shares that are not empty begin with the same rank.
    struct givers {
        int first = std::numeric_limits<int>::max(), last = 0;
    };
    std::vector<givers> heard_on_; // by machine
};

class over_machines_algorithm final : public algorithm { // NOLINT(cppcoreguidelines-virtual-class-destructor)
public:
    constexpr over_machines_algorithm() noexcept : algorithm("over-machines", true) {}
    [[nodiscard]] bool can(collective_terms const& t) const noexcept override { return !t.machines.one(); }
    [[nodiscard]] expense cost(collective_terms const& t, distance /*apart*/) const noexcept override {
        auto const& n = t.costs.network;
        auto const& c = t.costs.of(distance::near).memory;
        auto const all = static_cast<double>(t.bytes()) * t.ranks();
        double const others = t.machines.machines() - 1;
        return {.source = others * n.overhead + all * n.host_byte,
                .target = others * n.overhead + all * (n.host_byte + c.stream_byte),
                .link = all * n.byte,
                .latency = n.latency + 2 * c.flag};
    }
    [[nodiscard]] plan build(collective_terms const& t, int rank) const override { return over_machines_builder{t, rank}.build(); }
};

constinit over_machines_algorithm const over_machines_object;

} // namespace

namespace algorithms {
algorithm const& over_machines = over_machines_object;
} // namespace algorithms

} // namespace sode::internal
