// SPDX-License-Identifier: Apache-2.0
#include "model/common_settings.hpp"

#include "base/warn.hpp"
#include "base/whole_file.hpp"
#include "model/profile_file.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace sode::internal {
namespace {

// What rank 0 found, or why it cannot go on.
nlohmann::json finding_of(config const& settings) {
    auto const file = profile_in_force(settings.profile);
    nlohmann::json found{{"file", file}, {"trace", ""}};
    try {
        if (!file.empty()) {
            auto const text = read_profile_text(file);
            static_cast<void>(read_profile(text, file)); // what is wrong with it is said by one rank
            found["profile"] = text;
        }
        if (!settings.trace.empty()) {
            // The program may change its folder, and a trace that cannot be written is better known now.
            auto const path = std::filesystem::absolute(settings.trace).string();
            new_file const attempt{path, "trace"};
            found["trace"] = path;
        }
    } catch (error const& e) {
        found["error"] = e.what();
        found["kind"] = e.kind();
    }
    return found;
}

void compare(std::vector<nlohmann::json> const& said, std::string const& variable) {
    auto const first = said.front()[variable].get<std::string>();
    for (std::size_t r = 1; r < said.size(); ++r) {
        auto const other = said[r][variable].get<std::string>();
        if (other.empty() || other == first) continue;
        throw error{error_kind::usage,
                    first.empty() ? fmt::format("{} is {} at rank {} and unset at rank 0", variable, other, r)
                                  : fmt::format("{} is {} at rank {} and {} at rank 0", variable, other, r, first),
                    "the setting must be equal on all ranks", "set the variable for the whole job, or for rank 0 only"};
    }
}

} // namespace

common_settings agree_on_settings(bootstrap& boot, config const& settings) {
    nlohmann::json mine{{"SODE_PROFILE", settings.profile}, {"SODE_TRACE", settings.trace}};
    if (boot.rank() == 0) {
        mine["found"] = finding_of(settings);
        for (auto const& variable : settings.disregarded)
            warn(fmt::format("{} is ignored", variable),
                 "the variable names a file, and this program may have more rights than its caller", "unset the variable");
    }
    std::vector<nlohmann::json> said;
    for (auto const& text : boot.allgather(mine.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)))
        said.push_back(nlohmann::json::parse(text));
    for (char const* variable : {"SODE_PROFILE", "SODE_TRACE"}) compare(said, variable);

    auto const& found = said.front()["found"];
    if (found.contains("error")) throw error{found["kind"].get<error_kind>(), found["error"].get<std::string>(), "", ""};
    common_settings common{
        .costs = {}, .profile_file = found["file"].get<std::string>(), .trace = found["trace"].get<std::string>()};
    if (found.contains("profile")) common.costs = read_profile(found["profile"].get<std::string>(), common.profile_file);
    return common;
}

} // namespace sode::internal
