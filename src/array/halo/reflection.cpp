// SPDX-License-Identifier: Apache-2.0
#include <sode/halo.hpp>

#include "array/bound.hpp"
#include "array/full_shadow.hpp"
#include "array/grid_shape.hpp"
#include "array/halo/halo_edges.hpp"
#include "array/halo/halo_plan.hpp"
#include "array/halo/halo_spec_of.hpp"
#include "array/halo/halo_variants.hpp"
#include "array/halo/prepare_reverse.hpp"
#include "array/halo/wall_steps.hpp"
#include "array/machine_blocks.hpp"
#include "array/march/planned_march.hpp"
#include "array/stream_work.hpp"
#include "array/taking_part.hpp"
#include "base/activity.hpp"
#include "base/clock.hpp"
#include "base/misuse.hpp"
#include "engine/device_reach.hpp"
#include "engine/prepared_list.hpp"
#include "model/checked_plan.hpp"
#include "model/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

namespace sode {
using namespace internal;

namespace {

taking_part who_takes_part(std::vector<detail::halo_source> const& fields) {
    if (fields.empty())
        throw error{error_kind::usage, "an exchange has no fields", "reflect_init got only options",
                    "pass the arrays after the options"};
    std::vector<detail::halo_source const*> all;
    for (auto const& f : fields) all.push_back(&f);
    return taking_part{all};
}

// What an array was before its ranks were numbered anew.
struct given_array {
    detail::job* owner;
    std::uint64_t shape; // fingerprint
};
std::vector<given_array> described(std::vector<detail::halo_source> const& fields) {
    std::vector<given_array> all;
    for (auto const& f : fields) all.push_back({f.owner, f.shape->fingerprint()});
    return all;
}

std::vector<detail::halo_source> seen_by(taking_part& who, std::vector<detail::halo_source> fields) {
    for (auto& f : fields) f = who(f);
    return fields;
}

} // namespace

struct reflection::impl {
    impl(reflect_options const& options, std::vector<detail::halo_source> given)
        : given_options(options), who(who_takes_part(given)), planned_for(described(given)),
          sources(seen_by(who, std::move(given))), owner(*who.among()), spec(halo_spec_of(options, sources, owner)) {
        for (auto const& s : sources) arrays.push_back(bound(s));
        if (who.absent()) {
            rim.dims = spec.fields.front().shape->dims;
            return;
        }
        if (spec.on_device()) {
            reach = find_reach(*owner.ranks, *owner.memory, owner.freed, owner.need_device());
            spec.peers = reach.all;
            spec.device_sockets = reach.sockets;
        }
        prepare_halo();
        auto const m = margin_of(spec, owner.boot->rank());
        rim = {.dims = spec.fields.front().shape->dims, .lower = m.lower, .upper = m.upper};
        for (auto const& s : sources)
            if (wants_full(s)) forward.add(prepare_fill(s, options.channel));
        widen_rim();
        if (owner.watches) find_refreshes();
    }

    void prepare_halo() {
        forward.add(prepare_one(spec));
        if (spec.on_device()) return; // its time shows nowhere
        variants = halo_variants::of(owner, spec, [this](halo_spec const& other) { return prepare_one(other); });
    }
    [[nodiscard]] std::unique_ptr<prepared> prepare_one(halo_spec const& one) const {
        auto steps = checked_plan(
            owner, [&](int r) { return build_halo(one, r); }, [&](int r) { return halo_models(one, r); },
            "the output of reflection::dump(\"json\")");
        auto terms = places();
        terms.fingerprint = one.fingerprint();
        terms.calls = wall_functions(one, owner.boot->rank());
        return std::make_unique<prepared>(std::move(steps), owner.surroundings(), std::move(terms));
    }
    // Arrays, and the half of each group of them, kept alive by `sources`.
    [[nodiscard]] plan_terms places() const {
        plan_terms terms{.arrays = arrays};
        for (auto const& s : sources)
            if (s.half && std::find(terms.halves.begin(), terms.halves.end(), s.half.get()) == terms.halves.end())
                terms.halves.push_back(s.half.get());
        return terms;
    }

    // With a full shadow any element may depend on any other.
    void widen_rim() {
        for (auto const& s : sources)
            for (std::size_t d = 0; d < max_dims; ++d)
                if (s.full[d]) rim.lower[d] = rim.upper[d] = s.shape->axes[d].extent;
    }

