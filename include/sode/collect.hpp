// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/cxx20.hpp>

#include <sode/array.hpp>
#include <sode/buffered.hpp>
#include <sode/buffered_bundle.hpp>
#include <sode/bundle.hpp>

#include <type_traits>
#include <vector>

namespace sode {

namespace detail {

/// Returns the number of this rank in the job to which the array `from` belongs.
[[nodiscard]] SODE_API int rank_in(halo_source const& from) noexcept;

/// Copies `part` of the array `from` to `into` on rank `root`. The components follow one another, each in row-major order. For a
/// buffered array, the current buffer now() is collected. On other ranks, `into` is ignored.
SODE_API void collect(halo_source const& from, geometry::block const& part, int root, std::byte* into);

template <int N> std::integral_constant<int, N> dims_of(distributed<N> const&);
template <class Array> using part_of = box<decltype(dims_of(std::declval<Array const&>()))::value>;

} // namespace detail

/// Collects the elements of `part` from their owners on rank `root`. Rank `root` gets the elements, and other ranks get an empty
/// vector. Use collect() for output. If an array is too large for one rank, collect a few rows at a time.
///
///     for (sode::index_t i = 0; i < ny; i += 16) {
///         auto const rows = sode::collect(u, {{i, 0}, {std::min(i + 16, ny), nx}});
///         if (rt.root()) file.write(rows);
///     }
///
/// \param a     an array or a bundle; for a buffered array, now() is collected
/// \param part  global indices, equal on all ranks
/// \param root  the rank that receives the elements
/// \return on `root`, part.size() elements in row-major order; for a bundle, all elements of component 0, then all of component 1,
///         …
///
/// collect() is collective, and works with every launcher. Each call of bootstrap::allgather() exchanges at most 4 MiB, or one page
/// for each rank. Rank `root` needs memory for twice the size of the result. The other ranks need memory only for the elements that
/// they own. Throws a usage error if `part` is not inside the array, or if rank `root` does not exist. With SODE_CHECK=collective,
/// collect() also throws a usage error if ranks pass different arguments. Throws a peer error if another rank dies or leaves the
/// job, and a timeout error after SODE_TIMEOUT seconds. Every rank receives all elements, although only rank `root` returns the
/// elements. Do not call collect() in every time step; plan an exchange instead.
template <class Array>
[[nodiscard]] std::vector<typename Array::value_type> collect(Array const& a, detail::part_of<Array> const& part, int root = 0) {
    using value_type = typename Array::value_type;
    static_assert(!std::is_same_v<value_type, bool>, "a std::vector<bool> is not an array of bytes");
    auto const from = a.halo();
    geometry::block spans{};
    for (std::size_t d = 0; d < part.lower.size(); ++d) spans[d] = {part.lower[d], part.upper[d]};
    std::vector<value_type> all;
    if (detail::rank_in(from) == root) all.resize(static_cast<std::size_t>(part.size() * from.shape->components));
    detail::collect(from, spans, root, reinterpret_cast<std::byte*>(all.data()));
    return all;
}

} // namespace sode
