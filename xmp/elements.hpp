// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "inquiry.hpp"

#include <functional>
#include <vector>

namespace sode::xmp {

/// The elements of an aligned array, by their number in row-major order: who owns one, and where it lies.
class elements {
public:
    /// Complains where `descriptor` is no array with memory.
    elements(char const* at, xmp_desc_t descriptor);

    [[nodiscard]] sode_xmp_array_state& state() const { return *array_->state; }
    [[nodiscard]] std::int64_t count() const { return count_; }
    [[nodiscard]] std::size_t bytes() const { return state().type >> 8; }
    /// One of those that have it; the nearest copy along dimensions of the nodes that the array does not follow.
    [[nodiscard]] int owner(std::int64_t number) const;
    /// All that have it.
    void each_owner(std::int64_t number, std::function<void(int)> const& act) const;
    /// Where this rank has it, which owns it.
    [[nodiscard]] char* place(std::int64_t number) const;
    /// Calls act(number, place) for each that this rank owns, in ascending order.
    void each_owned(std::function<void(std::int64_t, char*)> const& act) const;
    /// The number of the element with these indices; complains about what does not exist.
    [[nodiscard]] std::int64_t number(char const* at, std::vector<std::int64_t> const& indices) const;

private:
    [[nodiscard]] std::array<int, most_dims> coordinates(std::int64_t number) const;
    [[nodiscard]] int rank_at(std::array<int, most_dims> const& coordinates) const;

    sode_xmp_array* array_;
    std::int64_t count_ = 1;
    std::array<sode_dimension, most_dims> shares_{};
    std::array<std::int64_t, most_dims> strides_{};
};

/// Complains in a task whose nodes are others than those that made the array.
void require_made_by_caller(char const* at, sode_xmp_array_state const& array);
/// Starts, waits for and destroys a plan.
void run_once(char const* at, sode_runtime* job, sode_collective* plan);
/// Sends to_each[k] to rank k of the job, and returns what each rank has sent here.
[[nodiscard]] std::vector<std::vector<char>> exchanged(char const* at, sode_runtime* job,
                                                       std::vector<std::vector<char>> const& to_each);

} // namespace sode::xmp
