// SPDX-License-Identifier: Apache-2.0
#include "stencil/one_rank.hpp"
#include "support/cores.hpp"

#include <sode/bootstrap.hpp>

#include <cstdlib>
#include <cstring>
#include <string>

namespace sode::internal::bench {
namespace {

class nobody_else final : public bootstrap {
public:
    [[nodiscard]] int rank() const noexcept override { return 0; }
    [[nodiscard]] int size() const noexcept override { return 1; }
    [[nodiscard]] std::string_view name() const noexcept override { return "one rank of a benchmark"; }
    [[nodiscard]] std::vector<int> machines() override { return {0}; }
    void allgather(void const* mine, std::size_t bytes, void* all) override { std::memcpy(all, mine, bytes); }
};

// As long as it lives, the calling thread and those that it starts may run on all of them.
class unbound {
public:
    explicit unbound(std::vector<int> const& cores) : home_(cores.front()) { bind_to_cores(cores); }
    ~unbound() { bind_to_core(home_); }
    unbound(unbound const&) = delete;
    unbound& operator=(unbound const&) = delete;

private:
    int home_;
};

std::unique_ptr<runtime> start(std::size_t threads) {
    setenv("SODE_THREADS", std::to_string(threads).c_str(), 1);
    auto job = std::make_unique<runtime>(std::make_unique<nobody_else>());
    unsetenv("SODE_THREADS");
    return job;
}

class one_rank final : public solver {
public:
    one_rank(std::vector<int> const& cores, std::function<std::unique_ptr<solver>(runtime&)> const& make) : cores_(cores) {
        unbound const now{cores_};
        job_ = start(cores_.size());
        solver_ = make(*job_);
    }
    void steps(int n) override {
        unbound const now{cores_};
        solver_->steps(n);
    }
    [[nodiscard]] std::uint64_t fingerprint() const override { return solver_->fingerprint(); }

private:
    std::vector<int> cores_;
    std::unique_ptr<runtime> job_;
    std::unique_ptr<solver> solver_;
};

} // namespace

std::unique_ptr<solver> on_one_rank(std::vector<int> const& cores, std::function<std::unique_ptr<solver>(runtime&)> const& make) {
    return std::make_unique<one_rank>(cores, make);
}

} // namespace sode::internal::bench
