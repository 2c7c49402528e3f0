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
#include <sode/stream.hpp>

#include <concepts>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace sode {

namespace internal {
struct plan;
class planned_march;
class prepared;
class halos_in_kernels;
} // namespace internal

namespace detail {
class marching;
struct march_terms;
} // namespace detail

/// For reflection::march(): calls `call(t)` after each `steps` time steps and at the end; t is the number of time steps so far.
template <class Call> struct every {
    index_t steps; ///< 0: at the end only
    Call call;
};
template <class Call> every(index_t, Call) -> every<Call>;

/// Yes or no, for all dimensions (`true`) or for each dimension (`{true, false}`). Braces make a list: `{true}` is for arrays of
/// one dimension.
class by_dimension {
public:
    constexpr by_dimension(bool all = false) noexcept : all_(all) {}
    by_dimension(std::initializer_list<bool> each) : each_(each) {}
    explicit by_dimension(std::vector<bool> each) : each_(std::move(each)) {}

    [[nodiscard]] bool at(int d) const {
        return each_.empty() ? all_ : static_cast<std::size_t>(d) < each_.size() && each_[static_cast<std::size_t>(d)];
    }
    /// Number of dimensions that were named; 0: one value for all dimensions.
    [[nodiscard]] int entries() const noexcept { return static_cast<int>(each_.size()); }

private:
    bool all_ = false;
    std::vector<bool> each_;
};

/// Options of reflect_init(). Must be equal on all ranks.
struct reflect_options {
    bool corners = false;    ///< also fetch from diagonal neighbours (needed by 19-point and 27-point stencils)
    by_dimension periodic{}; ///< the array is periodic in these dimensions; one entry for all, or one for each
    /// Channel of every edge: "pull", "stage", "stage-wide", "stage-chunks" ("stage" for edges of one direction only), "inline",
    /// "mpi", "mpi-machine", "reference"; for arrays in device memory "device-pull", "device-push", "device-stage",
    /// "device-segments" ("device-stage" for small faces); empty: the model chooses.
    std::string channel{};
    bool credits = false; ///< acknowledge every read; needed if a buffered array is not flipped exactly once between exchanges
    std::string name{};   ///< shown in messages; empty: the arrays' names
};

/// A field of an exchange that fetches fewer layers than its shadow has: `width(u, 1)` for all dimensions, `width(u, {2, 3})` with
/// an entry for each dimension.
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
template <class Array, std::integral I> [[nodiscard]] width_of<Array> width(Array& a, I layers) { // {2} calls the overload above
    return {a, shadow{static_cast<index_t>(layers)}};
}

/// A halo exchange, planned once and run many times. Made by reflect_init(). Move-only. An exchange keeps the memory of its arrays
/// alive. The destructor waits for a started exchange. Source: XcalableMP `reflect_init` and `reflect_do`.
///
/// All ranks must run the same exchanges in the same order. Between start() and wait() the outermost layers of the block may be
/// read but not written, because neighbours read them. The halo may be neither read nor written.
///
/// start() and wait() allocate nothing, and make no system call unless they must wait long for a peer.
class reflection {
public:
    SODE_API reflection(reflect_options const& options, std::vector<detail::halo_source> sources);
    SODE_API ~reflection();
    SODE_API reflection(reflection&&) noexcept;
    SODE_API reflection& operator=(reflection&&) noexcept;

