// SPDX-License-Identifier: Apache-2.0
#include "collective/reductions.hpp"

#include "base/activity.hpp"
#include "base/mixing.hpp"
#include "model/job.hpp"
#include "plan/element.hpp"

#include <sode/broadcast.hpp>
#include <sode/collective.hpp>
#include <sode/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace sode {
using namespace internal;

namespace {

reductions& reductions_of(detail::job& j) {
    if (!j.reduced) j.reduced = std::make_shared<reductions>(j);
    return *j.reduced;
}

void reduce_all(detail::job& j, std::span<detail::combined_part const> parts, void* data) {
    std::size_t bytes = 0;
    for (auto const& p : parts) bytes += p.elements * size_of(static_cast<element>(p.type));
    reductions_of(j).of({.parts = parts}).run(data, bytes);
}

// A box with its number of dimensions in front.
using told_range = std::array<index_t, 1 + 2 * max_dims>;

told_range tell(detail::reduced_range const& over) {
    told_range t{over.dims};
    std::copy_n(over.lower, over.dims, t.begin() + 1);
    std::copy_n(over.upper, over.dims, t.begin() + 1 + max_dims);
    return t;
}

std::string text_of(told_range const& t) {
    std::vector<std::string> spans;
    for (std::size_t d = 0; d < static_cast<std::size_t>(t[0]); ++d)
        spans.push_back(fmt::format("{}:{}", t[1 + d], t[1 + max_dims + d]));
    return fmt::format("[{})", fmt::join(spans, ", "));
}

// The ranks first reduce a hash of their box: only if that finds a difference do they tell each other the boxes.
void require_one_range(detail::job& j, detail::reduced_range const& over) {
    auto const mine = tell(over);
    std::uint64_t hash = 0;
    for (auto const i : mine) mix(hash, i);
    std::array<std::uint64_t, 2> extremes{hash, ~hash};
    constexpr detail::combined_part both{2, detail::max_op::code, detail::code_of<std::uint64_t>()};
    reduce_all(j, {&both, 1}, extremes.data());
    if (extremes[0] == ~extremes[1]) return;
    std::vector<told_range> all(static_cast<std::size_t>(j.boot->size()));
    j.boot->allgather(mine.data(), sizeof mine, all.data());
    auto const other = std::find_if(all.begin(), all.end(), [&](auto const& t) { return t != all.front(); });
    throw error{error_kind::usage, fmt::format("ranks 0 and {} reduce over different index spaces", other - all.begin()),
                fmt::format("{} and {}", text_of(all.front()), text_of(*other)),
                "make grids and domains from values that are equal on all ranks"};
}

} // namespace

void detail::allreduce(job& j, void* data, std::span<combined_part const> parts, reduced_range over) {
    if (j.settings.check.collective && over.dims > 0) [[unlikely]]
        require_one_range(j, over);
    reduce_all(j, parts, data);
}

void detail::broadcast(job& j, std::span<std::byte> data, int root) {
    if (root < 0 || root >= j.boot->size())
        throw error{error_kind::usage, fmt::format("rank {} cannot broadcast", root),
                    fmt::format("the job has ranks 0 to {}", j.boot->size() - 1), "choose one of these ranks as the root"};
    doing const what{activity::broadcast};
    // In pieces of a few sizes only, since every size is a plan that is kept.
    constexpr std::size_t least = payload_bytes, most = std::size_t{256} << 10U;
    for (std::size_t now = 0; !data.empty(); data = data.subspan(now)) {
        now = std::min(data.size(), most);
        auto const bytes = static_cast<std::int64_t>(now <= least ? least : std::bit_ceil(now));
        detail::combined_part const all{.elements = static_cast<std::uint32_t>(bytes)};
        reductions_of(j).of({.parts = {&all, 1}, .root = root}).run(data.data(), now);
    }
}

} // namespace sode
