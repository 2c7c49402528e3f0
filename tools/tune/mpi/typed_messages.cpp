// SPDX-License-Identifier: Apache-2.0
#include "tune/mpi/typed_messages.hpp"

#include "base/clock.hpp"
#include "layout/copy_sequence.hpp"
#include "tune/estimate.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace sode::internal::tools {
namespace {

constexpr int tag = 3, repetitions = 7, later_messages = 3;
constexpr std::size_t memory_bytes = typed_sample_extent, other_bytes = std::size_t{8} << 20;

void check(int status, char const* call) {
    interpose::check(status, call);
}

// As a program would describe these bytes, from the first one of the body on.
MPI_Datatype datatype_of(layout const& l);

MPI_Datatype body_of(layout const& l) {
    constexpr index_t word = sizeof(double);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    std::vector<MPI_Aint> places;
    std::vector<int> lengths;
    if (l.is_nest()) {
        check(MPI_Type_contiguous(static_cast<int>(l.block / word), MPI_DOUBLE, &type), "MPI_Type_contiguous");
    } else if (l.indexed()) {
        for (auto const& piece : l.list) {
            places.push_back(piece.offset);
            lengths.push_back(static_cast<int>(piece.bytes / word));
        }
        check(MPI_Type_create_hindexed(static_cast<int>(places.size()), lengths.data(), places.data(), MPI_DOUBLE, &type),
              "MPI_Type_create_hindexed");
    } else {
        std::vector<MPI_Datatype> parts;
        for (auto const& part : l.parts) {
            parts.push_back(datatype_of(part));
            places.push_back(part.offset);
            lengths.push_back(1);
        }
        check(MPI_Type_create_struct(static_cast<int>(parts.size()), lengths.data(), places.data(), parts.data(), &type),
              "MPI_Type_create_struct");
        for (auto& part : parts) MPI_Type_free(&part);
    }
    return type;
}

MPI_Datatype datatype_of(layout const& l) {
    MPI_Datatype type = body_of(l);
    for (auto loop = l.loops.rbegin(); loop != l.loops.rend(); ++loop) {
        MPI_Datatype inner = type;
        check(MPI_Type_create_hvector(static_cast<int>(loop->count), 1, loop->stride, inner, &type), "MPI_Type_create_hvector");
        MPI_Type_free(&inner);
    }
    return type;
}

} // namespace

typed_rows::typed_rows(layout rows) : where_(std::move(rows)), type_(datatype_of(where_)) {
    check(MPI_Type_commit(&type_), "MPI_Type_commit");
}

typed_rows::~typed_rows() {
    if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
}

typed_rows::typed_rows(typed_rows&& other) noexcept
    : where_(std::move(other.where_)), type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}

typed_ping_pong::typed_ping_pong(MPI_Comm pair, int rank, turns& turn)
    : pair_(pair), rank_(rank), turn_(turn), memory_(memory_bytes), fresh_(memory_bytes), other_(other_bytes) {}

void typed_ping_pong::send(interpose::layer* by, typed_rows const& what) {
    if (by == nullptr) {
        check(MPI_Send(memory_.data(), 1, what.type(), 1 - rank_, tag, pair_), "MPI_Send");
        return;
    }
    interpose::entry const call;
    auto const result =
        by->sends.send(call, {memory_.data(), 1, what.type(), 1 - rank_, tag, pair_}, interpose::send_mode::standard);
    if (!result)
        throw error{error_kind::environment, "the MPI layer cannot pack messages of derived datatypes",
                    "there is no room in shared memory", "check the memory limits of this machine"};
    check(*result, "MPI_Send");
}

void typed_ping_pong::receive(interpose::layer* by, typed_rows const& what) {
    MPI_Status status;
    int const result = MPI_Recv(memory_.data(), 1, what.type(), 1 - rank_, tag, pair_, &status);
    if (by == nullptr) {
        check(result, "MPI_Recv");
        return;
    }
    interpose::entry const call;
    check(by->receives.received({memory_.data(), 1, what.type(), 1 - rank_, tag, pair_}, status, result), "MPI_Recv");
}

void typed_ping_pong::rewrite(typed_rows const& what) {
    run(compile_sequence(contiguous(0, what.where().bytes()), what.where()), memory_.data(), fresh_.data());
}

double typed_ping_pong::to_and_fro(interpose::layer* by, typed_rows const& what) {
    rewrite(what);
    turn_.say();
    turn_.hear();
    auto const began = now_ns();
    if (rank_ == 0) send(by, what);
    receive(by, what);
    if (rank_ != 0) send(by, what);
    return static_cast<double>(now_ns() - began) / 2;
}

void typed_ping_pong::fill_caches() {
    for (std::byte& b : other_) b ^= std::byte{1};
}

double typed_ping_pong::usual(interpose::layer* by, typed_rows const& what) {
    std::array<double, repetitions> times{};
    for (double& t : times) t = to_and_fro(by, what);
    return median(times);
}

double typed_ping_pong::plain(typed_rows const& what) {
    return usual(nullptr, what);
}

double typed_ping_pong::moved(interpose::layer& by, typed_rows const& what) {
    return usual(&by, what);
}

double typed_ping_pong::first(interpose::layer& by, layout const& where) {
    fill_caches();
    typed_rows const what{where};
    double const first = 2 * to_and_fro(&by, what);
    std::array<double, later_messages> later{};
    for (double& t : later) {
        fill_caches();
        t = 2 * to_and_fro(&by, what);
    }
    return first - median(later);
}

} // namespace sode::internal::tools
