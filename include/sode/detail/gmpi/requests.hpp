// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/gmpi/patience.hpp>

#include <cstddef>

namespace sode::gmpi {

/// An operation in progress. A request belongs to thread 0 of the group that started the operation. Complete each request exactly
/// once: by wait(), or by test() until it no longer returns would_block. A request that is `none` completes immediately.
struct request {
    std::uint32_t handle = 0; ///< slot: 20 bits, generation: 12 bits
    code begun = code::stale; ///< ok if the operation was started
};

/// The result of a wait.
struct status {
    code result = code::ok;
    word bytes = 0; ///< number of bytes that arrived
};

namespace detail {

constexpr std::uint32_t slot_bits = 20;
constexpr std::uint32_t slot_mask = (1U << slot_bits) - 1;
constexpr word generation_mask = 0xfff;

[[nodiscard]] SODE_GPU constexpr std::uint32_t slot_of(std::uint32_t handle) {
    return handle & slot_mask;
}
[[nodiscard]] SODE_GPU constexpr word generation_of(std::uint32_t handle) {
    return handle >> slot_bits;
}

/// The word that reports a completed request. The word contains the handle, the code, the number of bytes, and whether the data are
/// in slots::short_data. The host writes the word with one store, and the device reads it with one load.
[[nodiscard]] SODE_GPU constexpr word state_of(std::uint32_t handle, code how, word bytes, bool is_short = false) {
    return 1 | static_cast<word>(how) << 1 | generation_of(handle) << 9 | bytes << 21 | static_cast<word>(is_short) << 63;
}
[[nodiscard]] SODE_GPU constexpr bool is_over(word state, std::uint32_t handle) {
    return (state & 1) != 0 && (state >> 9 & generation_mask) == generation_of(handle);
}
[[nodiscard]] SODE_GPU constexpr status status_in(word state) {
    constexpr word length_mask = (word{1} << 42) - 1;
    return {static_cast<code>(state >> 1 & 0xff), state >> 21 & length_mask};
}
[[nodiscard]] SODE_GPU constexpr bool has_short_data(word state) {
    return state >> 63 != 0;
}

/// Converts `bytes` bytes of memory, starting at `from`, to words, and converts words back. `bytes` is at most short_bytes.
SODE_GPU inline void gather_words(word* into, void const* from, word bytes) {
    auto const* const at = static_cast<unsigned char const*>(from);
    for (word i = 0; i < bytes; ++i) into[i / sizeof(word)] |= static_cast<word>(at[i]) << 8 * (i % sizeof(word));
}
SODE_GPU inline void scatter_words(void* to, word const* words, word bytes) {
    auto* const at = static_cast<unsigned char*>(to);
    for (word i = 0; i < bytes; ++i) at[i] = static_cast<unsigned char>(words[i / sizeof(word)] >> 8 * (i % sizeof(word)));
}

/// Called by the host: reports that a request is complete. The host does not access the request afterwards.
template <class P> SODE_GPU void complete(P const& p, slots const& s, std::uint32_t handle, code how, word bytes) {
    p.template store_release<ordering::complete, scope::system>(s.state[slot_of(handle)], state_of(handle, how, bytes));
}

/// Called by the host: like complete(), with the data of a short message. The waiting thread stores the data in the receive buffer.
template <class P> SODE_GPU void deliver(P const& p, slots const& s, std::uint32_t handle, code how, word const* data, word bytes) {
    auto* const words = s.short_data + std::size_t{short_words} * slot_of(handle);
    for (std::uint32_t i = 0; i < short_words; ++i) p.store(words[i], data[i]);
    p.template store_release<ordering::complete, scope::system>(s.state[slot_of(handle)], state_of(handle, how, bytes, true));
}

/// The slots of requests. Threads of the device take slots and return them.
template <class P> class slot_table {
public:
    SODE_GPU slot_table(P const& p, slots const& s) : p_(p), slots_(s) {}

    /// Takes a free slot, or returns would_block if there is none.
    [[nodiscard]] SODE_GPU code try_take(std::uint32_t& handle) const {
        std::uint32_t const words = (slots_.count + 63) / 64;
        word const first = p_.fetch_add(*slots_.hint, 1);
        for (std::uint32_t i = 0; i < words; ++i) {
            auto const at = static_cast<std::uint32_t>((first + i) % words);
            word const free = p_.load_device(slots_.free[at]);
            if (free == 0) continue;
            word const bit = free & (~free + 1);
            word const before = p_.template fetch_and<ordering::reuse_slot, scope::device>(slots_.free[at], ~bit);
            if ((before & bit) == 0) continue; // another thread took it
            std::uint32_t const slot = at * 64 + number_of(bit);
            word const generation = (p_.load_device(slots_.generation[slot]) + 1) & generation_mask;
            p_.store_device(slots_.generation[slot], generation);
            handle = slot | static_cast<std::uint32_t>(generation) << slot_bits;
            return code::ok;
        }
        return code::would_block;
    }
    /// Waits for a free slot. If the thread itself holds all slots, the wait times out.
    [[nodiscard]] SODE_GPU code take(alarm const& a, std::uint32_t& handle) const {
        patience<P> wait{p_, a, site::free_slot, slots_.count};
        while (try_take(handle) != code::ok)
            if (auto const c = wait.step(0, slots_.count); c != code::ok) return c;
        return code::ok;
    }
    /// Returns false if the slot was already free, because the request was waited for twice.
    SODE_GPU bool give_back(std::uint32_t handle) const {
        std::uint32_t const slot = slot_of(handle);
        word const bit = word{1} << slot % 64;
        return (p_.template fetch_or<ordering::free_slot, scope::device>(slots_.free[slot / 64], bit) & bit) == 0;
    }
    [[nodiscard]] SODE_GPU bool is_current(std::uint32_t handle) const {
        return slot_of(handle) < slots_.count && p_.load_device(slots_.generation[slot_of(handle)]) == generation_of(handle);
    }

    /// Tests a request once, and frees its slot if the request is complete.
    [[nodiscard]] SODE_GPU code test(request const& r, status& how) const {
        if (r.begun != code::ok) return r.begun;
        if (!is_current(r.handle)) return code::stale;
        word const state = p_.template load_acquire<ordering::observe, scope::system>(slots_.state[slot_of(r.handle)]);
        if (!is_over(state, r.handle)) return code::would_block;
        how = status_in(state);
        if (has_short_data(state)) store_short(slot_of(r.handle), how.bytes);
        return give_back(r.handle) ? how.result : code::stale;
    }
    [[nodiscard]] SODE_GPU code wait(request const& r, alarm const& a, status& how) const {
        patience<P> wait{p_, a, site::request, r.handle};
        while (true) {
            if (auto const c = test(r, how); c != code::would_block) return c;
            if (auto const c = wait.step(0, r.handle); c != code::ok) return c;
        }
    }

private:
    SODE_GPU void store_short(std::uint32_t slot, word bytes) const {
        word data[short_words];
        for (std::uint32_t i = 0; i < short_words; ++i) data[i] = p_.load(slots_.short_data[std::size_t{short_words} * slot + i]);
        // NOLINTNEXTLINE(performance-no-int-to-ptr): words are numbers
        scatter_words(reinterpret_cast<void*>(p_.load_device(slots_.target[slot])), data, bytes);
    }
    [[nodiscard]] SODE_GPU static constexpr std::uint32_t number_of(word bit) {
        std::uint32_t n = 0;
        for (std::uint32_t shift = 32; shift != 0; shift /= 2)
            if (bit >> shift != 0) {
                bit >>= shift;
                n += shift;
            }
        return n;
    }

    P const& p_;
    slots const& slots_;
};

} // namespace detail
} // namespace sode::gmpi
