// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/datatypes/datatype_cache.hpp"
#include "interpose/transport/choice_board.hpp"
#include "model/learner.hpp"
#include "model/message_path.hpp"
#include "model/rhythm_trial.hpp"

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>

namespace sode::internal::interpose {

class pmpi_bootstrap;

/// What a sender has learnt of the messages of one layout to one kind of receiver. Any thread may call.
class learnt_path {
public:
    /// `board`: where others may have told of such messages, and hear of these. `tries`: not only what stands there.
    learnt_path(message_features const& of, profile const& p, choice_board& board, bool tries);

    struct proposal {
        std::optional<message_path> how; ///< nothing: nobody knows better than the model
        bool timed = false;              ///< note() wants to hear of it
        bool together = false;           ///< what comes back should take the same path
    };
    /// Whether next() will look at what was told until now.
    [[nodiscard]] bool wonders() noexcept;
    /// The path of the next message. `followed`: by which its receiver wishes it, because that rank compares paths; this rank
    /// compares none then.
    [[nodiscard]] proposal next(std::optional<message_path> followed) noexcept;
    /// The path that is kept, of a message from which nothing is learnt.
    [[nodiscard]] std::optional<message_path> kept() noexcept;
    void note(message_path how, std::int64_t ns) noexcept;

    /// For SODE_MPI_REPORT; empty, if no time was told.
    [[nodiscard]] std::string told();

private:
    void publish() noexcept;
    [[nodiscard]] std::optional<std::size_t> compared() noexcept;
    [[nodiscard]] bool begin_trial() noexcept;
    void end_trial() noexcept;
    void rank_by_rhythm() noexcept;

    static constexpr std::uint64_t first_break = 192, longest_break = std::uint64_t{1} << 18; ///< messages

    learner ways_; ///< by message_path
    rhythm_trial rhythm_;
    std::size_t kept_ = 0, rival_ = 0; ///< of that trial
    /// Of those that were held against each other, since comparisons began: how much later the next message comes than after one of
    /// `kept_`.
    std::array<std::optional<double>, message_paths> behind_ns_{};
    std::uint32_t compared_ = 0;        ///< a bit for each way that needs no comparison any more
    std::uint64_t next_trial_ = 0;      ///< a number of messages
    std::uint64_t break_ = first_break; ///< between comparisons of all
    choice_board& board_;
    bool tries_;
    std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
    bool evident_ = false; ///< a time was told, here or on the board
    std::uint64_t messages_ = 0;
    message_features of_;
};

/// All of them, of one sender.
class learnt_paths {
public:
    learnt_paths(choice_board board, bool tries) : board_(board), tries_(tries) {}
    /// Null where there are too many patterns already: the model's choice will do. The pointer stays.
    [[nodiscard]] learnt_path* of(layout_id const& layout, message_features const& m, profile const& p);
    /// Collective: the text for all ranks, at rank 0.
    [[nodiscard]] std::string text(pmpi_bootstrap& ranks);

private:
    using key = std::tuple<std::uint64_t, std::uint64_t, distance, bool, bool, own_ends>;
    choice_board board_;
    bool tries_;
    std::mutex mutex_;
    std::deque<learnt_path> all_;
    std::map<key, learnt_path*> places_;
};

} // namespace sode::internal::interpose
