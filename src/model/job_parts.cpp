// SPDX-License-Identifier: Apache-2.0
// Parts of a job: jobs of their own, which share with it what does not depend on who takes part.
#include "base/activity.hpp"
#include "base/mixing.hpp"
#include "model/job.hpp"
#include "model/part_bootstrap.hpp"
#include "space/part_space.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace sode::detail {
using namespace internal;

namespace {

void require_members(std::vector<int> const& members, int rank, int ranks) {
    auto const refuse = [&](std::string const& why, std::string_view hint) {
        throw error{error_kind::usage, fmt::format("ranks {} cannot form a part of the job", fmt::join(members, ", ")), why, hint};
    };
    auto sorted = members;
    std::ranges::sort(sorted);
    if (sorted.empty() || sorted.front() < 0 || sorted.back() >= ranks)
        refuse(fmt::format("the job has ranks 0 to {}", ranks - 1), "choose one or more of these ranks");
    if (auto const twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
        refuse(fmt::format("rank {} is listed twice", *twice), "list each rank at most once");
    if (!std::ranges::binary_search(sorted, rank))
        refuse(fmt::format("this is rank {}", rank), "make a part on its own ranks only");
}

// As the whole job calls them.
std::vector<int> in_whole(job const& of, std::vector<int> members) {
    require_members(members, of.boot->rank(), of.boot->size());
    if (of.whole)
        for (int& r : members) r = of.part.job_rank(r);
    return members;
}

distance_table within(distance_table const& all, job_part const& part) {
    std::vector<measured_pair> pairs;
    for (auto pair : all.pairs()) {
        auto const low = std::ranges::find(part.members, pair.low), high = std::ranges::find(part.members, pair.high);
        if (low == part.members.end() || high == part.members.end()) continue;
        auto const a = static_cast<int>(low - part.members.begin()), b = static_cast<int>(high - part.members.begin());
        pair.low = std::min(a, b);
        pair.high = std::max(a, b);
        pairs.push_back(pair);
    }
    std::ranges::sort(pairs, {}, [](auto const& p) { return std::pair{p.low, p.high}; });
    return distance_table{std::move(pairs)};
}

} // namespace

job::job(job& of, std::vector<int> const& members)
    : settings(of.settings), whole(of.whole ? of.whole : of.shared_from_this()), part(whole->number_part(in_whole(of, members))),
      boot(std::make_unique<part_bootstrap>(*whole, part)), waiting(of.waiting), ranks_on_machine(of.ranks_on_machine),
      usable_cores(of.usable_cores), machines(boot->machines()), memory(std::make_unique<part_space>(*whole->memory, part)),
      freed(quarantine::part_of{whole->freed}), alive(of.alive), waits(of.waits),
      ranks(std::make_unique<team>(*boot, *memory, machines, &part)), costs(of.costs), profile_file(of.profile_file),
      distances(within(whole->distances, part)), trace(of.trace), workers(of.workers), helper(of.helper), forced(of.forced),
      worth_engines(of.worth_engines), engines(of.engines), watches(of.watches), arguments(of.arguments),
      unwinding(std::uncaught_exceptions()) {}

// Its members make their parts in one order: those of equal members are counted alike by all of them.
job_part job::number_part(std::vector<int> members) {
    job_part made{.members = std::move(members)};
    mix(made.key, parts_made_[made.members]++);
    for (int const r : made.members) mix(made.key, index_t{r});
    if (made.key == 0) made.key = 1;
    return made;
}

void job::end_part() noexcept {
    end_parts();
    if (unwinds() || whole->ended) return;
    try {
        boot->barrier();
        leave_part();
        // NOLINTNEXTLINE(bugprone-empty-catch): the error was thrown, or will be, where a plan waited
    } catch (...) {
    }
}

void job::leave_part() noexcept {
    ranks->end();
    freed.end();
    static_cast<part_bootstrap&>(*boot).close();
}

void job::end_as_all_have() noexcept {
    reduced.reset();
    bool const left_before = std::exchange(ended, true);
    end_parts();
    if (!left_before && !whole->ended) leave_part();
}

void job::end_parts() noexcept {
    for (auto const& p : parts_)
        if (auto const alive_still = p.lock()) alive_still->ended = true;
    for (auto const& [members, p] : kept_parts_) p->ended = true;
    kept_parts_.clear();
}

std::shared_ptr<job> job::make_part(std::vector<int> const& members) {
    require_running("a part of a job");
    doing const what{activity::start};
    auto made = std::make_shared<job>(*this, members);
    auto& all = (whole ? *whole : *this).parts_;
    std::erase_if(all, [](auto const& p) { return p.expired(); });
    all.push_back(made);
    return made;
}

job& job::part_of(std::vector<int> const& members) {
    auto& kept = kept_parts_[members];
    if (!kept) kept = std::make_shared<job>(*this, members);
    return *kept;
}

std::byte* job::take_board(std::vector<int> const& members) {
    if (auto const free = boards_.find(members); free != boards_.end()) {
        auto* const place = free->second;
        boards_.erase(free);
        return place;
    }
    return memory->allocate(board::bytes(static_cast<int>(members.size())));
}

} // namespace sode::detail