    [[nodiscard]] bool reversing() const noexcept { return now != &forward && now->under_way(); }
    void start() {
        if (reversing())
            throw error{error_kind::usage, fmt::format("{} was started during its reverse()", spec.name),
                        "the previous exchange is still in progress", "call wait() before the next start()"};
        if (owner.watches && !who.absent()) {
            forward.require_startable();
            begin_checks();
        }
        now = &forward;
        if (!variants) {
            forward.start();
            return;
        }
        forward.require_startable();
        variants->before_start(forward);
        auto const since = variants->timed() ? now_ns() : 0;
        forward.start();
        if (since != 0) spent_ns = now_ns() - since;
    }
    void wait() {
        bool const timed = variants && now == &forward && variants->timed();
        auto const since = timed ? now_ns() : 0;
        now->wait();
        if (timed) variants->took(spent_ns + now_ns() - since);
    }
    [[nodiscard]] bool test() const {
        if (variants) variants->forget_time(); // what it does in between shows nowhere
        return now->test();
    }
    void refuse_on_device(std::string_view what, std::string_view why, std::string_view hint) const {
        if (spec.on_device()) throw error{error_kind::usage, fmt::format("{} {}", spec.name, what), why, hint};
    }
    void enqueue(detail::stream_work& in) {
        if (in.owner.get() != planned_for.front().owner)
            throw error{error_kind::usage, fmt::format("{} cannot be enqueued on this stream", spec.name),
                        "the stream belongs to another runtime", "create the stream and the exchange with the same sode::runtime"};
        in.give(spec.name, [&](device_queue& q) { forward.enqueue(q); });
        in.follow(forward_);
    }
    void start_reverse(reduction op) {
        if (now->under_way())
            throw error{error_kind::usage, fmt::format("reverse() of {} was started too early", spec.name),
                        "the previous exchange is still in progress", "call wait() before reverse()"};
        refuse_on_device("does not support reverse()", "Sode has no kernel that combines elements in device memory",
                         "call reverse() for an exchange of host arrays");
        auto& list = backward[static_cast<std::size_t>(op)];
        if (list.empty() && !who.absent()) {
            owner.require_running(spec.name);
            list.add(prepare_reverse(spec, sources, op, places(), owner));
        }
        now = &list;
        list.start();
    }

    [[noreturn]] void refuse_other(std::string_view array, std::string_view why, std::string_view hint) const {
        throw error{error_kind::usage, fmt::format("{} cannot be rebound to array \"{}\"", spec.name, array), why, hint};
    }
    void require_alike(detail::halo_source const& one, detail::halo_source const& before, given_array const& as_given) const {
        auto const& name = one.shape->name;
        if (one.owner != as_given.owner)
            refuse_other(name, "the array belongs to another runtime",
                         "create the array and the exchange with the same sode::runtime");
        if (one.half || before.half)
            refuse_other(name, "a buffered array already has two halves", "call flip() instead of rebind()");
        if (one.walls && one.walls != before.walls)
            refuse_other(name, "the exchange keeps the boundary conditions with which it was planned",
                         "pass the array without boundary()");
        if (one.shape->fingerprint() != as_given.shape || one.lower != before.lower || one.upper != before.upper ||
            one.full != before.full || one.element != before.element)
            refuse_other(name,
                         fmt::format("the exchange was planned for array \"{}\", which has another layout", before.shape->name),
                         "pass an array with the same shape, type and widths, or plan another exchange");
    }
    void rebind(std::vector<detail::halo_source> const& given) {
        owner.require_running(spec.name);
        if (now->started())
            throw error{error_kind::usage, fmt::format("{} was given other arrays too early", spec.name),
                        "the previous exchange is still in progress", "call wait() before rebind()"};
        if (given.size() != sources.size())
            throw error{error_kind::usage, fmt::format("{} was given {} arrays", spec.name, given.size()),
                        fmt::format("the exchange was planned for {}", sources.size()),
                        "pass one array for each array of the plan"};
        for (std::size_t i = 0; i < given.size(); ++i) require_alike(given[i], sources[i], planned_for[i]);
        for (std::size_t i = 0; i < given.size(); ++i) {
            sources[i].memory = given[i].memory;
            sources[i].watch = given[i].watch;
            arrays[i] = bound(sources[i]);
        }
        if (!who.absent()) rebind_plans();
    }
    void rebind_plans() {
        forward.front().rebind(arrays);
        if (variants) variants->for_each_other([this](prepared& p) { p.rebind(arrays); });
        std::size_t fill = 1;
        for (auto const& s : sources)
            if (wants_full(s)) {
                auto& one = forward.at(fill++);
                one.rebind(std::vector<bound_array>(one.places().arrays().size(), bound(s)));
            }
        for (auto const& list : backward)
            if (!list.empty()) list.front().rebind(arrays);
    }

    // What has been planned so far, in either direction.
    template <class F> void for_each(F f) const {
        f(forward);
        for (auto const& list : backward) f(list);
    }