    /// Starts the exchange: publishes this rank's edges, and fetches edges that are ready. Of a `buffered` array, the half now()
    /// takes part. Errors: usage, if started twice, or twice for the same half of a buffered array (see reflect_options::credits).
    SODE_API void start();
    /// Makes progress without waiting. True if the exchange is complete.
    SODE_API bool test();
    /// Waits until the halo has arrived. Call wait() once after each start(). Errors: peer, naming the rank that died and this
    /// exchange; timeout (SODE_TIMEOUT); usage, if there was no start(), and with SODE_CHECK=collective if ranks wait in a cycle.
    SODE_API void wait();
    /// For arrays in device memory: the exchange runs on the device, after all earlier work in the stream. Later work in the stream
    /// sees the halo. The host does not wait, and may enqueue many exchanges one after another, all in one stream. All ranks
    /// enqueue or start() the same exchanges in the same order. Errors are reported by synchronize() of the stream, or by wait() or
    /// test(), which apply to the last exchange.
    ///
    /// If the exchange needs MPI messages, the host starts them: enqueue() waits for the previous exchange, and this exchange
    /// proceeds only while the host is in synchronize(), wait() or test().
    ///
    /// Errors: usage, if the arrays are in host memory, or as for start().
    SODE_API void enqueue(stream& in);
    /// start() and wait().
    void operator()() {
        start();
        wait();
    }

    /// Overlaps the exchange with the loop of `body` over `where`. Computes points that do not depend on the halo, slab by slab
    /// with a test() in between, until the halo has arrived; then computes the rest. The iterations are the same as in loop(where,
    /// body), in another order. If `body` throws during the exchange, overlap() first waits for the exchange.
    template <int N, class Body> void overlap(domain<N> const& where, Body body) {
        if constexpr (detail::takes_indices<N, Body>()) overlap_in_pieces(where, body);
    }

    /// overlap() with a reduction of the values that `body` returns: `init` is combined by `op` (sode::sum, sode::max, …) with the
    /// value of every index, over all ranks. Every rank gets the same result, of the type of `init`. Several values can be combined
    /// together, as in reduce().
    template <int N, class T, class Op, class Body> [[nodiscard]] T overlap_reduce(domain<N> const& where, T init, Op, Body body) {
        if constexpr (detail::reduces<N, T, Op, Body>())
            return reduce_in_pieces(where, init, detail::combining<T, detail::operation_of<Op>>{}, body);
        else
            return init;
    }

    /// Runs many time steps. Afterwards both halves of each field are bitwise identical to those that this loop computes:
    ///
    ///     for (index_t t = 0; t < steps; ++t, u.flip()) overlap(where, step(u.now(), u.next()));
    ///
    /// If the halos of the fields are wide enough (sode::tiles), march() takes several time steps per exchange, in one pass over
    /// memory, while the elements are in the cache. Between these steps, each rank computes the outermost elements of its
    /// neighbours itself, or receives them.
    ///
    ///     auto const step = [](auto a, auto b) {
    ///         return [=](auto i, auto j) { b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1)); };
    ///     };
    ///     buffered<double, 2> u{plate, shadow{1}, tiles{}};
    ///     auto halo = reflect_init(u);
    ///     halo.march(steps, plate.inner(), step, u); // u.now() holds the last time step, u.next() the one before
    ///
    /// march() finds by trial how many time steps to take at a time; explain() reports the number, which is the same on all ranks.
    /// SODE_TILES and tiles{k} set the number. The number is 1 for narrow halos, for cyclic dimensions, and with SODE_CHECK=halo.
    ///
    /// \param where   as for loop(); in a periodic dimension, the whole dimension
    /// \param step    step(now() of each field that changes …, next() of each of them …, a view of each other array …) returns the
    ///                body of a loop. It may take the number of the step as one more argument, from 0. The body reads no farther
    ///                than the shadow (or the width of the exchange). It writes only its own element of next(), and may read that
    ///                element first. It depends on nothing else that changes.
    /// \param fields  fields that change (buffered, buffered_bundle; fields of this exchange), and arrays that do not change
    ///                (array, bundle), all with sode::tiles. Halos of arrays that do not change are exchanged once, at the
    ///                beginning.
    ///
    /// Boundary conditions apply in each time step. Ghost elements that the program fills itself stay as they are.
    ///
    /// Errors: usage, if a field does not belong to this exchange, or is in device memory; those of wait(). If `step` throws, the
    /// fields are undefined. Cost: see docs/time-tiles.md. Source: M. Wolf and M. Lam, PLDI 1991; G. Wellein et al., COMPSAC 2009.
    template <int N, class Step, class... Fields> void march(index_t steps, domain<N> const& where, Step step, Fields&&... fields);
    /// march() with a function that is called between steps, for output: see sode::every.
    template <int N, class Call, class Step, class... Fields>
    void march(index_t steps, domain<N> const& where, every<Call> pause, Step step, Fields&&... fields);
    /// march() for arrays in device memory, in a stream. The host does not wait, and later work in the stream sees the result of
    /// the last step. The steps are single steps: each step is an enqueue() and a loop() on the stream. All arrays must be in
    /// device memory. If nvcc compiles the step, it must be a class, and return an object with a call operator that is marked
    /// SODE_GPU. Errors: usage, if a field does not belong to this exchange, or is in host memory; those of enqueue().
    template <int N, class Step, class... Fields>
    void march(stream& in, index_t steps, domain<N> const& where, Step step, Fields&&... fields);
    /// march() with a reduction of the values that the body returns in the last step, as in overlap_reduce(). Values of other steps
    /// are dropped. Returns `init` if `steps` is 0.
    template <int N, class T, class Op, class Step, class... Fields>
    [[nodiscard]] T march_reduce(index_t steps, domain<N> const& where, T init, Op op, Step step, Fields&&... fields);

