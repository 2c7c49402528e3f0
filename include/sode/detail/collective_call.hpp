// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/collective.hpp>
#include <sode/detail/api.hpp>
#include <sode/planned.hpp>
#include <sode/runtime.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace sode {

/// Options of a collective of <sode/collectives.hpp>. All ranks must pass equal options.
struct collective_options {
    std::string algorithm{}; ///< "in-lines", "staged", "direct", …; empty: the model chooses
    std::string name{};      ///< shown in messages; empty: the name of the operation
    /// The fraction of the collective's time, from 0 to 1, during which the program does other work between start() and wait().
    /// With SODE_ENGINE=auto, the model uses `overlap` to decide whether an asynchronous engine runs the collective. Without a
    /// value, an asynchronous engine runs only large collectives.
    std::optional<double> overlap{};
};

namespace detail {

/// The kinds of collectives. The values are equal to `collective_kind` in src/collective.
enum class collective_code : std::uint8_t { barrier, broadcast, reduce, allreduce, reduce_scatter, scan, exscan };

/// The operation that combines values: one of the ten predefined operations, or a user-defined operation.
struct combination {
    std::uint8_t op = 0;
    std::uint8_t type = 0;
    std::uint32_t element_bytes = 0;
    std::string name{}; ///< name of a user-defined operation; empty: one of the ten
    bool commutes = true;
    std::function<void(std::byte* target, std::byte const* first, std::byte const* second, std::size_t elements)> function{};
};

/// One rank's call of a collective.
struct collective_call {
    collective_code kind = collective_code::barrier;
    int root = -1; ///< root of a broadcast or reduce
    std::span<std::byte const> input{};
    std::span<std::byte> output{}; ///< in place: the same memory as `input`
    combination how{};
    collective_options options{};
};

/// The call is collective. For errors, see <sode/collectives.hpp>.
[[nodiscard]] SODE_API planned plan_collective(job& j, collective_call const& call);

} // namespace detail

/// A user-defined operation, for example `sode::operation_by<quaternion>("times", [](quaternion a, quaternion b) { return a * b;
/// })`. The operation must be associative. The operation need not be commutative, because values are combined in rank order.
///
/// \param name      the name of the operation; all ranks compare the name and must pass equal names
/// \param function  the same on all ranks; if the function throws, wait() throws
template <class T, class F> struct user_operation {
    std::string name;
    F function;
    bool commutes = false;
};
template <class T, class F> [[nodiscard]] user_operation<T, F> operation_by(std::string name, F function, bool commutes = false) {
    static_assert(std::is_trivially_copyable_v<T>, "a reduction copies values as bytes: their type must be trivially copyable");
    static_assert(std::is_invocable_r_v<T, F const&, T const&, T const&>, "an operation must take two values and return one");
    return {std::move(name), std::move(function), commutes};
}

namespace detail {

template <class T, class Op> [[nodiscard]] combination combination_of(Op) {
    if constexpr (names_operations<Op>()) {
        using op = operation_of<Op>;
        return {.op = op::code, .type = element_code<T, op>(), .element_bytes = sizeof(T)};
    } else {
        return {};
    }
}
template <class T, class F> [[nodiscard]] combination combination_of(user_operation<T, F> op) {
    auto const run = [f = std::move(op.function)](std::byte* target, std::byte const* first, std::byte const* second,
                                                  std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            T a, b;
            __builtin_memcpy(&a, first + i * sizeof(T), sizeof(T));
            __builtin_memcpy(&b, second + i * sizeof(T), sizeof(T));
            T const c = f(a, b);
            __builtin_memcpy(target + i * sizeof(T), &c, sizeof(T));
        }
    };
    return {.element_bytes = sizeof(T), .name = std::move(op.name), .commutes = op.commutes, .function = run};
}

} // namespace detail
} // namespace sode
