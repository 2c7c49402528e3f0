// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/collective/call_line.hpp"
#include "interpose/collective/collective_report.hpp"
#include "interpose/collective/held_memory.hpp"
#include "interpose/collective/way_trial.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <mpi.h>
#include <optional>
#include <vector>

namespace sode::detail {
struct job;
}

namespace sode::internal::interpose {

class collective_service;

/// The nonblocking collectives of one communicator: which come again and again, and the plans that carry them. A nonblocking call
/// waits for nobody; so what ranks have to agree on they agree on in the next call in which they may wait for each other, and it
/// holds from the call after that one.
class nonblocking_calls {
public:
    static constexpr int calls_worth_a_plan = 3;  ///< of equal ones, at first
    static constexpr std::size_t most_known = 64; ///< kinds of calls that are counted
    static constexpr std::size_t first_lines = 2; ///< plans of a kind: so many calls are under way without waiting in line
    static constexpr std::size_t most_lines = 8;
    static constexpr std::size_t most_plans = 32; ///< of all kinds
    static constexpr std::size_t most_doubled = 10;
    static constexpr std::int64_t most_bytes = 8 << 20; ///< that a rank keeps for the plans of short calls
    static constexpr std::uint64_t first_review = 32;   ///< calls after which a kind may get more lines; then eight times as many

    explicit nonblocking_calls(collective_service& service) : service_(service) {}
    ~nonblocking_calls();
    nonblocking_calls(nonblocking_calls const&) = delete;
    nonblocking_calls& operator=(nonblocking_calls const&) = delete;
    nonblocking_calls(nonblocking_calls&&) = delete;
    nonblocking_calls& operator=(nonblocking_calls&&) = delete;

    /// Who carries a call.
    struct choice {
        call_line* line = nullptr;  ///< null: MPI,
        left_to_mpi why{};          ///< because of this
        way_trial* trial = nullptr; ///< the time that it takes counts for that
    };
    /// How a call may be carried, equal on all ranks.
    struct terms {
        std::uint64_t number = 0; ///< of the call on its communicator
        bool tried = false;       ///< times decide
        std::int64_t bytes = 0;   ///< of memory for a plan
        bool is_long = false;     ///< which is the process's affair
    };
    [[nodiscard]] choice choose(repeated_call const& what, terms const& t);
    /// The call of the last choice, which is still to be agreed on.
    void came_again(std::uint64_t number) noexcept { known_[latest_]->last = number; }

    /// Something has to be agreed on; known to all ranks.
    [[nodiscard]] bool due() const noexcept { return due_ > 0; }
    /// Collective, in a call in which ranks may wait for each other. Errors: those of kept_call; environment, if MPI fails.
    /// `make_room`: drops a plan of some long call of the communicator; false: there is none.
    void agree(std::shared_ptr<detail::job> const& part, MPI_Comm communicator, std::function<bool()> const& make_room);
    /// The number of the last call of that long kind with plans that was called least recently; nothing, if there is none.
    [[nodiscard]] std::optional<std::uint64_t> oldest_long() const noexcept;
    /// Collective: the plans of that kind go. False: MPI failed, and they stay.
    [[nodiscard]] bool drop_oldest_long(MPI_Comm communicator);
    /// Collective: waits for what is under way, which all ranks have begun.
    void end() noexcept;

private:
    struct kind {
        repeated_call what{};
        std::uint64_t last = 0; ///< call of the communicator
        int seen = 0;
        bool due = false;
        std::vector<std::unique_ptr<call_line>> lines;
        std::int64_t bytes = 0; ///< of one of them
        bool is_long = false;
        bool full = false;         ///< there was no memory for its first lines
        held_memory held;          ///< by its lines, if it is long
        std::uint64_t carried = 0; ///< by lines
        std::uint64_t review = first_review;
        way_trial trial;
    };
    /// What a rank tells of a kind that is due.
    struct word {
        std::int64_t plan, mpi; ///< what calls took
        std::int64_t late;      ///< calls that waited in line
    };
    [[nodiscard]] kind& find(repeated_call const& what);
    void set_due(kind& k) noexcept;
    [[nodiscard]] static std::vector<word> words_of(std::vector<kind*> const& all, MPI_Comm communicator);
    void make_lines(kind& k, std::size_t n, std::shared_ptr<detail::job> const& part);
    [[nodiscard]] bool make_room(kind const& k, std::size_t n, MPI_Comm communicator);
    void drop(kind& k) noexcept;
    [[nodiscard]] kind* oldest_long_kind() const noexcept;
    void fit(kind& k, MPI_Comm communicator, std::function<bool()> const& make_room);
    [[nodiscard]] bool finish(std::vector<kind*> const& these, MPI_Comm communicator) noexcept;

    collective_service& service_;
    std::vector<std::unique_ptr<kind>> known_;
    std::size_t latest_ = 0;
    std::size_t plans_ = 0;
    std::size_t made_ = 0; // with those that went
    std::int64_t bytes_ = 0;
    int due_ = 0;
};

} // namespace sode::internal::interpose
