// SPDX-License-Identifier: Apache-2.0
#include <sode/exchange.hpp>

#include "array/exchange/learn_ends.hpp"
#include "array/exchange/prepare_blocks.hpp"
#include "array/prepare_exchange.hpp"
#include "base/activity.hpp"
#include "model/checked_plan.hpp"
#include "pattern/choose_way.hpp"
#include "pattern/plan_edges.hpp"

namespace sode {
using namespace internal;

namespace {

plan build_checked(exchange_spec const& spec, matched_ends const& messages, detail::job const& j) {
    return checked_plan(
        j, [&](int r) { return plan_edges(messages, r); }, [&](int r) { return exchange_models(spec, r); },
        "the output of dump(\"json\")");
}

} // namespace

std::unique_ptr<prepared_list> internal::prepare_exchange(detail::job& j, std::span<message_end const> ends,
                                                          exchange_options const& options, error const* known) {
    doing const what{activity::exchange};
    own_ends mine;
    exchange_spec spec;
    spec.name = options.name.empty() ? "exchange" : options.name;
    std::optional<error> trouble;
    std::optional<bruck_wish> bruck;
    try {
        // First what is equal on all ranks.
        bruck = bruck_wish_of(options.channel);
        spec.take(j, bruck ? "" : options.channel, "exchange_init");
        refuse_lines(spec);
        if (known) throw error{*known};
        mine = take_ends(ends, j.boot->rank(), j.boot->size(), *j.memory);
    } catch (error const& e) {
        trouble = e; // told to all ranks, else they would wait for this one
    }
    auto list = std::make_unique<prepared_list>();
    list->keep(j.shared_from_this());
    if (auto blocks = prepare_blocks(j, spec, mine, !trouble, bruck)) {
        list->add(std::move(blocks));
        return list;
    }
    auto const around = j.surroundings();
    auto const messages = learn_ends(spec, around, mine.told, trouble, j.settings.check.plan);
    list->add(std::make_unique<prepared>(build_checked(spec, *messages, j), around,
                                         plan_terms{.arrays = mine.places, .fingerprint = spec.fingerprint()}));
    return list;
}

bool internal::can_exchange(detail::job& j, std::span<message_end const> ends) {
    try {
        static_cast<void>(take_ends(ends, j.boot->rank(), j.boot->size(), *j.memory));
        return true;
    } catch (error const&) {
        return false;
    }
}

exchange::exchange(runtime& rt, std::span<message_end const> ends, exchange_options const& options, error const* trouble)
    : planned(prepare_exchange(rt.job(), ends, options, trouble)) {}

} // namespace sode
