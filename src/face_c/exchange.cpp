// SPDX-License-Identifier: Apache-2.0
// Halo exchanges.
#include "face_c/handles.hpp"
#include "face_c/types.hpp"

#include <vector>

namespace detail = sode::detail;
namespace face_c = sode::internal::face_c;
using sode::error;
using sode::error_kind;
using sode::reflection;
using sode::internal::face_c::guarded;

namespace {

sode::reflect_options options_of(sode_exchange_options const& o, int dims) {
    sode::reflect_options options{
        .corners = o.corners != 0, .channel = o.channel ? o.channel : "", .credits = o.credits != 0, .name = o.name ? o.name : ""};
    options.periodic = sode::by_dimension{std::vector<bool>(o.periodic, o.periodic + dims)};
    return options;
}

void narrow(detail::halo_source& source, std::int64_t const* width) {
    for (std::size_t d = 0; d < static_cast<std::size_t>(source.shape->dims); ++d) {
        source.full[d] = width[2 * d] == -1;
        if (source.full[d]) continue;
        source.lower[d] = width[2 * d];
        source.upper[d] = width[2 * d + 1];
    }
}

void reverse(reflection& halo, int op) {
    switch (op) {
    case SODE_SUM: return halo.reverse(sode::sum);
    case SODE_PRODUCT: return halo.reverse(sode::product);
    case SODE_MAX: return halo.reverse(sode::max);
    case SODE_MIN: return halo.reverse(sode::min);
    case SODE_BAND: return halo.reverse(sode::band);
    case SODE_BOR: return halo.reverse(sode::bor);
    case SODE_BXOR: return halo.reverse(sode::bxor);
    case SODE_LAND: return halo.reverse(sode::land);
    case SODE_LOR: return halo.reverse(sode::lor);
    case SODE_LXOR: return halo.reverse(sode::lxor);
    default: face_c::refuse_operation(op);
    }
}

} // namespace

extern "C" {

int sode_exchange_create(int count, sode_array* const* arrays, sode_exchange_options const* options, sode_exchange** exchange) {
    if (count < 1 || !arrays || !arrays[0] || !exchange) return SODE_ERROR_USAGE;
    *exchange = nullptr;
    auto const& owner = arrays[0]->owner;
    return guarded(*owner, [&] {
        (void)face_c::job_of(*owner);
        std::vector<detail::halo_source> sources;
        for (int i = 0; i < count; ++i) {
            auto const& array = face_c::required(arrays[i], "an array");
            if (array.owner != owner)
                throw error{error_kind::usage, "arrays of different runtimes cannot share an exchange",
                            "each runtime belongs to a different job", "create a separate exchange for each runtime"};
            sources.push_back(array.elements.halo());
            if (options && options->width) narrow(sources.back(), options->width);
        }
        sode_exchange_options const none{};
        auto const chosen = options_of(options ? *options : none, sources.front().shape->dims);
        *exchange = new sode_exchange{owner, reflection{chosen, std::move(sources)}, {}};
    });
}

void sode_exchange_destroy(sode_exchange* exchange) {
    delete exchange;
}

int sode_exchange_start(sode_exchange* exchange) {
    if (!exchange) return SODE_ERROR_USAGE;
    return guarded(*exchange->owner, [&] { exchange->halo.start(); });
}

int sode_exchange_test(sode_exchange* exchange, int* done) {
    if (!exchange || !done) return SODE_ERROR_USAGE;
    return guarded(*exchange->owner, [&] { *done = exchange->halo.test() ? 1 : 0; });
}

int sode_exchange_wait(sode_exchange* exchange) {
    if (!exchange) return SODE_ERROR_USAGE;
    return guarded(*exchange->owner, [&] { exchange->halo.wait(); });
}

int sode_exchange_reverse(sode_exchange* exchange, sode_op op) {
    if (!exchange) return SODE_ERROR_USAGE;
    return guarded(*exchange->owner, [&] { reverse(exchange->halo, op); });
}

int sode_exchange_explain(sode_exchange* exchange, char const** text) {
    if (!exchange || !text) return SODE_ERROR_USAGE;
    return guarded(*exchange->owner, [&] {
        exchange->explanation = exchange->halo.explain();
        *text = exchange->explanation.c_str();
    });
}

int sode_exchange_dump(sode_exchange* exchange, char const* format, char const** text) {
    if (!exchange || !text) return SODE_ERROR_USAGE;
    return guarded(*exchange->owner, [&] {
        exchange->plans = exchange->halo.dump(format ? format : "text");
        *text = exchange->plans.c_str();
    });
}

} // extern "C"
