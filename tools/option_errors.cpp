// SPDX-License-Identifier: Apache-2.0
#include "option_errors.hpp"

#include "base/nearest.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace sode::internal::tools {

namespace {

std::string help_of(CLI::App const* command) {
    return command != nullptr ? fmt::format("see `sode {} --help`", command->get_name()) : "see `sode --help`";
}

// As users write it: the short name, if there is one.
std::string short_name(std::string const& name, CLI::App const* command) {
    auto const* const option = command != nullptr ? command->get_option_no_throw(name) : nullptr;
    return option == nullptr || option->get_snames().empty() ? name : "-" + option->get_snames().front();
}

std::string value_of(std::string const& name, CLI::App const* command) {
    auto const* const option = command != nullptr ? command->get_option_no_throw(name) : nullptr;
    return option == nullptr ? "VALUE" : option->get_type_name();
}

// CLI11 says what it has found in sentences; these are the words before and behind `mark`.
std::pair<std::string, std::string> around(std::string const& text, std::string_view mark) {
    auto const at = text.find(mark);
    return at == std::string::npos ? std::pair{text, std::string{}} : std::pair{text.substr(0, at), text.substr(at + mark.size())};
}

std::string without_dashes(std::string_view word) {
    auto const begin = word.find_first_not_of('-');
    return begin == std::string_view::npos ? std::string{} : std::string{word.substr(begin, word.find('=') - begin)};
}

error unknown_option(std::string const& word, CLI::App const* command) {
    std::vector<std::string> names;
    if (command != nullptr)
        for (auto const* const option : command->get_options())
            for (auto const& name : option->get_lnames()) names.push_back(name);
    std::string const near = nearest(without_dashes(word), {names.begin(), names.end()});
    return {error_kind::usage, fmt::format("there is no option {}", word),
            command != nullptr ? "of sode " + command->get_name() : "",
            near.empty() ? help_of(command) : fmt::format("did you mean --{}?", near)};
}

} // namespace

error option_error(CLI::ParseError const& problem, CLI::App const* command) {
    std::string const text = problem.what();
    auto const usage = [](std::string_view what, std::string_view why, std::string_view suggestion) {
        return error{error_kind::usage, what, why, suggestion};
    };
    if (problem.get_name() == "RequiredError") {
        auto const name = around(text, " is required").first;
        if (!name.starts_with('-')) return usage("there is no command", "`sode` alone does nothing", help_of(nullptr));
        auto const shown = short_name(name, command);
        return usage(fmt::format("{} is missing", shown),
                     fmt::format("sode {} requires this argument", command != nullptr ? command->get_name() : ""),
                     fmt::format("write {} {}", shown, value_of(name, command)));
    }
    if (problem.get_name() == "ConversionError") {
        auto const [name, value] = around(around(text, "Could not convert: ").second, " = ");
        return usage(fmt::format("{} {} is invalid", short_name(name, command), value),
                     fmt::format("a value like {} was expected", value_of(name, command)), help_of(command));
    }
    if (problem.get_name() == "ArgumentMismatch") {
        auto const name = around(text, ":").first;
        auto const shown = short_name(name, command);
        return usage(fmt::format("{} has no value", shown), "", fmt::format("write {} {}", shown, value_of(name, command)));
    }
    if (text.find("not expected: ") != std::string::npos) {
        auto const word = around(around(text, "expected: ").second, " ").first;
        if (word.starts_with('-')) return unknown_option(word, command);
        return usage(fmt::format("\"{}\" is one argument too many", word), "no more arguments were expected", help_of(command));
    }
    return usage(text, "", help_of(command));
}

void refuse_option(std::string const& word, CLI::App const& command) {
    throw unknown_option(word, &command);
}

std::vector<std::string> with_n_for_np(std::vector<std::string> words, CLI::App const& run) {
    for (std::size_t i = 1; i < words.size() && words[i].starts_with('-');) {
        if (words[i] == "-np") words[i] = "-n";
        bool const whole = words[i].find('=') != std::string::npos || (words[i].size() > 2 && words[i][1] != '-');
        auto const* const option = run.get_option_no_throw(words[i]);
        i += !whole && option != nullptr && option->get_items_expected_max() > 0 ? 2U : 1U;
    }
    return words;
}

} // namespace sode::internal::tools
