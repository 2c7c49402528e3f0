// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/bootstrap.hpp>
#include <sode/error.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sode::detail {

/// Converts an MPI error to a sode::error that names the call.
template <class Calls> void check_mpi_by(int status, char const* call) {
    if (status == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    Calls::error_string(status, text, &length);
    throw error{error_kind::peer, std::string{call} + " failed", std::string{text, static_cast<std::size_t>(length)},
                "see the messages of the MPI library"};
}

/// The ranks of a communicator, on a duplicate of the communicator. `Calls` contains the MPI functions, either under their usual
/// names or under their profiling names.
template <class Calls> class mpi_ranks : public bootstrap {
public:
    /// Does not free the communicator. The derived class frees the communicator, because only the derived class knows whether MPI
    /// is still running.
    ~mpi_ranks() override = default;
    mpi_ranks(mpi_ranks const&) = delete;
    mpi_ranks& operator=(mpi_ranks const&) = delete;

    [[nodiscard]] int rank() const noexcept override { return rank_; }
    [[nodiscard]] int size() const noexcept override { return size_; }
    [[nodiscard]] std::string_view name() const noexcept override { return "MPI"; }

    /// Uses MPI_Comm_split_type(MPI_COMM_TYPE_SHARED): MPI decides which ranks are on the same machine. Environment variables of
    /// the launchers are not used.
    [[nodiscard]] std::vector<int> machines() override {
        if (!machines_.empty()) return machines_;
        MPI_Comm here = MPI_COMM_NULL;
        check(Calls::comm_split_type(communicator_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &here), "MPI_Comm_split_type");
        int leader = rank_;
        int const status = Calls::bcast(&leader, 1, MPI_INT, 0, here);
        Calls::comm_free(&here);
        check(status, "MPI_Bcast");

        std::vector<int> leaders(static_cast<std::size_t>(size_));
        check(Calls::allgather(&leader, 1, MPI_INT, leaders.data(), 1, MPI_INT, communicator_), "MPI_Allgather");
        std::map<int, int> number;
        for (int& l : leaders) l = number.try_emplace(l, static_cast<int>(number.size())).first->second;
        machines_ = leaders;
        return leaders;
    }

    void allgather(void const* mine, std::size_t bytes, void* all) override {
        // MPI counts have type int, so longer contributions are sent in pieces.
        constexpr std::size_t piece = std::size_t{1} << 28;
        auto const* const from = static_cast<char const*>(mine);
        auto* const to = static_cast<char*>(all);
        if (bytes <= piece) {
            gather(from, bytes, to);
            return;
        }
        std::vector<char> pieces(piece * static_cast<std::size_t>(size_));
        for (std::size_t at = 0; at < bytes; at += piece) {
            std::size_t const length = std::min(piece, bytes - at);
            gather(from + at, length, pieces.data());
            for (std::size_t r = 0; r < static_cast<std::size_t>(size_); ++r)
                std::memcpy(to + r * bytes + at, pieces.data() + r * length, length);
        }
    }

    void barrier() override { check(Calls::barrier(communicator_), "MPI_Barrier"); }

    [[nodiscard]] MPI_Comm communicator() const noexcept { return communicator_; }

protected:
    /// Collective. Throws a peer error if MPI fails.
    explicit mpi_ranks(MPI_Comm communicator) {
        check(Calls::comm_dup(communicator, &communicator_), "MPI_Comm_dup");
        // An MPI error becomes a sode::error that names the call, instead of ending the process.
        check(Calls::comm_set_errhandler(communicator_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
        check(Calls::comm_rank(communicator_, &rank_), "MPI_Comm_rank");
        check(Calls::comm_size(communicator_, &size_), "MPI_Comm_size");
    }
    void free_communicator() noexcept {
        if (communicator_ != MPI_COMM_NULL) Calls::comm_free(&communicator_);
    }

    static void check(int status, char const* call) { check_mpi_by<Calls>(status, call); }

private:
    void gather(char const* mine, std::size_t bytes, char* all) const {
        int const n = static_cast<int>(bytes);
        check(Calls::allgather(mine, n, MPI_BYTE, all, n, MPI_BYTE, communicator_), "MPI_Allgather");
    }

    MPI_Comm communicator_ = MPI_COMM_NULL;
    int rank_ = 0;
    int size_ = 1;
    std::vector<int> machines_;
};

} // namespace sode::detail
