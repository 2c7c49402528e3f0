// SPDX-License-Identifier: Apache-2.0
#include "collectives/limits.hpp"
#include "collectives/peers.hpp"
#include "layout/copy_program.hpp"

#include <sode/runtime.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <sched.h>
#include <utility>
#include <vector>

namespace sode::internal::bench {
namespace {

constexpr std::size_t line_numbers = 7;
constexpr std::size_t piece = (16 << 10) / sizeof(long); // of what goes through copies
constexpr std::int64_t short_copy = 1024;                // bytes; memcpy is as fast
constexpr std::size_t cached = 1024;                     // elements that are combined of all ranks before the next ones

/// What a rank says.
struct alignas(128) word {
    std::atomic<std::uint64_t> said;
    std::array<long, line_numbers> numbers;
};

/// The memory of a limit, and the loops over it. Of each rank: two words, what it gives, what it gets.
class bare {
public:
    bare(runtime& rt, collective_case const& c, bool yields)
        : c_(c), rank_(rt.rank()), ranks_(rt.size()), yields_(yields), given_(rounded(largest(&collective_case::given))),
          blocks_(rt, 2 * sizeof(word) + (given_ + rounded(largest(&collective_case::got))) * sizeof(long)) {
        std::construct_at(said(rank_));
        std::construct_at(said(rank_, 1));
    }

    [[nodiscard]] std::span<long> in() const { return {in_of(rank_), c_.given(rank_, ranks_)}; }
    [[nodiscard]] std::span<long> out() const {
        return c_.operation == "bcast" ? in() : std::span{out_of(rank_), c_.got(rank_, ranks_)};
    }

    void pull() {
        say(0, ++epoch_);
        auto const from = c_.of(rank_, ranks_);
        for (int r = from.first; r < from.last; ++r) await(r, 0, epoch_);
        get(rank_, from, 0, c_.elements);
    }

    void lines() {
        auto const give = in();
        std::ranges::copy(give, said(rank_)->numbers.begin());
        say(0, ++epoch_);
        auto const from = c_.of(rank_, ranks_);
        auto* const target = out_of_case(rank_);
        for (int r = from.first; r < from.last; ++r) {
            await(r, 0, epoch_);
            long const* const source = said(r)->numbers.data() + first_of_piece(rank_);
            for (std::size_t i = 0; i < c_.elements; ++i) {
                if (from.combined)
                    target[i] = (r > from.first ? target[i] : 0) + source[i];
                else
                    target[static_cast<std::size_t>(r - from.first) * c_.elements + i] = source[i];
            }
        }
    }

    void slices() {
        say(0, ++epoch_);
        for (int r = 0; r < ranks_; ++r) await(r, 0, epoch_);
        auto const p = static_cast<std::size_t>(ranks_), me = static_cast<std::size_t>(rank_);
        std::size_t const begin = c_.elements * me / p, end = c_.elements * (me + 1) / p;
        if (c_.operation == "allreduce") {
            get(rank_, c_.of(rank_, ranks_), begin, end);
            for (int to = 0; to < ranks_; ++to)
                if (to != rank_) copy(out_of(to) + begin, out_of(rank_) + begin, end - begin);
        } else {
            for (int to = 0; to < ranks_; ++to) get(to, c_.of(to, ranks_), begin, end);
        }
        say(1, epoch_);
        for (int r = 0; r < ranks_; ++r) await(r, 1, epoch_);
    }

    /// From memory that nobody else can load to memory that nobody else can load, so many elements after the others.
    void staged(std::span<long const> own_in, std::span<long> own_out, std::size_t piece) {
        auto const from = c_.of(rank_, ranks_);
        bool const wanted = others_get(rank_);
        std::size_t const pieces = (c_.elements + piece - 1) / piece;
        std::uint64_t const before = epoch_;
        epoch_ += pieces;
        mine_ = own_in.data();
        auto const bounds = [&](std::size_t k) { return std::pair{k * piece, std::min((k + 1) * piece, c_.elements)}; };
        for (std::size_t k = 0; k <= pieces; ++k) {
            if (k < pieces && wanted) {
                auto const [begin, end] = bounds(k);
                for (std::size_t at = 0; at < own_in.size(); at += c_.elements)
                    if (!c_.gives_pieces() || at != first_of_piece(rank_))
                        copy(in_of(rank_) + at + begin, own_in.data() + at + begin, end - begin);
                say(0, before + k + 1);
            }
            if (k == 0) continue;
            auto const [begin, end] = bounds(k - 1);
            for (int r = from.first; r < from.last; ++r)
                if (r != rank_) await(r, 0, before + k);
            get(rank_, from, begin, end, own_out.data());
        }
    }