    /// The exchange in reverse: combines each halo element, at the owner, with the element of which it is a copy. `op` is
    /// sode::sum, product, max, min, … (see reduce()). Particle codes use reverse() to return the contributions of particles in
    /// ghost cells, and finite-element codes use it for contributions to nodes of other ranks:
    ///
    ///     clear(*rho);              // block and halo: the library writes to the halo only in exchanges
    ///     deposit(particles, *rho); // adds to elements of the block and of the halo
    ///     halo.reverse(sode::sum);
    ///
    /// reverse() covers the layers, fields, periodic dimensions and corners of the exchange. reverse(sode::sum) is the adjoint of
    /// the exchange. A ghost element outside the domain is combined with the element that its boundary condition copies, with the
    /// sign of the condition (boundary.hpp). If several ranks have copies of an element, the order is fixed: own value, then by
    /// rank. So runs with the same number of ranks give bitwise identical results. Of a `buffered` array, the half now() takes
    /// part; the array need not be flipped between two calls. Halos keep their values. But the blocks have changed, so afterwards
    /// all halos are stale: exchange again before you read halos.
    ///
    /// Data travel packed, through shared memory or by MPI. The values "mpi" and "reference" of reflect_options::channel apply
    /// here, too; other values are ignored.
    ///
    /// The first call with an operation makes the plan, which is collective.
    /// Errors: usage, if an exchange is in progress, if `op` cannot combine the elements of an array, or if an array has a full
    /// shadow; those of wait().
    template <class Op> void reverse(Op op) {
        start_reverse(op);
        wait();
    }
    /// Starts reverse(), which wait() or test() completes. Until then, halos may be read but not written, and blocks may be neither
    /// read nor written.
    template <class Op> void start_reverse(Op) {
        using operation = detail::operation_of<Op>;
        static_assert(detail::is_reduction<operation>,
                      "reverse() supports sode::sum, product, max, min, band, bor, bxor, land, lor and lxor");
        if constexpr (detail::is_reduction<operation>) begin_reverse(operation::code);
    }

    /// From now on the exchange works on these fields. Pass one field for each field that the exchange was planned for, with the
    /// same shape, distribution, layout and widths. The plan stays the same. So a program that swaps pointers to arrays plans only
    /// once:
    ///
    ///     std::swap(now, next);          // pointers to arrays
    ///     halo.rebind(*now);
    ///
    /// The boundary conditions of the first fields stay. For `buffered` arrays use flip() instead. Collective among the ranks that
    /// have blocks.
    /// Errors: usage, if an exchange is in progress, if a field has another shape, or if a field is buffered.
    /// Cost: nothing if other ranks cannot read the arrays directly; otherwise O(log ranks) messages.
    template <class... Fields> void rebind(Fields&&... fields) { rebind_to({fields.halo()...}); }

