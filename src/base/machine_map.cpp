// SPDX-License-Identifier: Apache-2.0
#include "base/machine_map.hpp"

#include <algorithm>
#include <numeric>

namespace sode::internal {

machine_map::machine_map(std::vector<int> const& machine_of) : ranks_(static_cast<int>(machine_of.size())) {
    run_ = ranks_;
    if (std::ranges::all_of(machine_of, [&](int m) { return m == machine_of.front(); })) return;
    machines_ = *std::max_element(machine_of.begin(), machine_of.end()) + 1;
    run_ = static_cast<int>(std::count(machine_of.begin(), machine_of.end(), machine_of.front()));
    auto const is_regular = [&] {
        for (int r = 0; r < ranks_; ++r)
            if (machine_of[static_cast<std::size_t>(r)] != of(r)) return false;
        return true;
    };
    if (is_regular()) return;
    run_ = 0;
    if (is_regular()) return;

    auto table = std::make_shared<int[]>(2 * machine_of.size());
    std::ranges::copy(machine_of, table.get());
    std::span<int> const by_machine{table.get() + machine_of.size(), machine_of.size()};
    std::iota(by_machine.begin(), by_machine.end(), 0);
    std::ranges::stable_sort(by_machine, {}, [&](int r) { return machine_of[static_cast<std::size_t>(r)]; });
    table_ = std::move(table);
}

machine_map::members machine_map::on(int machine) const noexcept {
    if (table_) {
        std::span<int const> const by_machine = table().subspan(static_cast<std::size_t>(ranks_));
        auto const first = std::ranges::lower_bound(by_machine, machine, {}, [this](int r) { return of(r); });
        auto const last = std::ranges::upper_bound(first, by_machine.end(), machine, {}, [this](int r) { return of(r); });
        return {by_machine.data() + (first - by_machine.begin()), 0, 0, static_cast<int>(last - first)};
    }
    if (run_ > 0) return {nullptr, machine * run_, 1, std::min(run_, ranks_ - machine * run_)};
    return {nullptr, machine, machines_, (ranks_ - machine + machines_ - 1) / machines_};
}

int machine_map::place(int rank) const noexcept {
    return on(of(rank)).place_of(rank);
}

int machine_map::members::find(int rank) const noexcept {
    auto const* const at = std::lower_bound(list_, list_ + count_, rank);
    return at != list_ + count_ && *at == rank ? static_cast<int>(at - list_) : -1;
}

std::vector<int> machine_map::list() const {
    std::vector<int> all;
    all.reserve(static_cast<std::size_t>(ranks_));
    for (int r = 0; r < ranks_; ++r) all.push_back(of(r));
    return all;
}

} // namespace sode::internal
