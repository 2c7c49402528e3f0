// SPDX-License-Identifier: Apache-2.0
// The plans of copies between random distributions, all ranks of a job at once, held against verify() and against the definition of
// a copy; and whether verify() would notice a mistake in them.
#include "array/copy/copy_plan.hpp"

#include "array/copy/copy_edges.hpp"
#include "array/full_shadow.hpp"
#include "array/random_copy.hpp"
#include "array/transfer_mutations.hpp"
#include "layout/copy_rows.hpp"
#include "support/all_ranks.hpp"
#include "support/cases.hpp"
#include "support/mutations.hpp"

#include <gtest/gtest.h>

#include <map>

namespace sode::internal::testing {
namespace {

struct dry_copy {
    std::unique_ptr<geometry> to, from;
    copy_spec spec;
};

std::unique_ptr<geometry> shape_of(sode::detail::mapping const& m, index_t components, std::string name) {
    auto g = std::make_unique<geometry>();
    g->dims = m.dims;
    g->axes = m.axes;
    g->grid = m.grid;
    g->element_bytes = 8;
    g->components = components;
    g->name = std::move(name);
    return g;
}

copy_side side_of(geometry const& g, std::vector<range> const& picked) {
    auto s = copy_side::whole(g);
    std::copy(picked.begin(), picked.end(), s.picked.begin());
    return s;
}

dry_copy make_copy(generator& g, int ranks, way const* forced, index_t most_elements) {
    dry_copy x;
    auto const p = make_pair(g, sode::detail::place{0, ranks}, most_elements);
    index_t const components = chance(g, 20) ? 2 : 1;
    x.to = shape_of(p.to.map, components, "to");
    x.from = shape_of(p.from.map, components, "from");
    x.spec.to = side_of(*x.to, p.to.picked);
    x.spec.from = side_of(*x.from, p.from.picked);
    x.spec.to.buffered = chance(g, 30);
    x.spec.from.buffered = chance(g, 30);
    x.spec.groups = x.spec.to.buffered ? 1 : 0;
    if (x.spec.from.buffered) x.spec.from.group = x.spec.groups++;
    x.spec.name = "copy of \"from\" to \"to\"";
    x.spec.machines = ranks;
    x.spec.forced = forced;
    x.spec.check();
    return x;
}

// Which ranks share memory; by nothing but chance.
std::vector<int> random_machines(generator& g, int ranks) {
    std::vector<int> machines;
    for (int r = 0; r < ranks; ++r) machines.push_back(static_cast<int>(pick(g, 0, 2)));
    return machines;
}

all_ranks build(copy_spec const& spec) {
    return {spec.ranks(), [&](int r) { return build_copy(spec, r); }, [&](int r) { return copy_models(spec, r); },
            spec.machines.list()};
}

// What deliveries must say, element by element: each copy of each picked element of the target comes from the like element.
void expect_deliveries(copy_spec const& spec, all_ranks const& a, std::string const& label) {
    std::vector<index_t> counts;
    for (auto const d : counting_dims(spec.to)) counts.push_back(spec.to.picked[d].size());
    auto const index_of = [](copy_side const& s, std::array<index_t, max_dims> const& k) {
        std::array<index_t, max_dims> at{};
        for (std::size_t d = 0; d < max_dims; ++d) at[d] = s.picked[d].lower;
        auto const dims = counting_dims(s);
        for (std::size_t i = 0; i < dims.size(); ++i) at[dims[i]] += k[i] * s.picked[dims[i]].step;
        return at;
    };
    auto const has = [](geometry const& g, int r, std::array<index_t, max_dims> const& at) {
        auto const places = g.places(at);
        auto const mine = g.owned(r);
        bool all = true;
        for (std::size_t d = 0; d < static_cast<std::size_t>(g.dims); ++d)
            all = all && places[d] >= mine[d].lower && places[d] < mine[d].upper;
        return all;
    };
    for (int r = 0; r < spec.ranks(); ++r) {
        std::map<index_t, std::pair<int, index_t>> got; // by byte offset of an element: whence
        for (auto const& d : a.plans[static_cast<std::size_t>(r)].deliveries)
            for_each_row(compile(d.source, d.target), [&](index_t src, index_t dst, index_t bytes) {
                for (index_t b = 0; b < bytes; b += 8) {
                    auto const [at, is_new] = got.try_emplace(dst + b, d.source_rank, src + b);
                    ASSERT_TRUE(is_new) << label << ": delivered twice at rank " << r;
                }
            });
        for_each_index(counts, [&](std::array<index_t, max_dims> const& k) {
            auto const to = index_of(spec.to, k), from = index_of(spec.from, k);
            if (!has(*spec.to.shape, r, to)) return;
            for (index_t c = 0; c < spec.to.shape->components; ++c) {
                auto const at =
                    got.find(c * spec.to.shape->component_bytes(r) + spec.to.shape->offset(r, spec.to.shape->places(to)));
                ASSERT_NE(at, got.end()) << label << ": an element of rank " << r << " is missing";
                auto const [source, offset] = at->second;
                ASSERT_TRUE(has(*spec.from.shape, source, from)) << label;
                ASSERT_EQ(offset, c * spec.from.shape->component_bytes(source) +
                                      spec.from.shape->offset(source, spec.from.shape->places(from)))
                    << label;
                got.erase(at);
            }
        });
        ASSERT_TRUE(got.empty()) << label << ": rank " << r << " gets more than it asked for";
    }
}

void expect_sound(copy_spec const& spec, std::string const& label) {
    auto const a = build(spec);
    expect_deliveries(spec, a, label);
    a.expect_sound(label);
}

TEST(copy_plan, random_copies_are_sound) {
    int const cases = random_cases(60);
    way const* const forced[] = {nullptr, &ways::pull, &ways::stage, &ways::stage_wide, &ways::reference};
    for (int ranks : {1, 2, 3, 4, 6, 8, 16})
        for (int c = 0; c < cases && !HasFailure(); ++c) {
            generator g{static_cast<std::uint64_t>(104729 * ranks + c)};
            auto const how = forced[c % 5];
            auto x = make_copy(g, ranks, how, 700);
            if (chance(g, 40)) x.spec.machines = random_machines(g, ranks);
            expect_sound(x.spec, fmt::format("{} ranks, case {}, {}", ranks, c, how ? how->name() : "chosen"));
        }
}

TEST(copy_plan, full_shadows_are_sound) {
    for (int ranks : {1, 2, 3, 4, 6, 8, 16})
        for (int c = 0; c < 20 && !HasFailure(); ++c) {
            generator g{static_cast<std::uint64_t>(15485863 * ranks + c)};
            auto const shape = make_shape(g, sode::detail::place{0, ranks}, static_cast<int>(pick(g, 1, 4)), 1);
            auto const from = shape_of(shape.map, chance(g, 30) ? 2 : 1, "u");
            std::array<bool, max_dims> wanted{};
            for (std::size_t d = 0; d < static_cast<std::size_t>(from->dims); ++d) {
                from->axes[d].full = from->axes[d].grid_dim >= 0 && chance(g, 70);
                wanted[d] = chance(g, 80);
                if (!from->axes[d].full && chance(g, 30)) from->axes[d].shadow_lower = 2;
            }
            auto const filled = filled_shape(*from, wanted);
            auto spec = fill_spec(*from, filled, chance(g, 30));
            spec.machines = ranks;
            way const* const forced[] = {nullptr, &ways::pull, &ways::stage, &ways::stage_wide, &ways::reference};
            spec.forced = forced[c % 5];
            if (chance(g, 40)) spec.machines = random_machines(g, ranks);
            spec.check();
            auto const a = build(spec);
            for (auto const& f : verify(a.plans, a.models, {.machines = spec.machines.list()}))
                ADD_FAILURE() << ranks << " ranks, case " << c << ": " << f.message;
            // Everything that is not there is brought, exactly once: verify sees to the second half.
            index_t brought = 0;
            for (int r = 0; r < ranks; ++r) {
                for (auto const& d : a.plans[static_cast<std::size_t>(r)].deliveries) brought += d.target.bytes() / 8;
                if (from->bytes(r) == 0) continue;
                auto const size = [&](geometry const& shape_seen) {
                    index_t n = shape_seen.components;
                    for (int d = 0; d < from->dims; ++d) n *= shape_seen.owned(r)[static_cast<std::size_t>(d)].size();
                    return n;
                };
                brought -= size(filled) - size(*from);
            }
            ASSERT_EQ(brought, 0) << ranks << " ranks, case " << c;
        }
}

// Sizes that no list of elements would survive.
TEST(copy_plan, costs_nothing_by_the_element) {
    sode::detail::place const where{0, 6};
    nodes<1> const six{where, {6}};
    index_t const n = index_t{1} << 40U;
    auto const to = shape_of(distribution<1>{six, {n}, {cyclic(3)}}.mapping(), 1, "to");
    auto const from = shape_of(distribution<1>{nodes<1>{where, {4}}, {n}, {cyclic(64)}}.mapping(), 1, "from");
    copy_spec spec;
    spec.to = copy_side::whole(*to);
    spec.from = copy_side::whole(*from);
    spec.machines = 6;
    spec.check();
    copy_edges const edges{spec};
    copy_edges::outgoing out;
    index_t elements = 0;
    for (int r = 0; r < 6; ++r) {
        edges.from(r, out);
        EXPECT_LT(out.edges.size(), 1000U);
        for (auto const& i : out.edges) elements += i.source_layout.bytes() / 8;
    }
    EXPECT_EQ(elements, n);
}

// {none, block} from {block, none}: one piece for each pair of ranks.
TEST(copy_plan, a_transposition_has_no_descriptor_too_many) {
    sode::detail::place const where{0, 4};
    nodes<1> const p{where, {4}};
    auto const to = shape_of(distribution<2>{p, {64, 64}, {none, block}}.mapping(), 1, "to");
    auto const from = shape_of(distribution<2>{p, {64, 64}, {block, none}}.mapping(), 1, "from");
    copy_spec spec;
    spec.to = copy_side::whole(*to);
    spec.from = copy_side::whole(*from);
    spec.machines = 4;
    spec.forced = &ways::pull;
    // A flag, the own piece, an end; per other rank: wait, copy, acknowledgement, credit, end.
    EXPECT_EQ(build_copy(spec, 1).descriptors.size(), 3U + 3U * 5U);
    spec.forced = &ways::stage;
    // Packs for three, a flag, the own piece, an end; per other rank: wait, unpack, end.
    EXPECT_EQ(build_copy(spec, 1).descriptors.size(), 3U + 3U + 3U * 3U);
}

TEST(copy_plan, every_mistake_is_found) {
    sode::detail::place const where{0, 3};
    nodes<1> const p{where, {3}};
    auto const to = shape_of(distribution<2>{p, {8, 12}, {none, cyclic(2)}}.mapping(), 1, "to");
    auto const from = shape_of(distribution<2>{p, {12, 16}, {block, none}}.mapping(), 1, "from");
    for (auto how : {&ways::pull, &ways::stage, &ways::stage_wide}) {
        copy_spec spec;
        spec.to = copy_side::whole(*to);
        spec.from = side_of(*from, {{1, 9, 1}, {2, 14, 1}});
        spec.machines = 3;
        spec.forced = how;
        spec.check();
        auto const a = build(spec);
        auto const result = try_mutations(a.plans, a.models, harmless_to_transfers(), 8, {});
        EXPECT_GT(result.tried, 0U);
        for (auto const& s : result.survivors) ADD_FAILURE() << how->name() << ", not found: " << s;
        for (auto const& s : result.refuted) ADD_FAILURE() << how->name() << ", not harmless: " << s;
    }
}

} // namespace
} // namespace sode::internal::testing
