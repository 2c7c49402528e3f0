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
struct job; // what the floors below share: bootstrap, space, liveness, wait policy, profile

/// True if the program is compiled with optimisation. Define SODE_UNOPTIMISED_ON_PURPOSE to get no warning if it is not.
#if defined(__OPTIMIZE__) || defined(SODE_UNOPTIMISED_ON_PURPOSE)
constexpr bool optimised = true;
#else
constexpr bool optimised = false;
#endif
} // namespace detail

/// One rank's membership in a job. The first Sode object of a program and the last to go; every other object refers to it.
/// Constructing and destroying it is collective. Arrays that live longer keep their memory, and a warning names them; what was
/// planned for them is an error from then on.
///
/// The same binary runs alone (one rank), under `sode run`, and, with <sode/mpi.hpp>, under MPI. Of a program that was compiled
/// without optimisation (-O0), whose loops take up to a hundred times as long, one line on stderr says so.
class runtime {
public:
    /// Finds out how the program was started. `argc` and `argv` are kept for arg() and flag().
    /// Errors: environment, if the job's shared memory cannot be had.
    SODE_API runtime(int argc, char** argv, bool optimised = detail::optimised);
    /// Joins by a bootstrap of the caller's own.
    SODE_API explicit runtime(std::unique_ptr<bootstrap> boot, int argc = 0, char** argv = nullptr,
                              bool optimised = detail::optimised);
    /// A part of a job: some of its ranks as a job of their own, on which arrays, exchanges and collectives work as on any other,
    /// and nobody else takes part (a communicator, in MPI's words). Rank ranks[i] of `of` is rank i of the part. It shares threads,
    /// settings and memory with `of`, which must live longer; arrays that are to be exchanged within it are made of it.
    ///
    ///     sode::runtime row{rt, sode::ranks_of_colour(rt, rt.rank() / 4)}; // rows of four ranks
    ///
    /// Collective among `ranks`, of which this rank must be one; all of them make it, in the same order as other parts. A rank may
    /// be in any number of parts. Errors: usage, if a rank does not exist or is named twice, or this one is not named; peer,
    /// timeout; environment, if they are on several machines and a bootstrap of the caller's own can have no parts. Cost: two to
    /// four collectives of the part; where ranks are of an MPI, MPI_Comm_create_group.
    SODE_API runtime(runtime const& of, std::vector<int> const& ranks);
    SODE_API ~runtime();
    runtime(runtime const&) = delete;
    runtime& operator=(runtime const&) = delete;

    [[nodiscard]] SODE_API int rank() const noexcept;
    [[nodiscard]] SODE_API int size() const noexcept;
    [[nodiscard]] bool root() const noexcept { return rank() == 0; }

    /// The value behind `name` on the command line (`-n 512`), or `fallback`. Errors: usage, if it is no number of that type.
    [[nodiscard]] SODE_API index_t arg(std::string_view name, index_t fallback) const;
    [[nodiscard]] int arg(std::string_view name, int fallback) const { return static_cast<int>(arg(name, index_t{fallback})); }
    [[nodiscard]] SODE_API double arg(std::string_view name, double fallback) const;
    [[nodiscard]] SODE_API std::string arg(std::string_view name, std::string_view fallback) const;
    [[nodiscard]] std::string arg(std::string_view name, char const* fallback) const {
        return arg(name, std::string_view{fallback});
    }
    /// True if `name` is on the command line.
    [[nodiscard]] SODE_API bool flag(std::string_view name) const;

    /// Waits for all ranks.
    SODE_API void barrier();

    /// One line for people: "4 ranks by sode run, 1 machine, memory: segment".
    [[nodiscard]] SODE_API std::string describe() const;

    /// What reduce() and broadcast() have planned so far, as reflection::explain() and reflection::dump() tell of an exchange: one
    /// plan for each number of bytes and way to combine them. Empty if nothing.
    [[nodiscard]] SODE_API std::string explain() const;
    [[nodiscard]] SODE_API std::string dump(std::string_view format = "text") const;

    [[nodiscard]] detail::job& job() const noexcept { return *job_; }
    /// The same for objects that may, by mistake, be destroyed after the runtime.
    [[nodiscard]] std::shared_ptr<detail::job> const& shared_job() const noexcept { return job_; }

private:
    std::shared_ptr<detail::job> job_;
};

/// The ranks of `rt` that give the same colour, by `key` and then by rank: what a part of a job can be made of, as MPI_Comm_split
/// does. Empty on a rank whose colour is negative. Collective: an allgather of 8 bytes.
[[nodiscard]] SODE_API std::vector<int> ranks_of_colour(runtime const& rt, int colour, int key = 0);

namespace detail {

/// `bytes` of this rank's memory that its whole machine can load and store, zeroed, touched first by this rank. Bases of blocks
/// that are taken one after another are staggered, so that equal arrays do not fight for the same cache sets. Errors: environment,
/// if there is no room. Not collective.
[[nodiscard]] SODE_API std::shared_ptr<std::byte> allocate(job& j, std::size_t bytes);

} // namespace detail
} // namespace sode
