// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/board.hpp"
#include "space/job_part.hpp"
#include "space/team.hpp"
#include "space/wait_table.hpp"

#include <sode/bootstrap.hpp>

#include <memory>
#include <string>
#include <vector>

namespace sode::detail {
struct job;
} // namespace sode::detail

namespace sode::internal {

/// The collectives of a part of a job's ranks, of which nobody else knows anything: by the job's own bootstrap if that can have
/// parts, else on a board in the memory of the first of them.
class part_bootstrap final : public bootstrap {
public:
    /// Collective among the members of `part`, one of which is this rank. Both outlive it. Errors: peer, timeout; environment, if
    /// they are on several machines and the bootstrap cannot have parts.
    part_bootstrap(detail::job& whole, job_part const& part);
    ~part_bootstrap() override;
    part_bootstrap(part_bootstrap const&) = delete;
    part_bootstrap& operator=(part_bootstrap const&) = delete;

    [[nodiscard]] int rank() const noexcept override { return rank_; }
    [[nodiscard]] int size() const noexcept override { return part_.size(); }
    [[nodiscard]] std::string_view name() const noexcept override { return whole_.name(); }
    [[nodiscard]] bool one_process() const noexcept override { return whole_.one_process(); }
    [[nodiscard]] std::vector<int> machines() override { return machines_; }
    void allgather(void const* mine, std::size_t bytes, void* all) override;
    void combine(std::span<std::uint64_t> maxima, std::span<std::uint64_t> sums) override;
    void barrier() override;
    [[nodiscard]] std::optional<std::string> departed(int rank) noexcept override { return whole_.departed(part_.job_rank(rank)); }
    [[nodiscard]] messenger* messages() noexcept override { return inner_ ? inner_->messages() : nullptr; }

    /// All have come to the end of it: from now on all collective calls are errors.
    void close() noexcept { closed_ = true; }

private:
    class told;
    void meet_on_a_board(detail::job& whole);
    [[nodiscard]] team::notice hear_first(detail::job& whole) const; // what the first member announces
    void require_open() const;

    job_part const& part_;
    bootstrap& whole_;
    wait_table& waits_;
    int rank_ = 0;
    std::vector<int> machines_;
    std::vector<waiting_rank::source> others_; // as the job calls them
    std::uint64_t calls_ = 0;
    std::unique_ptr<bootstrap> inner_; // one of the two
    std::unique_ptr<board> board_;
    struct {
        std::weak_ptr<detail::job> whole;
        std::byte* place = nullptr;
    } lends_; // of the first member
    bool closed_ = false;
};

} // namespace sode::internal
