// SPDX-License-Identifier: Apache-2.0
// `reflect` in all its forms, `reduce_shadow`.
#include "exchanges.hpp"

#include "asynchronous.hpp"
#include "explain.hpp"
#include "process.hpp"

#include <algorithm>

namespace sode::xmp {
namespace {

// What neighbours do together, all of them do.
void require_all_here(char const* at, sode_xmp_array_state const& s) {
    if (process::here().all_in_task() || in_task(s.along->onto->ranks)) return;
    fail(at, "the halo of array \"" + s.name + "\" is exchanged in a task that some nodes of the array do not execute",
         "execute the directive on all nodes of the array");
}

sode_exchange* planned(char const* at, sode_xmp_array const& array, int64_t const* width, int const* periodic, int orthogonal) {
    auto const kind = kind_of(at, array, width, periodic, orthogonal);
    require_all_here(at, *array.state);
    return exchange_of(at, *array.state, kind);
}

void run(char const* at, sode_exchange* exchange, sode_runtime* job) {
    check(at, sode_exchange_start(exchange), job);
    check(at, sode_exchange_wait(exchange), job);
}

// A checked program learns which halos an exchange brings.
void brings(char const* at, sode_xmp_array_state& s, sode_exchange const* exchange, bool begins) {
    if (!s.watched) return;
    for (auto const& [kind, each] : s.exchanges)
        if (each == exchange) s.watched->fetched(at, kind.width, kind.periodic, kind.orthogonal, begins);
}

// Begins, and ends when `number` is waited for.
void go_on(char const* at, sode_xmp_array const& array, sode_exchange* exchange, int number) {
    auto* const job = array.state->job;
    check(at, sode_exchange_start(exchange), job);
    brings(at, *array.state, exchange, true);
    auto* const watched = array.state->watched.get();
    keep({.number = number,
          .owner = array.state,
          .over =
              [exchange, job](char const* where) {
                  int over = 0;
                  check(where, sode_exchange_test(exchange, &over), job);
                  return over != 0;
              },
          .finish =
              [exchange, job, watched](char const* where) {
                  check(where, sode_exchange_wait(exchange), job);
                  if (watched) watched->arrived();
              }});
}

sode_exchange* initialised(char const* at, sode_xmp_array const& array) {
    auto* const exchange = array.state ? array.state->initialised : nullptr;
    if (!exchange) fail(at, "reflect_do comes before reflect_init of the array", "execute reflect_init first");
    require_all_here(at, *array.state);
    return exchange;
}

} // namespace

exchange_kind kind_of(char const* at, sode_xmp_array const& array, int64_t const* width, int const* periodic, int orthogonal) {
    if (!array.state || !array.state->array) fail(at, "an array without memory is exchanged", "call xmp_malloc() first");
    auto const& s = *array.state;
    exchange_kind kind{};
    kind.width = s.shadow;
    kind.orthogonal = orthogonal != 0;
    for (std::size_t k = 0; width && k < 2 * static_cast<std::size_t>(s.dims); ++k) {
        if (s.shadow[k] < 0) continue; // everything is there
        kind.width[k] = width[k];
        if (width[k] > s.shadow[k] || width[k] < 0)
            fail(at,
                 "reflect requests " + std::to_string(width[k]) + " layers of array \"" + s.name + "\", but the shadow has " +
                     std::to_string(s.shadow[k]) + " in dimension " + std::to_string(k / 2),
                 "declare a wider shadow, or reflect fewer layers");
    }
    if (periodic) std::copy_n(periodic, s.dims, kind.periodic.begin());
    return kind;
}

sode_exchange* exchange_of(char const* at, sode_xmp_array_state& s, exchange_kind const& kind) {
    auto& exchange = s.exchanges[kind];
    if (exchange) return exchange;
    sode_exchange_options options{};
    options.corners = !kind.orthogonal;
    options.width = kind.width.data();
    std::ranges::copy(kind.periodic, options.periodic);
    check(at, sode_exchange_create(1, &s.array, &options, &exchange), s.job);
    explain(at, s, exchange);
    return exchange;
}

void forget_exchanges(sode_xmp_array_state& array) {
    forget(&array);
}

} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

void sode_xmp_reflect(char const* at, sode_xmp_array* array, int64_t const* width, int const* periodic, int orthogonal) {
    auto* const exchange = planned(at, *array, width, periodic, orthogonal);
    run(at, exchange, array->state->job);
    brings(at, *array->state, exchange, false);
}

void sode_xmp_reflect_async(char const* at, sode_xmp_array* array, int64_t const* width, int const* periodic, int orthogonal,
                            int number) {
    go_on(at, *array, planned(at, *array, width, periodic, orthogonal), number);
}

void sode_xmp_reflect_init(char const* at, sode_xmp_array* array, int64_t const* width, int const* periodic, int orthogonal) {
    auto* const exchange = planned(at, *array, width, periodic, orthogonal);
    array->state->initialised = exchange;
}

void sode_xmp_reflect_do(char const* at, sode_xmp_array* array) {
    auto* const exchange = initialised(at, *array);
    run(at, exchange, array->state->job);
    brings(at, *array->state, exchange, false);
}

void sode_xmp_reflect_do_async(char const* at, sode_xmp_array* array, int number) {
    go_on(at, *array, initialised(at, *array), number);
}

void sode_xmp_reduce_shadow(char const* at, sode_xmp_array* array, int64_t const* width, int const* periodic, int orthogonal) {
    auto* const exchange = planned(at, *array, width, periodic, orthogonal);
    check(at, sode_exchange_reverse(exchange, SODE_SUM), array->state->job);
    if (array->state->watched) array->state->watched->replaced(at, "reduce_shadow");
}

} // extern "C"
