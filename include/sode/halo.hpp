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

/// For reflection::march(): calls `call(t)` after every `steps` time steps and at the end; t is the number of time steps so far.
template <class Call> struct every {
    index_t steps; ///< 0: at the end only
    Call call;
};
template <class Call> every(index_t, Call) -> every<Call>;

/// A yes-or-no choice for all dimensions (`true`) or for each dimension (`{true, false}`). Braces always make a list, so `{true}`
/// is only for one-dimensional arrays.
class by_dimension {
public:
    constexpr by_dimension(bool all = false) noexcept : all_(all) {}
    by_dimension(std::initializer_list<bool> each) : each_(each) {}
    explicit by_dimension(std::vector<bool> each) : each_(std::move(each)) {}

    [[nodiscard]] bool at(int d) const {
        return each_.empty() ? all_ : static_cast<std::size_t>(d) < each_.size() && each_[static_cast<std::size_t>(d)];
    }
    /// The number of dimensions in the list; 0: one value for all dimensions.
    [[nodiscard]] int entries() const noexcept { return static_cast<int>(each_.size()); }

private:
    bool all_ = false;
    std::vector<bool> each_;
};

/// Options of reflect_init(). All ranks must pass equal options.
struct reflect_options {
    bool corners = false;    ///< also fetch from diagonal neighbours (needed by 19-point and 27-point stencils)
    by_dimension periodic{}; ///< the array is periodic in these dimensions: one entry for all dimensions, or one for each
    /// Channel of every edge: "pull", "stage", "stage-wide", "stage-chunks" ("stage" only for edges in one direction), "inline",
    /// "mpi", "mpi-machine", "reference"; for arrays in device memory "device-pull", "device-push", "device-stage",
    /// "device-segments" ("device-stage" for small faces); empty: the model chooses.
    std::string channel{};
    bool credits =
        false;          ///< acknowledge every read; needed for a buffered array that is not flipped exactly once between exchanges
    std::string name{}; ///< shown in messages; empty: the arrays' names
};

/// A field of an exchange that fetches only part of its shadow: `width(u, 1)` for all dimensions, or `width(u, {2, 3})` with an
/// entry for each dimension.
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
/// alive. If the exchange is in progress, the destructor waits for it. Source: XcalableMP `reflect_init` and `reflect_do`.
///
/// All ranks must run the same exchanges in the same order. Between start() and wait(), the program may read but not write the
/// outermost layers of the block, because neighbours read them. Until wait() returns, the program must neither read nor write the
/// halo.
///
/// start() and wait() do not allocate memory. System calls are made only during a long wait for a peer.
class reflection {
public:
    SODE_API reflection(reflect_options const& options, std::vector<detail::halo_source> sources);
    SODE_API ~reflection();
    SODE_API reflection(reflection&&) noexcept;
    SODE_API reflection& operator=(reflection&&) noexcept;

    /// Starts the exchange: publishes this rank's edges, and fetches those edges of neighbours that are ready. For a `buffered`
    /// array, the half now() is exchanged. Errors: usage, if the exchange is already started, or if the same half of a buffered
    /// array is exchanged twice in a row (see reflect_options::credits).
    SODE_API void start();
    /// Makes progress without waiting, and returns true if the exchange is complete.
    SODE_API bool test();
    /// Waits until the halo has arrived. Call wait() once after each start(). Errors: peer, with the rank that died and the name of
    /// this exchange; timeout (SODE_TIMEOUT); usage, if there was no start(), and with SODE_CHECK=collective if ranks wait in a
    /// cycle.
    SODE_API void wait();
    /// For arrays in device memory: the exchange runs on the device, after all earlier work in the stream. Later work in the stream
    /// sees the updated halo. The host does not wait. The host may enqueue many exchanges one after another, all in one stream. All
    /// ranks must enqueue or start() the same exchanges in the same order. Errors are reported by synchronize() of the stream, or
    /// by wait() or test() for the last exchange.
    ///
    /// If the exchange needs MPI messages, the host starts them. An exchange with MPI messages proceeds only while the host is in
    /// synchronize(), wait() or test(), and enqueue() waits for the previous exchange.
    ///
    /// Errors: usage, if the arrays are in host memory; otherwise as for start().
    SODE_API void enqueue(stream& in);
    /// start() and wait().
    void operator()() {
        start();
        wait();
    }

    /// Overlaps the exchange with a loop that runs `body` over `where`. overlap() first computes the points that do not depend on
    /// the halo, slab by slab, with a test() after each slab. When the halo has arrived, overlap() computes the remaining points.
    /// The iterations are the same as in loop(where, body), but in another order. If `body` throws during the exchange, overlap()
    /// waits for the exchange before it rethrows.
    template <int N, class Body> void overlap(domain<N> const& where, Body body) {
        if constexpr (detail::takes_indices<N, Body>()) overlap_in_pieces(where, body);
    }

