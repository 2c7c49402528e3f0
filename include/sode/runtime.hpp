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

/// True if the program is compiled with optimisation. Define SODE_UNOPTIMISED_ON_PURPOSE to suppress the warning about a program
/// that is compiled without optimisation.
#if defined(__OPTIMIZE__) || defined(SODE_UNOPTIMISED_ON_PURPOSE)
constexpr bool optimised = true;
#else
constexpr bool optimised = false;
#endif
} // namespace detail

/// One rank's membership in a job. Create the runtime before all other Sode objects, and destroy it after them. Construction and
/// destruction are collective. If arrays outlive the runtime, their memory is kept, and a warning lists these arrays. Running an
/// exchange of an array that has outlived the runtime is an error.
///
/// The same binary runs alone (one rank), under `sode run`, and under an MPI launcher. If the program was compiled without
/// optimisation (-O0), a warning on stderr says so, because loops are then up to a hundred times slower.
class runtime {
public:
    /// Detects how the program was started. `argc` and `argv` are kept for arg() and flag().
    /// Errors: environment, if shared memory for the job is not available.
    SODE_API runtime(int argc, char** argv, bool optimised = detail::optimised);
    /// Joins the job with the given bootstrap, for example sode::mpi_bootstrap.
    SODE_API explicit runtime(std::unique_ptr<bootstrap> boot, int argc = 0, char** argv = nullptr,
                              bool optimised = detail::optimised);
    /// A part of a job: some of its ranks form a job with its own arrays, exchanges and collectives. (The MPI equivalent is a
    /// communicator.) Rank ranks[i] of `of` is rank i of the part. The part shares threads, settings and memory with `of`, which
    /// must outlive the part. If arrays are exchanged only within the part, create them with the part.
    ///
    ///     sode::runtime row{rt, sode::ranks_of_colour(rt, rt.rank() / 4)}; // rows of four ranks
    ///
    /// Collective over `ranks`, which must include this rank. Ranks that create several parts must create them in the same order. A
    /// rank may belong to any number of parts.
    /// Errors: usage, if a rank does not exist or is listed twice, or if this rank is not listed; peer, timeout; environment, if
    /// the ranks are on several machines and their bootstrap cannot be divided.
    /// Cost: two to four collectives over the part, and MPI_Comm_create_group if an MPI launcher started the ranks.
    SODE_API runtime(runtime const& of, std::vector<int> const& ranks);
    SODE_API ~runtime();
    runtime(runtime const&) = delete;
    runtime& operator=(runtime const&) = delete;

    [[nodiscard]] SODE_API int rank() const noexcept;
    [[nodiscard]] SODE_API int size() const noexcept;
    [[nodiscard]] bool root() const noexcept { return rank() == 0; }

    /// The value that follows `name` on the command line (`-n 512`), or `fallback`. Errors: usage, if the value is not a valid
    /// number.
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

    /// A one-line description: "4 ranks by sode run, 1 machine, memory: segment".
    [[nodiscard]] SODE_API std::string describe() const;

    /// The plans that reduce() and broadcast() have made so far, in the format of reflection::explain() and reflection::dump(): one
    /// plan for each number of bytes and operation. Empty if there are no plans.
    [[nodiscard]] SODE_API std::string explain() const;
    [[nodiscard]] SODE_API std::string dump(std::string_view format = "text") const;

    [[nodiscard]] detail::job& job() const noexcept { return *job_; }
    /// job() for objects that a program might destroy after the runtime, by mistake.
    [[nodiscard]] std::shared_ptr<detail::job> const& shared_job() const noexcept { return job_; }

private:
    std::shared_ptr<detail::job> job_;
};

/// The ranks of `rt` that pass the same colour, sorted by `key` and then by rank, as in MPI_Comm_split. The ranks with the same
/// colour can form a part of the job. The result is empty on a rank that passes a negative colour. Collective; the cost is an
/// allgather of 8 bytes.
[[nodiscard]] SODE_API std::vector<int> ranks_of_colour(runtime const& rt, int colour, int key = 0);

namespace detail {

/// Allocates `bytes` zeroed bytes that all ranks on the machine can read and write. This rank touches the memory first. The
/// addresses of successive blocks are staggered, so that equal arrays do not compete for the same cache sets. Errors: environment,
/// if there is not enough memory. Not collective.
[[nodiscard]] SODE_API std::shared_ptr<std::byte> allocate(job& j, std::size_t bytes);

} // namespace detail
} // namespace sode
