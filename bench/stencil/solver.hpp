// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/runtime.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sode::internal::bench {

/// How large a problem is: the slowest dimension, which is what is cut first, and the rest.
struct problem_size {
    long layers; ///< Laplace: rows; Himeno: planes
    long n;      ///< a row has n points; a plane n x 2n cells
};

/// A problem being solved, a step at a time. All solvers of one problem start from the same field and must keep it equal, bit for
/// bit.
class solver {
public:
    virtual ~solver() = default;
    virtual void steps(int n) = 0;
    /// Of this rank's elements, by global index; the sum over ranks identifies the field.
    [[nodiscard]] virtual std::uint64_t fingerprint() const = 0;

    /// Returns when all ranks that work on this solver have called it.
    virtual void meet() {}
    /// Lets go of the cores, if it still holds some after steps().
    virtual void rest() {}
    /// What was chosen, where something is chosen.
    [[nodiscard]] virtual std::string explain() const { return {}; }
};

/// What an element adds to a fingerprint.
[[nodiscard]] constexpr std::uint64_t mark(std::uint64_t position, std::uint64_t bits) noexcept {
    std::uint64_t x = (position + 1) * 0x9e3779b97f4a7c15U ^ bits;
    x ^= x >> 29;
    return x * 0xbf58476d1ce4e5b9U;
}

/// How a program uses Sode.
struct our_way {
    bool overlap = true;   ///< the interior is computed while the halos travel, and the rim is packed while it is still in cache
    bool cut_rows = false; ///< the contiguous dimension is cut, and only that
    int tiles = 1;         ///< steps at a time (reflection::march); 0: the library chooses
};

/// Sode's: collective, every rank has its part.
[[nodiscard]] std::unique_ptr<solver> our_laplace(runtime& rt, problem_size size, our_way how = {});
[[nodiscard]] std::unique_ptr<solver> our_himeno(runtime& rt, problem_size size, our_way how = {});

/// Plain C on threads of the calling process, one for each core, with plain shared arrays and a barrier of a cache line a thread
/// and step.
[[nodiscard]] std::unique_ptr<solver> plain_laplace_on(std::vector<int> const& cores, problem_size size);
[[nodiscard]] std::unique_ptr<solver> plain_himeno_on(std::vector<int> const& cores, problem_size size);

} // namespace sode::internal::bench
