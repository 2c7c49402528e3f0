// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace sode::internal {

/// Which machine each of some ranks is on, and which ranks a machine has. Where the ranks are dealt out regularly, machine by
/// machine or in turn, it is a few numbers; else a table of 8 bytes a rank, which all copies share.
class machine_map {
public:
    machine_map() = default;
    /// All on one machine.
    machine_map(int ranks) noexcept : ranks_(ranks), run_(ranks) {}
    /// The machine of each rank, as small integers from 0 on (if all are on one machine, that is machine 0).
    machine_map(std::vector<int> const& machine_of);

    [[nodiscard]] int ranks() const noexcept { return ranks_; }
    [[nodiscard]] int machines() const noexcept { return machines_; }
    /// All ranks are on one machine.
    [[nodiscard]] bool one() const noexcept { return machines_ == 1; }
    [[nodiscard]] int of(int rank) const noexcept {
        if (table_) return table_.get()[rank];
        return run_ > 0 ? rank / run_ : rank % machines_;
    }
    [[nodiscard]] bool together(int a, int b) const noexcept { return of(a) == of(b); }

    /// The ranks of a machine, ascending.
    class members {
    public:
        members(int const* list, int first, int step, int count) noexcept
            : list_(list), first_(first), step_(step), count_(count) {}
        [[nodiscard]] int size() const noexcept { return count_; }
        [[nodiscard]] int operator[](int i) const noexcept { return list_ ? list_[i] : first_ + i * step_; }
        /// The place of a rank among these; -1 if it is none of them. Cost: O(log of them) at most.
        [[nodiscard]] int place_of(int rank) const noexcept {
            if (list_) return find(rank);
            int const at = step_ == 1 ? rank - first_ : rank % step_ == first_ ? rank / step_ : -1;
            return at < count_ ? std::max(at, -1) : -1;
        }
        class iterator {
        public:
            iterator(members const& of, int at) noexcept : of_(&of), at_(at) {}
            [[nodiscard]] int operator*() const noexcept { return (*of_)[at_]; }
            iterator& operator++() noexcept { return ++at_, *this; }
            [[nodiscard]] bool operator==(iterator const& other) const noexcept { return at_ == other.at_; }

        private:
            members const* of_;
            int at_;
        };
        [[nodiscard]] iterator begin() const noexcept { return {*this, 0}; }
        [[nodiscard]] iterator end() const noexcept { return {*this, count_}; }

    private:
        [[nodiscard]] int find(int rank) const noexcept;

        int const* list_; ///< null: they follow each other by `step_`
        int first_;
        int step_;
        int count_;
    };
    /// Cost: O(log ranks) at most.
    [[nodiscard]] members on(int machine) const noexcept;
    /// The place of a rank among those of its machine. Cost: O(log ranks) at most.
    [[nodiscard]] int place(int rank) const noexcept;

    /// The machine of each rank, written out.
    [[nodiscard]] std::vector<int> list() const;
    /// The table; empty, where none is needed.
    [[nodiscard]] std::span<int const> table() const noexcept {
        return {table_.get(), table_ ? 2 * static_cast<std::size_t>(ranks_) : 0};
    }
    /// From now on it is read there, where an equal one is.
    void read_from(std::shared_ptr<int const[]> table) noexcept { table_ = std::move(table); }

private:
    int ranks_ = 1;
    int machines_ = 1;
    int run_ = 1;                            // ranks of a machine that follow each other; 0: dealt out in turn
    std::shared_ptr<int const []> table_ {}; // machines by rank, and ranks by machine
};

} // namespace sode::internal
