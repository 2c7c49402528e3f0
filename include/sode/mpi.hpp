// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/cxx20.hpp>

#include <sode/bootstrap.hpp>
#include <sode/detail/mpi_letters.hpp>
#include <sode/detail/mpi_ranks.hpp>
#include <sode/error.hpp>
#include <sode/messages.hpp>
#include <sode/mpi_datatype.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sode {

namespace detail {

/// Implements message_set by persistent MPI requests.
class mpi_messages final : public message_set {
public:
    explicit mpi_messages(MPI_Comm communicator) : communicator_(communicator) {}
    ~mpi_messages() override {
        int over = 0;
        MPI_Finalized(&over);
        for (auto& r : requests_)
            if (over == 0 && r != MPI_REQUEST_NULL) MPI_Request_free(&r);
    }
    mpi_messages(mpi_messages const&) = delete;
    mpi_messages& operator=(mpi_messages const&) = delete;

    std::size_t send(void const* data, std::size_t bytes, int peer, int tag) override {
        add(bytes, [&](int n, MPI_Datatype type, MPI_Request* r) {
            check_mpi(MPI_Send_init(data, n, type, peer, tag, communicator_, r), "MPI_Send_init");
        });
        return requests_.size() - 1;
    }
    std::size_t receive(void* data, std::size_t bytes, int peer, int tag) override {
        add(bytes, [&](int n, MPI_Datatype type, MPI_Request* r) {
            check_mpi(MPI_Recv_init(data, n, type, peer, tag, communicator_, r), "MPI_Recv_init");
        });
        return requests_.size() - 1;
    }
    void start(std::size_t message) override { check_mpi(MPI_Start(&requests_[message]), "MPI_Start"); }

    std::size_t collect(std::span<std::size_t> done) override {
        int count = 0;
        check_mpi(MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, indices_.data(), MPI_STATUSES_IGNORE),
                  "MPI_Testsome");
        if (count == MPI_UNDEFINED) return 0; // no message is in progress
        for (int i = 0; i < count; ++i)
            done[static_cast<std::size_t>(i)] = static_cast<std::size_t>(indices_[static_cast<std::size_t>(i)]);
        return static_cast<std::size_t>(count);
    }

private:
    template <class Init> void add(std::size_t bytes, Init init) {
        // MPI counts have type int, so a longer message is sent as a number of 1 MiB units and a remainder.
        constexpr std::size_t most = std::size_t{1} << 30, unit = std::size_t{1} << 20;
        MPI_Request request = MPI_REQUEST_NULL;
        if (bytes <= most) {
            init(static_cast<int>(bytes), MPI_BYTE, &request);
        } else {
            MPI_Datatype mebibyte = MPI_DATATYPE_NULL, whole = MPI_DATATYPE_NULL;
            check_mpi(MPI_Type_contiguous(static_cast<int>(unit), MPI_BYTE, &mebibyte), "MPI_Type_contiguous");
            int lengths[2] = {static_cast<int>(bytes / unit), static_cast<int>(bytes % unit)};
            MPI_Aint places[2] = {0, static_cast<MPI_Aint>(bytes / unit * unit)};
            MPI_Datatype types[2] = {mebibyte, MPI_BYTE};
            check_mpi(MPI_Type_create_struct(2, lengths, places, types, &whole), "MPI_Type_create_struct");
            check_mpi(MPI_Type_commit(&whole), "MPI_Type_commit");
            init(1, whole, &request);
            MPI_Type_free(&whole); // MPI keeps the type until the request is freed
            MPI_Type_free(&mebibyte);
        }
        requests_.push_back(request);
        indices_.resize(requests_.size());
    }

    MPI_Comm communicator_;
    std::vector<MPI_Request> requests_;
    std::vector<int> indices_;
};

} // namespace detail

