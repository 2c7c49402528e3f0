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

/// An argument of reflection::march(): march() calls `call(t)` after every `steps` time steps and at the end. The argument t is the
/// number of completed time steps.
template <class Call> struct every {
    index_t steps; ///< 0: at the end only
    Call call;
};
template <class Call> every(index_t, Call) -> every<Call>;

/// A Boolean option for all dimensions (`true`), or for each dimension separately (`{true, false}`). Use `{true}` only for
/// one-dimensional arrays, because braces always make a list.
class by_dimension {
public:
    constexpr by_dimension(bool all = false) noexcept : all_(all) {}
    by_dimension(std::initializer_list<bool> each) : each_(each) {}
    explicit by_dimension(std::vector<bool> each) : each_(std::move(each)) {}

    [[nodiscard]] bool at(int d) const {
        return each_.empty() ? all_ : static_cast<std::size_t>(d) < each_.size() && each_[static_cast<std::size_t>(d)];
    }
    /// Returns the number of dimensions in the list, or 0 if one value applies to all dimensions.
    [[nodiscard]] int entries() const noexcept { return static_cast<int>(each_.size()); }

private:
    bool all_ = false;
    std::vector<bool> each_;
};

/// Options of reflect_init(). All ranks must pass equal options.
struct reflect_options {
    bool corners = false;    ///< also fetch from diagonal neighbours (needed by 19-point and 27-point stencils)
    by_dimension periodic{}; ///< the array is periodic in these dimensions: one entry for all dimensions, or one for each
    /// The channel of every edge. If the name is empty, the cost model chooses a channel for each edge.
    /// - Arrays in host memory can use "pull", "stage", "stage-wide", "stage-chunks", "inline", "mpi", "mpi-machine" and
    ///   "reference".
    /// - Arrays in device memory can use "device-pull", "device-push", "device-stage" and "device-segments".
    ///
    /// With "stage-chunks", edges with messages in only one direction use "stage". With "device-segments", small faces use
    /// "device-stage".
    std::string channel{};
    bool credits = false; ///< acknowledge every read; needed for a buffered array that is not flipped exactly once between two
                          ///< exchanges
    std::string name{};   ///< shown in messages; empty: the arrays' names
};

/// A field and the number of layers of its shadow that an exchange fetches. Use `width(u, 1)` for the same width in all dimensions,
/// or `width(u, {2, 3})` with one entry for each dimension.
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

/// A halo exchange, planned once and run many times. reflect_init() creates a reflection. A reflection can be moved but not copied.
/// The exchange keeps the memory of its arrays alive. If the exchange is in progress, the destructor waits for its completion. The
/// interface follows XcalableMP `reflect_init` and `reflect_do`.
///
/// All ranks must run the same exchanges in the same order. Between start() and wait(), the program must not write the outermost
/// layers of the block, because neighbours read these layers. The program may read the outermost layers. Until wait() returns, the
/// program must neither read nor write the halo.
///
/// start() and wait() do not allocate memory. System calls are made only during a long wait for a peer.
class reflection {
public:
    SODE_API reflection(reflect_options const& options, std::vector<detail::halo_source> sources);
    SODE_API ~reflection();
    SODE_API reflection(reflection&&) noexcept;
    SODE_API reflection& operator=(reflection&&) noexcept;

    /// Starts the exchange: publishes this rank's edges, and fetches the neighbours' edges that are already published. For a
    /// `buffered` array, the current buffer now() is exchanged. Throws a usage error if the exchange is already started. Throws a
    /// usage error if the same half of a buffered array is exchanged twice in a row (see reflect_options::credits).
    SODE_API void start();
    /// Makes progress without waiting, and returns true if the exchange is complete.
    SODE_API bool test();
    /// Waits until the halo has arrived. Call wait() once after each start(). Throws a usage error if there was no start(). Throws
    /// a peer error if a neighbour dies; the message names the neighbour's rank and this exchange. Throws a timeout error after
    /// SODE_TIMEOUT seconds. With SODE_CHECK=collective, wait() also throws a usage error if ranks wait in a cycle.
    SODE_API void wait();
    /// Enqueues an exchange of arrays in device memory. The device runs the exchange after all earlier work in the stream. Later
    /// work in the stream sees the updated halo. The host does not wait for the device. The host may enqueue many exchanges one
    /// after another, all in the same stream. All ranks must enqueue or start() the same exchanges in the same order.
    /// stream::synchronize() reports the errors of all exchanges in the stream. wait() and test() report errors of the last
    /// exchange in the stream.
    ///
    /// If the exchange needs MPI messages, the host starts the messages. An exchange with MPI messages proceeds only while the host
    /// is in synchronize(), wait() or test(). If an exchange has MPI messages, enqueue() first waits for the previous exchange.
    ///
    /// Throws a usage error if the arrays are in host memory. The errors of start() are also possible.
    SODE_API void enqueue(stream& in);
    /// Calls start(), and then wait().
    void operator()() {
        start();
        wait();
    }

