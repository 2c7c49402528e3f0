// SPDX-License-Identifier: Apache-2.0
#include "tasks/halos.hpp"
#include "halo/ours.hpp"

#include <cstdlib>
#include <random>

namespace sode::internal::bench {
namespace {

/// The ranks of a bootstrap that somebody else keeps: a runtime has its own, and here are two.
class same_ranks final : public bootstrap {
public:
    explicit same_ranks(bootstrap& all) : all_(all) {}
    [[nodiscard]] int rank() const noexcept override { return all_.rank(); }
    [[nodiscard]] int size() const noexcept override { return all_.size(); }
    [[nodiscard]] std::string_view name() const noexcept override { return all_.name(); }
    [[nodiscard]] bool one_process() const noexcept override { return all_.one_process(); }
    [[nodiscard]] std::vector<int> machines() override { return all_.machines(); }
    void allgather(void const* mine, std::size_t bytes, void* all) override { all_.allgather(mine, bytes, all); }
    void combine(std::span<std::uint64_t> maxima, std::span<std::uint64_t> sums) override { all_.combine(maxima, sums); }
    [[nodiscard]] std::optional<std::string> departed(int rank) noexcept override { return all_.departed(rank); }
    void barrier() override { all_.barrier(); }

private:
    bootstrap& all_;
};

std::unique_ptr<runtime> runtime_in(char const* memory, bootstrap& boot) {
    ::setenv("SODE_SPACE", memory, 1);
    auto rt = std::make_unique<runtime>(std::make_unique<same_ranks>(boot));
    ::unsetenv("SODE_SPACE");
    return rt;
}

/// An exchange under another name.
class renamed final : public subject {
public:
    renamed(std::unique_ptr<subject> what, char const* memory) : what_(std::move(what)), name_(what_->name() + ", " + memory) {}
    [[nodiscard]] std::string const& name() const noexcept override { return name_; }
    void rewrite(std::uint64_t round, bool everything) override { what_->rewrite(round, everything); }
    void exchange() override { what_->exchange(); }
    void poison() override { what_->poison(); }
    [[nodiscard]] long mismatches(std::uint64_t round) override { return what_->mismatches(round); }

private:
    std::unique_ptr<subject> what_;
    std::string name_;
};

} // namespace

two_memories::two_memories(bootstrap& boot, bool tasks) : segment_(runtime_in("segment", boot)) {
    if (tasks) tasks_ = runtime_in("tasks", boot);
    std::vector<unsigned> coins(static_cast<std::size_t>(boot.size()));
    unsigned const mine = std::random_device{}();
    boot.allgather(&mine, sizeof mine, coins.data());
    tasks_first_ = coins.front() % 2 == 0;
}
two_memories::~two_memories() = default;

std::vector<std::unique_ptr<subject>> two_memories::halos(std::string const& name) {
    auto const& c = cases_.emplace_back(halo_case::parse(name, segment_->size()));
    auto const& block = blocks_.emplace_back(c, segment_->rank());
    std::vector<std::unique_ptr<subject>> all;
    auto const add = [&](runtime& rt, char const* memory) {
        for (auto& s : our_exchanges(rt, block).subjects) all.push_back(std::make_unique<renamed>(std::move(s), memory));
    };
    tasks_first_ = !tasks_first_;
    if (tasks_ && tasks_first_) add(*tasks_, "tasks");
    add(*segment_, "segment");
    if (tasks_ && !tasks_first_) add(*tasks_, "tasks");
    return all;
}

} // namespace sode::internal::bench
