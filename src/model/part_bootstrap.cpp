// SPDX-License-Identifier: Apache-2.0
#include "model/part_bootstrap.hpp"

#include "base/warn.hpp"
#include "model/job.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace sode::internal {

class part_bootstrap::told {
public:
    explicit told(part_bootstrap& of) : waits_(of.waits_) { waits_.enter_call(of.part_.number_of(0), ++of.calls_, of.others_); }
    ~told() { waits_.leave_call(); }
    told(told const&) = delete;
    told& operator=(told const&) = delete;

private:
    wait_table& waits_;
};

part_bootstrap::part_bootstrap(detail::job& whole, job_part const& part) : part_(part), whole_(*whole.boot), waits_(*whole.waits) {
    auto const& machines = whole.ranks->machines();
    std::map<int, int> numbers;
    for (int const r : part.members) {
        if (r == whole_.rank())
            rank_ = static_cast<int>(machines_.size());
        else
            others_.push_back({r, true}); // of those, one that has come to the same call is not what it waits for
        machines_.push_back(numbers.try_emplace(machines.of(r), static_cast<int>(numbers.size())).first->second);
    }
    told const call{*this};
    inner_ = whole_.part(part.members);
    if (inner_) return;
    if (numbers.size() > 1)
        throw error{error_kind::environment,
                    fmt::format("{} ranks of {} cannot form a part of the job", part.size(), whole_.size()),
                    fmt::format("the ranks are on {} machines, and a job that was started by {} cannot be divided across machines",
                                numbers.size(), whole_.name()),
                    "start the program with mpirun, or implement part() in the bootstrap"};
    meet_on_a_board(whole);
}

// The first member has the memory, and says where it is for as long as the others need to find it.
void part_bootstrap::meet_on_a_board(detail::job& whole) {
    std::byte* place = nullptr;
    if (rank_ == 0) {
        place = whole.take_board(part_.members);
        lends_ = {whole.weak_from_this(), place};
        auto const block = whole.memory->block_of(place);
        whole.ranks->announce({part_.key, whole.memory->offset(place), block.offset, block.bytes});
    } else {
        auto const [word, offset, block, bytes, unused1, unused2] = hear_first(whole);
        whole.memory->open(part_.members.front(), {block, bytes});
        place = whole.memory->at(part_.members.front(), offset);
    }
    board_ = std::make_unique<board>(
        place, rank_, size(), whole.waiting, [&all = whole_, &part = part_](int r) { return all.departed(part.job_rank(r)); },
        part_.members);
    board_->barrier();
    if (rank_ == 0) whole.ranks->announce({});
}

team::notice part_bootstrap::hear_first(detail::job& whole) const {
    int const first = part_.members.front();
    auto const& limits = whole.waiting;
    waiter w{limits};
    bool warned = false;
    for (;;) {
        if (auto const there = whole.ranks->announced_by(first, part_.key)) return *there;
        if (!w.step()) continue;
        if (auto const how = whole.alive->departed(first))
            throw error{error_kind::peer, fmt::format("rank {} terminated before it joined a part of {} ranks", first, size()),
                        *how, "look at the output of that rank"};
        bool const late = limits.timeout_s > 0 && w.elapsed() > limits.timeout_s;
        bool const slow = limits.warn_s > 0 && w.elapsed() > limits.warn_s && !warned;
        if (!late && !slow) continue;
        auto const problem =
            fmt::format("this rank has waited {:.3g} s for rank {} while creating a part of {} ranks", w.elapsed(), first, size());
        if (late)
            throw error{error_kind::timeout, problem, fmt::format("SODE_TIMEOUT is {:.3g} s", limits.timeout_s),
                        "create the parts in the same order on all ranks, or raise SODE_TIMEOUT"};
        warned = true;
        warn(problem, "all ranks of a part must create the part");
    }
}

part_bootstrap::~part_bootstrap() {
    // Only where all have come to the end: who is late still reads there.
    if (auto const whole = lends_.whole.lock(); whole && closed_) whole->give_board(part_.members, lends_.place);
}

void part_bootstrap::require_open() const {
    if (closed_) refuse_ended("a collective call of a part");
}

void part_bootstrap::allgather(void const* mine, std::size_t bytes, void* all) {
    require_open();
    told const call{*this};
    inner_ ? inner_->allgather(mine, bytes, all) : board_->allgather(mine, bytes, all);
}

void part_bootstrap::combine(std::span<std::uint64_t> maxima, std::span<std::uint64_t> sums) {
    require_open();
    told const call{*this};
    inner_ ? inner_->combine(maxima, sums) : board_->combine(maxima, sums);
}

void part_bootstrap::barrier() {
    require_open();
    told const call{*this};
    inner_ ? inner_->barrier() : board_->barrier();
}

} // namespace sode::internal