    /// Overlaps the exchange with a loop that runs `body` over `where`. overlap() first computes the points that do not depend on
    /// the halo, slab by slab, with a test() after each slab. When the halo has arrived, overlap() computes the remaining points.
    /// overlap() executes the same iterations as loop(where, body), but in another order. If `body` throws during the exchange,
    /// overlap() waits for the exchange before it rethrows.
    template <int N, class Body> void overlap(domain<N> const& where, Body body) {
        if constexpr (detail::takes_indices<N, Body>()) overlap_in_pieces(where, body);
    }

    /// Like overlap(), with a reduction over all ranks. The operation `op` (sode::sum, sode::max, …) combines `init` with the
    /// values that `body` returns. Every rank gets the same result, which has the type of `init`. As in reduce(), several values
    /// can be reduced together.
    template <int N, class T, class Op, class Body> [[nodiscard]] T overlap_reduce(domain<N> const& where, T init, Op, Body body) {
        if constexpr (detail::reduces<N, T, Op, Body>())
            return reduce_in_pieces(where, init, detail::combining<T, detail::operation_of<Op>>{}, body);
        else
            return init;
    }

    /// Runs `steps` time steps. After march(), both buffers of each field are bitwise identical to the result of this loop:
    ///
    ///     for (index_t t = 0; t < steps; ++t, u.flip()) overlap(where, step(u.now(), u.next()));
    ///
    /// If the halos of the fields are wide enough (sode::tiles), march() takes several time steps per exchange. Time steps between
    /// two exchanges need only one pass over memory, because the elements stay in the cache. Between two exchanges, each rank
    /// computes the outermost elements of its neighbours redundantly, or receives these elements.
    ///
    ///     auto const step = [](auto a, auto b) {
    ///         return [=](auto i, auto j) { b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1)); };
    ///     };
    ///     buffered<double, 2> u{plate, shadow{1}, tiles{}};
    ///     auto halo = reflect_init(u);
    ///     halo.march(steps, plate.inner(), step, u); // u.now() holds the last time step, u.next() the one before
    ///
    /// march() determines by trial how many time steps to take per exchange. explain() reports the number of time steps per
    /// exchange, which is the same on all ranks. SODE_TILES and tiles{k} fix the number of time steps per exchange. With narrow
    /// halos, cyclic dimensions or SODE_CHECK=halo, march() takes one time step per exchange.
    ///
    /// \param where   the range of each time step, as for loop(); must contain every periodic dimension completely
    /// \param step    A function that returns the body of a loop. The arguments of `step` are, in this order: now() of each field
    ///                that changes, next() of each field that changes, and a view of each other array. `step` may have one more
    ///                parameter, the number of the time step, counted from 0. The body must not read elements beyond the shadow, or
    ///                beyond the width of the exchange. Each iteration writes only its own element of next(), and may read this
    ///                element first. The body must not depend on any other data that change during the march.
    /// \param fields  fields of this exchange that change (buffered, buffered_bundle), and arrays that do not change (array,
    ///                bundle), all with sode::tiles. At the beginning, march() exchanges the halos of arrays that do not change.
    ///
    /// march() applies boundary conditions in each time step. march() does not change ghost elements that the program itself fills.
    ///
    /// Throws a usage error if a field does not belong to this exchange, or if a field is in device memory. The errors of wait()
    /// are also possible. If `step` throws, the values of the fields are undefined. For the cost, see docs/time-tiles.md. The
    /// algorithm combines skewed tiles (Wolf and Lam, PLDI 1991) and wavefronts (Wellein et al., COMPSAC 2009).
    template <int N, class Step, class... Fields> void march(index_t steps, domain<N> const& where, Step step, Fields&&... fields);
    /// Like march(), with a function that is called between time steps, for example to write output (see sode::every).
    template <int N, class Call, class Step, class... Fields>
    void march(index_t steps, domain<N> const& where, every<Call> pause, Step step, Fields&&... fields);
    /// Enqueues a march for arrays in device memory. The host does not wait for the device. Later work in the stream sees the
    /// result of the last step. Each time step consists of an enqueue() and a loop() on the stream. All arrays must be in device
    /// memory. If nvcc compiles the step, the step must be an object of a class, and must return an object with a call operator
    /// that is marked SODE_GPU. Throws a usage error if a field does not belong to this exchange, or if a field is in host memory.
    /// The errors of enqueue() are also possible.
    template <int N, class Step, class... Fields>
    void march(stream& in, index_t steps, domain<N> const& where, Step step, Fields&&... fields);
    /// Like march(), with a reduction of the values that the body returns in the last time step, as in overlap_reduce(). The values
    /// that the body returns in earlier time steps are discarded. The result is `init` if `steps` is 0.
    template <int N, class T, class Op, class Step, class... Fields>
    [[nodiscard]] T march_reduce(index_t steps, domain<N> const& where, T init, Op op, Step step, Fields&&... fields);

