// SPDX-License-Identifier: Apache-2.0
#include "array/halo/halo_variants.hpp"

#include "array/halo/halo_edges.hpp"
#include "collective/plan_collective.hpp"
#include "model/job.hpp"
#include "plan/reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace sode::internal {
namespace {

constexpr std::size_t classes = halo_spec::edge_classes;
// Up to how many times the best way's time another one is worth a try: with this machine's constants, and with those of another.
constexpr double sure = 1.25, unsure = 8;

// Edges that take less of what an exchange takes are not worth a plan of their own.
constexpr double least_share = 0.1;

/// A bit for each class of edges that could go by another way as well, and one for who refuses to try any.
struct close_classes {
    std::uint32_t second = 0, third = 0;
    bool refused = false;
    [[nodiscard]] std::uint64_t bits() const noexcept {
        return second | std::uint64_t{third} << classes | std::uint64_t{refused ? 1U : 0U} << 2 * classes;
    }
    [[nodiscard]] static close_classes from(std::uint64_t bits) noexcept {
        constexpr std::uint32_t one_of_each = (1U << classes) - 1;
        return {static_cast<std::uint32_t>(bits) & one_of_each, static_cast<std::uint32_t>(bits >> classes) & one_of_each,
                (bits >> 2 * classes & 1U) != 0};
    }
};

/// Which classes of edges the model is not sure about, seen by this rank: what it gives.
close_classes what_is_close(halo_spec const& spec, int rank, double margin) {
    close_classes close;
    std::array<double, classes> takes{};
    double all = 0;
    halo_edges const edges{spec};
    edge_set::outgoing out;
    edges.from(rank, out);
    for (auto const& e : out.edges) {
        auto const c = static_cast<std::size_t>(halo_spec::class_of(edges.at(e.slot).step));
        auto const expected = e.chosen.expected.total();
        all += expected, takes[c] += expected;
        auto const& ways = e.chosen;
        if (halo_edges::could_go(e, ways.runner_up) && ways.instead.total() <= margin * expected) close.second |= 1U << c;
        if (halo_edges::could_go(e, ways.third) && ways.third_expected.total() <= margin * expected) close.third |= 1U << c;
    }
    for (std::size_t c = 0; c < classes; ++c)
        if (takes[c] < least_share * all) close.second &= ~(1U << c), close.third &= ~(1U << c);
    return close;
}

/// Bits that any rank has. Counted, as ranks can add up few numbers at a time.
close_classes of_any_rank(bootstrap& ranks, close_classes const& mine) {
    constexpr std::size_t all_bits = 2 * classes + 1;
    constexpr std::size_t bits = 21, fields = 64 / bits; // for two million ranks
    std::array<std::uint64_t, (all_bits + fields - 1) / fields> counts{};
    for (std::size_t c = 0; c < all_bits; ++c) counts[c / fields] |= (mine.bits() >> c & 1U) << bits * (c % fields);
    ranks.combine({}, counts);
    std::uint64_t all = 0;
    for (std::size_t c = 0; c < all_bits; ++c)
        if ((counts[c / fields] >> bits * (c % fields) & ((1U << bits) - 1)) != 0) all |= std::uint64_t{1} << c;
    return close_classes::from(all);
}

std::string name_of_class(std::size_t c) {
    return c + 1 == classes ? std::string{"corners"} : fmt::format("dimension {}", c);
}

} // namespace

std::unique_ptr<halo_variants> halo_variants::of(detail::job& owner, halo_spec const& spec, maker const& make) {
    if (spec.forced || !spec.machines.one() || spec.ranks() == 1) return nullptr;
    auto const& settings = owner.settings;
    double const margin = settings.choice_margin != 0 ? settings.choice_margin : owner.profile_file.empty() ? unsure : sure;
    bool const tries = settings.choice != "model" && margin > 1;
    auto const close =
        of_any_rank(*owner.boot, tries ? what_is_close(spec, owner.boot->rank(), margin) : close_classes{.refused = true});
    if ((close.second | close.third) == 0 || close.refused) return nullptr; // a rank that tries nothing decides for all
    std::unique_ptr<halo_variants> v{new halo_variants};
    auto const add = [&](std::uint32_t second, std::uint32_t third, std::string name) {
        halo_spec other = spec;
        other.second_best = second;
        other.third_best = third;
        v->plans_.push_back(make(other));
        v->names_.push_back(std::move(name));
    };
    v->plans_.push_back(nullptr);
    v->names_.emplace_back("by the choices of the model");
    for (std::size_t c = 0; c < classes && v->plans_.size() + 1 < variant_trial::most; ++c)
        if (close.second >> c & 1U) add(1U << c, 0, fmt::format("{} by the second choice", name_of_class(c)));
    if (std::popcount(close.second) > 1) add(close.second, 0, "all of these");
    for (std::size_t c = 0; c < classes && v->plans_.size() < variant_trial::most; ++c)
        if (close.third >> c & 1U) add(0, 1U << c, fmt::format("{} by the third choice", name_of_class(c)));
    v->trial_ = {v->plans_.size(), static_cast<std::uint64_t>(spec.ranks())};
    v->mine_.resize(v->plans_.size());
    v->sums_.resize(v->plans_.size());
    collective_terms terms;
    terms.take(owner);
    terms.name = "times of " + spec.name;
    terms.kind = collective_kind::allreduce;
    auto const bytes = static_cast<std::int64_t>(v->mine_.size() * sizeof(std::uint64_t));
    terms.parts = {{bytes, combiner(reduction::sum, element::u64)}};
    v->agreement_ = prepare_collective(
        owner, terms, {reinterpret_cast<std::byte*>(v->mine_.data()), reinterpret_cast<std::byte*>(v->sums_.data())});
    return v;
}

halo_variants::~halo_variants() {
    if (agreement_ && agreeing_) agreement_->settle();
}

void halo_variants::publish() {
    for (std::size_t i = 0; i < mine_.size(); ++i) mine_[i] = trial_.measured(i);
    agreement_->start();
    agreeing_ = true;
}

void halo_variants::show(prepared_list& list, std::size_t variant) {
    if (variant == now_) return;
    plans_[variant]->follow(list.front());
    plans_[now_] = list.exchange_front(std::move(plans_[variant]));
    now_ = variant;
}

void halo_variants::before_start(prepared_list& list) {
    auto const step = trial_.next();
    timed_ = step.timed;
    if (step.variant == now_ && !agreeing_ && !step.publishes) return;
    if (step.publishes) publish();
    if (step.decides) {
        agreement_->wait();
        agreeing_ = false;
        show(list, trial_.decide(sums_));
        return;
    }
    show(list, step.variant);
    if (agreeing_) static_cast<void>(agreement_->test());
}

std::string halo_variants::text() const {
    if (trial_.sum(0) == 0) return {};
    std::string s = "  trials, with the total time in calls on all ranks:\n";
    for (std::size_t i = 0; i < plans_.size(); ++i)
        s += fmt::format("    {:<40} {:>9.1f} us{}\n", names_[i], 1e-3 * static_cast<double>(trial_.sum(i)),
                         i == trial_.stays() ? ", kept" : "");
    return s;
}

} // namespace sode::internal
