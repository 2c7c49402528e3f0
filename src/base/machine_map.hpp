// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace sode {

/// Which machine each of some ranks is on, and which ranks a machine has. Where the ranks are dealt out regularly, machine by
/// machine or in turn, it is a few numbers; else a table of 8 bytes a rank and 4 a machine, which all copies share.
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
        int const* list_; ///< null: they follow each other by `step_`
        int first_;
        int step_;
        int count_;
    };
    [[nodiscard]] members on(int machine) const noexcept;
    /// The place of a rank among those of its machine. Cost: O(log of them) at most.
    [[nodiscard]] int place(int rank) const noexcept;

    /// The machine of each rank, written out.
    [[nodiscard]] std::vector<int> list() const;
    /// Bytes of the table.
    [[nodiscard]] std::size_t table_bytes() const noexcept;

private:
    int ranks_ = 1;
    int machines_ = 1;
    int run_ = 1;                            // ranks of a machine that follow each other; 0: dealt out in turn
    std::shared_ptr<int const []> table_ {}; // machines by rank, ranks by machine, and where those of each machine begin
};

} // namespace sode