    /// Runs the exchange in reverse: combines each halo element with the corresponding element on its owner. The operation `op` is
    /// sode::sum, product, max, min, … (see reduce()). Particle codes use reverse() to send contributions from ghost cells back to
    /// the owner. Finite-element codes use reverse() for contributions to mesh nodes of other ranks:
    ///
    ///     clear(*rho);              // block and halo: the library writes to the halo only in exchanges
    ///     deposit(particles, *rho); // adds to elements of the block and of the halo
    ///     halo.reverse(sode::sum);
    ///
    /// reverse() uses the fields, widths, periodic dimensions and corners of the exchange. reverse(sode::sum) is the adjoint of the
    /// exchange. A ghost element outside the domain is combined with the element from which its boundary condition copies, with the
    /// same sign (see boundary.hpp). The values of an element are combined in a fixed order: the owner's value first, then the
    /// values of the copies in rank order. The results are bitwise identical in all runs with the same number of ranks. For a
    /// `buffered` array, reverse() uses the current buffer now(). A `buffered` array need not be flipped between two calls of
    /// reverse(). reverse() changes the blocks but not the halos. After reverse(), all halos are stale, so exchange them again
    /// before you read halos.
    ///
    /// reverse() sends packed data through shared memory or by MPI. Of the channels in reflect_options::channel, reverse() obeys
    /// only "mpi" and "reference".
    ///
    /// The first call of reverse() with an operation plans the communication, and is collective.
    /// Throws a usage error if an exchange is in progress, if `op` cannot combine the elements of an array, or if an array has a
    /// full shadow. The errors of wait() are also possible.
    template <class Op> void reverse(Op op) {
        start_reverse(op);
        wait();
    }
    /// Starts a reverse exchange, which wait() or test() completes. Until start_reverse() is completed, the program may read but
    /// not write halos, and may neither read nor write blocks.
    template <class Op> void start_reverse(Op) {
        using operation = detail::operation_of<Op>;
        static_assert(detail::is_reduction<operation>,
                      "reverse() supports sode::sum, product, max, min, band, bor, bxor, land, lor and lxor");
        if constexpr (detail::is_reduction<operation>) begin_reverse(operation::code);
    }

    /// Replaces the fields of the exchange by other fields, and reuses the plan. Pass one new field for each old field. The new
    /// field must have the same shape, distribution, layout and widths as the old field. A program that swaps pointers to arrays
    /// needs only one plan:
    ///
    ///     std::swap(now, next);          // pointers to arrays
    ///     halo.rebind(*now);
    ///
    /// The boundary conditions of the original fields still apply. For `buffered` arrays, use flip() instead. rebind() is
    /// collective over the ranks that have blocks. Throws a usage error if an exchange is in progress, if a field has another
    /// shape, or if a field is buffered. The cost is O(log ranks) messages if other ranks can read the arrays directly. If other
    /// ranks cannot read the arrays directly, rebind() sends no messages.
    template <class... Fields> void rebind(Fields&&... fields) { rebind_to({fields.halo()...}); }

    /// Describes the plan, with one line for each edge: pattern, bytes, channel, predicted time, second-best channel. explain()
    /// also describes the plans of full shadows, of reverse() and of marches. For marches, explain() prints the number of time
    /// steps per exchange, and the reason for the number.
    [[nodiscard]] SODE_API std::string explain() const;
    /// Prints all plans that explain() describes, in one of the formats "text", "json", "goal" (for LogGOPSim) and "dot". Several
    /// plans form one JSON array, or one graph for each plan. Throws a usage error for an unknown format.
    [[nodiscard]] SODE_API std::string dump(std::string_view format = "text") const;
    /// executed() returns the number of descriptors executed. epochs() returns the number of exchanges started, including reverse
    /// exchanges. executed() divided by epochs() is the number of descriptors in one exchange.
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

/// Plans one exchange for the halos of all `fields`. A field is an array, a buffered array or a bundle, optionally with a width().
/// The call is collective.
///
///     auto halo = sode::reflect_init({.corners = true}, density, energy, sode::width(xvel, {2, 3}));
///     halo();
///
/// reflect_init() chooses the channel of every edge, allocates memory, and exchanges addresses, so that start() and wait() are
/// fast. A halo may extend into up to 127 blocks on each side, or into one block if the field has boundary conditions.
/// Throws a usage error if a halo is too wide, if the shapes differ between ranks, or if the channel is unknown. Throws a usage
/// error if the number of entries of `periodic` is neither one nor the number of dimensions. Throws an environment error if a
/// resource such as memory is missing. The cost is a few microseconds for each neighbour, and O(log ranks) small messages.
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
    // There are two partial results. Each slab contributes to one partial result. The order of contributions does not depend on
    // when the halo arrives, so sums are bitwise reproducible.
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