    static void note_walls(detail::refresh& r, halo_field const& f, int dim) {
        auto const d = static_cast<std::size_t>(dim);
        for (int side : {0, 1}) {
            auto const* w = f.wall_at(dim, side);
            if (!w) continue;
            auto const layers = side == 0 ? f.lower[d] : f.upper[d];
            (side == 0 ? r.fills_lower : r.fills_upper)[d] = layers > 0;
            auto& images = (side == 0 ? r.images_lower : r.images_upper)[d];
            for (auto const& rule : *w) images = std::max(images, layers > 0 ? depth_of(rule, layers) : 0);
        }
    }
    void find_refreshes() {
        for (auto const& f : spec.fields) {
            detail::refresh r{.lower = f.lower, .upper = f.upper, .corners = spec.corners};
            auto const field = static_cast<int>(refreshes.size());
            auto const& wanted = sources[refreshes.size()].full;
            for (std::size_t d = 0; d < max_dims; ++d) {
                r.periodic[d] = spec.wraps(field, static_cast<int>(d));
                r.full[d] = wanted[d] && f.shape->axes[d].full;
                if (r.full[d]) r.lower[d] = r.upper[d] = f.shape->axes[d].extent;
            }
            for (int d = 0; d < f.shape->dims; ++d) note_walls(r, f, d);
            refreshes.push_back(r);
        }
    }

    void begin_checks() {
        for (std::size_t f = 0; f < sources.size(); ++f) {
            auto const now = sources[f].half ? static_cast<std::size_t>(*sources[f].half) : 0U;
            watched.push_back(sources[f].watch[now].get());
            watched.back()->begin_exchange(refreshes[f]);
        }
    }
    void end_checks() {
        // One of them may throw; the next exchange begins with none all the same.
        auto const ended = std::exchange(watched, {});
        for (auto* w : ended) w->end_exchange();
    }

    [[nodiscard]] int field_that_marches(detail::halo_source const& f) const {
        auto const at = std::ranges::find(sources, f.half, &detail::halo_source::half);
        if (at == sources.end())
            throw error{error_kind::usage, fmt::format("march() of {1} cannot use array \"{0}\"", f.shape->name, spec.name),
                        "the exchange does not fetch the halo of this array", "pass the array to reflect_init"};
        return static_cast<int>(at - sources.begin());
    }
    void require_on_device(std::span<detail::halo_source const> fields) const {
        for (auto const& f : fields) {
            if (!f.on_device)
                throw error{error_kind::usage, fmt::format("march() on a stream cannot use array \"{}\"", f.shape->name),
                            "the array is in host memory",
                            "march without the stream, or create the array in device memory (sode::device)"};
            if (f.half) static_cast<void>(field_that_marches(f));
        }
    }
    [[nodiscard]] planned_march& marching_of(detail::march_terms const& terms) {
        auto const known = std::ranges::find_if(marches, [&](auto const& m) { return m->is(terms); });
        if (known != marches.end()) return **known;
        for (auto const& all : {terms.changing, terms.constant})
            for (auto const& f : all)
                if (f.on_device)
                    throw error{error_kind::usage, fmt::format("march() on the host cannot use array \"{}\"", f.shape->name),
                                "the array is in device memory", "march on a stream: march(stream, steps, …)"};
        std::vector<int> fields;
        for (auto const& f : terms.changing) fields.push_back(field_that_marches(f));
        planned_march::surroundings around{
            .owner = owner, .options = given_options, .all_met = [this] { forward.front().all_met(); }, .absent = who.absent()};
        marches.push_back(std::make_unique<planned_march>(std::move(around), spec, fields, terms));
        return *marches.back();
    }

