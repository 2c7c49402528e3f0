// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interpose/calls/predefined.hpp"
#include "interpose/datatypes/datatype_cache.hpp"
#include "interpose/requests/arguments.hpp"
#include "interpose/transport/eager_limit.hpp"
#include "interpose/transport/kept_choices.hpp"
#include "interpose/transport/learnt_paths.hpp"
#include "interpose/transport/machine.hpp"
#include "interpose/transport/peers.hpp"
#include "interpose/transport/report.hpp"

#include <sode/error.hpp>

#include <exception>
#include <memory>
#include <optional>

namespace sode::internal::interpose {

/// What all parts of the layer stand on: who the others are, what datatypes and communicators are known to be, which messages may
/// be worth it, and how errors are told.
class foundation {
public:
    /// Collective, after MPI_Init. Errors, on all ranks together: usage, environment.
    explicit foundation(config const& settings);

    [[nodiscard]] machine& here() noexcept { return here_; }
    [[nodiscard]] datatype_cache& types() noexcept { return types_; }
    [[nodiscard]] peers& communicators() noexcept { return communicators_; }
    [[nodiscard]] report* told() noexcept { return report_.get(); } ///< null: not wanted
    /// The path that all messages take, where that is not up to the model.
    [[nodiscard]] std::optional<message_path> const& forced() const noexcept { return forced_; }
    /// Whether paths are chosen by what messages take, too.
    [[nodiscard]] bool learns() const noexcept { return learns_; }
    /// Whether they are chosen by what messages took, here or in an earlier run.
    [[nodiscard]] bool knows_paths() const noexcept { return knows_paths_; }
    [[nodiscard]] learnt_paths& learnt() noexcept { return learnt_; }
    /// Writes down what was learnt, if that is wanted.
    void keep_learnt() noexcept { kept_.store(here_.learnt()); }
    [[nodiscard]] std::int64_t eager_bytes() const noexcept { return short_.eager; } ///< what this MPI sends without a receiver
    /// Up to here messages of bytes may be received on this machine as elements that differ in length.
    [[nodiscard]] std::int64_t mixed_bytes() const noexcept { return short_.mixed; }
    [[nodiscard]] std::int64_t least_bytes() const noexcept { return least_bytes_; } ///< up to here all is left to MPI
    /// Up to here what MPI_Send, MPI_Isend and their ready forms send is left to MPI.
    [[nodiscard]] std::int64_t least_standard_bytes() const noexcept { return least_standard_bytes_; }

    /// Whether the program calls MPI by one thread at a time.
    [[nodiscard]] bool has_one_thread() const noexcept { return one_thread_; }
    /// Whether a message of that length may be moved by us: the quick answer, given for every send.
    [[nodiscard]] bool concerns(MPI_Count count, MPI_Datatype type) const noexcept { return concerns(count, type, least_bytes_); }
    /// The same for MPI_Send, MPI_Isend and their ready forms.
    [[nodiscard]] bool concerns_standard(MPI_Count count, MPI_Datatype type) const noexcept {
        return concerns(count, type, least_standard_bytes_);
    }
    /// Whether a receive with so much room is tracked: a record fits into it.
    [[nodiscard]] static bool takes_records(MPI_Count count, MPI_Datatype type) noexcept {
        if (surely_predefined(type) && count * longest_predefined < static_cast<MPI_Count>(shortest_record)) return false;
        return length_of(count, type) >= static_cast<MPI_Count>(shortest_record);
    }
    /// Whether messages of that length may be worth it: the same answer wherever the signature is the same.
    [[nodiscard]] bool is_long(MPI_Count count, MPI_Datatype type) const noexcept { return length_of(count, type) > least_bytes_; }
    /// Whether the layout of a message is made, for what a message without one costs; on a path that is forced, it always is.
    [[nodiscard]] bool layout_pays(MPI_Datatype type, MPI_Count count, int uses = 1);
    /// How often a persistent request is used: who makes one means to.
    static constexpr int starts = 64;

    /// MPI refuses others, and says so by its own calls only; so these get them.
    [[nodiscard]] bool is_committed(MPI_Datatype type, MPI_Count count);
    /// Notes that a message is left to MPI.
    [[nodiscard]] std::nullopt_t leave(left_alone why, std::int64_t bytes);
    /// Where a call waits for what MPI has to move first.
    int give_mpi_its_turn();

    /// The code of MPI for an error of ours, or of what we call, told to the user.
    [[nodiscard]] int code_of(std::exception const& e) const;
    /// Calls the error handler, if it is an error. Returns the code. What the handler calls are calls of the program, which may
    /// wait for what we carry: whoever raises has done all that it has to do.
    static int raise(MPI_Comm communicator, int code);

private:
    [[nodiscard]] bool concerns(MPI_Count count, MPI_Datatype type, std::int64_t least) const noexcept {
        if (surely_predefined(type)) return count * longest_predefined > short_.eager && length_of(count, type) > short_.eager;
        return length_of(count, type) > least;
    }

    machine here_;
    std::optional<message_path> forced_;
    bool learns_;
    bool knows_paths_;
    kept_choices kept_;
    learnt_paths learnt_;
    layout_price price_;
    short_messages short_;
    std::int64_t least_bytes_;
    std::int64_t least_standard_bytes_;
    datatype_cache types_;
    peers communicators_;
    std::unique_ptr<report> report_;
    bool one_thread_;
    int error_class_ = MPI_ERR_OTHER;
};

} // namespace sode::internal::interpose
