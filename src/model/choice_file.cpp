// SPDX-License-Identifier: Apache-2.0
#include "model/choice_file.hpp"

#include "base/mixing.hpp"
#include "base/whole_file.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <unistd.h>

namespace sode::internal {

namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t most_text = std::size_t{4} << 20U;
constexpr std::string_view what = "file of choices";

void mix_shape(std::uint64_t& hash, shape const& s) noexcept {
    mix(hash, static_cast<std::uint64_t>(s.kind));
    mix(hash, s.rows);
    mix(hash, s.row_bytes);
    mix(hash, s.pitch);
    mix(hash, std::bit_cast<std::uint64_t>(s.line_density));
}

[[noreturn]] void refuse(std::string_view file, std::string_view why) {
    throw error{error_kind::usage, fmt::format("{} is not a {}", file, what), why,
                "remove this file, or name another file in SODE_CHOICE"};
}

measured_choice read_choice(json const& j, std::string_view file) {
    measured_choice c;
    auto const pattern = j.at("pattern").get<std::string>();
    auto const end = std::from_chars(pattern.data(), pattern.data() + pattern.size(), c.pattern, 16);
    if (end.ec != std::errc{} || end.ptr != pattern.data() + pattern.size())
        refuse(file, fmt::format("\"{}\" is not a pattern", pattern));
    c.bytes = j.value("bytes", std::int64_t{0});
    c.rows = j.value("rows", std::int64_t{0});
    c.far = j.value("far", false);
    for (auto const& [name, us] : j.at("us").items()) {
        auto const path = message_path_from(name);
        if (!path) refuse(file, fmt::format("\"{}\" is not a path", name));
        double const ns = 1e3 * us.get<double>();
        if (!std::isfinite(ns) || ns <= 0) refuse(file, fmt::format("a message took {} us", us.get<double>()));
        c.ns[static_cast<std::size_t>(*path)] = ns;
    }
    return c;
}

} // namespace

std::uint64_t pattern_key(message_features const& m) noexcept {
    std::uint64_t hash = 1;
    mix(hash, m.bytes);
    mix_shape(hash, m.ours == own_ends::target ? m.target : m.source);
    mix(hash, static_cast<std::uint64_t>(m.apart));
    mix(hash, static_cast<std::uint64_t>(m.reachable) | static_cast<std::uint64_t>(m.mutual) << 1U |
                  static_cast<std::uint64_t>(m.ours) << 2U);
    return std::max<std::uint64_t>(hash, 1); // 0 is nobody's
}

std::vector<measured_choice> const* choice_book::of(std::string_view machine) const noexcept {
    auto const at = std::ranges::find(pages, machine, &page::machine);
    return at == pages.end() ? nullptr : &at->choices;
}

void choice_book::add(std::string const& machine, std::vector<measured_choice> const& choices) {
    page now{machine, {}};
    if (auto const at = std::ranges::find(pages, machine, &page::machine); at != pages.end()) {
        now = std::move(*at);
        pages.erase(at);
    }
    for (auto const& c : choices) {
        std::erase_if(now.choices, [&](measured_choice const& old) { return old.pattern == c.pattern; });
        now.choices.push_back(c);
    }
    auto const shorten = [](auto& list, std::size_t most) {
        if (list.size() > most) list.erase(list.begin(), list.end() - static_cast<std::ptrdiff_t>(most));
    };
    shorten(now.choices, most_choices);
    pages.push_back(std::move(now));
    shorten(pages, most_machines);
}

choice_book read_choices(std::string_view text, std::string_view file) {
    choice_book book;
    try {
        // Flat: the parser descends no deeper than a file of ours goes, whatever it is given.
        auto const shallow = [](int depth, json::parse_event_t, json&) {
            constexpr int deepest = 6;
            if (depth > deepest) throw std::length_error{"the file is nested too deeply"};
            return true;
        };
        auto const all = json::parse(text, shallow);
        if (all.at("sode_choices").get<int>() != 1) refuse(file, "the file belongs to another version of Sode");
        for (auto const& p : all.at("machines")) {
            std::vector<measured_choice> choices;
            for (auto const& c : p.at("choices")) choices.push_back(read_choice(c, file));
            book.add(p.at("machine").get<std::string>(), choices);
        }
    } catch (json::exception const& e) {
        refuse(file, e.what());
    } catch (std::length_error const& e) {
        refuse(file, e.what());
    }
    return book;
}

std::string write_choices(choice_book const& book) {
    std::string text = "{\"sode_choices\": 1, \"machines\": [";
    std::string_view next_page = "\n";
    for (auto const& p : book.pages) {
        text += fmt::format("{}{{\"machine\": {}, \"choices\": [", next_page, json(p.machine).dump());
        std::string_view next = "\n";
        for (auto const& c : p.choices) {
            text += fmt::format("{}  {{\"pattern\": \"{:016x}\", \"bytes\": {}, \"rows\": {}, \"far\": {}, \"us\": {{", next,
                                c.pattern, c.bytes, c.rows, c.far);
            std::string_view comma;
            for (std::size_t i = 0; i < c.ns.size(); ++i) {
                if (c.ns[i] <= 0) continue;
                text += fmt::format("{}\"{}\": {:.3f}", comma, to_string(static_cast<message_path>(i)), 1e-3 * c.ns[i]);
                comma = ", ";
            }
            text += "}}";
            next = ",\n";
        }
        text += "]}";
        next_page = ",\n";
    }
    return text + "]}\n";
}

std::optional<choice_book> load_choices(std::string const& file) {
    if (::access(file.c_str(), F_OK) != 0 && errno == ENOENT) return std::nullopt;
    return read_choices(read_file(file, what, most_text), file);
}

void save_choices(std::string const& file, std::string const& machine, std::vector<measured_choice> const& choices) {
    auto book = load_choices(file).value_or(choice_book{});
    book.add(machine, choices);
    replace_file(file, what, write_choices(book));
}

} // namespace sode::internal
