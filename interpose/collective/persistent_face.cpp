// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/persistent_face.hpp"

#include "interpose/calls/entry.hpp"
#include "interpose/collective/collective_service.hpp"
#include "interpose/collective/passed.hpp"
#include "interpose/collective/repeated_plan.hpp"

namespace sode::internal::interpose {

namespace {

std::optional<passed_call> passed_by(persistent_arguments const& a, calling_rank const& who) {
    using enum planned_function;
    switch (a.what) {
    case barrier: return passed_call{};
    case bcast: return passed_bcast(who, a.to, a.count, a.type, a.root);
    case reduce:
    case allreduce:
    case reduce_scatter_block:
    case scan:
    case exscan: {
        bool const named = a.type != MPI_DATATYPE_NULL && a.op != MPI_OP_NULL;
        auto const combiner = named ? combiner_of(a.op, a.type) : std::nullopt;
        if (!combiner) return std::nullopt;
        return passed_reduction(who, a.what, a.from, a.to, a.count, a.type, a.op, *combiner, a.root);
    }
    case gather: return passed_gather(who, a.from, a.count, a.type, a.to, a.room, a.into, a.root);
    case scatter: return passed_scatter(who, a.from, a.count, a.type, a.to, a.room, a.into, a.root);
    case allgather:
    case alltoall: return passed_all(who, a.what, a.from, a.count, a.type, a.to, a.room, a.into);
    }
    return std::nullopt;
}

int make_planned(MPI_Comm communicator, persistent_arguments const& arguments, repeated_plan** result) {
    entry const call; // what is called from here is for MPI itself
    auto* const all = serving.load(std::memory_order_acquire);
    auto* const plans = all == nullptr ? nullptr : all->of(communicator);
    if (plans == nullptr) return MPI_SUCCESS;
    return plans->repeat(arguments.what, passed_by(arguments, {plans->rank(), plans->size()}), *result);
}
int start_planned(repeated_plan& plan) {
    entry const call;
    return plan.start();
}
int test_planned(repeated_plan& plan, bool* over) {
    entry const call;
    return plan.test(*over);
}
int wait_for_planned(repeated_plan& plan) {
    entry const call;
    if (serving.load(std::memory_order_acquire) == nullptr) return MPI_SUCCESS; // it was over with the layer
    return plan.wait();
}
void free_planned(repeated_plan& plan) noexcept {
    if (serving.load(std::memory_order_acquire) != nullptr) plan.free(); // else it went with the layer
}
void let_others_go_on() noexcept {
    entry const call;
    if (auto* const all = serving.load(std::memory_order_acquire)) all->go_on();
}

} // namespace

extern "C" __attribute__((visibility("default"))) persistent_face const* sode_interpose_persistent_1() noexcept {
    static constexpr persistent_face functions{make_planned,     start_planned, test_planned,
                                               wait_for_planned, free_planned,  let_others_go_on};
    return &functions;
}
static_assert(std::is_same_v<decltype(sode_interpose_persistent_1), persistent_face_function>);

} // namespace sode::internal::interpose
