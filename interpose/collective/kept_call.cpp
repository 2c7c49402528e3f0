// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/kept_call.hpp"

#include "array/prepare_exchange.hpp"
#include "collective/plan_collective.hpp"
#include "interpose/collective/basic_types.hpp"
#include "interpose/collective/packed_memory.hpp"
#include "model/job.hpp"

#include <cstring>
#include <numeric>
#include <utility>

namespace sode::internal::interpose {

namespace {

// Up to here a copy costs less than to tell a plan that its memory is elsewhere.
constexpr std::int64_t copied_bytes = 512;

collective_kind kind_of(planned_function what) noexcept {
    switch (what) {
    case planned_function::bcast: return collective_kind::broadcast;
    case planned_function::reduce: return collective_kind::reduce;
    case planned_function::allreduce: return collective_kind::allreduce;
    case planned_function::reduce_scatter:
    case planned_function::reduce_scatter_block: return collective_kind::reduce_scatter;
    case planned_function::scan: return collective_kind::scan;
    case planned_function::exscan: return collective_kind::exscan;
    default: return collective_kind::barrier;
    }
}

bool is_exchange(planned_function what) noexcept {
    return what >= planned_function::gather && what <= planned_function::alltoall;
}

} // namespace

kept_call::kept_call(detail::job& j, repeated_call const& what, std::vector<std::int64_t> dealt)
    : what_(what), dealt_(std::move(dealt)), rank_(j.ranks->rank()), ranks_(j.ranks->size()) {
    auto const share = shares_of(what, rank_, ranks_);
    if (what.what == planned_function::reduce_scatter_block) dealt_.assign(static_cast<std::size_t>(ranks_), what.bytes);
    bool const deals = !dealt_.empty();
    given_.bytes = deals ? std::accumulate(dealt_.begin(), dealt_.end(), std::int64_t{0}) : share.given;
    got_.bytes = deals ? dealt_[static_cast<std::size_t>(rank_)] : share.got;
    // In memory of its own, which lies apart: what users pass may meet, and is bound when it is known.
    bound_given_ = given_.get();
    bound_got_ = got_.get();
    run_ = is_exchange(what.what) ? exchange(j) : combine(j);
    for (auto const& array : plan().places().arrays()) {
        auto* const at = array.instance[0];
        bool const given = at != nullptr && bound_given_ != nullptr && at >= bound_given_ && at < bound_given_ + given_.bytes;
        places_.push_back({given, at == nullptr ? 0 : at - (given ? bound_given_ : bound_got_)});
    }
}

std::unique_ptr<prepared_list> kept_call::combine(detail::job& j) const {
    collective_terms terms;
    terms.take(j);
    terms.name = name_of(what_.what);
    terms.kind = kind_of(what_.what);
    terms.root = what_.root;
    if (what_.bytes > 0) terms.parts = {{dealt_.empty() ? what_.bytes : given_.bytes, what_.combiner}};
    terms.dealt = dealt_;
    auto made = std::make_unique<prepared_list>();
    made->add(prepare_collective(j, terms, {bound_given_, bound_got_}));
    return made;
}

std::unique_ptr<prepared_list> kept_call::exchange(detail::job& j) const {
    auto const block = datatype::contiguous(static_cast<index_t>(what_.bytes));
    bool const many_given = given_.bytes > what_.bytes, many_got = got_.bytes > what_.bytes;
    std::vector<message_end> ends;
    for (int i = 0; i < ranks_; ++i) {
        int const peer = (rank_ + i) % ranks_;
        bool const all = what_.root < 0;
        bool const gives = all || (what_.what == planned_function::gather ? peer == what_.root : rank_ == what_.root);
        bool const gets = all || (what_.what == planned_function::gather ? rank_ == what_.root : peer == what_.root);
        if (gives) ends.push_back(send_init(bound_given_ + (many_given ? peer * what_.bytes : 0), block, peer));
        if (gets) ends.push_back(recv_init(bound_got_ + (many_got ? peer * what_.bytes : 0), block, peer));
    }
    return prepare_exchange(j, ends, {.name = std::string{name_of(what_.what)}});
}

void kept_call::bind(std::byte* given, std::byte* got) {
    if (given == bound_given_ && got == bound_got_) return;
    auto const before = plan().places().arrays();
    std::vector<bound_array> arrays{before.begin(), before.end()};
    for (std::size_t i = 0; i < arrays.size(); ++i)
        if (arrays[i].instance[0] != nullptr) arrays[i].instance[0] = (places_[i].of_given ? given : got) + places_[i].offset;
    plan().rebind(arrays);
    bound_given_ = given;
    bound_got_ = got;
}

bool kept_call::goes_directly(passed_memory const& m, std::int64_t bytes) noexcept {
    return bytes > copied_bytes && m.memory != nullptr && lies_densely(m.type);
}

bool kept_call::packs(passed_call const& call) const noexcept {
    return given_.bytes != 0 && !lies_densely(call.given.type);
}

bool kept_call::unpacks(passed_call const& call) const noexcept {
    return got_.bytes != 0 && call.got.type != MPI_DATATYPE_NULL && !lies_densely(call.got.type);
}

int kept_call::run(passed_call const& call, MPI_Comm communicator) {
    int const result = begin(call, communicator);
    return result == MPI_SUCCESS ? end(call, communicator) : result;
}

int kept_call::begin(passed_call const& call, MPI_Comm communicator) {
    auto* given = static_cast<std::byte*>(call.given.memory);
    auto* got = static_cast<std::byte*>(call.got.memory);
    if (given_.bytes == 0) {
        given = nullptr;
    } else if (call.in_place || !goes_directly(call.given, given_.bytes)) {
        auto* const own = given_.use();
        if (lies_densely(call.given.type)) {
            std::memcpy(own, given, static_cast<std::size_t>(given_.bytes));
        } else {
            if (int const result = pack(call.given, own, given_.bytes, communicator); result != MPI_SUCCESS) return result;
        }
        given = own;
    }
    if (!goes_directly(call.got, got_.bytes)) got = got_.use();
    bind(given, got);
    plan().start();
    return MPI_SUCCESS;
}

bool kept_call::proceed() {
    return plan().test();
}

int kept_call::end(passed_call const& call, MPI_Comm communicator) {
    plan().wait();
    given_.rest();
    int result = MPI_SUCCESS;
    if (got_.bytes != 0 && call.got.type != MPI_DATATYPE_NULL && !goes_directly(call.got, got_.bytes)) {
        if (lies_densely(call.got.type))
            std::memcpy(call.got.memory, got_.get(), static_cast<std::size_t>(got_.bytes));
        else
            result = unpack(got_.get(), got_.bytes, call.got, communicator);
    }
    got_.rest();
    return result;
}

int kept_call::pack_apart(passed_call& call, std::unique_ptr<std::byte[]>& to, MPI_Comm communicator) const {
    to = std::make_unique<std::byte[]>(static_cast<std::size_t>(given_.bytes));
    if (int const result = pack(call.given, to.get(), given_.bytes, communicator); result != MPI_SUCCESS) return result;
    call.given = bytes_at(to.get(), given_.bytes);
    call.in_place = false;
    return MPI_SUCCESS;
}

std::int64_t kept_call::end_apart(std::unique_ptr<std::byte[]>& to) {
    plan().wait();
    to = std::make_unique<std::byte[]>(static_cast<std::size_t>(got_.bytes));
    std::memcpy(to.get(), got_.get(), static_cast<std::size_t>(got_.bytes));
    given_.rest();
    got_.rest();
    return got_.bytes;
}

} // namespace sode::internal::interpose
