// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/job.hpp"

#include <memory>
#include <string>
#include <utility>

namespace sode::internal {

/// A bootstrap that tells the other ranks when this one is in a collective call.
class told_bootstrap final : public bootstrap {
public:
    told_bootstrap(std::unique_ptr<bootstrap> all, wait_table& waits)
        : all_(std::move(all)), waits_(waits), rank_(all_->rank()), size_(all_->size()), one_process_(all_->one_process()),
          name_(all_->name()) {}

    [[nodiscard]] int rank() const noexcept override { return rank_; }
    [[nodiscard]] int size() const noexcept override { return size_; }
    [[nodiscard]] std::string_view name() const noexcept override { return name_; }
    [[nodiscard]] bool one_process() const noexcept override { return one_process_; }
    [[nodiscard]] std::vector<int> machines() override {
        told const call{waits_};
        return joined().machines();
    }
    void allgather(void const* mine, std::size_t bytes, void* all) override {
        told const call{waits_};
        joined().allgather(mine, bytes, all);
    }
    void combine(std::span<std::uint64_t> maxima, std::span<std::uint64_t> sums) override {
        told const call{waits_};
        joined().combine(maxima, sums);
    }
    void barrier() override {
        told const call{waits_};
        joined().barrier();
    }
    [[nodiscard]] std::optional<std::string> departed(int rank) noexcept override {
        return all_ ? all_->departed(rank) : std::nullopt;
    }
    [[nodiscard]] messenger* messages() noexcept override { return all_ ? all_->messages() : nullptr; }
    /// No call of all ranks: the part itself tells of it.
    [[nodiscard]] std::unique_ptr<bootstrap> part(std::span<int const> ranks) override { return joined().part(ranks); }

    /// This rank leaves the job: from now on all collective calls are errors.
    void close() noexcept { all_.reset(); }

private:
    [[nodiscard]] bootstrap& joined() const {
        if (!all_) refuse_ended("a collective call");
        return *all_;
    }

    struct told {
        explicit told(wait_table& waits) : waits_(waits) { waits_.enter_call(); }
        ~told() { waits_.leave_call(); }
        told(told const&) = delete;
        told& operator=(told const&) = delete;

        wait_table& waits_;
    };

    std::unique_ptr<bootstrap> all_;
    wait_table& waits_;
    int rank_;
    int size_;
    bool one_process_;
    std::string name_;
};

} // namespace sode::internal