    /// One line for each edge: pattern, bytes, channel, expected time, second choice. The plans of full shadows follow, then the
    /// plans of reverse() after its first call, then the plans of marches, with the number of time steps at a time and the reason
    /// for this number.
    [[nodiscard]] SODE_API std::string explain() const;
    /// The plans, one for each paragraph of explain(), as "text", "json" (an array if there are several), "goal" (for LogGOPSim) or
    /// "dot" (one graph for each plan). Errors: usage, for another format.
    [[nodiscard]] SODE_API std::string dump(std::string_view format = "text") const;
    /// Number of descriptors executed, and number of exchanges started, in both directions. The ratio of the two is the number of
    /// descriptors of an exchange.
    [[nodiscard]] SODE_API std::uint64_t executed() const noexcept;
    [[nodiscard]] SODE_API std::uint64_t epochs() const noexcept;

private:
    struct impl;
    template <int N, class Body> void overlap_in_pieces(domain<N> const& where, Body& body);
    template <int N, class T, class Op, class Body>
    [[nodiscard]] T reduce_in_pieces(domain<N> const& where, T init, Op op, Body& body);
    template <int N, class Step, class... Fields>
    void take_steps(index_t steps, index_t number, domain<N> const& where, Step const& step, Fields&... fields);
    [[nodiscard]] SODE_API detail::marching& marching_of(detail::march_terms const& terms);
    SODE_API void require_on_device(std::span<detail::halo_source const> fields) const; // for a march on a stream
    SODE_API void begin_reverse(std::uint8_t op);
    SODE_API void rebind_to(std::vector<detail::halo_source> const& sources);
    // Calls start(), f(), wait(). If f throws, the exchange is completed first.
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
    SODE_API void require_overlap(int dims) const; // for a loop on the host over `dims` dimensions
    [[nodiscard]] SODE_API detail::margin const& rim() const;
    [[nodiscard]] SODE_API bool by_messages() const; // some edges need messages
    [[nodiscard]] SODE_API detail::job& job() const;
    [[nodiscard]] impl& made() const; // not moved from
    void tell_plans(std::vector<internal::plan const*>& all) const;
    friend internal::planned_march;                                     // explain() also prints the plans of marches
    [[nodiscard]] SODE_API internal::prepared* plan_in_kernels() const; // for arrays in device memory; null: no plan
    void look_ahead(bool odd) const noexcept; // the next exchange uses the halves that are current after the next flip()
    friend internal::halos_in_kernels;

    std::unique_ptr<impl> impl_;
};

/// Plans one exchange for the halos of all `fields` (arrays, buffered arrays, bundles, or one of these with a width()). Collective.
///
///     auto halo = sode::reflect_init({.corners = true}, density, energy, sode::width(xvel, {2, 3}));
///     halo();
///
/// Chooses the channel of every edge, allocates memory, and exchanges addresses. start() and wait() do nothing of this kind. A halo
/// may reach into several blocks, up to 127 on each side; with boundary conditions, only into one.
/// Errors: usage, if a halo is too wide, if the shapes differ between ranks, for an unknown channel, or if `periodic` has neither
/// one entry nor one for each dimension; environment. Cost: microseconds for each neighbour, and O(log ranks) small messages.
template <class... Fields> [[nodiscard]] reflection reflect_init(reflect_options const& options, Fields&&... fields) {
    return {options, std::vector<detail::halo_source>{fields.halo()...}};
}
template <class First, class... Fields>
requires(!std::is_convertible_v<First, reflect_options>) [[nodiscard]] reflection reflect_init(First&& first, Fields&&... fields) {
    return {reflect_options{}, std::vector<detail::halo_source>{first.halo(), fields.halo()...}};
}

template <int N, class Body> void reflection::overlap_in_pieces(domain<N> const& where, Body& body) {
    require_overlap(N);
    detail::slabs<N> const parts{where.part(), where.owned, rim()};
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
    require_overlap(N);
    detail::slabs<N> const parts{where.part(), where.owned, rim()};
    // Two partial results. Each slab enters one of the two, always in the same order, whenever the halo arrives. So sums are
    // bitwise reproducible.
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
