// SPDX-License-Identifier: Apache-2.0
#include <sode/device_array.hpp>

#include "array/device_moves.hpp"
#include "array/site.hpp"
#include "array/stream_work.hpp"
#include "layout/copy_program.hpp"
#include "layout/copy_rows.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

namespace sode::detail {
using namespace internal;

namespace {

std::byte* now_of(halo_source const& s) {
    return s.memory[s.half ? static_cast<std::size_t>(*s.half) : 0].get();
}

void require_alike(halo_source const& a, halo_source const& b, int rank) {
    auto const refuse = [&](std::string_view why, std::string_view hint) {
        throw error{error_kind::usage, fmt::format("array \"{}\" cannot be copied to \"{}\"", b.shape->name, a.shape->name), why,
                    hint};
    };
    if (a.owner != b.owner) refuse("the arrays belong to different runtimes", "create both arrays with the same sode::runtime");
    auto const mine = a.shape->owned(rank), theirs = b.shape->owned(rank);
    for (std::size_t d = 0; d < static_cast<std::size_t>(a.shape->dims); ++d)
        if (mine[d].lower != theirs[d].lower || mine[d].upper != theirs[d].upper)
            refuse(fmt::format("a rank owns different elements of the two arrays in dimension {}", d),
                   "give both the same distribution, or copy() on the host");
}

void give(device_queue& q, halo_source const& to, halo_source const& from, int rank) {
    auto* const target = now_of(to);
    auto const* const source = now_of(from);
    if (!target || !source) return;
    if (to.shape->fingerprint() == from.shape->fingerprint())
        return q.copy(target, source, static_cast<std::size_t>(to.shape->bytes(rank)));
    auto const owned = to.shape->owned(rank);
    for_each_row(
        compile(layout_of(*from.shape, rank, owned), layout_of(*to.shape, rank, owned)),
        [&](index_t at, index_t dst, index_t bytes) { q.copy(target + dst, source + at, static_cast<std::size_t>(bytes)); });
}

} // namespace

void copy_block(sode::stream* in, halo_source const& to, halo_source const& from) {
    auto& j = *to.owner;
    j.require_running("a copy between host and device");
    int const rank = j.boot->rank();
    require_alike(to, from, rank);
    if (in) return in->work().give("copy", [&](device_queue& q) { give(q, to, from, rank); });
    auto const queue = j.need_device().make_queue(queue_use::plan);
    give(*queue, to, from, rank);
    wait_for(j, *queue);
}

} // namespace sode::detail
