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

// What SODE_CHECK=halo rests on. Without it none of this exists at run time: views carry a null pointer that only checked loops
// look at.

namespace sode {
namespace detail {

struct job;
class outside_elements;
class watch_list;
struct watch_account;

/// The index type of checked loops: a 64-bit integer like index_t, but another type, so that a generic loop body called with it is
/// a second instantiation in which views check each access. The usual one is untouched.
using checked_index_t = std::conditional_t<std::is_same_v<index_t, long>, long long, long>;
static_assert(sizeof(checked_index_t) == sizeof(index_t));

/// What one exchange refreshes: layers by dimension and side, whether corners too, and which dimensions wrap around.
struct refresh {
    std::array<index_t, max_dims> lower{};
    std::array<index_t, max_dims> upper{};
    bool corners = false;
    std::array<bool, max_dims> periodic{};
    std::array<bool, max_dims> full{}; ///< everything, then `lower` and `upper` are the extent
    /// What lies outside the array beyond a side is filled by the exchange itself (a boundary condition), as many layers of it as
    /// `lower` and `upper` say. Elsewhere it is the program's to fill, but where the array is periodic.
    std::array<bool, max_dims> fills_lower{};
    std::array<bool, max_dims> fills_upper{};
    /// How many layers of the block at such a side stand outside in another form, and must not change unnoticed.
    std::array<index_t, max_dims> images_lower{};
    std::array<index_t, max_dims> images_upper{};

    /// True if everything that `other` refreshes is refreshed by this too.
    [[nodiscard]] bool covers(refresh const& other) const noexcept;
};

/// Knows whether the halo of one array block may be read. Used by the one rank that owns the block.
///
/// The halo is fresh after an exchange, until the elements that neighbours hold copies of change. That they have changed is found
/// by a checksum when a checked loop begins; the ranks of an SPMD program write alike, so a rank looks at its own elements only.
/// Elements outside the global array that no exchange fills must have been written by the program before they are read.
class halo_watch {
public:
    /// `base` is the rank's allocation of an array described by `shape`; both outlive the watch. `element`: as code_of().
    SODE_API halo_watch(geometry const& shape, int rank, std::byte* base, std::uint8_t element = no_number);
    SODE_API ~halo_watch();
    halo_watch(halo_watch const&) = delete;
    halo_watch& operator=(halo_watch const&) = delete;

    /// All elements of a component have been set to that; zero if they have not.
    SODE_API void filled_at_first(index_t component, std::span<std::byte const> element);
    /// The program fills what lies outside the array, in ways that are not seen: memory that it brought.
    SODE_API void outside_is_programs();
    /// Loops of the program's own read the array through a checked_view from now on.
    SODE_API void begin_reading();

    /// An exchange of the halo begins. Ends with end_exchange().
    SODE_API void begin_exchange(refresh const& what);
    /// Errors: usage, if elements that neighbours were reading have been written meanwhile.
    SODE_API void end_exchange();

    /// Notices whether the halo has become stale.
    SODE_API void look();

    /// `at` has the array's indices, in a bundle those of a component first.
    /// Errors: usage, unless the element is there to be read: owned, fresh halo, or filled outside the global array.
    SODE_API void require(std::span<index_t const> at);
    /// The same for what may be written instead of read; what it was, end_iteration() finds out, if the watch is on a list.
    /// \return where the element is to be accessed, if not in its place; null else
    [[nodiscard]] SODE_API std::byte* access(std::span<index_t const> at);

private:
    friend class watch_list;
    enum class state { never, stale, fresh, in_flight };
    struct element; // by its places

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
    bool deferred_ = false; // something, to be settled
    geometry::block owned_;
    geometry::block allocated_;
    state state_ = state::never;
    bool was_fresh_ = false; // before the exchange in flight
    refresh fresh_;
    refresh pending_;
    std::uint64_t sum_ = 0; // of what neighbours hold copies of
};

/// What has been seen of the arrays of one name.
struct watch_account {
    std::string name;
    bool filled_by_others = false; ///< an exchange has brought something to this rank
    bool has_shadow = false;
    bool looked_at = false; ///< the halo, by a checked loop or through a checked_view
};

/// All watches of a job; held by the job, and there only when SODE_CHECK=halo.
class watch_list {
public:
    watch_list() = default;
    SODE_API ~watch_list();
    watch_list(watch_list const&) = delete;
    watch_list& operator=(watch_list const&) = delete;

    SODE_API void add(std::shared_ptr<halo_watch> const& watch);
    /// A checked loop begins: every watch has a look.
    SODE_API void begin_loop();
    /// One of its iterations is over. Errors: usage, if it has read what nobody has filled.
    void end_iteration() {
        if (!deferred_.empty()) settle(false);
    }
    /// Says on stderr, once per job, that a loop body is not generic and runs unchecked.
    SODE_API void warn_unchecked();
    /// The program asked for its own part of an index space: it has loops of its own.
    void note_own_loops() noexcept { own_loops_ = true; }
    /// Collective, at the end: rank 0 says of which arrays nobody looked at the halo.
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

/// The element may be accessed. \return where, if not in its place. Errors: usage, see halo_watch::access() and require().
template <class T, std::size_t N> [[nodiscard]] T* watched(halo_watch& watch, std::array<index_t, N> const& at) {
    if constexpr (std::is_const_v<T>) {
        watch.require(at);
        return nullptr;
    } else {
        return reinterpret_cast<T*>(watch.access(at));
    }
}

/// The watches of a job; null unless SODE_CHECK=halo.
[[nodiscard]] SODE_API std::shared_ptr<watch_list> const& watches(job& j) noexcept;

} // namespace detail
} // namespace sode
