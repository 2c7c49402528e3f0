// SPDX-License-Identifier: Apache-2.0
#include "base/bootstraps.hpp"
#include "base/undivided_machines.hpp"

#include <fmt/format.h>

#include <sode/error.hpp>

#include <map>
#include <utility>

namespace sode::internal {
namespace {

/// The ranks of another bootstrap, with smaller machines.
class small_machines final : public bootstrap {
public:
    small_machines(std::unique_ptr<bootstrap> all, int most) : all_(std::move(all)), most_(most) {}

    [[nodiscard]] int rank() const noexcept override { return all_->rank(); }
    [[nodiscard]] int size() const noexcept override { return all_->size(); }
    [[nodiscard]] std::string_view name() const noexcept override { return all_->name(); }
    [[nodiscard]] bool one_process() const noexcept override { return all_->one_process(); }
    [[nodiscard]] std::vector<int> machines() override { return divided_machines(all_->machines(), most_); }
    void combine(std::span<std::uint64_t> maxima, std::span<std::uint64_t> sums) override { all_->combine(maxima, sums); }
    void allgather(void const* mine, std::size_t bytes, void* all) override { all_->allgather(mine, bytes, all); }
    [[nodiscard]] std::optional<std::string> departed(int rank) noexcept override { return all_->departed(rank); }
    [[nodiscard]] messenger* messages() noexcept override { return all_->messages(); }
    [[nodiscard]] std::unique_ptr<bootstrap> part(std::span<int const> ranks) override { return all_->part(ranks); }
    void barrier() override { all_->barrier(); }
    [[nodiscard]] bootstrap& undivided() const noexcept { return *all_; }

private:
    std::unique_ptr<bootstrap> all_;
    int most_;
};

} // namespace

std::vector<int> divided_machines(std::vector<int> places, int most) {
    std::map<int, int> seen;                    // ranks so far, by machine
    std::map<std::pair<int, int>, int> numbers; // by machine and part of it
    for (int& place : places) {
        auto const part = std::pair{place, seen[place]++ / most};
        place = numbers.try_emplace(part, static_cast<int>(numbers.size())).first->second;
    }
    return places;
}

std::vector<int> undivided_machines(bootstrap& all) {
    auto* const divided = dynamic_cast<small_machines*>(&all);
    return divided ? divided->undivided().machines() : all.machines();
}

std::unique_ptr<bootstrap> with_small_machines(std::unique_ptr<bootstrap> all, int ranks_on_machine) {
    if (ranks_on_machine == 0 || ranks_on_machine >= all->size()) return all;
    if (!all->messages())
        throw error{error_kind::usage, fmt::format("SODE_MACHINE_SIZE={} cannot be used", ranks_on_machine),
                    fmt::format("ranks started by {} can communicate only through shared memory", all->name()),
                    "start the program with mpirun, or unset SODE_MACHINE_SIZE"};
    return std::make_unique<small_machines>(std::move(all), ranks_on_machine);
}

} // namespace sode::internal
