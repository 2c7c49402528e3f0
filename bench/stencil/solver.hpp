// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/runtime.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace sode::bench {

/// A problem being solved, a step at a time. All solvers of one problem start from the same field and must keep it equal, bit for
/// bit.
class solver {
public:
    virtual ~solver() = default;
    virtual void steps(int n) = 0;
    /// Of this rank's elements, by global index; the sum over ranks identifies the field.
    [[nodiscard]] virtual std::uint64_t fingerprint() const = 0;
};

/// What an element adds to a fingerprint.
[[nodiscard]] constexpr std::uint64_t mark(std::uint64_t position, std::uint64_t bits) noexcept {
    std::uint64_t x = (position + 1) * 0x9e3779b97f4a7c15U ^ bits;
    x ^= x >> 29;
    return x * 0xbf58476d1ce4e5b9U;
}

/// Sode's: collective, every rank has its part.
[[nodiscard]] std::unique_ptr<solver> our_laplace(runtime& rt, long n);
[[nodiscard]] std::unique_ptr<solver> our_himeno(runtime& rt, long n);

/// Plain C on threads of the calling process, one for each core, with plain shared arrays and a barrier of a cache line a thread
/// and step.
[[nodiscard]] std::unique_ptr<solver> plain_laplace_on(std::vector<int> const& cores, long n);
[[nodiscard]] std::unique_ptr<solver> plain_himeno_on(std::vector<int> const& cores, long n);

} // namespace sode::bench
