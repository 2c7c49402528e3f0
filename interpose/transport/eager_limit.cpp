// SPDX-License-Identifier: Apache-2.0
#include "interpose/transport/eager_limit.hpp"

#include "base/clock.hpp"
#include "interpose/calls/next.hpp"
#include "interpose/transport/pmpi_bootstrap.hpp"

#include <algorithm>
#include <cstddef>
#include <mpi.h>
#include <vector>

namespace sode::internal::interpose {

namespace {

constexpr int tag_message = 1;
constexpr int tag_length = 2;
constexpr int tag_result = 3;

// An eager message is out of the sender's hands within microseconds; a busy machine may take its time.
constexpr std::int64_t patience_ns = 300'000;
// Longer messages go by records anyway.
constexpr std::int64_t most_mixed = 8 << 10;
constexpr std::int64_t mixed_bytes = 12;

enum class form { contiguous, strided, mixed };

/// Elements of 4 and of 8 bytes by turns.
MPI_Datatype make_mixed_type(std::int64_t bytes) {
    int const lengths[] = {1, 1};
    MPI_Aint const places[] = {0, 8};
    MPI_Datatype const parts[] = {MPI_INT, MPI_DOUBLE};
    MPI_Datatype pair = MPI_DATATYPE_NULL, type = MPI_DATATYPE_NULL;
    PMPI_Type_create_struct(2, lengths, places, parts, &pair);
    PMPI_Type_contiguous(static_cast<int>(bytes / mixed_bytes), pair, &type);
    PMPI_Type_free(&pair);
    return type;
}

MPI_Datatype make_type(form f, std::int64_t bytes) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    constexpr int word = 8;
    int const words = static_cast<int>(bytes / word);
    if (f == form::mixed)
        type = make_mixed_type(bytes);
    else if (f == form::contiguous)
        PMPI_Type_contiguous(words, MPI_DOUBLE, &type);
    else
        PMPI_Type_vector(words, 1, 2, MPI_DOUBLE, &type);
    PMPI_Type_commit(&type);
    return type;
}

/// Both ends of one pair that tries lengths.
class trial {
public:
    trial(MPI_Comm communicator, int peer, std::int64_t most)
        : communicator_(communicator), peer_(peer), buffer_(static_cast<std::size_t>(2 * most)) {}

    /// Does a message of `bytes` leave the sender while nobody receives it? The sender's answer; the receiver only serves.
    bool leaves(form f, std::int64_t bytes) {
        MPI_Datatype type = make_type(f, bytes);
        MPI_Request request = MPI_REQUEST_NULL;
        check(mpi_itself().isend(buffer_.data(), 1, type, peer_, tag_message, communicator_, &request), "MPI_Isend");
        int gone = 0;
        auto const begun = now_ns();
        while (gone == 0 && now_ns() - begun < patience_ns) mpi_itself().test(&request, &gone, MPI_STATUS_IGNORE);
        tell(bytes, f);
        mpi_itself().wait(&request, MPI_STATUS_IGNORE);
        PMPI_Type_free(&type);
        return gone != 0;
    }
    void over() { tell(0, form::contiguous); }
    /// Is a message of bytes received as elements that differ in length?
    bool arrives_mixed(std::int64_t bytes) {
        tell(bytes, form::mixed);
        check(mpi_itself().send(buffer_.data(), static_cast<int>(bytes), MPI_PACKED, peer_, tag_message, communicator_),
              "MPI_Send");
        int result = MPI_SUCCESS;
        check(mpi_itself().recv(&result, 1, MPI_INT, peer_, tag_result, communicator_, MPI_STATUS_IGNORE), "MPI_Recv");
        return result == MPI_SUCCESS;
    }

    void serve() {
        while (true) {
            std::int64_t said[2] = {0, 0};
            check(mpi_itself().recv(said, 2, MPI_INT64_T, peer_, tag_length, communicator_, MPI_STATUS_IGNORE), "MPI_Recv");
            if (said[0] == 0) return;
            auto const f = static_cast<form>(said[1]);
            MPI_Datatype type = make_type(f, said[0]);
            int const result = mpi_itself().recv(buffer_.data(), 1, type, peer_, tag_message, communicator_, MPI_STATUS_IGNORE);
            PMPI_Type_free(&type);
            if (f == form::mixed)
                check(mpi_itself().send(&result, 1, MPI_INT, peer_, tag_result, communicator_), "MPI_Send");
            else
                check(result, "MPI_Recv");
        }
    }

    /// By doubling, then by sixteenths of the last step.
    std::int64_t longest(form f, std::int64_t most) {
        constexpr std::int64_t least = 1024;
        std::int64_t fits = 0, exceeds = least;
        while (exceeds <= most && leaves(f, exceeds)) {
            fits = exceeds;
            exceeds *= 2;
        }
        if (exceeds > most || fits == 0) return std::min(exceeds, most);
        for (std::int64_t const step = fits / 16; exceeds - fits > step;) {
            std::int64_t const middle = (fits + exceeds) / 2 / 8 * 8;
            (leaves(f, middle) ? fits : exceeds) = middle;
        }
        return exceeds;
    }

private:
    void tell(std::int64_t bytes, form f) const {
        std::int64_t const said[2] = {bytes, static_cast<std::int64_t>(f)};
        check(mpi_itself().send(said, 2, MPI_INT64_T, peer_, tag_length, communicator_), "MPI_Send");
    }

    MPI_Comm communicator_;
    int peer_;
    std::vector<std::byte> buffer_;
};

} // namespace

short_messages measure_short_messages(pmpi_bootstrap& boot, std::int64_t most) {
    short_messages mine{0, most_mixed};
    int const peer = boot.rank() ^ 1;
    if (peer < boot.size()) {
        trial t{boot.communicator(), peer, most};
        if (boot.rank() < peer) {
            mine.eager = std::max(t.longest(form::contiguous, most), t.longest(form::strided, most));
            mine.mixed = std::min(mine.eager, most_mixed);
            if (!t.arrives_mixed((mine.mixed + mixed_bytes - 1) / mixed_bytes * mixed_bytes)) mine.mixed = 0;
            t.over();
        } else {
            t.serve();
        }
    }
    std::vector<short_messages> all(static_cast<std::size_t>(boot.size()));
    boot.allgather(&mine, sizeof mine, all.data());
    for (short_messages const& one : all) {
        mine.eager = std::max(mine.eager, one.eager);
        mine.mixed = std::min(mine.mixed, one.mixed);
    }
    return mine;
}

} // namespace sode::internal::interpose