    /// The same of what all ranks combine, each a slice.
    void staged_slices(std::span<long const> own_in, std::span<long> own_out) {
        ++epoch_;
        mine_ = own_in.data();
        auto const slice = [&](int r) {
            auto const p = static_cast<std::size_t>(ranks_), k = static_cast<std::size_t>(r);
            return std::pair{c_.elements * k / p, c_.elements * (k + 1) / p};
        };
        for (int r = 0; r < ranks_; ++r)
            if (r != rank_) copy(in_of(rank_) + slice(r).first, own_in.data() + slice(r).first, slice(r).second - slice(r).first);
        say(0, epoch_);
        for (int r = 0; r < ranks_; ++r) await(r, 0, epoch_);
        auto const [begin, end] = slice(rank_);
        bool const keeps = !own_out.empty();
        get(rank_, {0, ranks_, true}, begin, end, keeps ? own_out.data() : out_of(rank_));
        if (keeps && c_.operation == "allreduce") copy(out_of(rank_) + begin, own_out.data() + begin, end - begin);
        say(1, epoch_);
        for (int r = 0; r < ranks_ && keeps; ++r) {
            if (r == rank_) continue;
            await(r, 1, epoch_);
            copy(own_out.data() + slice(r).first, out_of(r) + slice(r).first, slice(r).second - slice(r).first);
        }
    }

private:
    [[nodiscard]] std::size_t largest(std::size_t (collective_case::*count)(int, int) const) const {
        return (c_.*count)(collective_case::root, ranks_);
    }
    static std::size_t rounded(std::size_t elements) { return (elements + 15) / 16 * 16; }

    [[nodiscard]] word* said(int rank, int which = 0) const { return reinterpret_cast<word*>(blocks_.of(rank)) + which; }
    [[nodiscard]] long* in_of(int rank) const { return reinterpret_cast<long*>(said(rank, 2)); }
    [[nodiscard]] long* out_of(int rank) const { return in_of(rank) + given_; }
    [[nodiscard]] long* out_of_case(int rank) const { return c_.operation == "bcast" ? in_of(rank) : out_of(rank); }
    [[nodiscard]] std::size_t first_of_piece(int rank) const {
        return c_.gives_pieces() ? c_.elements * static_cast<std::size_t>(rank) : 0;
    }
    [[nodiscard]] bool others_get(int giver) const {
        for (int r = 0; r < ranks_; ++r) {
            auto const from = c_.of(r, ranks_);
            if (r != giver && from.first <= giver && giver < from.last) return true;
        }
        return false;
    }
    /// What a rank gives: this one's may be in memory of its own.
    [[nodiscard]] long const* given_by(int rank) const { return rank == rank_ && mine_ ? mine_ : in_of(rank); }

    /// By the library's kernels, which are faster than memcpy where lines lie in the other core's cache.
    void copy(long* to, long const* from, std::size_t count) const {
        auto const length = static_cast<std::int64_t>(count * sizeof(long));
        if (length < short_copy) {
            std::memcpy(to, from, count * sizeof(long));
            return;
        }
        auto found = std::ranges::find(programs_, length, &copy_program::bytes);
        if (found == programs_.end()) found = programs_.insert(found, compile(contiguous(0, length), contiguous(0, length)));
        sode::internal::run(*found, reinterpret_cast<std::byte*>(to), reinterpret_cast<std::byte const*>(from));
    }

    void say(int which, std::uint64_t value) const { said(rank_, which)->said.store(value, std::memory_order_release); }
    void await(int rank, int which, std::uint64_t value) const {
        while (said(rank, which)->said.load(std::memory_order_acquire) < value)
            if (yields_) sched_yield();
    }

