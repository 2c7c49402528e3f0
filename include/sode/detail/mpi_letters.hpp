// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/mpi_calls.hpp>
#include <sode/messages.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace sode::detail {

/// A mailbox that sends its messages by MPI, on a separate communicator.
///
/// The mailbox starts several receives, and tests them in the order in which they were started. MPI matches messages from the same
/// rank in the order in which they were sent. Therefore messages arrive in order, without a probe. A probe would require
/// synchronisation between threads.
class mpi_letters final : public letter_box {
public:
    /// Collective. Throws a peer error if MPI fails.
    mpi_letters(MPI_Comm among, std::size_t most) : most_(most), in_(std::make_unique<std::vector<std::byte>>(ring * most)) {
        check_mpi(MPI_Comm_dup(among, &communicator_), "MPI_Comm_dup");
        check_mpi(MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
        for (std::size_t k = 0; k < ring; ++k) {
            check_mpi(MPI_Recv_init(in_->data() + k * most_, static_cast<int>(most_), MPI_BYTE, MPI_ANY_SOURCE, tag, communicator_,
                                    &receives_[k]),
                      "MPI_Recv_init");
            check_mpi(MPI_Start(&receives_[k]), "MPI_Start");
        }
    }
    /// If the mailbox was not closed, MPI may still access the buffers of the mailbox, so the buffers are not freed.
    ~mpi_letters() override {
        if (closed_) return;
        static_cast<void>(in_.release());
        for (auto& s : out_) static_cast<void>(s.release());
    }
    mpi_letters(mpi_letters const&) = delete;
    mpi_letters& operator=(mpi_letters const&) = delete;

    void send(int peer, std::span<std::byte const> text) override {
        auto const free = std::find_if(out_.begin(), out_.end(), [](auto const& s) { return s->request == MPI_REQUEST_NULL; });
        auto& s = free != out_.end() ? **free : *out_.emplace_back(std::make_unique<leaving>());
        s.text.assign(text.begin(), text.end());
        check_mpi(MPI_Isend(s.text.data(), static_cast<int>(s.text.size()), MPI_BYTE, peer, tag, communicator_, &s.request),
                  "MPI_Isend");
        ++under_way_;
    }

    letter receive() override {
        if (lent_) {
            lent_ = false;
            check_mpi(MPI_Start(&receives_[next_]), "MPI_Start");
            next_ = (next_ + 1) % ring;
        }
        go_on_with_sends();
        int there = 0, bytes = 0;
        MPI_Status status;
        check_mpi(MPI_Test(&receives_[next_], &there, &status), "MPI_Test");
        if (there == 0) return {};
        check_mpi(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
        lent_ = true;
        return {status.MPI_SOURCE, {in_->data() + next_ * most_, static_cast<std::size_t>(bytes)}};
    }

    void close() override {
        int over = 0;
        MPI_Finalized(&over);
        if (over != 0 || closed_) return;
        for (auto& s : out_)
            if (s->request != MPI_REQUEST_NULL) check_mpi(MPI_Wait(&s->request, MPI_STATUS_IGNORE), "MPI_Wait");
        for (std::size_t k = 0; k < ring; ++k) {
            auto& r = receives_[(next_ + k) % ring];
            if (!(lent_ && k == 0)) {
                MPI_Cancel(&r);
                MPI_Wait(&r, MPI_STATUS_IGNORE);
            }
            MPI_Request_free(&r);
        }
        MPI_Comm_free(&communicator_);
        closed_ = true;
    }

private:
    static constexpr std::size_t ring = 8;
    static constexpr int tag = 0;
    struct leaving {
        std::vector<std::byte> text;
        MPI_Request request = MPI_REQUEST_NULL;
    };

    void go_on_with_sends() {
        if (under_way_ == 0) return;
        for (auto& s : out_) {
            int over = 0;
            if (s->request == MPI_REQUEST_NULL) continue;
            check_mpi(MPI_Test(&s->request, &over, MPI_STATUS_IGNORE), "MPI_Test");
            if (over != 0) --under_way_;
        }
    }

    std::size_t most_;
    std::unique_ptr<std::vector<std::byte>> in_;
    MPI_Comm communicator_ = MPI_COMM_NULL;
    std::array<MPI_Request, ring> receives_{};
    std::size_t next_ = 0;
    bool lent_ = false; // the caller still reads the buffer of receive next_
    bool closed_ = false;
    std::size_t under_way_ = 0;
    std::vector<std::unique_ptr<leaving>> out_;
};

} // namespace sode::detail
