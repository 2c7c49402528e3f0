// SPDX-License-Identifier: Apache-2.0
#include "model/profile_file.hpp"

#include "base/host_file.hpp"
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
#include <filesystem>
#include <set>
#include <type_traits>

namespace sode::internal {
namespace {

using json = nlohmann::ordered_json;

template <class O, class F>
requires std::same_as<std::remove_const_t<O>, profile_origin::counts>
void each_field(O& c, F&& f) {
    f("near", c.near);
    f("far", c.far);
    f("local", c.local);
    f("network", c.network);
    f("mpi_near", c.mpi_near);
    f("mpi_far", c.mpi_far);
}

template <class O, class F>
requires std::same_as<std::remove_const_t<O>, profile_origin>
void each_field(O& o, F&& f) {
    f("cpu", o.cpu);
    f("cores", o.cores);
    f("date", o.date);
    f("sode", o.sode);
    f("mpi", o.mpi);
    f("samples", o.samples);
    f("unseen", o.unseen);
    f("not_stored", o.not_stored);
}

constexpr std::string_view origin_key = "machine";

template <class T> constexpr bool is_list = false;
template <class T> constexpr bool is_list<std::vector<T>> = true;
template <class T>
concept record = std::is_class_v<T> && !std::same_as<T, std::string> && !is_list<T>;
template <class T>
concept record_list = is_list<T> && record<typename T::value_type>;

/// As much of a text as tells what it is.
std::string beginning(std::string_view text) {
    constexpr std::size_t enough = 160;
    return text.size() <= enough ? std::string{text} : fmt::format("{}...", text.substr(0, enough));
}

/// How deeply a text of JSON is nested, without reading it as such.
int levels_of(std::string_view text) {
    int level = 0;
    int most = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char const c = text[i];
        if (quoted && c == '\\')
            ++i;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '[' || c == '{'))
            most = std::max(most, ++level);
        else if (!quoted && (c == ']' || c == '}'))
            --level;
    }
    return most;
}

// Reads an object field by field, and knows where it is for what it has to say.
class reader {
public:
    explicit reader(std::string_view file) : file_(file) {}

    template <class T> void read(json const& object, T& value, std::string const& path, profile_origin* origin = nullptr) const {
        if (!object.is_object()) refuse(path, "is not an object", "write { \"key\": value, ... }");
        std::vector<std::string_view> known;
        each_field(value, [&](std::string_view key, auto&) { known.push_back(key); });
        if (origin) known.push_back(origin_key);
        for (auto const& [key, ignored] : object.items())
            if (std::find(known.begin(), known.end(), key) == known.end())
                unknown(inside(path, key), key.size() > 64 ? "" : nearest(key, known));
        each_field(value, [&](std::string_view key, auto& field) {
            if (auto const at = object.find(std::string{key}); at != object.end()) take(*at, field, inside(path, key));
        });
        if (!origin) return;
        if (auto const at = object.find(std::string{origin_key}); at != object.end()) read(*at, *origin, inside(path, origin_key));
    }

private:
    static std::string is(json const& given) { return "is " + beginning(given.dump(-1, ' ', true)); }
    static std::string inside(std::string const& path, std::string_view key) {
        return path.empty() ? std::string{key} : fmt::format("{}.{}", path, key);
    }

    void take(json const& given, double& field, std::string const& path) const {
        if (!given.is_number()) refuse(path, is(given), "write a number");
        auto const number = given.get<double>();
        if (!std::isfinite(number) || number < 0) refuse(path, is(given), "no time is negative");
        field = number;
    }
    void take(json const& given, std::int64_t& field, std::string const& path) const {
        bool const fits = given.is_number_integer() &&
                          (!given.is_number_unsigned() || given.get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX));
        if (!fits || given.get<std::int64_t>() < 0) refuse(path, is(given), "write a whole number, 0 or more");
        field = given.get<std::int64_t>();
    }
    void take(json const& given, std::string& field, std::string const& path) const {
        if (!given.is_string()) refuse(path, is(given), "write a text in quotes");
        field = given.get<std::string>();
    }
    void take(json const& given, std::vector<std::string>& field, std::string const& path) const {
        if (!given.is_array()) refuse(path, is(given), "write [\"far\", ...]");
        field.clear();
        for (auto const& entry : given) take(entry, field.emplace_back(), path);
    }
    void take(json const& given, bool& field, std::string const& path) const {
        if (!given.is_boolean()) refuse(path, is(given), "write true or false");
        field = given.get<bool>();
    }
    template <record T> void take(json const& given, T& field, std::string const& path) const { read(given, field, path); }
    template <record_list T> void take(json const& given, T& field, std::string const& path) const {
        if (!given.is_array()) refuse(path, is(given), "write [{ \"key\": value, ... }, ...]");
        field.clear();
        for (auto const& entry : given) {
            auto const number = field.size();
            read(entry, field.emplace_back(), fmt::format("{}[{}]", path, number));
        }
    }

    [[noreturn]] void unknown(std::string const& path, std::string const& near) const {
        throw error{error_kind::usage, fmt::format("unknown key \"{}\" in the profile {}", beginning(path), file_),
                    "the key may be a spelling mistake",
                    near.empty() ? "remove the key; docs/profile.md lists all keys" : fmt::format("did you mean \"{}\"?", near)};
    }
    [[noreturn]] void refuse(std::string const& path, std::string_view problem, std::string_view suggestion) const {
        throw error{error_kind::usage,
                    path.empty() ? fmt::format("the profile {} {}", file_, problem)
                                 : fmt::format("\"{}\" in the profile {} {}", path, file_, problem),
                    "correct the profile; docs/profile.md describes every key", suggestion};
    }

    std::string_view file_;
};

