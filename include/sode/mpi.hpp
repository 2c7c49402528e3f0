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

namespace sode {

/// Joins the ranks of an MPI communicator, so that a program that uses MPI itself can use Sode beside it:
///
///     MPI_Init(&argc, &argv);
///     {
///         sode::runtime rt{std::make_unique<sode::mpi_bootstrap>(MPI_COMM_WORLD)};
///         ...
///     }
///     MPI_Finalize();
///
/// Header-only: it is compiled with the program's own <mpi.h>, whichever MPI that is; libsode links none. Ranks of Sode are the
/// ranks of the communicator. Not every process of MPI_COMM_WORLD need take part.
///
/// The communicator is duplicated, so messages of the two never meet. MPI is called only in the constructor, the destructor and the
/// three collective functions, all on the calling thread: MPI_THREAD_SINGLE suffices. Destroy it before MPI_Finalize; one that
/// lives longer leaves its communicator to MPI.
class mpi_bootstrap final : public bootstrap {
public:
    /// Collective over `communicator`, which must be an intracommunicator.
    /// Errors: usage, if MPI is not running or the communicator is null or has two groups; peer, if MPI fails.
    explicit mpi_bootstrap(MPI_Comm communicator) {
        int running = 0, over = 0, two_groups = 0;
        MPI_Initialized(&running);
        MPI_Finalized(&over);
        if (running == 0 || over != 0)
            throw error{error_kind::usage, "cannot join the ranks of a communicator",
                        running == 0 ? "MPI is not initialised" : "MPI is finalised",
                        "construct sode::mpi_bootstrap between MPI_Init and MPI_Finalize"};
        if (communicator == MPI_COMM_NULL)
            throw error{error_kind::usage, "cannot join the ranks of MPI_COMM_NULL", "this process is in no such communicator",
                        "construct sode::mpi_bootstrap only on the ranks that take part"};
        check(MPI_Comm_test_inter(communicator, &two_groups), "MPI_Comm_test_inter");
        if (two_groups != 0)
            throw error{error_kind::usage, "cannot join the ranks of an intercommunicator", "its two groups have two sets of ranks",
                        "merge it with MPI_Intercomm_merge first"};
        check(MPI_Comm_dup(communicator, &communicator_), "MPI_Comm_dup");
        // An MPI error becomes a sode::error that names the call, instead of the end of the process.
        check(MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
        check(MPI_Comm_rank(communicator_, &rank_), "MPI_Comm_rank");
        check(MPI_Comm_size(communicator_, &size_), "MPI_Comm_size");
    }

    ~mpi_bootstrap() override {
        int over = 0;
        MPI_Finalized(&over);
        if (over == 0 && communicator_ != MPI_COMM_NULL) MPI_Comm_free(&communicator_);
    }
    mpi_bootstrap(mpi_bootstrap const&) = delete;
    mpi_bootstrap& operator=(mpi_bootstrap const&) = delete;

    [[nodiscard]] int rank() const noexcept override { return rank_; }
    [[nodiscard]] int size() const noexcept override { return size_; }
    [[nodiscard]] std::string_view name() const noexcept override { return "MPI"; }

    /// By MPI_Comm_split_type(MPI_COMM_TYPE_SHARED): what MPI holds to be one node. Launcher variables are not looked at.
    [[nodiscard]] std::vector<int> nodes() override {
        MPI_Comm node = MPI_COMM_NULL;
        check(MPI_Comm_split_type(communicator_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
        int leader = rank_;
        int const status = MPI_Bcast(&leader, 1, MPI_INT, 0, node);
        MPI_Comm_free(&node);
        check(status, "MPI_Bcast");

        std::vector<int> leaders(static_cast<std::size_t>(size_));
        check(MPI_Allgather(&leader, 1, MPI_INT, leaders.data(), 1, MPI_INT, communicator_), "MPI_Allgather");
        std::map<int, int> number;
        for (int& l : leaders) l = number.try_emplace(l, static_cast<int>(number.size())).first->second;
        return leaders;
    }

    void allgather(void const* mine, std::size_t bytes, void* all) override {
        // MPI counts are int: longer contributions travel in pieces.
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

    void barrier() override { check(MPI_Barrier(communicator_), "MPI_Barrier"); }

private:
    void gather(char const* mine, std::size_t bytes, char* all) {
        int const n = static_cast<int>(bytes);
        check(MPI_Allgather(mine, n, MPI_BYTE, all, n, MPI_BYTE, communicator_), "MPI_Allgather");
    }

    static void check(int status, char const* call) {
        if (status == MPI_SUCCESS) return;
        char text[MPI_MAX_ERROR_STRING] = "";
        int length = 0;
        MPI_Error_string(status, text, &length);
        throw error{error_kind::peer, std::string{call} + " failed", std::string{text, static_cast<std::size_t>(length)},
                    "see the messages of the MPI library"};
    }

    MPI_Comm communicator_ = MPI_COMM_NULL;
    int rank_ = 0;
    int size_ = 1;
};

} // namespace sode