    void get(int to, givers const& from, std::size_t begin, std::size_t end) const { get(to, from, begin, end, out_of_case(to)); }
    /// Elements [begin, end) of each piece that rank `to` gets.
    void get(int to, givers const& from, std::size_t begin, std::size_t end, long* target) const {
        std::size_t const skipped = first_of_piece(to);
        if (!from.combined) {
            for (int r = from.first; r < from.last; ++r)
                copy(target + static_cast<std::size_t>(r - from.first) * c_.elements + begin, given_by(r) + skipped + begin,
                     end - begin);
            return;
        }
        for (std::size_t at = begin; at < end; at += cached) combine(from, skipped + at, std::min(cached, end - at), target + at);
    }
    void combine(givers const& from, std::size_t at, std::size_t count, long* __restrict target) const {
        int next = from.first;
        if (from.last - from.first < 2) {
            if (from.first < from.last) std::memcpy(target, given_by(next) + at, count * sizeof(long));
            return;
        }
        long const* const a = given_by(next++) + at;
        long const* const b = given_by(next++) + at;
        for (std::size_t i = 0; i < count; ++i) target[i] = a[i] + b[i];
        for (; next < from.last; ++next) {
            long const* const more = given_by(next) + at;
            for (std::size_t i = 0; i < count; ++i) target[i] += more[i];
        }
    }

    collective_case const& c_;
    int rank_, ranks_;
    bool yields_;
    std::size_t given_;
    blocks_of_ranks blocks_;
    std::uint64_t epoch_ = 0;
    long const* mine_ = nullptr;
    mutable std::vector<copy_program> programs_; // by length, of which there are few
};

} // namespace

std::vector<std::string> collective_limit_names() {
    return {"limit:lines", "limit:pull", "limit:slices", "limit:staged", "limit:staged-whole", "limit:staged-slices"};
}

std::vector<std::unique_ptr<collective_subject>> collective_limits(runtime& rt, collective_case const& c, bool yields) {
    std::vector<std::unique_ptr<collective_subject>> all;
    auto const add = [&](char const* name, std::shared_ptr<bare> const& b, void (bare::*loops)()) {
        collective_steps steps;
        steps.returns_early = true;
        steps.start = [b, loops] { ((*b).*loops)(); };
        all.push_back(std::make_unique<collective_subject>(name, c, rt.rank(), rt.size(), b->in(), b->out(), steps, b));
    };
    auto const made = [&] { return std::make_shared<bare>(rt, c, yields); };
    if (c.given(collective_case::root, rt.size()) <= line_numbers) add("limit:lines", made(), &bare::lines);
    add("limit:pull", made(), &bare::pull);
    if (c.operation == "barrier") return all;
    if (c.operation != "scan" && c.operation != "exscan" && c.elements > line_numbers) add("limit:slices", made(), &bare::slices);
    auto const add_staged = [&](char const* name, auto loops) {
        auto const stage = made();
        // Placed as that of ours.
        auto const own = std::make_shared<std::vector<long>>(stage->in().size() + stage->out().size() + 64);
        std::span<long> const in = std::span{*own}.first(stage->in().size());
        std::span<long> const out = c.operation == "bcast" ? in : std::span{*own}.subspan(in.size() + 8, stage->out().size());
        collective_steps steps;
        steps.start = [stage, in, out, loops] { loops(*stage, in, out); };
        all.push_back(std::make_unique<collective_subject>(name, c, rt.rank(), rt.size(), in, out, steps, own));
    };
    using numbers = std::span<long>;
    add_staged("limit:staged", [](bare& b, numbers in, numbers out) { b.staged(in, out, piece); });
    if (c.elements > piece)
        add_staged("limit:staged-whole", [n = c.elements](bare& b, numbers in, numbers out) { b.staged(in, out, n); });
    if (c.operation == "allreduce" || c.operation == "reduce")
        add_staged("limit:staged-slices", [](bare& b, numbers in, numbers out) { b.staged_slices(in, out); });
    return all;
}

} // namespace sode::internal::bench
