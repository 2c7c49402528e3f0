// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/detail/api.hpp>
#include <sode/detail/cxx20.hpp>

#include <sode/collective.hpp>
#include <sode/domain.hpp>
#include <sode/halo_source.hpp>
#include <sode/loop.hpp>
#include <sode/shadow.hpp>
#include <sode/slabs.hpp>

#include <concepts>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sode {

/// Yes or no, for all dimensions alike or one by one: `true`, `{true, false}`.
class by_dimension {
public:
    constexpr by_dimension(bool all = false) noexcept : all_(all) {}
    by_dimension(std::initializer_list<bool> each) : each_(each) {}
    explicit by_dimension(std::vector<bool> each) : each_(std::move(each)) {}

    [[nodiscard]] bool at(int d) const {
        return each_.empty() ? all_ : static_cast<std::size_t>(d) < each_.size() && each_[static_cast<std::size_t>(d)];
    }

private:
    bool all_ = false;
    std::vector<bool> each_;
};

/// What reflect_init() should plan. Must be equal on all ranks.
struct reflect_options {
    bool corners = false;    ///< also from diagonal neighbours (27-point stencils; 19-point ones need the edges)
    by_dimension periodic{}; ///< the array wraps around in these dimensions
    /// Force every edge: "pull", "stage", "stage-wide", "stage-chunks" (which is "stage" where an edge has no mirror image),
    /// "inline", "mpi", "mpi-machine", "reference"; empty: choose by the model.
    std::string channel{};
    bool credits = false; ///< acknowledge every read; needed if a buffered array is not flipped exactly once between exchanges
    std::string name{};   ///< for messages; empty: the arrays' names
};

/// A field of an exchange with fewer layers than its shadow has: `width(u, {2, 3})`, one entry for all dimensions (`width(u, 1)`)
/// or one each.
template <class Array> struct width_of {
    using value_type = typename Array::value_type;
    static constexpr int dimensions = Array::dimensions;

    Array& array;
    shadow layers;

    [[nodiscard]] detail::halo_source halo() const {
        auto s = array.halo();
        for (int d = 0; d < s.shape->dims; ++d) {
            auto const l = layers.at(d, s.shape->dims);
            s.lower[static_cast<std::size_t>(d)] = l.lower;
            s.upper[static_cast<std::size_t>(d)] = l.upper;
            s.full[static_cast<std::size_t>(d)] = l.whole;
        }
        return s;
    }
};
template <class Array> [[nodiscard]] width_of<Array> width(Array& a, std::initializer_list<shadow::layers> layers) {
    return {a, shadow{layers}};
}
template <class Array> [[nodiscard]] width_of<Array> width(Array& a, shadow layers) {
    return {a, layers};
}
template <class Array, std::integral I> [[nodiscard]] width_of<Array> width(Array& a, I layers) { // {2} is a list
    return {a, shadow{static_cast<index_t>(layers)}};
}

/// A halo exchange, planned once and run many times (paper P0: `reflect_init` / `reflect_do`). Made by reflect_init(). Move-only;
/// keeps the arrays' memory alive; destroying a started exchange waits for it.
///
/// All ranks must run the same exchanges in the same order. Between start() and wait() the elements that neighbours pull (the
/// outermost layers of the block) may be read but not written, and the halo may be neither read nor written.
///
/// start() and wait() allocate nothing and make no system call while the peers keep up.
class reflection {
public:
    SODE_API reflection(reflect_options const& options, std::vector<detail::halo_source> sources);
    SODE_API ~reflection();
    SODE_API reflection(reflection&&) noexcept;
    SODE_API reflection& operator=(reflection&&) noexcept;

    /// Begins: what this rank offers is published, what is there already is fetched. Of a `buffered` array, the half that is now()
    /// takes part. Errors: usage, if started twice, or at the same half of a buffered array twice (see reflect_options::credits).
    SODE_API void start();
    /// Goes on without waiting. True if the exchange is over.
    SODE_API bool test();
    /// Once after each start(). Errors: peer, naming the rank that died and this exchange; timeout (SODE_TIMEOUT); usage, if there
    /// was no start(), and with SODE_CHECK=collective if what it waits for cannot come.
    SODE_API void wait();
    /// start() and wait().
    void operator()() {
        start();
        wait();
    }

