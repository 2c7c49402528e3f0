// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/element_code.hpp>
#include <sode/geometry.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

// This header implements SODE_CHECK=halo. Without this setting, views contain a null pointer to the check, and only checked loops
// read this pointer.

namespace sode {
namespace detail {

struct job;
class outside_elements;
class watch_list;
struct watch_account;

/// The index type of checked loops: a 64-bit integer like index_t, but a different type. The compiler instantiates a generic loop
/// body for index_t and for checked_index_t. In the instantiation for checked_index_t, the views check each access. The
/// instantiation for index_t contains no checks.
using checked_index_t = std::conditional_t<std::is_same_v<index_t, long>, long long, long>;
static_assert(sizeof(checked_index_t) == sizeof(index_t));

/// Describes which halo elements an exchange refreshes: the layers on each side, the corners, and the periodic dimensions.
struct refresh {
    std::array<index_t, max_dims> lower{};
    std::array<index_t, max_dims> upper{};
    bool corners = false;
    std::array<bool, max_dims> periodic{};
    std::array<bool, max_dims> full{}; ///< the whole dimension; then `lower` and `upper` are the extent
    /// True if a boundary condition of the exchange fills the elements outside the array on this side. The members `lower` and
    /// `upper` give the number of filled layers. If no boundary condition fills the elements outside the array, the program must
    /// fill the elements, unless the array is periodic.
    std::array<bool, max_dims> fills_lower{};
    std::array<bool, max_dims> fills_upper{};
    /// The number of inner layers that the boundary condition on this side reads. SODE_CHECK=halo detects changes of inner layers
    /// that a boundary condition reads.
    std::array<index_t, max_dims> images_lower{};
    std::array<index_t, max_dims> images_upper{};

    /// True if this exchange refreshes everything that `other` refreshes.
    [[nodiscard]] bool covers(refresh const& other) const noexcept;
};

/// Tracks whether the halo of one array block may be read. Only the rank that owns the block uses the halo_watch.
///
/// A halo is fresh after an exchange. The halo becomes stale when this rank changes elements that neighbours have copied. In an
/// SPMD program, the neighbours make the same changes as this rank. At the start of each checked loop, a checksum detects changes
/// of elements that neighbours have copied. If no boundary condition fills the elements outside the global array, the program must
/// write these elements before the first read.
class halo_watch {
public:
    /// `base` is the rank's allocation of an array with the geometry `shape`. The allocation and `shape` must outlive the watch.
    /// `element` is the type code that code_of() returns.
    SODE_API halo_watch(geometry const& shape, int rank, std::byte* base, std::uint8_t element = no_number);
    SODE_API ~halo_watch();
    halo_watch(halo_watch const&) = delete;
    halo_watch& operator=(halo_watch const&) = delete;

    /// Reports that all elements of a component were initialised to `element`. If filled_at_first() is not called, the watch
    /// assumes that the initial value is zero.
    SODE_API void filled_at_first(index_t component, std::span<std::byte const> element);
    /// Reports that the program fills the elements outside the array through its own pointer (attached memory), so the check cannot
    /// observe the writes.
    SODE_API void outside_is_programs();
    /// Reports that a loop of the program starts to read the array through a checked_view.
    SODE_API void begin_reading();

    /// Reports that an exchange of the halo has begun. Call end_exchange() when the exchange is complete.
    SODE_API void begin_exchange(refresh const& what);
    /// Throws a usage error if this rank wrote elements while neighbours were reading the same elements.
    SODE_API void end_exchange();

    /// Determines whether the halo has become stale.
    SODE_API void look();

    /// Checks that element `at` may be read. An element may be read if this rank owns the element, if the halo is fresh, or if the
    /// element is outside the global array and was filled. For a bundle, the first index is the component. Throws a usage error if
    /// the element may not be read.
    SODE_API void require(std::span<index_t const> at);
    /// Like require(), but the access may be a read or a write. If the watch belongs to a watch_list, end_iteration() determines
    /// whether the access was a read.
    /// \return the address to use instead of the element's own address; null: use the element's own address
    [[nodiscard]] SODE_API std::byte* access(std::span<index_t const> at);

private:
    friend class watch_list;
    enum class state { never, stale, fresh, in_flight };
    struct element; // an element, identified by its position in all dimensions

