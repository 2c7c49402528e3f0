// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/persistent_face.hpp"

#include "base/warn.hpp"
#include "interpose/calls/entry.hpp"
#include "interpose/collective/collective_service.hpp"
#include "interpose/collective/passed.hpp"
#include "interpose/collective/repeated_plan.hpp"

#include <sode/error.hpp>

#include <algorithm>

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
    default: return std::nullopt;
    }
}

// MPI_Reduce_scatter, of which each rank gets another number of elements.
void wish_for_shares(repeated_wish& wish, persistent_arguments const& a, calling_rank const& who) {
    bool const in_place = a.from == MPI_IN_PLACE;
    auto const combiner = combiner_of(a.op, a.type);
    MPI_Count all = 0, most = 0;
    for (auto const n : a.given.counts) all += n, most = std::max(most, n);
    passed_call c{.what = {planned_function::reduce_scatter, -1, length_of(most, a.type), combiner.value_or(0)},
                  .given = memory_of(in_place ? a.to : a.from, all, a.type),
                  .got = memory_of(a.to, a.given.counts[static_cast<std::size_t>(who.rank)], a.type),
                  .in_place = in_place,
                  .op = a.op};
    bool const sound = std::ranges::all_of(a.given.counts, [](MPI_Count n) { return n >= 0; }) && is_sound(c.given) &&
                       is_sound(c.got) && (in_place || a.from != a.to);
    if (!combiner || !sound) return;
    for (auto const n : a.given.counts) wish.dealt.push_back(length_of(n, a.type));
    wish.combined = c;
}

// What the others wish is of the same kind, as MPI makes function, operator and signature equal.
repeated_wish wish_of(persistent_arguments const& a, calling_rank const& who, MPI_Comm communicator) {
    repeated_wish wish{.what = a.what};
    if (a.what == planned_function::reduce_scatter)
        wish_for_shares(wish, a, who);
    else
        wish.combined = passed_by(a, who);
    bool const empty = wish.combined && wish.combined->what.bytes == 0 && a.what != planned_function::barrier;
    if (empty) wish.combined.reset();
    // What is short goes in a flag's line; and with more ranks, one copy to a stage serves all of them.
    constexpr std::int64_t shortest_read = 1 << 10;
    bool const may_be_read = a.what == planned_function::bcast && who.size == 2 && wish.longest() >= shortest_read;
    if ((wish.combined && !may_be_read) || a.what == planned_function::barrier) return wish;
    if (a.what == planned_function::bcast && !wish.combined) { // of nothing
        if (empty) wish.exchanged.emplace();
        return wish;
    }
    try {
        wish.exchanged = passed_as_exchange(a, who, communicator);
    } catch (error const& e) { // a datatype that is newer than we are
        tell(e);
    }
    return wish;
}

int make_planned(MPI_Comm communicator, persistent_arguments const& arguments, repeated_plan** result) {
    entry const call; // what is called from here is for MPI itself
    auto* const all = serving.load(std::memory_order_acquire);
    auto* const plans = all == nullptr ? nullptr : all->of(communicator);
    if (plans == nullptr) return MPI_SUCCESS;
    if (auto const why = plans->cannot_repeat()) {
        static_cast<void>(plans->leave(arguments.what, *why));
        return MPI_SUCCESS;
    }
    return plans->repeat(wish_of(arguments, {plans->rank(), plans->size()}, communicator), *result);
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

extern "C" __attribute__((visibility("default"))) persistent_face const* sode_interpose_persistent_2() noexcept {
    static constexpr persistent_face functions{make_planned,     start_planned, test_planned,
                                               wait_for_planned, free_planned,  let_others_go_on};
    return &functions;
}
static_assert(std::is_same_v<decltype(sode_interpose_persistent_2), persistent_face_function>);

} // namespace sode::internal::interpose