    /// The exchange and the loop `body` over `where` at the same time: first what does not depend on the halo, a slab after the
    /// other with a test() in between, until the halo has come; then the rest, the rim of those slabs included. The same iterations
    /// as loop(where, body), in another order. If `body` throws while the exchange is under way, it is waited for first.
    template <int N, class Body> void overlap(domain<N> const& where, Body body) {
        if constexpr (detail::takes_indices<N, Body>()) overlap_in_pieces(where, body);
    }

    /// The same with a reduction over what `body` returns: `init` combined by `op` (sode::sum, sode::max, …) with the value of
    /// every index, over all ranks. The result is the same on every rank. `decltype(init)` is the type it is accumulated in;
    /// several values go together as in reduce().
    template <int N, class T, class Op, class Body> [[nodiscard]] T overlap_reduce(domain<N> const& where, T init, Op, Body body) {
        if constexpr (detail::reduces<N, T, Op, Body>())
            return reduce_in_pieces(where, init, detail::combining<T, detail::operation_of<Op>>{}, body);
        else
            return init;
    }

    /// The exchange the other way round: what this rank has in its halo is combined with the elements that it is a copy of, at
    /// their owners. `op` is sode::sum, product, max, min, … (see reduce()). What particles leave in ghost cells, or finite
    /// elements in nodes of other ranks, goes home:
    ///
    ///     clear(*rho);              // the halo too: the library never writes to it but by start()
    ///     deposit(particles, *rho); // adds to elements of the block and of the halo
    ///     halo.reverse(sode::sum);
    ///
    /// It covers the layers, fields, periodic dimensions and corners of the exchange: with `sum` it is the adjoint of it. What lies
    /// outside the domain goes to what its boundary condition has copied, with the sign (boundary.hpp). Elements that several ranks
    /// have copies of are combined in a fixed order (own value, then by rank), so that the result is the same bits every time,
    /// though not on another number of ranks. Of a `buffered` array, now() takes part, which need not be flipped in between. Halos
    /// keep their values and are stale after it, as after any other change of blocks.
    ///
    /// Parts of halos travel packed, through shared memory or by MPI, whichever channel was chosen or forced for the exchange
    /// itself; only "mpi" and "reference" are forced here too.
    ///
    /// Planned, collectively, when it is first called with an operation. Errors: usage, if an exchange is under way, an array's
    /// elements are none that `op` can combine, or it has a full shadow; those of wait().
    template <class Op> void reverse(Op op) {
        start_reverse(op);
        wait();
    }
    /// The same to be ended by wait() or test(). Until then halos may be read but not written, and blocks neither.
    template <class Op> void start_reverse(Op) {
        using operation = detail::operation_of<Op>;
        static_assert(detail::is_reduction<operation>,
                      "reverse combines by sode::sum, product, max, min, band, bor, bxor, land, lor or lxor");
        if constexpr (detail::is_reduction<operation>) begin_reverse(operation::code);
    }

    /// From now on the exchange is one of these fields, one for each that it was planned for, of the same shapes: distributed and
    /// laid out alike, with the same widths. What was planned remains; a program that takes turns with arrays by pointers plans
    /// once:
    ///
    ///     std::swap(now, next);          // pointers to arrays
    ///     halo.rebind(*now);
    ///
    /// Boundary conditions remain those of the first fields, and are not given again. `buffered` arrays take turns by flip().
    /// Collective among the ranks that have blocks. Errors: usage, if an exchange is under way, a field has another shape, or is
    /// buffered. Cost: nothing where no other rank can load the arrays; else a meeting of the ranks, O(log ranks) messages.
    template <class... Fields> void rebind(Fields&&... fields) { rebind_to({fields.halo()...}); }