    /// overlap() with a reduction: combines `init` with the value that `body` returns for every index, over all ranks, by `op`
    /// (sode::sum, sode::max, …). Every rank gets the same result, which has the type of `init`. Several values can be reduced
    /// together, as in reduce().
    template <int N, class T, class Op, class Body> [[nodiscard]] T overlap_reduce(domain<N> const& where, T init, Op, Body body) {
        if constexpr (detail::reduces<N, T, Op, Body>())
            return reduce_in_pieces(where, init, detail::combining<T, detail::operation_of<Op>>{}, body);
        else
            return init;
    }

    /// Runs `steps` time steps. Afterwards, both halves of each field are bitwise identical to the result of this loop:
    ///
    ///     for (index_t t = 0; t < steps; ++t, u.flip()) overlap(where, step(u.now(), u.next()));
    ///
    /// If the halos of the fields are wide enough (sode::tiles), march() takes several time steps per exchange, in one pass over
    /// memory, while the elements are in the cache. For the steps between two exchanges, each rank computes the outermost elements
    /// of its neighbours redundantly, or receives them.
    ///
    ///     auto const step = [](auto a, auto b) {
    ///         return [=](auto i, auto j) { b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1)); };
    ///     };
    ///     buffered<double, 2> u{plate, shadow{1}, tiles{}};
    ///     auto halo = reflect_init(u);
    ///     halo.march(steps, plate.inner(), step, u); // u.now() holds the last time step, u.next() the one before
    ///
    /// march() determines by trial how many time steps to take per exchange. explain() reports this number, which is the same on
    /// all ranks. SODE_TILES and tiles{k} fix the number of time steps per exchange. There is one time step per exchange for narrow
    /// halos, for cyclic dimensions, and with SODE_CHECK=halo.
    ///
    /// \param where   as for loop(); must contain every periodic dimension completely
    /// \param step    Returns the body of a loop. The arguments are now() of each field that changes …, next() of each of these
    ///                fields …, a view of each other array …. A last argument is optional: the number of the time step, counted
    ///                from 0. The body reads no element beyond the shadow (or beyond the width of the exchange). Each iteration
    ///                writes only its own element of next(), and may read this element first. The body depends on nothing else that
    ///                changes.
    /// \param fields  fields that change (buffered, buffered_bundle; fields of this exchange), and arrays that do not change
    ///                (array, bundle), all with sode::tiles. Halos of arrays that do not change are exchanged once, at the
    ///                beginning.
    ///
    /// Boundary conditions are applied in each time step. Ghost elements that the program fills itself are not changed.
    ///
    /// Errors: usage, if a field does not belong to this exchange, or is in device memory; otherwise as for wait(). If `step`
    /// throws, the values of the fields are undefined. Cost: see docs/time-tiles.md. Source: Wolf and Lam, PLDI 1991; Wellein et
    /// al., COMPSAC 2009.
    template <int N, class Step, class... Fields> void march(index_t steps, domain<N> const& where, Step step, Fields&&... fields);
    /// march() with a function that is called between time steps, for example to write output: see sode::every.
    template <int N, class Call, class Step, class... Fields>
    void march(index_t steps, domain<N> const& where, every<Call> pause, Step step, Fields&&... fields);
    /// march() for arrays in device memory, on a stream. The host does not wait. Later work in the stream sees the result of the
    /// last step. There is one exchange per time step: each step is an enqueue() and a loop() on the stream. All arrays must be in
    /// device memory. If nvcc compiles the step, the step must be an object of a class, and must return an object whose call
    /// operator is marked SODE_GPU. Errors: usage, if a field does not belong to this exchange, or is in host memory; otherwise as
    /// for enqueue().
    template <int N, class Step, class... Fields>
    void march(stream& in, index_t steps, domain<N> const& where, Step step, Fields&&... fields);
    /// march() with a reduction of the values that the body returns in the last time step, as in overlap_reduce(). The values of
    /// earlier steps are discarded. Returns `init` if `steps` is 0.
    template <int N, class T, class Op, class Step, class... Fields>
    [[nodiscard]] T march_reduce(index_t steps, domain<N> const& where, T init, Op op, Step step, Fields&&... fields);

