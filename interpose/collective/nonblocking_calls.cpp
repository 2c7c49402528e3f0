// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/nonblocking_calls.hpp"

#include "interpose/collective/collective_service.hpp"
#include "interpose/collective/long_plans.hpp"

#include <sode/error.hpp>

#include <algorithm>

namespace sode::internal::interpose {

nonblocking_calls::~nonblocking_calls() {
    for (auto const& k : known_) service_.begun().forget(k->trial);
}

nonblocking_calls::choice nonblocking_calls::choose(repeated_call const& what, terms const& t) {
    auto& k = find(what);
    k.last = t.number;
    if (k.lines.empty()) {
        if (k.full) return {.why = left_to_mpi::full};
        if (k.due) return {.why = left_to_mpi::unagreed};
        k.bytes = t.bytes;
        k.is_long = t.is_long;
        if (++k.seen >= calls_worth_a_plan << std::min(made_ / most_plans, most_doubled)) set_due(k);
        return {.why = left_to_mpi::rare};
    }
    way_trial* timed = nullptr;
    if (t.tried) {
        auto const turn = k.trial.next();
        if (turn.counts) timed = &k.trial;
        if (k.trial.over()) set_due(k);
        if (turn.who == carrier::mpi) return {.why = left_to_mpi::slower, .trial = timed};
    }
    auto* const line = k.lines[k.carried % k.lines.size()].get();
    if (++k.carried == k.review) {
        k.review *= 8;
        if (k.lines.size() < most_lines) set_due(k);
    }
    return {.line = line, .trial = timed};
}

void nonblocking_calls::set_due(kind& k) noexcept {
    if (!std::exchange(k.due, true)) ++due_;
}

// Those with plans stay until ranks agree to drop them; there are always others.
nonblocking_calls::kind& nonblocking_calls::find(repeated_call const& what) {
    if (latest_ < known_.size() && known_[latest_]->what == what) return *known_[latest_];
    auto at = std::ranges::find_if(known_, [&](auto const& k) { return k->what == what; });
    if (at == known_.end()) {
        if (known_.size() < most_known) {
            known_.push_back(std::make_unique<kind>());
            at = known_.end() - 1;
        } else {
            at = std::ranges::min_element(known_, {}, [](auto const& k) { return k->lines.empty() ? k->last : ~std::uint64_t{0}; });
            if ((*at)->due) --due_;
            service_.begun().forget((*at)->trial);
            **at = kind{};
        }
        (*at)->what = what;
    }
    latest_ = static_cast<std::size_t>(at - known_.begin());
    return **at;
}

void nonblocking_calls::agree(std::shared_ptr<detail::job> const& part, MPI_Comm communicator,
                              std::function<bool()> const& make_room_for_long) {
    std::vector<kind*> all;
    for (auto const& k : known_)
        if (std::exchange(k->due, false)) all.push_back(k.get());
    due_ = 0;
    auto const words = words_of(all, communicator);
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto& k = *all[i];
        if (k.trial.undecided()) k.trial.decide({words[i].plan, words[i].mpi});
        std::size_t const have = k.lines.size(), wanted = have == 0 ? first_lines : words[i].late > 0 ? 2 * have : have;
        if (have == 0) k.seen = 0; // if there is no room, it has to come again
        if (wanted <= have || wanted > most_lines || !make_room(k, wanted - have, communicator)) continue;
        make_lines(k, wanted - have, part);
        if (k.is_long) fit(k, communicator, make_room_for_long);
    }
}

// The oldest go, and these with them where it comes to that.
void nonblocking_calls::fit(kind& k, MPI_Comm communicator, std::function<bool()> const& make_room) {
    fit_long_plans(service_, communicator, [&] {
        if (make_room()) return !k.lines.empty();
        if (finish({&k}, communicator)) drop(k);
        return false;
    });
    k.full = k.lines.empty();
}

nonblocking_calls::kind* nonblocking_calls::oldest_long_kind() const noexcept {
    kind* oldest = nullptr;
    for (auto const& k : known_)
        if (k->is_long && !k->lines.empty() && (oldest == nullptr || k->last < oldest->last)) oldest = k.get();
    return oldest;
}

