// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <utility>
#include <vector>

namespace sode {

/// The functions of the user's that a plan calls, one for each of plan::calls. Neighbours count on the rest of an epoch: what a
/// function throws is kept until the epoch is over.
class plan_calls {
public:
    /// What sets elements of an array that begins there.
    using function = std::function<void(std::byte* array)>;

    explicit plan_calls(std::vector<function> functions = {}) : functions_(std::move(functions)) {}

    void run(std::uint32_t index, std::byte* array) noexcept {
        try {
            functions_[index](array);
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
    std::exception_ptr thrown_;
};

} // namespace sode
