// SPDX-License-Identifier: Apache-2.0
#include "interpose/transport/learnt_paths.hpp"

#include "base/clock.hpp"
#include "interpose/transport/pmpi_bootstrap.hpp"

#include <fmt/format.h>

namespace sode::internal::interpose {

namespace {

// Programs that make a datatype for every message never get beyond the first tries.
constexpr std::size_t most_patterns = 1024;

// A way whose messages take so many times as long by themselves is not worth a comparison; of one that the model expects to take
// about as long as the kept one, more: what its messages take depends on what others have left in the caches.
constexpr double comparable = 2.5, comparable_by_model = 5, about_as_long = 1.5;

/// Who is at the other end: of a message between machines, where it goes.
std::string_view peer_of(message_features const& m) {
    if (m.ours != own_ends::both) return m.ours == own_ends::source ? "out" : "in";
    return m.apart == distance::far ? "far" : "near";
}

/// Held for some nanoseconds.
class turn {
public:
    explicit turn(std::atomic_flag& busy) noexcept : busy_(busy) {
        while (busy_.test_and_set(std::memory_order_acquire)) __builtin_ia32_pause();
    }
    ~turn() { busy_.clear(std::memory_order_release); }
    turn(turn const&) = delete;
    turn& operator=(turn const&) = delete;
    turn(turn&&) = delete;
    turn& operator=(turn&&) = delete;

private:
    std::atomic_flag& busy_;
};

} // namespace

learnt_path::learnt_path(message_features const& of, profile const& p, choice_board& board, bool tries)
    : ways_(costs_of_paths(of, p)), board_(board), tries_(tries), of_(of) {
    auto const known = board.find(pattern_key(of));
    if (!known) return;
    ways_.adopt(known->ns);
    evident_ = ways_.settled();
}

bool learnt_path::wonders() noexcept {
    turn const mine{busy_};
    return tries_ && ways_.wonders();
}

/// Under the lock.
void learnt_path::publish() noexcept {
    measured_choice c{.pattern = pattern_key(of_),
                      .ns = {},
                      .bytes = of_.bytes,
                      .rows = (of_.ours == own_ends::target ? of_.target : of_.source).rows,
                      .far = of_.apart == distance::far};
    for (std::size_t w = 0; w < ways_.ways(); ++w) c.ns[w] = ways_.measured(w);
    board_.put(c);
}

/// Holds another way against the one that is kept, if there is one that may be as good. Under the lock.
bool learnt_path::begin_trial() noexcept {
    if (kept_ != ways_.chosen() || compared_ == 0) {
        kept_ = ways_.chosen();
        compared_ = 1U << kept_;
        behind_ns_ = {};
        behind_ns_[kept_] = 0;
    }
    double const own = ways_.by_itself(kept_);
    for (std::size_t w = 0; w < ways_.ways() && own > 0; ++w) {
        if ((compared_ >> w & 1U) != 0 || !ways_.possible(w) || ways_.measured(w) <= 0) continue;
        bool const by_model = ways_.predicted(w) <= about_as_long * ways_.predicted(kept_);
        if (ways_.by_itself(w) > (by_model ? comparable_by_model : comparable) * own) continue;
        rival_ = w;
        compared_ |= 1U << w;
        rhythm_.begin(own, ways_.by_itself(w));
        return true;
    }
    rank_by_rhythm();
    compared_ = 0;
    next_trial_ = messages_ + break_;
    break_ = std::min(4 * break_, longest_break);
    return false;
}

/// Under the lock.
void learnt_path::end_trial() noexcept {
    auto const gained = rhythm_.gained_ns();
    if (!gained || kept_ != ways_.chosen()) return;
    behind_ns_[rival_] = -*gained;
    if (!rhythm_.won()) return;
    for (auto& behind : behind_ns_)
        if (behind) *behind += *gained;
    kept_ = rival_;
    rank_by_rhythm();
}

void learnt_path::rank_by_rhythm() noexcept {
    constexpr double unknown = -1;
    std::array<double, message_paths> behind{};
    for (std::size_t w = 0; w < behind.size(); ++w) behind[w] = behind_ns_[w] ? std::max(0.0, *behind_ns_[w]) : unknown;
    ways_.prefer(kept_, behind);
    publish();
}

/// The way of a message of a comparison; nothing: there is none. Under the lock.
std::optional<std::size_t> learnt_path::compared() noexcept {
    bool const may_begin = messages_ >= next_trial_ && ways_.settled() && of_.ours == own_ends::both;
    if (!rhythm_.running() && (!may_begin || !begin_trial())) return std::nullopt;
    if (auto const other = rhythm_.next(now_ns())) return *other ? rival_ : kept_;
    end_trial();
    return std::nullopt;
}

learnt_path::proposal learnt_path::next(std::optional<message_path> followed) noexcept {
    turn const mine{busy_};
    ++messages_;
    if (!tries_) return {evident_ ? std::optional{static_cast<message_path>(ways_.chosen())} : std::nullopt, false, false};
    if (followed && !rhythm_.running() && ways_.possible(static_cast<std::size_t>(*followed))) return {followed, false, false};
    if (auto const way = compared()) return {static_cast<message_path>(*way), false, true};
    bool const knew = ways_.settled();
    auto const [way, timed] = ways_.next();
    if (!knew && ways_.settled()) publish();
    if (!evident_ && way == ways_.chosen()) return {std::nullopt, timed, false};
    return {static_cast<message_path>(way), timed, false};
}

std::optional<message_path> learnt_path::kept() noexcept {
    turn const mine{busy_};
    return evident_ ? std::optional{static_cast<message_path>(ways_.chosen())} : std::nullopt;
}

void learnt_path::note(message_path how, std::int64_t ns) noexcept {
    turn const mine{busy_};
    evident_ = true;
    ways_.note(static_cast<std::size_t>(how), static_cast<double>(ns));
}

std::string learnt_path::told() {
    turn const mine{busy_};
    if (!evident_) return {};
    constexpr double us = 1e-3;
    shape const& own = of_.ours == own_ends::target ? of_.target : of_.source;
    std::string s = fmt::format("{:>9} {:>6} {:<5} {:>9} {:<7} {:<9}", of_.bytes, own.rows, peer_of(of_), messages_,
                                to_string(static_cast<message_path>(ways_.chosen())), ways_.settled() ? "settled" : "trying");
    for (std::size_t w = 0; w < ways_.ways(); ++w) {
        if (!ways_.possible(w)) continue;
        std::string const measured = ways_.measured(w) > 0 ? fmt::format("{:.1f}", us * ways_.measured(w)) : "-";
        s += fmt::format(" {} {}/{:.1f} ({})", to_string(static_cast<message_path>(w)), measured, us * ways_.predicted(w),
                         ways_.tried(w));
    }
    return s + '\n';
}

learnt_path* learnt_paths::of(layout_id const& layout, message_features const& m, profile const& p) {
    std::lock_guard const lock{mutex_};
    auto const [at, fresh] = places_.try_emplace({layout.process, layout.serial, m.apart, m.reachable, m.mutual, m.ours}, nullptr);
    if (fresh && all_.size() < most_patterns) at->second = &all_.emplace_back(m, p, board_, tries_);
    if (at->second != nullptr) return at->second;
    places_.erase(at);
    return nullptr;
}

std::string learnt_paths::text(pmpi_bootstrap& ranks) {
    constexpr std::size_t most_rows = 16; // of a rank
    std::string own;
    std::size_t rows = 0;
    for (learnt_path& p : all_) {
        std::string const row = p.told();
        if (row.empty() || ++rows > most_rows) continue;
        own += fmt::format("  {:>4} {}", ranks.rank(), row);
    }
    auto const all = static_cast<bootstrap&>(ranks).allgather(std::string_view{own});
    if (ranks.rank() != 0) return {};
    std::string s;
    for (std::string const& r : all) s += r;
    if (s.empty()) return s;
    return fmt::format("  learnt: for each path, the usual time of a message / the time that the model expects [us] (times "
                       "measured):\n  {:>4} {:>9} {:>6} {:<5} {:>9} {:<7}\n",
                       "rank", "bytes", "rows", "peer", "messages", "kept") +
           s;
}

} // namespace sode::internal::interpose
