// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "plan/schedule.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <utility>
#include <vector>

namespace sode::internal {

/// The functions of the user's that a plan calls, one for each of plan::calls and of plan::operators. Neighbours count on the rest
/// of an epoch: what a function throws is kept until the epoch is over.
class plan_calls {
public:
    /// What sets elements of an array that begins there.
    using function = std::function<void(std::byte* array)>;

    /// target[i] = first[i] op second[i] for so many elements. `target` may be `first` or `second`.
    using combiner = std::function<void(std::byte* target, std::byte const* first, std::byte const* second, std::size_t elements)>;

    explicit plan_calls(std::vector<function> functions = {}, std::vector<combiner> combiners = {})
        : functions_(std::move(functions)), combiners_(std::move(combiners)) {}

    /// Is there a function for all that the plan calls?
    [[nodiscard]] bool suffice(schedule const& p) const noexcept {
        return combiners_.size() >= p.operators.size() && std::ranges::all_of(p.descriptors, [&](descriptor const& d) {
                   return d.op != operation::call || d.argument < functions_.size();
               });
    }

    void run(std::uint32_t index, std::byte* array) noexcept {
        try {
            functions_[index](array);
        } catch (...) {
            thrown_ = std::current_exception();
        }
    }
    void combine(std::uint32_t index, std::byte* target, std::byte const* first, std::byte const* second,
                 std::size_t elements) noexcept {
        try {
            combiners_[index](target, first, second, elements);
        } catch (...) {
            thrown_ = std::current_exception();
        }
    }
    /// Throws what was thrown last, once.
    void rethrow() {
        if (thrown_) [[unlikely]]
            throw_now();
    }

private:
    [[noreturn, gnu::cold, gnu::noinline]] void throw_now() { std::rethrow_exception(std::exchange(thrown_, nullptr)); }

    std::vector<function> functions_;
    std::vector<combiner> combiners_;
    std::exception_ptr thrown_;
};

} // namespace sode::internal
