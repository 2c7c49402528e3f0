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

// The implementation of SODE_CHECK=halo. Without this setting nothing is checked: views contain a null pointer, which only checked
// loops read.

namespace sode {
namespace detail {

struct job;
class outside_elements;
class watch_list;
struct watch_account;

/// The index type of checked loops: a 64-bit integer like index_t, but a different type. If a generic loop body is called with
/// checked_index_t, the compiler instantiates the body a second time, and the views in that instantiation check each access. The
/// instantiation for index_t is the same as without checks.
using checked_index_t = std::conditional_t<std::is_same_v<index_t, long>, long long, long>;
static_assert(sizeof(checked_index_t) == sizeof(index_t));

/// Describes which elements one exchange refreshes: the layers in each dimension and on each side, the corners, and the periodic
/// dimensions.
struct refresh {
    std::array<index_t, max_dims> lower{};
    std::array<index_t, max_dims> upper{};
    bool corners = false;
    std::array<bool, max_dims> periodic{};
    std::array<bool, max_dims> full{}; ///< the whole dimension; then `lower` and `upper` are the extent
    /// True if the exchange itself fills the elements outside the array on this side (a boundary condition), in `lower` or `upper`
    /// layers. Otherwise the program must fill these elements, unless the array is periodic.
    std::array<bool, max_dims> fills_lower{};
    std::array<bool, max_dims> fills_upper{};
    /// Number of inner layers at this side from which the boundary condition computes the elements outside. The check detects
    /// changes of the layers that a boundary condition reads.
    std::array<index_t, max_dims> images_lower{};
    std::array<index_t, max_dims> images_upper{};

    /// True if this exchange refreshes everything that `other` refreshes.
    [[nodiscard]] bool covers(refresh const& other) const noexcept;
};

/// Tracks whether the halo of one array block may be read. Used by the one rank that owns the block.
///
/// The halo is fresh after an exchange. The halo becomes stale when this rank changes elements that neighbours have copied, because
/// in an SPMD program all ranks do the same. At the start of each checked loop, a checksum detects changes of elements that
/// neighbours have copied. If no exchange fills the elements outside the global array, the program must write these elements before
/// it reads them.
class halo_watch {
public:
    /// `base` is the rank's allocation of an array with the geometry `shape`; both outlive the watch. `element`: the type code, as
    /// returned by code_of().
    SODE_API halo_watch(geometry const& shape, int rank, std::byte* base, std::uint8_t element = no_number);
    SODE_API ~halo_watch();
    halo_watch(halo_watch const&) = delete;
    halo_watch& operator=(halo_watch const&) = delete;

    /// Reports that all elements of a component were initialised to `element`. If filled_at_first() is not called, the initial
    /// value is zero.
    SODE_API void filled_at_first(index_t component, std::span<std::byte const> element);
    /// Reports that the program fills the elements outside the array in a way that the check cannot see (attached memory).
    SODE_API void outside_is_programs();
    /// Reports that the program's own loops read the array through a checked_view from now on.
    SODE_API void begin_reading();

    /// Reports that an exchange of the halo has begun. Call end_exchange() when the exchange is complete.
    SODE_API void begin_exchange(refresh const& what);
    /// Errors: usage, if elements have been written while neighbours were reading them.
    SODE_API void end_exchange();

    /// Determines whether the halo has become stale.
    SODE_API void look();

    /// Checks that element `at` may be read: owned, in a fresh halo, or filled outside the global array. For a bundle, the first
    /// index is the component. Errors: usage, if the element may not be read.
    SODE_API void require(std::span<index_t const> at);
    /// require() for an access that may be a read or a write. If the watch belongs to a watch_list, end_iteration() determines
    /// whether the access was a read.
    /// \return the address to use instead of the element's own; null: use the element's own address
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

/// Records, for all arrays with the same name, whether halos were exchanged and whether checked code read them.
struct watch_account {
    std::string name;
    bool filled_by_others = false; ///< an exchange has delivered elements to this rank
    bool has_shadow = false;
    bool looked_at = false; ///< a checked loop or a checked_view has read the halo
};

/// Holds all watches of a job. A job has this list only if SODE_CHECK=halo is set.
class watch_list {
public:
    watch_list() = default;
    SODE_API ~watch_list();
    watch_list(watch_list const&) = delete;
    watch_list& operator=(watch_list const&) = delete;

    SODE_API void add(std::shared_ptr<halo_watch> const& watch);
    /// A checked loop begins: every watch determines whether its halo is stale.
    SODE_API void begin_loop();
    /// Reports that an iteration of the loop has ended. Errors: usage, if the iteration read an element that was never filled.
    void end_iteration() {
        if (!deferred_.empty()) settle(false);
    }
    /// Warns on stderr, once for each job, that a loop body is not generic and runs unchecked.
    SODE_API void warn_unchecked();
    /// Reports that the program has asked for this rank's part of an index space: the program has loops that do not use loop().
    void note_own_loops() noexcept { own_loops_ = true; }
    /// At the end of the job, rank 0 lists the arrays whose halos were never checked. Collective.
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

/// Checks an access. \return the address to use instead of the element's own; null: use the element's own address. Errors: as for
/// halo_watch::access().
template <class T, std::size_t N> [[nodiscard]] T* watched(halo_watch& watch, std::array<index_t, N> const& at) {
    if constexpr (std::is_const_v<T>) {
        watch.require(at);
        return nullptr;
    } else {
        return reinterpret_cast<T*>(watch.access(at));
    }
}

/// The halo checks of a job; null unless SODE_CHECK=halo.
[[nodiscard]] SODE_API std::shared_ptr<watch_list> const& watches(job& j) noexcept;

} // namespace detail
} // namespace sode