template <class T> json as_json(T const& value) {
    if constexpr (record<T>) {
        json object = json::object();
        each_field(value, [&](std::string_view key, auto const& field) { object[std::string{key}] = as_json(field); });
        return object;
    } else if constexpr (record_list<T>) {
        json list = json::array();
        for (auto const& entry : value) list.push_back(as_json(entry));
        return list;
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
        using type = std::remove_cvref_t<decltype(field)>;
        if constexpr (record<type>)
            list_keys(field, path + '.', keys);
        else if constexpr (record_list<type>)
            list_keys(typename type::value_type{}, path + ".", keys);
        else
            keys.push_back(path);
    });
}

[[noreturn]] void refuse_network(std::size_t i, std::string_view file, std::string_view problem, std::string_view suggestion) {
    throw error{error_kind::usage, fmt::format("networks[{}] in the profile {} {}", i, file, problem),
                "correct the profile; docs/profile.md describes every key", suggestion};
}

// Sorted by size, the last one alone without a bound. `refuse` does not return.
template <class F> void check_protocols(std::vector<network_protocol> const& list, F const& refuse) {
    for (std::size_t k = 0; k < list.size(); ++k) {
        bool const last = k + 1 == list.size();
        auto const bound = list[k].up_to_bytes;
        if (last != (bound == 0))
            refuse(last ? "has no protocol for large messages" : "has protocols after one without a bound",
                   "give \"up_to_bytes\" to all protocols but the last");
        if (!last && k > 0 && bound <= list[k - 1].up_to_bytes)
            refuse("has unsorted protocols", "sort the protocols by \"up_to_bytes\"");
    }
}

// What no single value can tell.
void check_networks(std::vector<network> const& list, std::string_view file) {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto const& n = list[i];
        if (n.name.empty()) refuse_network(i, file, "has no name", "give the network a name, which `sode plan` prints");
        if (!names.insert(n.name).second)
            refuse_network(i, file, fmt::format("has the name \"{}\", like another network", beginning(n.name)),
                           "give each network a different name");
        if (n.links < 1) refuse_network(i, file, "has no link", "give the network at least one link");
        if (n.protocols.empty()) refuse_network(i, file, "has no protocol", "give the network at least one protocol");
        check_protocols(n.protocols, [&](std::string_view problem, std::string_view suggestion) {
            refuse_network(i, file, problem, suggestion);
        });
    }
}

} // namespace

profile read_profile(std::string_view text, std::string_view file, profile_origin* origin) {
    constexpr int deepest = 16; // what is deeper takes much stack wherever it is looked at
    if (levels_of(text) > deepest)
        throw error{error_kind::usage, fmt::format("the profile {} is nested too deeply", file),
                    fmt::format("a profile has no more than {} levels", deepest), "write a new profile with `sode tune`"};
    json document;
    try {
        document = json::parse(text);
    } catch (json::exception const& e) {
        throw error{error_kind::usage, fmt::format("the profile {} is not JSON", file), beginning(e.what()),
                    "correct or remove the profile, or write a new profile with `sode tune`"};
    }
    profile p;
    profile_origin from;
    reader{file}.read(document, p, "", &from);
    check_networks(p.networks, file);
    check_protocols(p.devices.messages, [&](std::string_view problem, std::string_view suggestion) {
        throw error{error_kind::usage, fmt::format("devices.messages in the profile {} {}", file, problem),
                    "correct the profile; docs/profile.md describes every key", suggestion};
    });
    if (origin) *origin = std::move(from);
    return p;
}

profile load_profile(std::string const& file, profile_origin* origin) {
    return read_profile(read_profile_text(file), file, origin);
}

std::string read_profile_text(std::string const& file) {
    return read_file(file, "profile", std::size_t{1} << 20U);
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
    return host_file("profile", ".json");
}

std::vector<std::string> profile_keys() {
    std::vector<std::string> keys;
    list_keys(profile{}, "", keys);
    list_keys(profile_origin{}, fmt::format("{}.", origin_key), keys);
    return keys;
}

} // namespace sode::internal
