// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <vector>

namespace sode::internal::bench {

/// The OpenMP threads of one process; with one thread no OpenMP at all.
class omp_team {
public:
    /// `cores`: where thread t is bound; empty: nowhere.
    omp_team(int threads, std::vector<int> cores) : threads_(threads), cores_(std::move(cores)) {}

    [[nodiscard]] int size() const noexcept { return threads_; }
    /// task(t) on every thread t, in one parallel region.
    void run(std::function<void(int)> const& task) const;
    /// For tasks.
    void barrier() const noexcept;
    /// Ends the threads, which otherwise go on spinning for work; the next run() starts them again.
    void rest() const noexcept;

    /// Whether the compiler knew OpenMP: if not, a team has one thread.
    [[nodiscard]] static bool available() noexcept;

private:
    int threads_;
    std::vector<int> cores_;
};

} // namespace sode::internal::bench