    [[nodiscard]] std::uint64_t checksum(refresh const& copies) const noexcept;
    [[nodiscard]] index_t place_of(std::size_t d, index_t i) const noexcept;
    [[noreturn]] void complain_foreign(std::span<index_t const> at) const;
    [[noreturn]] void complain_unfilled(std::span<index_t const> at) const;
    [[nodiscard]] bool belongs_outside(std::span<index_t const> element) const noexcept;
    void require_halo(std::span<index_t const> at) const;
    [[nodiscard]] bool usable(std::span<index_t const> at, element& found);
    SODE_API void settle(bool quietly);
    [[nodiscard]] refresh const& known() const noexcept { return state_ == state::in_flight ? pending_ : fresh_; }

    geometry const* shape_;
    int rank_;
    std::byte const* base_;
    std::unique_ptr<outside_elements> outside_;
    watch_list* list_ = nullptr;
    std::shared_ptr<watch_account> account_;
    bool deferred_ = false; // end_iteration() must still check some accesses
    geometry::block owned_;
    geometry::block allocated_;
    state state_ = state::never;
    bool was_fresh_ = false; // the halo was fresh before the exchange in progress
    refresh fresh_;
    refresh pending_;
    std::uint64_t sum_ = 0; // checksum of the elements that neighbours have copied
};

/// Records, for all arrays with the same name, whether halos were exchanged and whether checked code read the halos.
struct watch_account {
    std::string name;
    bool filled_by_others = false; ///< an exchange has delivered elements to this rank
    bool has_shadow = false;
    bool looked_at = false; ///< a checked loop or a checked_view has read the halo
};

/// Holds all halo_watch objects of a job. A job has a watch_list only if SODE_CHECK=halo is set.
class watch_list {
public:
    watch_list() = default;
    SODE_API ~watch_list();
    watch_list(watch_list const&) = delete;
    watch_list& operator=(watch_list const&) = delete;

    SODE_API void add(std::shared_ptr<halo_watch> const& watch);
    /// Begins a checked loop. Every watch determines whether its halo is stale.
    SODE_API void begin_loop();
    /// Reports that an iteration of the loop has ended. Throws a usage error if the iteration read an element that was never
    /// filled.
    void end_iteration() {
        if (!deferred_.empty()) settle(false);
    }
    /// Prints a warning on stderr, once for each job, that a loop body is not generic and runs unchecked.
    SODE_API void warn_unchecked();
    /// Reports that the program has requested this rank's part of an index space. A program that requests its part of an index
    /// space runs its own loops instead of loop().
    void note_own_loops() noexcept { own_loops_ = true; }
    /// At the end of the job, rank 0 lists the arrays with halos that were never checked. The call is collective.
    SODE_API void report(job& j) const;

private:
    friend class halo_watch;
    SODE_API void settle(bool quietly);

    std::vector<std::weak_ptr<halo_watch>> watches_;
    std::vector<halo_watch*> deferred_;
    std::vector<std::shared_ptr<watch_account>> accounts_;
    bool warned_ = false;
    bool own_loops_ = false;
};

/// See halo_watch::begin_reading().
SODE_API void begin_reading(halo_watch& watch);

/// Checks an access to an element. \return the address to use instead of the element's own; null: use the element's own address.
/// Throws the same errors as halo_watch::access().
template <class T, std::size_t N> [[nodiscard]] T* watched(halo_watch& watch, std::array<index_t, N> const& at) {
    if constexpr (std::is_const_v<T>) {
        watch.require(at);
        return nullptr;
    } else {
        return reinterpret_cast<T*>(watch.access(at));
    }
}

/// Returns the halo checks of a job, or null if SODE_CHECK=halo is not set.
[[nodiscard]] SODE_API std::shared_ptr<watch_list> const& watches(job& j) noexcept;

} // namespace detail
} // namespace sode
