// SPDX-License-Identifier: Apache-2.0
#include "collective/collective_terms.hpp"

#include "base/mixing.hpp"
#include "layout/cache_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace sode::internal {

namespace {

bool is_whole(element e) noexcept {
    return e == element::boolean || (e >= element::i8 && e <= element::u64);
}

} // namespace

std::string_view to_string(collective_kind kind) noexcept {
    switch (kind) {
    case collective_kind::barrier: return "barrier";
    case collective_kind::broadcast: return "broadcast";
    case collective_kind::reduce: return "reduce";
    case collective_kind::allreduce: return "allreduce";
    case collective_kind::reduce_scatter: return "reduce_scatter";
    case collective_kind::scan: return "scan";
    case collective_kind::exscan: return "exscan";
    }
    return "?";
}

std::int64_t collective_terms::bytes() const noexcept {
    return std::accumulate(parts.begin(), parts.end(), std::int64_t{0}, [](auto sum, auto const& p) { return sum + p.bytes; });
}

bool collective_terms::gives(int rank) const noexcept {
    return kind != collective_kind::barrier && (kind != collective_kind::broadcast || rank == root);
}

collective_terms::share collective_terms::got_by(int rank) const noexcept {
    return got_by(rank, bytes());
}

collective_terms::share collective_terms::got_by(int rank, std::int64_t all) const noexcept {
    switch (kind) {
    case collective_kind::barrier: return {};
    case collective_kind::broadcast: return rank == root ? share{} : share{root, root + 1, 0, all};
    case collective_kind::reduce: return rank == root ? share{0, ranks(), 0, all} : share{};
    case collective_kind::allreduce: return {0, ranks(), 0, all};
    case collective_kind::reduce_scatter: {
        auto const mine = dealt.begin() + rank;
        return {0, *mine > 0 ? ranks() : 0, std::accumulate(dealt.begin(), mine, std::int64_t{0}), *mine};
    }
    case collective_kind::scan: return {0, rank + 1, 0, all};
    case collective_kind::exscan: return {0, rank, 0, all};
    }
    return {};
}

std::vector<collective_terms::share> collective_terms::shares() const {
    std::vector<share> list;
    list.reserve(static_cast<std::size_t>(ranks()));
    if (kind != collective_kind::reduce_scatter) {
        auto const all = bytes();
        for (int r = 0; r < ranks(); ++r) list.push_back(got_by(r, all));
        return list;
    }
    std::int64_t at = 0;
    for (auto const mine : dealt) {
        list.push_back({0, mine > 0 ? ranks() : 0, at, mine});
        at += mine;
    }
    return list;
}

bool collective_terms::is_needed(int rank) const noexcept {
    if (bytes() == 0 || !gives(rank)) return false;
    switch (kind) {
    case collective_kind::broadcast: return ranks() > 1;
    case collective_kind::exscan: return rank + 1 < ranks();
    default: return true;
    }
}

int collective_terms::leader_on(int machine) const noexcept {
    auto const ranks = machines.on(machine);
    int const first = root >= 0 && machines.of(root) == machine ? ranks.place_of(root) : 0;
    return ranks[(first + speaker) % ranks.size()];
}

std::vector<int> collective_terms::takers(int rank) const {
    std::vector<int> list;
    if (bytes() == 0 || !gives(rank)) return list;
    list.reserve(static_cast<std::size_t>(ranks()));
    int r = 0;
    for (auto const& s : shares()) {
        if (r != rank && s.of(rank)) list.push_back(r);
        ++r;
    }
    return list;
}

bool collective_terms::all_for_all() const noexcept {
    if (kind == collective_kind::barrier || kind == collective_kind::allreduce) return true;
    if (kind != collective_kind::reduce_scatter) return false;
    return std::ranges::all_of(dealt, [](std::int64_t bytes) { return bytes > 0; });
}

bool collective_terms::exact() const noexcept {
    return std::ranges::all_of(
        parts, [](reduced_part const& p) { return !is_users(p.combiner) && is_whole(value_of(element_of(p.combiner))); });
}

std::int64_t collective_terms::grain() const noexcept {
    std::int64_t grain = 1;
    for (auto const& p : parts)
        if (is_users(p.combiner))
            grain = std::lcm(grain, std::int64_t{operators[p.combiner - user_combiners].element_bytes});
        else if (kind != collective_kind::broadcast)
            grain = std::lcm(grain, static_cast<std::int64_t>(size_of(element_of(p.combiner))));
    return std::lcm(grain, line);
}

std::int64_t collective_terms::cut(std::int64_t part, std::int64_t parts) const noexcept {
    auto const all = bytes(), each = grain();
    return part == parts ? all : all / each * part / parts * each;
}

std::string collective_terms::title() const {
    return name.empty() ? kind == collective_kind::barrier ? "barrier" : fmt::format("{} of {} bytes", to_string(kind), bytes())
                        : name;
}

std::uint64_t collective_terms::fingerprint() const noexcept {
    std::uint64_t sum = exchange_terms::fingerprint(0x636f6c6c);
    mix(sum, static_cast<std::uint64_t>(kind));
    mix(sum, index_t{root});
    for (auto const& p : parts) {
        mix(sum, p.bytes);
        mix(sum, std::uint64_t{p.combiner});
    }
    for (auto const bytes : dealt) mix(sum, bytes);
    mix(sum, index_t{leaders});
    for (auto const& o : operators) {
        for (char const c : o.name) mix(sum, static_cast<std::uint64_t>(c));
        mix(sum, std::uint64_t{o.element_bytes} << 1U | std::uint64_t{o.commutes});
    }
    mix(sum, std::uint64_t{some_in_place} << 2U | std::uint64_t{shared_inputs} << 1U | std::uint64_t{shared_outputs});
    return sum;
}

std::vector<array_model> collective_models(collective_terms const& terms, int rank) {
    auto const got = terms.got_by(rank);
    auto const gives = terms.gives(rank) ? contiguous(0, terms.bytes()) : layout{};
    auto const gets = got.last > got.first ? contiguous(0, got.bytes) : layout{};
    array_model input{.ordinal = 0, .bytes = terms.bytes(), .owned = gives, .readable = {}, .shared = terms.shared_inputs};
    array_model output{.ordinal = 1, .bytes = got.bytes, .owned = {}, .readable = gets, .shared = terms.shared_outputs};
    if (!terms.works_in_place(rank)) return {input, output};
    output.bytes = std::max(output.bytes, terms.bytes());
    output.owned = gives;
    return {output};
}

} // namespace sode::internal
