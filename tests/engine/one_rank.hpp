// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/prepared.hpp"

#include "base/bootstraps.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace sode::internal::testing {

/// The peers of a rank whose peers are the test. An engine that has waited for a while asks whether they live; then they at last do
/// what they are waited for, or have left.
class asked_peers final : public bootstrap {
public:
    [[nodiscard]] int rank() const noexcept override { return 0; }
    [[nodiscard]] int size() const noexcept override { return 3; }
    [[nodiscard]] std::string_view name() const noexcept override { return "asked peers"; }
    [[nodiscard]] bool one_process() const noexcept override { return true; }
    [[nodiscard]] std::vector<int> machines() override { return {0, 0, 0}; }
    void allgather(void const*, std::size_t, void*) override {}
    [[nodiscard]] std::optional<std::string> departed(int) noexcept override {
        if (asked) asked();
        return left;
    }
    void barrier() override {}

    std::function<void()> asked;
    std::optional<std::string> left;
};

/// What an engine needs, of one rank: all memory and all counters are its own, so a test can move them by hand.
class one_rank {
protected:
    /// `meets`: whom its messages reach.
    explicit one_rank(std::size_t bytes, std::unique_ptr<bootstrap> meets = make_alone_bootstrap())
        : alone_(make_alone_bootstrap()), meets_(std::move(meets)), memory_(make_space(*alone_, std::size_t{1} << 22)),
          ranks_(*meets_, *memory_, meets_->machines()), freed_(*memory_), alive_(peers_, *memory_), bytes_(bytes),
          array_(memory_->allocate(bytes)) {
        waiting_.spins = 0;
        freed_.expose(array_);
    }
    ~one_rank() { memory_->release(array_, bytes_); }
    one_rank(one_rank const&) = delete;
    one_rank& operator=(one_rank const&) = delete;

    context around() { return {ranks_, *memory_, freed_, alive_, waiting_}; }

private:
    std::unique_ptr<bootstrap> alone_;

protected:
    std::unique_ptr<bootstrap> meets_;
    asked_peers peers_;
    std::unique_ptr<space> memory_;
    team ranks_;
    quarantine freed_;
    liveness alive_;
    wait_policy waiting_;

private:
    std::size_t bytes_;

protected:
    std::byte* array_;
};

} // namespace sode::internal::testing
