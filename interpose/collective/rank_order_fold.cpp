// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/rank_order_fold.hpp"

#include <sode/mpi_datatype.hpp>

#include <cstdint>

namespace sode::internal::interpose {

namespace {

constexpr std::uintptr_t alignment = 64; // of the elements, whatever they are

} // namespace

rank_order_fold::rank_order_fold(MPI_Op op, MPI_Datatype type, int count)
    : op_(op), type_(type), count_(count), what_(datatype_of(type, count)) {}

std::byte* rank_order_fold::add() {
    auto const [first, last] = what_.extent();
    auto const size = static_cast<std::size_t>(last - first) + alignment;
    rooms_.push_back(std::make_unique<std::byte[]>(size)); // zeros: an operator may look at gaps
    bytes_ += static_cast<std::int64_t>(size);
    // Elements begin at a multiple of the alignment; what they consist of may lie before that, or behind it.
    auto const room = reinterpret_cast<std::uintptr_t>(rooms_.back().get());
    auto const at = room - static_cast<std::uintptr_t>(first);
    auto const up = (at + alignment - 1) / alignment * alignment;
    given_.push_back(rooms_.back().get() + (up - at) - first);
    return given_.back();
}

void rank_order_fold::deliver_to(void* result) {
    result_ = static_cast<std::byte*>(result);
    copy_.emplace(what_, what_);
}

int rank_order_fold::run() const {
    // inout = in op inout
    for (std::size_t r = 1; r < given_.size(); ++r)
        if (int const code = PMPI_Reduce_local(given_[r - 1], given_[r], count_, type_, op_); code != MPI_SUCCESS) return code;
    if (result_ != nullptr && !given_.empty()) (*copy_)(result_, given_.back());
    return MPI_SUCCESS;
}

} // namespace sode::internal::interpose
