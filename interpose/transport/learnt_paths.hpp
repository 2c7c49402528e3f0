// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/datatypes/datatype_cache.hpp"
#include "interpose/transport/choice_board.hpp"
#include "model/learner.hpp"
#include "model/message_path.hpp"

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
    };
    /// Whether next() will look at what was told until now.
    [[nodiscard]] bool wonders() noexcept;
    /// The path of the next message.
    [[nodiscard]] proposal next() noexcept;
    /// The path that is kept, of a message from which nothing is learnt.
    [[nodiscard]] std::optional<message_path> kept() noexcept;
    void note(message_path how, std::int64_t ns) noexcept;

    /// For SODE_MPI_REPORT; empty, if no time was told.
    [[nodiscard]] std::string told();

private:
    void publish() noexcept;

    learner ways_; ///< by message_path
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