    /// The exchange in reverse: combines each halo element with the corresponding element on its owner. `op` is sode::sum, product,
    /// max, min, … (see reduce()). Particle codes use reverse() to send contributions from ghost cells back to the owner.
    /// Finite-element codes use reverse() for contributions to mesh nodes of other ranks:
    ///
    ///     clear(*rho);              // block and halo: the library writes to the halo only in exchanges
    ///     deposit(particles, *rho); // adds to elements of the block and of the halo
    ///     halo.reverse(sode::sum);
    ///
    /// reverse() uses the layers, fields, periodic dimensions and corners of the exchange. reverse(sode::sum) is the adjoint of the
    /// exchange. A ghost element outside the domain is combined with the element that its boundary condition copies, with the same
    /// sign (boundary.hpp). If several ranks have copies of an element, the order of combination is fixed: the owner's value first,
    /// then the copies in rank order. So all runs with the same number of ranks give bitwise identical results. For a `buffered`
    /// array, the half now() is used; the array need not be flipped between two calls. The values in the halos stay the same. The
    /// blocks change, so all halos are stale afterwards: exchange again before you read halos.
    ///
    /// Data are packed, and sent through shared memory or by MPI. reverse() obeys the values "mpi" and "reference" of
    /// reflect_options::channel, and ignores other values.
    ///
    /// The first call with an operation creates the plan, which is collective.
    /// Errors: usage, if an exchange is in progress, if `op` cannot combine the elements of an array, or if an array has a full
    /// shadow; otherwise as for wait().
    template <class Op> void reverse(Op op) {
        start_reverse(op);
        wait();
    }
    /// Starts reverse(). The reverse exchange is completed by wait() or test(). Until start_reverse() is completed, the program may
    /// read but not write halos, and may neither read nor write blocks.
    template <class Op> void start_reverse(Op) {
        using operation = detail::operation_of<Op>;
        static_assert(detail::is_reduction<operation>,
                      "reverse() supports sode::sum, product, max, min, band, bor, bxor, land, lor and lxor");
        if constexpr (detail::is_reduction<operation>) begin_reverse(operation::code);
    }

    /// Replaces the fields of the exchange by other fields. Pass one new field for each old field, with the same shape,
    /// distribution, layout and widths. The plan is reused. So a program that swaps pointers to arrays needs only one plan:
    ///
    ///     std::swap(now, next);          // pointers to arrays
    ///     halo.rebind(*now);
    ///
    /// The boundary conditions of the original fields still apply. For `buffered` arrays, use flip() instead. Collective over the
    /// ranks that have blocks.
    /// Errors: usage, if an exchange is in progress, if a field has another shape, or if a field is buffered.
    /// Cost: none if other ranks cannot read the arrays directly; otherwise O(log ranks) messages.
    template <class... Fields> void rebind(Fields&&... fields) { rebind_to({fields.halo()...}); }

    /// One line for each edge: pattern, bytes, channel, predicted time, second choice. Then come the plans of full shadows, those
    /// of reverse() after its first call, and those of marches, with the number of time steps per exchange and the reason for this
    /// number.
    [[nodiscard]] SODE_API std::string explain() const;
    /// The plans that explain() describes, one by one, as "text", "json" (an array if there are several), "goal" (for LogGOPSim) or
    /// "dot" (one graph for each plan). Errors: usage, for an unknown format.
    [[nodiscard]] SODE_API std::string dump(std::string_view format = "text") const;
    /// executed(): number of descriptors executed. epochs(): number of exchanges started, in both directions. executed() divided by
    /// epochs() is the number of descriptors in one exchange.
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
    // Calls start(), f(), and wait(). If f throws, the exchange still completes.
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
    [[nodiscard]] SODE_API bool by_messages() const; // some edges need MPI messages
    [[nodiscard]] SODE_API detail::job& job() const;
    [[nodiscard]] impl& made() const; // the implementation; an error if the exchange was moved from
    void tell_plans(std::vector<internal::plan const*>& all) const;
    friend internal::planned_march;                                     // explain() also prints the plans of marches
    [[nodiscard]] SODE_API internal::prepared* plan_in_kernels() const; // for arrays in device memory; null: there is no plan
    void look_ahead(bool odd) const noexcept; // the next exchange uses the halves that are current after the next flip()
    friend internal::halos_in_kernels;

    std::unique_ptr<impl> impl_;
};

/// Plans one exchange for the halos of all `fields`: arrays, buffered arrays, bundles, or one of these with a width(). Collective.
///
///     auto halo = sode::reflect_init({.corners = true}, density, energy, sode::width(xvel, {2, 3}));
///     halo();
///
/// Chooses the channel of every edge, allocates memory, and exchanges addresses, so that start() and wait() need not do so. A halo
/// may extend into several blocks, up to 127 on each side; with boundary conditions, only into one.
/// Errors: usage, if a halo is too wide, if the shapes differ between ranks, if the channel is unknown, or if `periodic` has
/// neither one entry nor one for each dimension; environment. Cost: microseconds for each neighbour, and O(log ranks) small
/// messages.
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
    // There are two partial results. Each slab contributes to one of them, always in the same order, whenever the halo arrives. So
    // sums are bitwise reproducible.
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
