// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/cxx20.hpp>

#include <sode/array.hpp>
#include <sode/buffered.hpp>
#include <sode/buffered_bundle.hpp>
#include <sode/bundle.hpp>

#include <array>
#include <concepts>
#include <memory>
#include <span>

namespace sode {

namespace detail {

/// Finds the addresses of an array's elements on all ranks that have memory that this rank can read.
class peer_memory {
public:
    SODE_API explicit peer_memory(halo_source const& of);

    /// Returns the address of an element. Throws a usage error if the element does not exist, or if no rank on this machine has the
    /// element.
    [[nodiscard]] SODE_API std::byte const* at(std::span<index_t const> element, index_t component) const;
    /// Like at(), but returns null instead of throwing an error.
    [[nodiscard]] SODE_API std::byte const* find(std::span<index_t const> element, index_t component) const;

private:
    struct table;
    std::shared_ptr<table const> table_;
};

} // namespace detail

/// Reads any element of a distributed array by global indices, directly from the owner's memory. The owner must be on the same
/// machine as this rank. A peer_view supports all distributions. If an element has several copies, the nearest copy is read: a copy
/// on this rank, otherwise a copy on this machine. The idea is from a paper by Ikei and Sato about an XcalableMP execution model
/// for many-core processors (in Japanese; see docs/references.md).
///
///     array<double, 2> u{grid, shadow{1}};
///     peer_view const all{u};                 // collective, once
///     ...                                     // u is written
///     rt.barrier();                           // all ranks have written
///     double const corner = all(0, 0);        // from any owner
///     rt.barrier();                           // all ranks have read; u may be written again
///
/// The program must order reads and writes. Between an owner's write and a peer's read, call runtime::barrier() or reduce(), or run
/// an exchange between the two ranks. A peer's read and the owner's next write need the same synchronisation. A peer_view never
/// reads halos, only the owner's element. For a buffered array, a peer_view reads the current buffer now(). For a bundle, the first
/// index is the component.
///
/// Use a peer_view for single elements (a probe, a pivot, a neighbour in an index list). An access costs a few tens of nanoseconds
/// plus the transfer of a cache line. For regular access patterns, use an exchange or copy_init(). Copies of a peer_view share one
/// table, which keeps this rank's block of the array alive. A peer's block exists only as long as the peer keeps the block alive.
template <class T, int N> class peer_view {
public:
    using value_type = T;

    /// The constructor is collective over all ranks of the job. Throws a usage error if the arrays of the ranks differ in shape.
    /// The cost is one allgather of 24 bytes from each rank.
    template <int D> explicit peer_view(array<T, D> const& a) requires(D == N) : memory_(a.halo()) {}
    template <int D> explicit peer_view(buffered<T, D> const& a) requires(D == N) : memory_(a.halo()) {}
    template <int D, int C> explicit peer_view(bundle<T, D, C> const& a) requires(D + 1 == N) : memory_(a.halo()), bundled_(true) {}
    template <int D, int C>
    explicit peer_view(buffered_bundle<T, D, C> const& a) requires(D + 1 == N) : memory_(a.halo()), bundled_(true) {}

    /// Returns the element with the given global indices. Throws a usage error if the element does not exist, or if its owner is on
    /// another machine. The error message names the element, the owner and the machine.
    template <std::integral... I>
    requires(sizeof...(I) == N) T const& operator()(I... at) const {
        std::array<index_t, static_cast<std::size_t>(N)> const all{static_cast<index_t>(at)...};
        auto const skip = bundled_ ? 1U : 0U;
        return *reinterpret_cast<T const*>(memory_.at(std::span{all}.subspan(skip), bundled_ ? all[0] : 0));
    }
    /// True if the element exists and this rank can read the element.
    template <std::integral... I>
    requires(sizeof...(I) == N) [[nodiscard]] bool reaches(I... at) const {
        std::array<index_t, static_cast<std::size_t>(N)> const all{static_cast<index_t>(at)...};
        auto const skip = bundled_ ? 1U : 0U;
        return memory_.find(std::span{all}.subspan(skip), bundled_ ? all[0] : 0) != nullptr;
    }

private:
    detail::peer_memory memory_;
    bool bundled_ = false;
};

template <class T, int N> peer_view(array<T, N> const&) -> peer_view<T, N>;
template <class T, int N> peer_view(buffered<T, N> const&) -> peer_view<T, N>;
template <class T, int N, int C> peer_view(bundle<T, N, C> const&) -> peer_view<T, N + 1>;

} // namespace sode
