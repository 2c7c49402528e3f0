// SPDX-License-Identifier: Apache-2.0
#include "tune/report.hpp"

#include "base/topology.hpp"
#include "model/profile_fields.hpp"
#include "tune/estimate.hpp"

#include <array>
#include <ctime>
#include <fmt/format.h>

namespace sode::tools {
namespace {

std::string now_in_words() {
    std::time_t const now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::array<char, 32> text{};
    auto const length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
    return {text.data(), length};
}

void name_unseen(profile_origin& o) {
    o.unseen.clear();
    auto const note = [&](std::int64_t samples, char const* name) {
        if (samples == 0) o.unseen.emplace_back(name);
    };
    note(o.samples.near, "near");
    note(o.samples.far, "far");
    note(o.samples.local, "local");
    note(o.samples.network, "network");
}

template <class T>
void list(std::string& text, std::string_view title, T const& measured, T const& built_in, std::int64_t samples) {
    text += samples > 0 ? fmt::format("{} ({} blocks)\n", title, samples) : fmt::format("{}: unseen\n", title);
    each_field(measured, [&](std::string_view name, auto const& value) {
        each_field(built_in, [&](std::string_view other, auto const& usual) {
            if constexpr (std::same_as<decltype(value), double const&> && std::same_as<decltype(usual), double const&>)
                if (name == other && samples > 0) text += fmt::format("  {:<15}{:>9.4g}   built in{:>9.4g}\n", name, value, usual);
        });
    });
}

} // namespace

tuned conclude(campaign_result const& result) {
    tuned t;
    t.costs.name = "tuned";
    if (!result.near.empty()) t.costs.near = median(result.near);
    if (!result.far.empty()) t.costs.far = median(result.far);
    if (!result.local.empty()) median(result.local, t.costs);
    topology const machine;
    t.origin.cpu = machine.model();
    t.origin.cores = machine.cores();
    t.origin.date = now_in_words();
    t.origin.sode = SODE_VERSION;
    t.origin.samples = {.near = static_cast<std::int64_t>(result.near.size()),
                        .far = static_cast<std::int64_t>(result.far.size()),
                        .local = static_cast<std::int64_t>(result.local.size()),
                        .network = 0};
    name_unseen(t.origin);
    return t;
}

void keep_what_was_seen(tuned& t, tuned const& earlier) {
    t.costs.networks = earlier.costs.networks; // nobody measures them: a person wrote them
    if (t.origin.cpu != earlier.origin.cpu) return;
    auto const& before = earlier.origin.samples;
    auto& now = t.origin.samples;
    if (now.near == 0 && before.near > 0) t.costs.near = earlier.costs.near, now.near = before.near;
    if (now.far == 0 && before.far > 0) t.costs.far = earlier.costs.far, now.far = before.far;
    if (now.network == 0 && before.network > 0) t.costs.network = earlier.costs.network, now.network = before.network;
    name_unseen(t.origin);
}

void conclude_messages(tuned& t, std::span<message_costs const> blocks) {
    auto const eager = t.costs.network.eager_bytes; // not measured
    t.costs.network = median(blocks);
    t.costs.network.eager_bytes = eager;
    t.origin.samples.network = static_cast<std::int64_t>(blocks.size());
    t.origin.date = now_in_words();
    t.origin.sode = SODE_VERSION;
    name_unseen(t.origin);
}

std::string table(tuned const& t) {
    profile const built_in;
    std::string text = "nanoseconds\n";
    list(text, "near", t.costs.near, built_in.near, t.origin.samples.near);
    list(text, "far", t.costs.far, built_in.far, t.origin.samples.far);
    list(text, "one core", t.costs, built_in, t.origin.samples.local);
    list(text, "network", t.costs.network, built_in.network, t.origin.samples.network);
    return text;
}

} // namespace sode::tools
