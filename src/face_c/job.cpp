// SPDX-License-Identifier: Apache-2.0
// The job: joining and leaving it, its errors, and what all ranks do together.
#include "model/job.hpp"
#include "face_c/handles.hpp"
#include "face_c/types.hpp"

#include <sode/broadcast.hpp>
#include <sode/collective.hpp>

#include <array>
#include <limits>
#include <vector>

namespace detail = sode::detail;
namespace face_c = sode::internal::face_c;
using sode::error;
using sode::error_kind;
using sode::internal::face_c::guarded;
using sode::internal::face_c::job_of;

namespace {

// A handle that has no job yet, and then one by `join`.
template <class Join> int join_by(sode_runtime** rt, Join join) {
    if (!rt) return SODE_ERROR_USAGE;
    *rt = nullptr;
    try {
        auto handle = std::make_unique<sode_runtime>();
        handle->own = std::make_shared<face_c::shared>();
        *rt = handle.release();
    } catch (std::bad_alloc const&) {
        return SODE_ERROR_ENVIRONMENT;
    }
    auto& own = *(*rt)->own;
    return guarded(own, [&] { join(own.job); });
}

} // namespace

extern "C" {

int sode_init(int argc, char** argv, sode_runtime** rt) {
    return join_by(rt, [&](auto& job) { job.emplace(argc, argv, true); });
}

int sode_init_windows(int argc, char** argv, sode_runtime** rt) {
    return join_by(rt, [&](auto& job) { job.emplace(sode::join_with_windows(), argc, argv, true); });
}

int sode_part(sode_runtime* of, int count, int const* ranks, sode_runtime** part) {
    if (!of) return SODE_ERROR_USAGE;
    return join_by(part, [&](auto& job) {
        std::vector<int> members;
        if (count > 0) members.assign(&face_c::required(ranks, "ranks"), ranks + count);
        job.emplace(job_of(*of->own), members);
    });
}

void sode_finalize(sode_runtime* rt) {
    if (!rt) return;
    (void)guarded(*rt->own, [&] { rt->own->job.reset(); });
    delete rt;
}

char const* sode_error_text(sode_runtime const* rt) {
    return rt ? rt->own->text.c_str() : "";
}

int sode_rank(sode_runtime const* rt) {
    return rt && rt->own->job ? rt->own->job->rank() : -1;
}
int sode_size(sode_runtime const* rt) {
    return rt && rt->own->job ? rt->own->job->size() : 0;
}

int sode_machines(sode_runtime const* rt, int* count, int* machines) {
    if (!rt) return SODE_ERROR_USAGE;
    return guarded(*rt->own, [&] {
        auto const& map = job_of(*rt->own).job().machines;
        face_c::required(count, "count") = map.machines();
        if (!machines) return;
        for (int r = 0; r < sode_size(rt); ++r) machines[r] = map.of(r);
    });
}

int sode_barrier(sode_runtime* rt) {
    if (!rt) return SODE_ERROR_USAGE;
    return guarded(*rt->own, [&] { job_of(*rt->own).barrier(); });
}

int sode_allreduce(sode_runtime* rt, void* values, size_t count, sode_type type, sode_op op) {
    if (!rt) return SODE_ERROR_USAGE;
    return guarded(*rt->own, [&] {
        auto& job = job_of(*rt->own);
        face_c::require_combines(op, type);
        if (count == 0) return;
        if (count > std::numeric_limits<std::uint32_t>::max())
            throw error{error_kind::usage, "too many values are reduced at once", "the maximum is 2^32",
                        "reduce the values in pieces"};
        std::array<detail::combined_part, 1> const part{
            {{static_cast<std::uint32_t>(count), static_cast<std::uint8_t>(op), face_c::element_code_of(type)}}};
        detail::allreduce(job.job(), &face_c::required(static_cast<std::byte*>(values), "values"), part);
    });
}

int sode_broadcast(sode_runtime* rt, void* data, size_t bytes, int root) {
    if (!rt) return SODE_ERROR_USAGE;
    return guarded(*rt->own, [&] {
        auto& job = job_of(*rt->own);
        if (bytes > 0) (void)face_c::required(static_cast<std::byte*>(data), "data");
        detail::broadcast(job.job(), {static_cast<std::byte*>(data), bytes}, root);
    });
}

} // extern "C"
