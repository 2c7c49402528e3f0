// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/cxx20.hpp>

#include <sode/bootstrap.hpp>
#include <sode/error.hpp>
#include <sode/types.hpp>

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sode {

namespace detail {
struct job; // shared by the whole library: bootstrap, address space, liveness, wait policy, profile

/// True if the program is compiled with optimisation. The library prints a warning if a program is compiled without optimisation.
/// To suppress the warning, define SODE_UNOPTIMISED_ON_PURPOSE.
#if defined(__OPTIMIZE__) || defined(SODE_UNOPTIMISED_ON_PURPOSE)
constexpr bool optimised = true;
#else
constexpr bool optimised = false;
#endif
} // namespace detail

/// One rank's membership in a job. Create the runtime before all other Sode objects, and destroy the runtime last. Construction and
/// destruction of the runtime are collective. If arrays outlive the runtime, their memory stays allocated, and a warning lists
/// these arrays. It is an error to run an exchange of an array that has outlived the runtime.
///
/// The same binary runs alone (one rank), under `sode run`, and under an MPI launcher. Without compiler optimisation (-O0), loops
/// are up to a hundred times slower, so the runtime prints a warning on stderr.
class runtime {
public:
    /// Detects how the program was started. The runtime stores `argc` and `argv` for arg() and flag().
    /// Throws an environment error if shared memory for the job is not available.
    SODE_API runtime(int argc, char** argv, bool optimised = detail::optimised);
    /// Joins the job with the given bootstrap, for example sode::mpi_bootstrap.
    SODE_API explicit runtime(std::unique_ptr<bootstrap> boot, int argc = 0, char** argv = nullptr,
                              bool optimised = detail::optimised);
    /// Creates a part of a job from some of its ranks, like MPI_Comm_create_group. A part has its own arrays, exchanges and
    /// collectives. Rank ranks[i] of `of` is rank i of the part. The part shares threads, settings and memory with `of`, which must
    /// outlive the part. If an array is exchanged only within a part, create the array with the part.
    ///
    ///     sode::runtime row{rt, sode::ranks_of_colour(rt, rt.rank() / 4)}; // rows of four ranks
    ///
    /// The constructor is collective over `ranks`, which must include this rank. Ranks that create several parts must create the
    /// parts in the same order. A rank may belong to any number of parts. Throws a usage error if a rank does not exist or is
    /// listed twice, or if this rank is not listed. Throws an environment error if the ranks are on several machines and their
    /// bootstrap cannot be divided. Throws a peer error if another rank dies or leaves the job, and a timeout error after
    /// SODE_TIMEOUT seconds. The cost is two to four small collectives over the ranks of the part. If an MPI launcher started the
    /// ranks, the constructor also calls MPI_Comm_create_group.
    SODE_API runtime(runtime const& of, std::vector<int> const& ranks);
    SODE_API ~runtime();
    runtime(runtime const&) = delete;
    runtime& operator=(runtime const&) = delete;

    [[nodiscard]] SODE_API int rank() const noexcept;
    [[nodiscard]] SODE_API int size() const noexcept;
    [[nodiscard]] bool root() const noexcept { return rank() == 0; }

    /// Returns the value that follows `name` on the command line (`-n 512`), or `fallback` if `name` is missing. Throws a usage
    /// error if the value is not a valid number.
    [[nodiscard]] SODE_API index_t arg(std::string_view name, index_t fallback) const;
    [[nodiscard]] SODE_API int arg(std::string_view name, int fallback) const;
    [[nodiscard]] SODE_API double arg(std::string_view name, double fallback) const;
    [[nodiscard]] SODE_API std::string arg(std::string_view name, std::string_view fallback) const;
    [[nodiscard]] std::string arg(std::string_view name, char const* fallback) const {
        return arg(name, std::string_view{fallback});
    }
    /// True if the command line contains `name`.
    [[nodiscard]] SODE_API bool flag(std::string_view name) const;

    /// Waits until all ranks have called barrier().
    SODE_API void barrier();

    /// Describes the job in one line, for example "4 ranks by sode run, 1 machine, memory: segment".
    [[nodiscard]] SODE_API std::string describe() const;

    /// Describes the plans that reduce() and broadcast() have made so far, in the format of reflection::explain() and
    /// reflection::dump(). There is one plan for each operation and number of bytes. explain() returns an empty text if there are
    /// no plans.
    [[nodiscard]] SODE_API std::string explain() const;
    [[nodiscard]] SODE_API std::string dump(std::string_view format = "text") const;

    [[nodiscard]] detail::job& job() const noexcept { return *job_; }
    /// Returns the job with shared ownership, for objects that a program may destroy after the runtime by mistake.
    [[nodiscard]] std::shared_ptr<detail::job> const& shared_job() const noexcept { return job_; }

private:
    std::shared_ptr<detail::job> job_;
};

/// Returns the ranks of `rt` that pass the same colour, sorted by `key` and then by rank, as in MPI_Comm_split. The ranks with the
/// same colour can form a part of the job. The result is empty on a rank that passes a negative colour. The call is collective. The
/// cost is an allgather of 8 bytes from each rank.
[[nodiscard]] SODE_API std::vector<int> ranks_of_colour(runtime const& rt, int colour, int key = 0);

namespace detail {

/// Allocates `bytes` zeroed bytes that all ranks on the machine can read and write. This rank touches the memory first, so the
/// pages are on this rank's NUMA node. The addresses of successive blocks are staggered, so that equal arrays do not compete for
/// the same cache sets. Throws an environment error if there is not enough memory. The call is not collective.
[[nodiscard]] SODE_API std::shared_ptr<std::byte> allocate(job& j, std::size_t bytes);

} // namespace detail
} // namespace sode