    /// One line per edge: pattern, bytes, channel, expected time, runner-up. What fills full shadows follows, and reverse() once it
    /// has been called.
    [[nodiscard]] SODE_API std::string explain() const;
    /// The plans themselves, as many as explain() has paragraphs: "text", "json" (of several plans an array), "goal" (for
    /// LogGOPSim) or "dot" (a graph each). Errors: usage, for another format.
    [[nodiscard]] SODE_API std::string dump(std::string_view format = "text") const;
    /// Descriptors executed so far, and exchanges started, in either direction: their ratio is what an exchange costs in steps.
    [[nodiscard]] SODE_API std::uint64_t executed() const noexcept;
    [[nodiscard]] SODE_API std::uint64_t epochs() const noexcept;

private:
    struct impl;
    template <int N, class Body> void overlap_in_pieces(domain<N> const& where, Body& body);
    template <int N, class T, class Op, class Body>
    [[nodiscard]] T reduce_in_pieces(domain<N> const& where, T init, Op op, Body& body);
    SODE_API void begin_reverse(std::uint8_t op);
    SODE_API void rebind_to(std::vector<detail::halo_source> const& sources);
    // start(), f(), wait(); if f throws, the exchange is waited for all the same.
    template <class F> void meanwhile(F f) {
        start();
        try {
            f();
        } catch (...) {
            settle();
            throw;
        }
        wait();
    }
    SODE_API void settle() noexcept;
    [[nodiscard]] SODE_API detail::margin const& rim_for(int dims) const;
    [[nodiscard]] SODE_API bool by_messages() const; // some of it
    [[nodiscard]] SODE_API detail::job& job() const;
    [[nodiscard]] impl& made() const; // not moved from

    std::unique_ptr<impl> impl_;
};

/// Plans the exchange of the halos of `fields` (arrays, buffered arrays, bundles, or those with a width()), all in one. Collective.
///
///     auto halo = sode::reflect_init({.corners = true}, density, energy, sode::width(xvel, {2, 3}));
///     halo();
///
/// Decides the channel of every edge, allocates, and exchanges addresses; nothing of that happens later.
/// Errors: usage, if a halo is wider than a neighbour's block, the shapes differ between ranks, or the channel is unknown;
/// environment. Cost: microseconds per neighbour, and O(log ranks) small messages to agree.
template <class... Fields> [[nodiscard]] reflection reflect_init(reflect_options const& options, Fields&&... fields) {
    return {options, std::vector<detail::halo_source>{fields.halo()...}};
}
template <class First, class... Fields>
requires(!std::is_convertible_v<First, reflect_options>) [[nodiscard]] reflection reflect_init(First&& first, Fields&&... fields) {
    return {reflect_options{}, std::vector<detail::halo_source>{first.halo(), fields.halo()...}};
}

template <int N, class Body> void reflection::overlap_in_pieces(domain<N> const& where, Body& body) {
    detail::slabs<N> const parts{where.part(), where.owned, rim_for(N)};
    auto const run = [&](box<N> const& part) { detail::run(where, part, body); };
    detail::begin_loop<Body>(where);
    index_t at = parts.first();
    meanwhile([&] {
        for (; at < parts.last() && !test(); at = parts.behind(at)) run(parts.inside(at, parts.behind(at)));
    });
    run(parts.from(at));
    run(parts.before_first());
    parts.rim(parts.first(), at, run);
}

template <int N, class T, class Op, class Body> T reflection::reduce_in_pieces(domain<N> const& where, T init, Op op, Body& body) {
    detail::slabs<N> const parts{where.part(), where.owned, rim_for(N)};
    // Two values, so that each slab enters either in one order, whenever the halo comes: sums are the same bits every time.
    T inside = Op::template identity<T>(), rim = inside;
    auto const add = [&](T& to, box<N> const& part) {
        to = op(to, detail::accumulate_piece(where, part, Op::template identity<T>(), op, body));
    };
    index_t const split = parts.whole_from(!by_messages());
    detail::begin_loop<Body>(where);
    index_t done = parts.first();
    meanwhile([&] {
        for (; done < split && !test(); done = parts.behind(done)) add(inside, parts.inside(done, parts.behind(done)));
    });
    for (index_t at = parts.first(); at < split; at = parts.behind(at)) {
        if (at >= done) add(inside, parts.inside(at, parts.behind(at)));
        parts.rim(at, parts.behind(at), [&](box<N> const& part) { add(rim, part); });
    }
    for (index_t at = split; at < parts.last(); at = parts.behind(at)) add(inside, parts.whole(at, parts.behind(at)));
    add(rim, parts.from(parts.last()));
    add(rim, parts.before_first());
    return op(init, detail::allreduced(job(), op(inside, rim), op, where.global));
}

} // namespace sode
