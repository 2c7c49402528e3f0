// SPDX-License-Identifier: Apache-2.0
#include "model/learner.hpp"

#include <cmath>
#include <utility>

namespace sode::internal {

namespace {

// What the model expects to take so many times as long as the best known takes, and as it was expected to take, is not tried.
constexpr double hopeless = 5;
// Tries of every way; of those that then are so close to the best; and of those that are closer still.
constexpr std::size_t few = 2, some = 5, many = 13;
// Of the way that was tried first, if its second try took far less: both met memory that nobody had touched.
constexpr std::size_t twice_few = 2 * few;
constexpr double near_best = 1.6, nearest_best = 1.25;
// What trying may cost, in messages of the best way: at once, and for each message that was sent.
constexpr double at_once = 16, per_message = 0.02;
// While nothing is tried, one message in so many is timed, and one look in so many is at another way.
constexpr std::uint32_t between_looks = 8, looks_a_probe = 8;
// After so many looks at other ways, none of which was better, they become half as frequent, and again, so often at most: each
// costs more than the message, since its other end goes on as before.
constexpr std::uint32_t probes_in_vain = 8, most_halvings = 2;
// Ways that took so many times as long as the chosen one are not looked at until its own times change.
constexpr double worth_a_probe = 2.5;
// Only every so many of these looks, because their few times may have been bad luck.
constexpr std::uint32_t probes_a_chance = 8;
// The chosen way's times have changed: so much, in the median of so many.
constexpr double changed = 1.35;
constexpr std::size_t lately = 5;
// A single try this much shorter is a reason to look closer.
constexpr double better = 0.9;
// A first try may have met what the next one will not: no more than so much of it counts.
constexpr double cold = 2;
// What took more than so many times what the model expects when it was first used may have met memory that nobody had touched, and
// does not count, unless it is hopeless as it is.
constexpr double first_use = 2;
// A time of a few time slices, and so many times what anybody expects, is that of a processor which had other things to do: it says
// nothing of the way. Where many are such, they are how things are.
constexpr double disturbed = 8, time_slice_ns = 200'000;
constexpr std::uint32_t most_disturbed = 4;
// A way of whose tries nobody told a time is left alone, after so many as would have shown that of the chosen one.
constexpr double most_unseen = 4;
// Where fewer than one of so many questions is answered, one message in a few is asked about.
constexpr std::uint32_t rarely = 20, remembered = 256;

} // namespace

learner::learner(std::span<double const> predicted_ns) noexcept : count_(std::min(predicted_ns.size(), most_ways)) {
    for (std::size_t i = 0; i < count_; ++i)
        ways_[i].predicted = std::isfinite(predicted_ns[i]) && predicted_ns[i] > 0 ? predicted_ns[i] : 0;
    double least = HUGE_VAL;
    for (std::size_t i = 0; i < count_; ++i)
        if (possible(i) && ways_[i].predicted < least) least = ways_[i].predicted, chosen_ = i;
}

void learner::adopt(std::span<double const> measured_ns) noexcept {
    double least = HUGE_VAL;
    for (std::size_t i = 0; i < std::min(measured_ns.size(), count_); ++i) {
        double const ns = measured_ns[i];
        if (!possible(i) || !std::isfinite(ns) || ns <= 0) continue;
        ways_[i].guess = ns;
        if (ns < least) least = ns, chosen_ = i;
    }
    if (least == HUGE_VAL) return;
    settled_ = true;
    reference_ = least;
    for (std::size_t i = 0; i < few; ++i) ways_[chosen_].times.note(least);
}

double learner::expected(one const& w) const noexcept {
    if (w.times.count() > 0) return w.times.usual();
    return w.guess > 0 ? w.guess : w.predicted;
}

double learner::best() const noexcept {
    return expected(ways_[chosen_]);
}

bool learner::within_reach(one const& w) const noexcept {
    double const for_an_answer = std::max(1.0, static_cast<double>(questions_) / (answers_ + 1));
    if (w.predicted <= 0 || w.unseen >= most_unseen * for_an_answer) return false;
    double const hope = w.guess > 0 ? std::min(w.guess, w.predicted) : w.predicted;
    // Where the model is wrong of the one that is kept, it may be wrong of this one by as much.
    return w.times.count() > 0 || hope <= hopeless * std::max(best(), ways_[chosen_].predicted);
}

bool learner::affords(one const& w) const noexcept {
    if (&w == &ways_[chosen_]) return true;
    double more = std::max(0.0, expected(w) - best());
    if (w.times.count() == 1 || met_cold_memory(w)) more = std::min(more, cold * best()); // a first use is no measure
    return spent_ + more <= (at_once + per_message * static_cast<double>(messages_)) * best();
}

/// Nothing is known of it but tries that met memory that nobody had touched.
bool learner::met_cold_memory(one const& w) const noexcept {
    return was_cold_ && &w == &ways_[first_] && first_ != chosen_ && w.times.count() < twice_few;
}

std::size_t learner::tries_wanted(one const& w) const noexcept {
    if (w.times.count() < few) return few;
    double const ratio = w.times.usual() / best();
    if (w.times.count() < some && ratio > near_best) return met_cold_memory(w) ? twice_few : few;
    if (w.times.count() < some) return some;
    return ratio <= nearest_best ? many : some;
}

bool learner::wants_more_at_once(one const& w) const noexcept {
    auto const n = w.times.count();
    return n > 0 && n != few && n != some && n < tries_wanted(w);
}

/// The fastest of what was tried; where nothing was, it stays as it is.
void learner::choose() noexcept {
    double least = HUGE_VAL;
    for (std::size_t i = 0; i < count_; ++i) {
        one const& w = ways_[i];
        if (w.times.count() == 0) continue;
        double const ns = w.times.usual();
        if (ns < least) least = ns, chosen_ = i;
    }
}

void learner::put_beside(one& w, double ns) noexcept {
    if (ns == w.beside) return;
    w.guess += ns - w.beside;
    w.beside = ns;
    w.times.forget();
    for (std::size_t i = 0; i < few; ++i) w.times.note(w.guess);
}

void learner::prefer(std::size_t way, std::span<double const> behind_ns) noexcept {
    if (way >= count_ || ways_[way].guess <= 0) return;
    put_beside(ways_[way], 0);
    for (std::size_t i = 0; i < std::min(count_, behind_ns.size()); ++i)
        if (i != way && behind_ns[i] >= 0 && ways_[i].guess > 0)
            put_beside(ways_[i], std::max(0.0, ways_[way].guess + behind_ns[i] - by_itself(i)));
    choose();
    reference_ = best();
    looks_ = probes_ = 0;
}

learner::asked learner::ask(std::size_t way, unsigned quiet) noexcept {
    pending_ = latest_ = way;
    quiet_ = quiet;
    if (++questions_ > remembered) questions_ /= 2, answers_ /= 2;
    messages_ += quiet + 1;
    return {way, true};
}

learner::asked learner::think() noexcept {
    if (pending_ < most_ways) { // nobody has told its time: it overlapped with something, or is still under way
        one& w = ways_[pending_];
        if (pending_ != chosen_) {
            ++w.unseen;
            spent_ += std::max(0.0, expected(w) - best());
        }
        return ask(chosen_, settled_ || questions_ > rarely * (answers_ + 1) ? between_looks - 1 : 0);
    }
    if (settled_) {
        bool const warm = std::exchange(warm_, false);
        if (warm && latest_ != chosen_) return ask(latest_, between_looks - 1);
        if (++looks_ < looks_a_probe << std::min(probes_ / probes_in_vain, most_halvings)) return ask(chosen_, between_looks - 1);
        looks_ = 0;
        ++probes_;
        auto const other = probe();
        warm_ = other != chosen_ && probes_ % 2 == 0;
        return ask(other, warm_ ? 0 : between_looks - 1);
    }
    // Several in a row: the first one by another way than the last meets cold memory, which is not what it would always meet.
    if (latest_ < count_ && wants_more_at_once(ways_[latest_]) && within_reach(ways_[latest_]) && affords(ways_[latest_]))
        return ask(latest_, 0);
    std::size_t next = most_ways;
    bool wanted = false;
    for (std::size_t i = 0; i < count_; ++i) {
        one const& w = ways_[i];
        if (!within_reach(w) || w.times.count() >= tries_wanted(w)) continue;
        wanted = true;
        if (!affords(w)) continue;
        auto const later = [&](one const& other) {
            return w.times.count() != other.times.count() ? w.times.count() > other.times.count() : expected(w) >= expected(other);
        };
        if (next == most_ways || !later(ways_[next])) next = i;
    }
    if (next < most_ways) return ask(next, 0);
    if (!wanted) {
        settled_ = true;
        looks_ = probes_ = 0;
        reference_ = best();
    }
    return ask(chosen_, between_looks - 1);
}

/// The next of the ways that are not far behind, or the chosen one where there is none.
std::size_t learner::probe() noexcept {
    bool const any = probes_ % probes_a_chance == 0;
    for (std::size_t n = 0; n < count_; ++n) {
        probed_ = (probed_ + 1) % count_;
        one const& w = ways_[probed_];
        if (probed_ != chosen_ && within_reach(w) && affords(w) && (any || expected(w) <= worth_a_probe * best())) return probed_;
    }
    return chosen_;
}

/// The chosen way's times of late are kept; what was seen of the others is a guess from now on.
void learner::look_again() noexcept {
    settled_ = warm_ = false;
    for (std::size_t i = 0; i < count_; ++i) {
        ways_[i].unseen = 0;
        ways_[i].times.forget();
    }
}

void learner::note(std::size_t way, double ns) noexcept {
    if (way >= count_ || !(ns > 0) || ways_[way].predicted <= 0) return;
    one& w = ways_[way];
    bool const is_rare = questions_ <= answers_ + answers_ / 4 + most_disturbed;
    if (ns > time_slice_ns && ns > disturbed * std::max(best(), w.predicted) && is_rare) return; // as if nobody had told
    ++w.told;
    w.unseen = 0;
    if (first_ == most_ways) first_ = way;
    ns += w.beside;
    if (pending_ == way) {
        pending_ = most_ways;
        ++answers_;
    }
    double const before = best();
    if (way != chosen_) {
        double const more = std::max(0.0, ns - before);
        spent_ += w.times.count() == 0 ? std::min(more, cold * before) : more;
    }
    if (w.told == 1 && w.guess <= 0 && ns > first_use * w.predicted && ns <= hopeless * before) return;
    if (settled_ && way != chosen_) {
        if (ns >= better * before) {
            warm_ = warm_ && ns <= worth_a_probe * before;
            return;
        }
        warm_ = false;
        // Its old times are of other days.
        settled_ = false;
        w.times.forget();
    }
    bool const first_was_cold = w.times.count() == 1 && cold * ns <= w.guess;
    if (way == first_ && w.times.count() == 1) was_cold_ = first_was_cold;
    if (way != first_ && first_was_cold) w.times.forget(); // two tries are too few for one of them to say nothing
    w.times.note(ns);
    w.guess = w.times.usual();
    if (!settled_) {
        choose();
        return;
    }
    double const now = w.times.usual(lately);
    if (w.times.count() < lately || (now < changed * reference_ && now * changed > reference_)) return;
    look_again();
    for (std::size_t i = 0; i < few; ++i) w.times.note(now);
    w.guess = now;
}

} // namespace sode::internal
