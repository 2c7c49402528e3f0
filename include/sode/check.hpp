// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/geometry.hpp>

#include <array>
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

    /// True if everything that `other` refreshes is refreshed by this too.
    [[nodiscard]] bool covers(refresh const& other) const noexcept;
};

/// Knows whether the halo of one array block may be read. Used by the one rank that owns the block.
///
/// The halo is fresh after an exchange, until the elements that neighbours hold copies of change. That they have changed is found
/// by a checksum when a checked loop begins; the ranks of an SPMD program write alike, so a rank looks at its own elements only.
/// Elements outside the global array belong to the user, except in periodic dimensions.
class halo_watch {
public:
    /// `base` is the rank's allocation of an array described by `shape`; both outlive the watch.
    halo_watch(geometry const& shape, int rank, std::byte const* base);

    /// An exchange of the halo begins. Ends with end_exchange().
    void begin_exchange(refresh const& what);
    /// Errors: usage, if elements that neighbours were reading have been written meanwhile.
    void end_exchange();

    /// Notices whether the halo has become stale.
    void look();

    /// `at` has the array's indices, in a bundle those of a component first.
    /// Errors: usage, unless the element is there to be read: owned, fresh halo, or the user's own outside the global array.
    void require(std::span<index_t const> at) const;

private:
    enum class state { never, stale, fresh, in_flight };

    [[nodiscard]] std::uint64_t checksum(refresh const& copies) const noexcept;
    [[nodiscard]] index_t place_of(std::size_t d, index_t i) const noexcept;
    [[noreturn]] void complain_foreign(std::span<index_t const> at) const;
    void require_halo(std::span<index_t const> at) const;

    geometry const* shape_;
    int rank_;
    std::byte const* base_;
    geometry::block owned_;
    geometry::block allocated_;
    state state_ = state::never;
    bool was_fresh_ = false; // before the exchange in flight
    refresh fresh_;
    refresh pending_;
    std::uint64_t sum_ = 0; // of what neighbours hold copies of
};

/// All watches of a job; held by the job, and there only when SODE_CHECK=halo.
class watch_list {
public:
    void add(std::weak_ptr<halo_watch> watch) { watches_.push_back(std::move(watch)); }
    /// A checked loop begins: every watch has a look.
    void begin_loop();
    /// Says on stderr, once per job, that a loop body is not generic and runs unchecked.
    void warn_unchecked();

private:
    std::vector<std::weak_ptr<halo_watch>> watches_;
    bool warned_ = false;
};

/// The watches of a job; null unless SODE_CHECK=halo.
[[nodiscard]] std::shared_ptr<watch_list> const& watches(job& j) noexcept;

} // namespace detail
} // namespace sode
