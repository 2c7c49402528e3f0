// SPDX-License-Identifier: Apache-2.0
// Collectives that are planned once.
#include "face_c/handles.hpp"
#include "face_c/types.hpp"

#include <sode/collectives.hpp>
#include <sode/copy.hpp>

#include <vector>

namespace detail = sode::detail;
namespace face_c = sode::internal::face_c;
using detail::collective_code;
using sode::piece;
using sode::internal::face_c::guarded;
using sode::internal::face_c::job_of;

namespace {

// `plan(job)` is what the handle runs.
template <class Plan> int planned_by(sode_runtime* rt, sode_collective** collective, Plan plan) {
    if (!rt || !collective) return SODE_ERROR_USAGE;
    *collective = nullptr;
    return guarded(*rt->own, [&] { *collective = new sode_collective{rt->own, plan(job_of(*rt->own)), {}}; });
}

template <class Byte, class T> std::span<Byte> bytes_at(T* memory, std::size_t bytes, char const* name) {
    return {bytes == 0 ? nullptr : &face_c::required(static_cast<Byte*>(memory), name), bytes};
}

// Some of this rank's elements, and what of the result it gets.
int combined(sode_runtime* rt, collective_code kind, void const* input, std::size_t count, void* output, std::size_t count_out,
             sode_type type, sode_op op, int root, sode_collective** collective) {
    return planned_by(rt, collective, [&](sode::runtime& job) {
        face_c::require_combines(op, type);
        return detail::plan_collective(job.job(),
                                       {.kind = kind,
                                        .root = root,
                                        .input = bytes_at<std::byte const>(input, face_c::bytes_of(count, type), "input"),
                                        .output = bytes_at<std::byte>(output, face_c::bytes_of(count_out, type), "output"),
                                        .how = {.op = static_cast<std::uint8_t>(op),
                                                .type = face_c::element_code_of(type),
                                                .element_bytes = static_cast<std::uint32_t>(face_c::bytes_of(type))},
                                        .options = {}});
    });
}

piece piece_of(sode_piece const& p) {
    if (p.bytes > 0) (void)face_c::required(static_cast<std::byte*>(p.memory), "the memory of a piece");
    return {p.memory, sode::datatype::contiguous(static_cast<sode::index_t>(p.bytes))};
}

// A piece for each rank.
std::vector<piece> pieces_of(sode::runtime const& job, sode_piece const* all, char const* name) {
    auto const* const first = &face_c::required(all, name);
    std::vector<piece> list;
    for (int r = 0; r < job.size(); ++r) list.push_back(piece_of(first[r]));
    return list;
}

std::vector<sode::neighbour> neighbours_of(int count, int const* ranks, sode_piece const* pieces) {
    std::vector<sode::neighbour> list;
    for (int i = 0; i < count; ++i)
        list.push_back({(&face_c::required(ranks, "ranks"))[i], piece_of((&face_c::required(pieces, "pieces"))[i])});
    return list;
}

detail::copy_end end_of(sode_array const& array, sode_range const* part) {
    detail::copy_end end{array.elements.halo(), {}, {}};
    for (int d = 0; part && d < array.elements.shape().dims; ++d)
        end.picked.push_back({part[d].lower, part[d].upper, part[d].step});
    return end;
}

} // namespace

