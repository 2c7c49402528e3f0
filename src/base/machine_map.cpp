// SPDX-License-Identifier: Apache-2.0
#include "base/machine_map.hpp"

#include <algorithm>

namespace sode {

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

    auto const ranks = machine_of.size(), machines = static_cast<std::size_t>(machines_);
    auto table = std::make_shared<int[]>(2 * ranks + machines + 1);
    std::copy(machine_of.begin(), machine_of.end(), table.get());
    int* const begins = table.get() + 2 * ranks;
    for (int const m : machine_of) ++begins[m + 1];
    for (std::size_t m = 0; m < machines; ++m) begins[m + 1] += begins[m];
    std::vector<int> next(begins, begins + machines);
    int* const by_machine = table.get() + ranks;
    for (int r = 0; r < ranks_; ++r) by_machine[next[static_cast<std::size_t>(machine_of[static_cast<std::size_t>(r)])]++] = r;
    table_ = std::move(table);
}

machine_map::members machine_map::on(int machine) const noexcept {
    if (table_) {
        int const* const by_machine = table_.get() + ranks_;
        int const* const begins = by_machine + ranks_;
        return {by_machine + begins[machine], 0, 0, begins[machine + 1] - begins[machine]};
    }
    if (run_ > 0) return {nullptr, machine * run_, 1, std::min(run_, ranks_ - machine * run_)};
    return {nullptr, machine, machines_, (ranks_ - machine + machines_ - 1) / machines_};
}

int machine_map::place(int rank) const noexcept {
    if (!table_) return run_ > 0 ? rank % run_ : rank / machines_;
    int const* const by_machine = table_.get() + ranks_;
    int const* const begins = by_machine + ranks_;
    int const m = of(rank);
    return static_cast<int>(std::lower_bound(by_machine + begins[m], by_machine + begins[m + 1], rank) - (by_machine + begins[m]));
}

std::vector<int> machine_map::list() const {
    std::vector<int> all;
    all.reserve(static_cast<std::size_t>(ranks_));
    for (int r = 0; r < ranks_; ++r) all.push_back(of(r));
    return all;
}

std::size_t machine_map::table_bytes() const noexcept {
    return table_ ? (2 * static_cast<std::size_t>(ranks_) + static_cast<std::size_t>(machines_) + 1) * sizeof(int) : 0;
}

} // namespace sode
