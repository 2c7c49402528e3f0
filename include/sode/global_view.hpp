// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/cxx20.hpp>

#include <sode/array.hpp>
#include <sode/bundle.hpp>

#include <array>
#include <concepts>
#include <memory>
#include <span>

namespace sode {

namespace detail {

/// Reads and writes elements of an array on any rank. Each list of indices has one index for each dimension of the array. For a
/// bundle, the first index is the component.
class global_memory {
public:
    SODE_API explicit global_memory(halo_source const& of);
    /// Throws a usage error if an element does not exist. Throws a peer error if another rank dies or leaves the job, and a timeout
    /// error after SODE_TIMEOUT seconds.
    SODE_API void get(std::span<index_t const> indices, std::byte* values) const;
    /// Writes elements to the memory of their owners, and to all ranks that have copies.
    SODE_API void put(std::span<index_t const> indices, std::byte const* values) const;
    SODE_API void flush() const;

private:
    struct table;
    std::shared_ptr<table const> table_;
};

} // namespace detail

/// Reads and writes any element of a distributed array by global indices, on any rank and machine, with any distribution. Within a
/// machine, an access is a load or a store. For an access to another machine, this rank sends a request to the owner. A thread of
/// the owner serves the request while the owner computes. A program with a global_view must join its job as described in
/// window.hpp.
///
///     array<double, 2> u{grid, shadow{1}};
///     global_view all{u};                     // collective, once
///     ...                                     // u is written
///     rt.barrier();                           // everybody has written
///     double const corner = all(0, 0);        // whoever owns it
///
/// The program must order the reads and writes of different ranks, as for a peer_view. (A peer_view returns references, but reaches
/// only ranks on the same machine.) A global_view never reads or writes halos. If an element has several copies, the nearest copy
/// is read, and all copies are written.
///
/// Use a global_view for single elements and for lists of indices. An access to a list of elements needs one request to each owner.
/// For regular access patterns, use an exchange or copy_init().
template <class T, int N> class global_view {
public:
    using indices = std::array<index_t, static_cast<std::size_t>(N)>;

    /// The constructor is collective over all ranks of the job. The constructor throws the same errors as the constructor of
    /// window.
    template <int D> explicit global_view(array<T, D> const& a) requires(D == N) : memory_(a.halo()) {}
    /// For a bundle, the first index is the component.
    template <int D, int C> explicit global_view(bundle<T, D, C> const& a) requires(D + 1 == N) : memory_(a.halo()) {}

    /// Returns the element with the given global indices. Throws a usage error if the element does not exist. Throws a peer error
    /// if another rank dies or leaves the job, and a timeout error after SODE_TIMEOUT seconds.
    template <std::integral... I>
    requires(sizeof...(I) == N) [[nodiscard]] T operator()(I... at) const {
        indices const one{static_cast<index_t>(at)...};
        T value;
        memory_.get(one, reinterpret_cast<std::byte*>(&value));
        return value;
    }
    /// Reads element at[i] into values[i].
    void get(std::span<indices const> at, std::span<T> values) const {
        memory_.get(flat(at, values.size()), reinterpret_cast<std::byte*>(values.data()));
    }
    /// Writes values[i] to element at[i]. The writes are complete after flush(), or after window::barrier().
    void put(std::span<indices const> at, std::span<T const> values) const {
        memory_.put(flat(at, values.size()), reinterpret_cast<std::byte const*>(values.data()));
    }
    void flush() const { memory_.flush(); }

private:
    static std::span<index_t const> flat(std::span<indices const> at, std::size_t values) {
        if (at.size() != values) refuse(at.size(), values);
        return {at.empty() ? nullptr : at.front().data(), at.size() * static_cast<std::size_t>(N)};
    }
    [[noreturn]] static void refuse(std::size_t elements, std::size_t values) {
        throw error{error_kind::usage, std::to_string(elements) + " elements and " + std::to_string(values) + " values",
                    "each element needs one value", "pass one value for each element"};
    }

    detail::global_memory memory_;
};

template <class T, int N> global_view(array<T, N> const&) -> global_view<T, N>;
template <class T, int N, int C> global_view(bundle<T, N, C> const&) -> global_view<T, N + 1>;

} // namespace sode
