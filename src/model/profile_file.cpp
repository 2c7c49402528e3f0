// SPDX-License-Identifier: Apache-2.0
#include "model/profile_file.hpp"

#include "base/nearest.hpp"
#include "base/whole_file.hpp"
#include "model/profile_fields.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstdlib>
#include <filesystem>
#include <type_traits>
#include <unistd.h>

namespace sode {
namespace {

using json = nlohmann::ordered_json;

template <class O, class F>
requires std::same_as<std::remove_const_t<O>, profile_origin::counts>
void each_field(O& c, F&& f) {
    f("near", c.near);
    f("far", c.far);
    f("local", c.local);
    f("network", c.network);
}

template <class O, class F>
requires std::same_as<std::remove_const_t<O>, profile_origin>
void each_field(O& o, F&& f) {
    f("cpu", o.cpu);
    f("cores", o.cores);
    f("date", o.date);
    f("sode", o.sode);
    f("samples", o.samples);
    f("unseen", o.unseen);
}

constexpr std::string_view origin_key = "machine";

template <class T>
concept record = std::is_class_v<T> && !std::same_as<T, std::string> && !std::same_as<T, std::vector<std::string>>;

// Reads an object field by field, and knows where it is for what it has to say.
class reader {
public:
    explicit reader(std::string_view file) : file_(file) {}

    template <class T> void read(json const& object, T& value, std::string const& path, profile_origin* origin = nullptr) const {
        if (!object.is_object()) refuse(path, "is no object", "write { \"key\": value, ... }");
        std::vector<std::string_view> known;
        each_field(value, [&](std::string_view key, auto&) { known.push_back(key); });
        if (origin) known.push_back(origin_key);
        for (auto const& [key, ignored] : object.items())
            if (std::find(known.begin(), known.end(), key) == known.end()) unknown(inside(path, key), nearest(key, known));
        each_field(value, [&](std::string_view key, auto& field) {
            if (auto const at = object.find(std::string{key}); at != object.end()) take(*at, field, inside(path, key));
        });
        if (!origin) return;
        if (auto const at = object.find(std::string{origin_key}); at != object.end()) read(*at, *origin, inside(path, origin_key));
    }

private:
    static std::string inside(std::string const& path, std::string_view key) {
        return path.empty() ? std::string{key} : fmt::format("{}.{}", path, key);
    }

    void take(json const& given, double& field, std::string const& path) const {
        if (!given.is_number()) refuse(path, fmt::format("is {}", given.dump()), "write a number");
        auto const number = given.get<double>();
        if (!std::isfinite(number) || number < 0) refuse(path, fmt::format("is {}", given.dump()), "no time is negative");
        field = number;
    }
    void take(json const& given, std::int64_t& field, std::string const& path) const {
        bool const fits = given.is_number_integer() &&
                          (!given.is_number_unsigned() || given.get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX));
        if (!fits || given.get<std::int64_t>() < 0)
            refuse(path, fmt::format("is {}", given.dump()), "write a whole number, 0 or more");
        field = given.get<std::int64_t>();
    }
    void take(json const& given, std::string& field, std::string const& path) const {
        if (!given.is_string()) refuse(path, fmt::format("is {}", given.dump()), "write a text in quotes");
        field = given.get<std::string>();
    }
    void take(json const& given, std::vector<std::string>& field, std::string const& path) const {
        if (!given.is_array()) refuse(path, fmt::format("is {}", given.dump()), "write [\"far\", ...]");
        field.clear();
        for (auto const& entry : given) take(entry, field.emplace_back(), path);
    }
    template <record T> void take(json const& given, T& field, std::string const& path) const { read(given, field, path); }

    [[noreturn]] void unknown(std::string const& path, std::string const& near) const {
        throw error{error_kind::usage, fmt::format("unknown key \"{}\" in the profile {}", path, file_),
                    "a spelling mistake there must not pass unnoticed",
                    near.empty() ? "docs/profile.md lists all keys" : fmt::format("did you mean \"{}\"?", near)};
    }
    [[noreturn]] void refuse(std::string const& path, std::string_view problem, std::string_view suggestion) const {
        throw error{error_kind::usage,
                    path.empty() ? fmt::format("the profile {} {}", file_, problem)
                                 : fmt::format("\"{}\" in the profile {} {}", path, file_, problem),
                    "docs/profile.md says what every key means", suggestion};
    }

    std::string_view file_;
};

template <class T> json as_json(T const& value) {
    if constexpr (record<T>) {
        json object = json::object();
        each_field(value, [&](std::string_view key, auto const& field) { object[std::string{key}] = as_json(field); });
        return object;
    } else if constexpr (std::same_as<T, double>) {
        // Four digits are more than a measurement is worth, and can be read.
        return std::stod(fmt::format("{:.4g}", value));
    } else {
        return value;
    }
}

template <class T> void list_keys(T const& value, std::string const& before, std::vector<std::string>& keys) {
    each_field(value, [&](std::string_view key, auto const& field) {
        auto const path = fmt::format("{}{}", before, key);
        if constexpr (record<std::remove_cvref_t<decltype(field)>>)
            list_keys(field, path + '.', keys);
        else
            keys.push_back(path);
    });
}

} // namespace

profile read_profile(std::string_view text, std::string_view file, profile_origin* origin) {
    json document;
    try {
        document = json::parse(text);
    } catch (json::exception const& e) {
        throw error{error_kind::usage, fmt::format("the profile {} is no JSON", file), e.what(),
                    "mend or remove it, or write a new one with `sode tune`"};
    }
    profile p;
    profile_origin from;
    reader{file}.read(document, p, "", &from);
    if (origin) *origin = std::move(from);
    return p;
}

profile load_profile(std::string const& file, profile_origin* origin) {
    return read_profile(read_file(file, "profile"), file, origin);
}

std::string write_profile(profile const& p, profile_origin const& origin) {
    json document = as_json(p);
    document[std::string{origin_key}] = as_json(origin);
    return document.dump(2) + '\n';
}

void save_profile(std::string const& file, profile const& p, profile_origin const& origin) {
    replace_file(file, "profile", write_profile(p, origin));
}

std::string profile_in_force(std::string_view setting) {
    if (setting == "default") return "";
    if (!setting.empty()) return std::string{setting};
    auto usual = default_profile_path();
    std::error_code none;
    return !usual.empty() && std::filesystem::exists(usual, none) ? usual : "";
}

std::string default_profile_path() {
    std::filesystem::path folder;
    // By the XDG base directory specification, a relative path counts as unset.
    if (char const* const config = std::getenv("XDG_CONFIG_HOME"); config != nullptr && *config == '/')
        folder = config;
    else if (char const* const home = std::getenv("HOME"); home != nullptr && *home == '/')
        folder = std::filesystem::path{home} / ".config";
    else
        return "";
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) != 0) return "";
    return folder / "sode" / fmt::format("profile-{}.json", host.data());
}

std::vector<std::string> profile_keys() {
    std::vector<std::string> keys;
    list_keys(profile{}, "", keys);
    list_keys(profile_origin{}, fmt::format("{}.", origin_key), keys);
    return keys;
}

} // namespace sode