std::optional<std::uint64_t> nonblocking_calls::oldest_long() const noexcept {
    auto const* const k = oldest_long_kind();
    return k == nullptr ? std::nullopt : std::optional{k->last};
}

bool nonblocking_calls::drop_oldest_long(MPI_Comm communicator) {
    auto* const k = oldest_long_kind();
    if (k == nullptr || !finish({k}, communicator)) return false;
    drop(*k);
    return true;
}

/// The most of all ranks. A rank whose calls are not all over has no say in who is faster.
std::vector<nonblocking_calls::word> nonblocking_calls::words_of(std::vector<kind*> const& all, MPI_Comm communicator) {
    std::vector<word> words;
    for (auto* const k : all) {
        auto const [plan, mpi] = k->trial.measured();
        std::int64_t late = 0;
        for (auto const& line : k->lines) late += line->late();
        words.push_back(plan > 0 && mpi > 0 ? word{plan, mpi, late} : word{0, 0, late});
    }
    int const n = static_cast<int>(words.size() * sizeof(word) / sizeof(std::int64_t));
    if (mpi_itself().allreduce(MPI_IN_PLACE, words.data(), n, MPI_INT64_T, MPI_MAX, communicator) != MPI_SUCCESS)
        throw error{error_kind::environment, "ranks could not agree on plans for nonblocking collectives", "MPI_Allreduce failed",
                    "set SODE_MPI_COLLECTIVES=off to run without plans"};
    return words;
}

void nonblocking_calls::make_lines(kind& k, std::size_t n, std::shared_ptr<detail::job> const& part) {
    for (std::size_t i = 0; i < n; ++i) k.lines.push_back(std::make_unique<call_line>(service_.started(), part, k.what));
    plans_ += n;
    made_ += n;
    if (!k.is_long) {
        bytes_ += static_cast<std::int64_t>(n) * k.bytes;
        return;
    }
    std::int64_t held = 0;
    for (auto const& line : k.lines) held += line->held();
    k.held = service_.hold(held);
}

/// Drops what was not called for longest. False: there is none for that.
bool nonblocking_calls::make_room(kind const& k, std::size_t n, MPI_Comm communicator) {
    auto const wanted = k.is_long ? 0 : static_cast<std::int64_t>(n) * k.bytes;
    std::vector<kind*> others;
    for (auto const& other : known_)
        if (!other->lines.empty() && other.get() != &k) others.push_back(other.get());
    std::ranges::sort(others, {}, &kind::last);
    std::size_t gone = 0, plans = plans_;
    for (auto bytes = bytes_; plans + n > most_plans || bytes + wanted > most_bytes; ++gone) {
        if (gone == others.size()) return false;
        plans -= others[gone]->lines.size();
        if (!others[gone]->is_long) bytes -= static_cast<std::int64_t>(others[gone]->lines.size()) * others[gone]->bytes;
    }
    if (gone == 0) return true;
    others.resize(gone);
    if (!finish(others, communicator)) return false;
    for (auto* const other : others) drop(*other);
    return true;
}

// A rank that has done with a call may still be read by others.
bool nonblocking_calls::finish(std::vector<kind*> const& these, MPI_Comm communicator) noexcept {
    for (auto* const k : these)
        for (auto const& line : k->lines) line->finish();
    return mpi_itself().barrier(communicator) == MPI_SUCCESS;
}

void nonblocking_calls::drop(kind& k) noexcept {
    plans_ -= k.lines.size();
    if (k.is_long)
        k.held = {};
    else
        bytes_ -= static_cast<std::int64_t>(k.lines.size()) * k.bytes;
    k.lines.clear();
    k.seen = 0;
    k.trial = {};
}

void nonblocking_calls::end() noexcept {
    for (auto const& k : known_) {
        for (auto const& line : k->lines) line->finish();
        service_.begun().forget(k->trial);
    }
    known_.clear();
    due_ = 0;
}

} // namespace sode::internal::interpose
