// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gmpi/fiber.hpp"

#include <sode/detail/gmpi/ordering.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <unordered_map>
#include <vector>

namespace sode::internal::testing {

/// Memory as weak as a GPU and its host see it, and threads that run one at a time as a seed decides. All words that any thread has
/// stored stay; a load returns one that the thread may still see: not older, in the order of that word, than what it knows of. What
/// it knows of grows by its own accesses, and by those of other threads through release and acquire alone, of a scope that holds
/// both. A store may come before stores of others that its thread does not know of. (The views of "A promising semantics", Kang et
/// al., POPL 2017, without promises; scopes as in NVIDIA's PTX memory model.)
class weak_memory {
public:
    using word = gmpi::word;
    using scope = gmpi::detail::scope;

    explicit weak_memory(std::uint64_t seed);
    ~weak_memory();
    weak_memory(weak_memory const&) = delete;
    weak_memory& operator=(weak_memory const&) = delete;

    /// A thread of device `agent`; 0 is the host. \return its number
    int add(int agent, std::function<void()> body);
    /// Runs all threads. False if they have not ended after so many accesses: then they are ended.
    [[nodiscard]] bool run(std::uint64_t most_steps);
    [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
    /// A number below `n`, of the schedule's seed.
    [[nodiscard]] std::uint64_t pick(std::uint64_t n) { return random_() % n; }

    // Accesses of the thread that runs.
    word load(word const& w, bool acquire, scope s);
    void store(word& w, word value, bool release, scope s);
    /// Reads the last value and puts f(value) behind it, if f wants.
    word change(word& w, std::function<bool(word&)> const& f, bool acquire, bool release, scope s);
    void fence(bool acquire, bool release, scope s);
    /// Lets others run.
    void give_way();
    /// All `members` meet in `place`, which is zero at first and nobody else's: what each knows, all know.
    struct meeting {
        int arrived = 0;
        std::uint64_t round = 0;
        std::vector<std::uint64_t> known;
        word value = 0;
    };
    void meet(meeting& place, int members);

private:
    using view = std::vector<std::uint64_t>; // by place: the time of the oldest store that may be seen
    struct stored {
        std::uint64_t time;
        word value;
        int agent;
        view device, system; // what it brings to who acquires it, there and anywhere
    };
    struct place {
        std::vector<stored> order;
        bool changed = false; // by read-modify-write: stores come behind
    };
    struct thread {
        int agent;
        std::unique_ptr<fiber> runs;
        view now, released_device, released_system, read_device, read_system;
    };
    struct end_of_run {};

    void step();
    place& at(word const& w, std::size_t& number);
    void hear(thread& t, stored const& m, bool acquire, scope s);
    [[nodiscard]] stored written(thread const& t, std::uint64_t time, word value, bool release, scope s) const;

    std::mt19937_64 random_;
    std::unordered_map<word const*, std::size_t> numbers_;
    std::vector<place> places_;
    std::vector<thread> threads_;
    std::size_t running_ = 0;
    std::uint64_t steps_ = 0;
    std::uint64_t most_ = 0;
    bool ending_ = false;
};

/// The platform of the protocol on such memory. Of the orderings in `Omitted` there is only the access; those in `narrow` have the
/// device's scope.
template <gmpi::detail::ordering... Omitted> struct weak_platform {
    using word = gmpi::word;
    using ordering = gmpi::detail::ordering;
    using scope = gmpi::detail::scope;
    static constexpr std::uint32_t polls_between_looks = 4;
    template <ordering O> static constexpr bool kept = ((O != Omitted) && ...);

    weak_memory* memory;
    bool narrow = false;

    word load(word const& w) const { return memory->load(w, false, scope::system); }
    void store(word& w, word value) const { memory->store(w, value, false, scope::system); }
    word load_device(word const& w) const { return memory->load(w, false, scope::device); }
    void store_device(word& w, word value) const { memory->store(w, value, false, scope::device); }
    /// Two words, in either order.
    void store_pair(word* w, word first, word second) const {
        bool const turned = memory->pick(2) != 0;
        store(w[turned ? 1 : 0], turned ? second : first);
        store(w[turned ? 0 : 1], turned ? first : second);
    }
    word fetch_add(word& w, word n) const {
        return memory->change(
            w, [n](word& v) { return v += n, true; }, false, false, scope::device);
    }
    bool compare_exchange_relaxed(word& w, word expected, word value) const {
        return exchange(w, expected, value, false, scope::device);
    }
    template <ordering O, scope S> bool compare_exchange(word& w, word expected, word value) const {
        return exchange(w, expected, value, kept<O>, S);
    }
    template <ordering O, scope S> word load_acquire(word const& w) const { return memory->load(w, kept<O>, reach(S)); }
    template <ordering O, scope S> void store_release(word& w, word value) const { memory->store(w, value, kept<O>, reach(S)); }
    template <ordering O, scope S> word fetch_and(word& w, word bits) const {
        return memory->change(
            w, [bits](word& v) { return v &= bits, true; }, kept<O>, false, S);
    }
    template <ordering O, scope S> word fetch_or(word& w, word bits) const {
        return memory->change(
            w, [bits](word& v) { return v |= bits, true; }, false, kept<O>, S);
    }
    template <ordering O, scope S> void fence_release() const {
        if (kept<O>) memory->fence(false, true, reach(S));
    }
    template <ordering O, scope S> void fence_acquire() const {
        if (kept<O>) memory->fence(true, false, reach(S));
    }
    template <ordering O> static constexpr bool meets() { return kept<O>; }
    void pause(std::uint32_t) const { memory->give_way(); }
    word now() const { return memory->steps(); }

private:
    scope reach(scope s) const { return narrow ? scope::device : s; }
    bool exchange(word& w, word expected, word value, bool ordered, scope s) const {
        bool done = false;
        memory->change(
            w, [&](word& v) { return done = v == expected, v = done ? value : v, done; }, ordered, ordered, s);
        return done;
    }
};

/// Some threads of such a device, as a group.
template <class P> class weak_group {
public:
    weak_group(P p, weak_memory::meeting& place, std::uint32_t rank, std::uint32_t size)
        : p_(p), place_(&place), rank_(rank), size_(size) {}
    [[nodiscard]] std::uint32_t thread_rank() const { return rank_; }
    [[nodiscard]] std::uint32_t size() const { return size_; }
    void sync() const { p_.memory->meet(*place_, static_cast<int>(size_)); }
    [[nodiscard]] std::uint32_t broadcast(std::uint32_t value) const {
        if (rank_ == 0) place_->value = value;
        sync();
        auto const told = static_cast<std::uint32_t>(place_->value);
        sync();
        return told;
    }
    [[nodiscard]] P const& platform() const { return p_; }

private:
    P p_;
    weak_memory::meeting* place_;
    std::uint32_t rank_, size_;
};

} // namespace sode::internal::testing