/// A bootstrap over an MPI communicator, so that a program that calls MPI can also use Sode:
///
///     MPI_Init(&argc, &argv);
///     {
///         sode::runtime rt{std::make_unique<sode::mpi_bootstrap>(MPI_COMM_WORLD)};
///         ...
///     }
///     MPI_Finalize();
///
/// The class mpi_bootstrap is header-only. The program compiles the class with its own <mpi.h>, for any MPI library. libsode itself
/// does not link to an MPI library. The ranks of the job are the ranks of the communicator, which need not contain all processes of
/// MPI_COMM_WORLD.
///
/// Ranks on the same machine exchange data through shared memory. Ranks on different machines exchange messages by persistent MPI
/// requests; Sode itself packs the data. Sode uses a duplicate of the communicator, so Sode's messages never match the program's
/// messages. Only threads that call Sode call MPI, so MPI_THREAD_SINGLE suffices. The only exception is windows between machines
/// (window.hpp), which need MPI_THREAD_MULTIPLE. Destroy the bootstrap before MPI_Finalize(); otherwise the duplicate communicator
/// is not freed.
class mpi_bootstrap final : public detail::mpi_ranks<detail::mpi_calls>, private messenger {
public:
    /// The constructor is collective over `communicator`, which must be an intracommunicator.
    /// Throws a usage error if MPI is not running, or if the communicator is null or an intercommunicator. Throws a peer error if
    /// MPI fails.
    explicit mpi_bootstrap(MPI_Comm communicator) : mpi_ranks(fit_to_join(communicator)) {
        int* bound = nullptr;
        int known = 0;
        if (MPI_Comm_get_attr(this->communicator(), MPI_TAG_UB, &bound, &known) == MPI_SUCCESS && known != 0) most_tag_ = *bound;
    }

    ~mpi_bootstrap() override {
        int over = 0;
        MPI_Finalized(&over);
        if (over == 0) free_communicator();
    }
    mpi_bootstrap(mpi_bootstrap const&) = delete;
    mpi_bootstrap& operator=(mpi_bootstrap const&) = delete;

    void combine(std::span<std::uint64_t> maxima, std::span<std::uint64_t> sums) override {
        if (maxima.empty() && sums.empty()) return barrier();
        reduce(maxima, MPI_MAX);
        reduce(sums, MPI_SUM);
    }

    [[nodiscard]] messenger* messages() noexcept override { return this; }

    /// Creates the bootstrap of a part of the job by MPI_Comm_create_group.
    [[nodiscard]] std::unique_ptr<bootstrap> part(std::span<int const> ranks) override {
        constexpr int tag = 0;
        MPI_Group all = MPI_GROUP_NULL, some = MPI_GROUP_NULL;
        check(MPI_Comm_group(communicator(), &all), "MPI_Comm_group");
        int status = MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &some);
        MPI_Group_free(&all);
        check(status, "MPI_Group_incl");
        MPI_Comm of_them = MPI_COMM_NULL;
        status = MPI_Comm_create_group(communicator(), some, tag, &of_them);
        MPI_Group_free(&some);
        check(status, "MPI_Comm_create_group");
        auto result = std::make_unique<mpi_bootstrap>(of_them);
        MPI_Comm_free(&of_them);
        return result;
    }

private:
    static MPI_Comm fit_to_join(MPI_Comm communicator) {
        int running = 0, over = 0, two_groups = 0;
        MPI_Initialized(&running);
        MPI_Finalized(&over);
        if (running == 0 || over != 0)
            throw error{error_kind::usage, "cannot join the ranks of a communicator",
                        running == 0 ? "MPI is not initialised" : "MPI is finalised",
                        "construct sode::mpi_bootstrap between MPI_Init and MPI_Finalize"};
        if (communicator == MPI_COMM_NULL)
            throw error{error_kind::usage, "cannot join the ranks of MPI_COMM_NULL", "this process is not in the communicator",
                        "construct sode::mpi_bootstrap only on the ranks that take part"};
        check(MPI_Comm_test_inter(communicator, &two_groups), "MPI_Comm_test_inter");
        if (two_groups != 0)
            throw error{error_kind::usage, "cannot join the ranks of an intercommunicator", "it has two groups of ranks",
                        "merge it with MPI_Intercomm_merge first"};
        return communicator;
    }

    void reduce(std::span<std::uint64_t> words, MPI_Op op) const {
        if (words.empty()) return;
        check(MPI_Allreduce(MPI_IN_PLACE, words.data(), static_cast<int>(words.size()), MPI_UINT64_T, op, communicator()),
              "MPI_Allreduce");
    }

    [[nodiscard]] std::unique_ptr<message_set> make_set() override {
        return std::make_unique<detail::mpi_messages>(communicator());
    }
    [[nodiscard]] int most_tag() const noexcept override { return most_tag_; }
    [[nodiscard]] std::unique_ptr<letter_box> open_letters(std::size_t most_bytes) override {
        return std::make_unique<detail::mpi_letters>(communicator(), most_bytes);
    }
    [[nodiscard]] bool several_threads() const noexcept override {
        int level = MPI_THREAD_SINGLE;
        return MPI_Query_thread(&level) == MPI_SUCCESS && level == MPI_THREAD_MULTIPLE;
    }

    int most_tag_ = 32767;
};

} // namespace sode