extern "C" {

int sode_barrier_init(sode_runtime* rt, sode_collective** collective) {
    return planned_by(rt, collective, [](sode::runtime& job) { return sode::barrier_init(job); });
}

int sode_broadcast_init(sode_runtime* rt, void* data, size_t bytes, int root, sode_collective** collective) {
    return planned_by(rt, collective, [&](sode::runtime& job) {
        return sode::broadcast_init(job, bytes_at<std::byte>(data, bytes, "data"), root);
    });
}

int sode_reduce_init(sode_runtime* rt, void const* input, void* output, size_t count, sode_type type, sode_op op, int root,
                     sode_collective** collective) {
    bool const gets = rt && sode_rank(rt) == root;
    return combined(rt, collective_code::reduce, input, count, output, gets ? count : 0, type, op, root, collective);
}

int sode_allreduce_init(sode_runtime* rt, void const* input, void* output, size_t count, sode_type type, sode_op op,
                        sode_collective** collective) {
    return combined(rt, collective_code::allreduce, input, count, output, count, type, op, -1, collective);
}

int sode_reduce_scatter_init(sode_runtime* rt, void const* input, size_t count, void* output, size_t own_count, sode_type type,
                             sode_op op, sode_collective** collective) {
    return combined(rt, collective_code::reduce_scatter, input, count, output, own_count, type, op, -1, collective);
}

int sode_scan_init(sode_runtime* rt, void const* input, void* output, size_t count, sode_type type, sode_op op,
                   sode_collective** collective) {
    return combined(rt, collective_code::scan, input, count, output, count, type, op, -1, collective);
}

int sode_exscan_init(sode_runtime* rt, void const* input, void* output, size_t count, sode_type type, sode_op op,
                     sode_collective** collective) {
    return combined(rt, collective_code::exscan, input, count, output, count, type, op, -1, collective);
}

int sode_gather_init(sode_runtime* rt, sode_piece mine, sode_piece const* all, int root, sode_collective** collective) {
    return planned_by(rt, collective, [&](sode::runtime& job) {
        return sode::gather_init(job, piece_of(mine), job.rank() == root ? pieces_of(job, all, "all") : std::vector<piece>{}, root);
    });
}

int sode_scatter_init(sode_runtime* rt, sode_piece const* all, sode_piece mine, int root, sode_collective** collective) {
    return planned_by(rt, collective, [&](sode::runtime& job) {
        return sode::scatter_init(job, job.rank() == root ? pieces_of(job, all, "all") : std::vector<piece>{}, piece_of(mine),
                                  root);
    });
}

int sode_allgather_init(sode_runtime* rt, sode_piece mine, sode_piece const* all, sode_collective** collective) {
    return planned_by(rt, collective,
                      [&](sode::runtime& job) { return sode::allgather_init(job, piece_of(mine), pieces_of(job, all, "all")); });
}

int sode_alltoall_init(sode_runtime* rt, sode_piece const* given, sode_piece const* got, sode_collective** collective) {
    return planned_by(rt, collective, [&](sode::runtime& job) {
        return sode::alltoall_init(job, pieces_of(job, given, "given"), pieces_of(job, got, "got"));
    });
}

int sode_neighbour_alltoall_init(sode_runtime* rt, int targets, int const* to, sode_piece const* given, int sources,
                                 int const* from, sode_piece const* got, sode_collective** collective) {
    return planned_by(rt, collective, [&](sode::runtime& job) {
        return sode::neighbour_alltoall_init(job, neighbours_of(targets, to, given), neighbours_of(sources, from, got));
    });
}

int sode_copy_init(sode_array* to, sode_range const* to_part, sode_array* from, sode_range const* from_part,
                   sode_collective** copy) {
    if (!to || !from || !copy) return SODE_ERROR_USAGE;
    *copy = nullptr;
    return guarded(*to->owner, [&] {
        (void)job_of(*to->owner);
        if (from->owner != to->owner)
            throw sode::error{sode::error_kind::usage, "arrays of different runtimes cannot be copied to each other",
                              "each runtime belongs to a different job", "create both arrays with the same runtime"};
        if (from->elements.shape().element_bytes != to->elements.shape().element_bytes)
            throw sode::error{sode::error_kind::usage, "elements of different sizes cannot be copied to each other",
                              "a copy does not convert elements",
                              "copy to an array of the same type, and convert the elements there"};
        *copy = new sode_collective{to->owner, sode::redistribution{{}, end_of(*to, to_part), end_of(*from, from_part)}, {}};
    });
}

void sode_collective_destroy(sode_collective* collective) {
    delete collective;
}

int sode_collective_start(sode_collective* collective) {
    if (!collective) return SODE_ERROR_USAGE;
    return guarded(*collective->owner, [&] { collective->plan.start(); });
}

int sode_collective_test(sode_collective* collective, int* done) {
    if (!collective || !done) return SODE_ERROR_USAGE;
    return guarded(*collective->owner, [&] { *done = collective->plan.test() ? 1 : 0; });
}

int sode_collective_wait(sode_collective* collective) {
    if (!collective) return SODE_ERROR_USAGE;
    return guarded(*collective->owner, [&] { collective->plan.wait(); });
}

int sode_collective_explain(sode_collective* collective, char const** text) {
    if (!collective || !text) return SODE_ERROR_USAGE;
    return guarded(*collective->owner, [&] {
        collective->explanation = collective->plan.explain();
        *text = collective->explanation.c_str();
    });
}

int sode_collective_dump(sode_collective* collective, char const* format, char const** text) {
    if (!collective || !text) return SODE_ERROR_USAGE;
    return guarded(*collective->owner, [&] {
        collective->plans = collective->plan.dump(format ? format : "text");
        *text = collective->plans.c_str();
    });
}

} // extern "C"