    reflect_options given_options;
    taking_part who;
    std::vector<given_array> planned_for;
    std::vector<detail::halo_source> sources;
    detail::job& owner;
    device_reach reach;
    halo_spec spec;
    std::vector<bound_array> arrays;
    std::shared_ptr<prepared_list> forward_ = std::make_shared<prepared_list>();
    prepared_list& forward = *forward_;                  // the halo, then what fills full shadows
    std::unique_ptr<halo_variants> variants;             // of its first one; null: nothing is tried
    std::int64_t spent_ns = 0;                           // in the last start, if it was timed
    std::array<prepared_list, reduction_count> backward; // by operation, empty until first asked for
    prepared_list* now = &forward;                       // the last one started
    detail::margin rim;
    std::vector<std::unique_ptr<planned_march>> marches;
    std::vector<detail::refresh> refreshes; // SODE_CHECK=halo only
    std::vector<detail::halo_watch*> watched;
};

reflection::reflection(reflect_options const& options, std::vector<detail::halo_source> sources)
    : impl_([&] {
          doing const what{activity::halo};
          return std::make_unique<impl>(options, std::move(sources));
      }()) {}

reflection::~reflection() = default;

reflection::reflection(reflection&&) noexcept = default;

reflection::impl& reflection::made() const {
    if (!impl_) refuse_moved("an exchange");
    return *impl_;
}

reflection& reflection::operator=(reflection&& other) noexcept {
    reflection mine{std::move(other)};
    std::swap(impl_, mine.impl_);
    return *this;
}

void reflection::start() {
    made().start();
}

void reflection::enqueue(sode::stream& in) {
    auto& mine = made();
    if (!mine.who.absent()) mine.enqueue(in.work());
}

bool reflection::test() {
    auto& mine = made();
    if (!mine.test()) return false;
    mine.end_checks();
    return true;
}

void reflection::wait() {
    auto& mine = made();
    mine.wait();
    mine.end_checks();
}

// The exception that passes is the news; what comes of the exchange is told by whoever uses it next.
void reflection::settle() noexcept {
    try {
        wait();
    } catch (...) {
    }
}

void reflection::begin_reverse(std::uint8_t op) {
    made().start_reverse(static_cast<reduction>(op));
}

detail::marching& reflection::marching_of(detail::march_terms const& terms) {
    return made().marching_of(terms);
}

void reflection::rebind_to(std::vector<detail::halo_source> const& sources) {
    made().rebind(sources);
}

std::string reflection::explain() const {
    std::string text;
    if (made().who.absent()) text = fmt::format("{}: this rank has no block of it\n", made().spec.name);
    made().for_each([&](prepared_list const& list) { text += list.explain(); });
    text += halo_edges{made().spec}.networks().text();
    if (made().variants) text += made().variants->text();
    for (auto const& m : made().marches) text += m->explain();
    auto const& shape = *made().spec.fields.front().shape;
    auto const& grid = shape.grid;
    text += describe_grid(shape);
    if (auto const& why = made().reach.why_not; !why.empty()) text += fmt::format("devices: through host memory, as {}\n", why);
    auto const& machines = made().owner.ranks->machines();
    if (!machines.one() && grid.size() > 1) text += describe_mapping(grid, machines.list());
    return text;
}

std::string reflection::dump(std::string_view format) const {
    std::vector<plan const*> all;
    tell_plans(all);
    return dump_all(all, format);
}

prepared* reflection::plan_in_kernels() const {
    if (!made().spec.on_device())
        throw error{error_kind::usage, fmt::format("{} has no handle for kernels", made().spec.name),
                    "the arrays of the exchange are in host memory",
                    "pass the exchange to gmpi::context::add(), and start the exchange in the kernel"};
    return made().who.absent() ? nullptr : &made().forward.front();
}

void reflection::look_ahead(bool odd) const noexcept {
    impl_->forward.look_ahead(odd);
    if (impl_->variants) impl_->variants->for_each_other([odd](prepared& p) { p.look_ahead(odd); });
}

void reflection::tell_plans(std::vector<plan const*>& all) const {
    made().for_each([&](prepared_list const& list) { list.tell_steps(all); });
    for (auto const& m : made().marches) m->tell_plans(all);
}

std::uint64_t reflection::executed() const noexcept {
    std::uint64_t n = 0;
    if (!impl_) return n;
    impl_->for_each([&](prepared_list const& list) { n += list.executed(); });
    if (impl_->variants) impl_->variants->for_each_other([&](prepared const& p) { n += p.executed(); });
    for (auto const& m : impl_->marches) n += m->executed();
    return n;
}

std::uint64_t reflection::epochs() const noexcept {
    std::uint64_t n = 0;
    if (!impl_) return n;
    impl_->for_each([&](prepared_list const& list) { n += list.epochs(); });
    if (impl_->variants) impl_->variants->for_each_other([&](prepared const& p) { n += p.epochs(); });
    for (auto const& m : impl_->marches) n += m->epochs();
    return n;
}

void reflection::require_on_device(std::span<detail::halo_source const> fields) const {
    made().require_on_device(fields);
}

void reflection::require_overlap(int dims) const {
    if (dims != made().rim.dims)
        throw error{error_kind::usage, fmt::format("a loop over {} dimensions cannot overlap {}", dims, made().spec.name),
                    fmt::format("the arrays of the exchange have {} dimensions", made().rim.dims),
                    "loop over the index space of the arrays"};
    made().refuse_on_device("cannot overlap a loop on the host", "the arrays of the exchange are in device memory",
                            "enqueue() the exchange, and loop() on the stream");
}

detail::margin const& reflection::rim() const {
    return made().rim;
}

bool reflection::by_messages() const {
    if (made().who.absent()) return false;
    return !made().owner.ranks->machines().one() ||
           std::ranges::any_of(made().forward.front().steps().descriptors, [](auto const& d) { return is_message(d.op); });
}

detail::job& reflection::job() const {
    return made().owner;
}

} // namespace sode
