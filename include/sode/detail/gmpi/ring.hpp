// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/entry.hpp>
#include <sode/detail/gmpi/patience.hpp>

namespace sode::gmpi::detail {

/// Bit 63 of each word at `position`. The bit is 1 in the first lap, and alternates from lap to lap. Therefore zeroed memory
/// contains no words of the first lap. A word that has not been written yet has the bit of the previous lap. Therefore words may
/// become visible in any order, and no word is ever cleared. Every unit is written once in each lap.
[[nodiscard]] SODE_GPU constexpr word lap_of(word position, word size) {
    return (position & size) == 0 ? lap_bit : 0;
}

/// The writing side of a ring, shared by the threads of a device.
template <class P> class ring_writer {
public:
    SODE_GPU ring_writer(P const& p, ring const& r) : p_(p), ring_(r) {}

    /// True if the units before `end` may be written. If the value that another thread of the device has read is sufficient, host
    /// memory is not read again.
    [[nodiscard]] SODE_GPU bool has_room(word end) const {
        word const known = p_.template load_acquire<ordering::borrow_credit, scope::device>(*ring_.tail_cache);
        if (end <= known + ring_.size) return true;
        word const tail = p_.template load_acquire<ordering::reuse_units, scope::system>(*ring_.tail);
        if (tail > known) p_.template store_release<ordering::lend_credit, scope::device>(*ring_.tail_cache, tail);
        return end <= tail + ring_.size;
    }

    /// Claims the next units, and then waits until they are free. A claim cannot be undone: if the wait fails, the whole context
    /// ends.
    [[nodiscard]] SODE_GPU code claim(std::uint32_t units, alarm const& a, word& position) const {
        position = p_.fetch_add(*ring_.head, units);
        word const end = position + units;
        patience<P> wait{p_, a, site::room_on_ring, position};
        while (!has_room(end))
            if (auto const c = wait.step(end, ring_.size); c != code::ok) return c;
        return code::ok;
    }

    /// Claims units without waiting. The claim succeeds only if the units are free and no other thread is claiming units.
    [[nodiscard]] SODE_GPU code try_claim(std::uint32_t units, word& position) const {
        position = p_.load(*ring_.head);
        if (!has_room(position + units)) return code::would_block;
        return p_.compare_exchange_relaxed(*ring_.head, position, position + units) ? code::ok : code::would_block;
    }

    SODE_GPU void write(word position, entry const& e) const {
        for (std::uint32_t u = 0; u < units_of(e); ++u) {
            word const at = position + u;
            word const lap = lap_of(at, ring_.size);
            p_.store_pair(ring_.units + 2 * (at & (ring_.size - 1)), encoded(e, 2 * u) | lap, encoded(e, 2 * u + 1) | lap);
        }
    }

private:
    P const& p_;
    ring const& ring_;
};

/// The reading side of a ring, used by one thread. A new reader continues where the last reader stopped. `Between`: the writer is
/// the device (for the host), or another kernel on the same device.
template <class P, scope Between = scope::system> class ring_reader {
public:
    SODE_GPU ring_reader(P const& p, ring const& r) : p_(p), ring_(r), next_(p.load(*r.tail)) {}

    /// Takes up to `most` entries, in the order in which their units were claimed. An entry that is claimed but not yet written
    /// blocks later entries. After take(), the units of the entries are free, and the memory to which the entries refer can be
    /// read. \return the number of entries
    [[nodiscard]] SODE_GPU std::uint32_t take(entry* into, std::uint32_t most) {
        std::uint32_t n = 0;
        while (n < most && read(into[n])) ++n;
        if (n == 0) return 0;
        p_.template fence_acquire<ordering::take, Between>();
        p_.template store_release<ordering::free_units, Between>(*ring_.tail, next_);
        return n;
    }

private:
    SODE_GPU bool read(entry& e) {
        entry found;
        std::uint32_t units = 1;
        for (std::uint32_t u = 0; u < units; ++u) {
            word const at = next_ + u;
            word const lap = lap_of(at, ring_.size);
            for (std::uint32_t half = 0; half < 2; ++half) {
                word const w = p_.load(ring_.units[2 * (at & (ring_.size - 1)) + half]);
                if ((w & lap_bit) != lap) return false;
                decode(found, 2 * u + half, w);
            }
            units = units_of(found);
        }
        next_ += units;
        e = found;
        return true;
    }

    P p_;
    ring ring_;
    word next_;
};

} // namespace sode::gmpi::detail
