// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fstream>
#include <string>
#include <vector>

/// What the programs of bench/gpu write for a person and for other programs.
namespace bench {

/// What a figure has to be.
struct goal {
    std::string what; ///< with its unit
    double found;
    enum class kind { at_most, at_least } must;
    double limit;
    [[nodiscard]] bool reached() const { return must == kind::at_most ? found <= limit : found >= limit; }
};
[[nodiscard]] inline goal at_most(std::string what, double found, double limit) {
    return {std::move(what), found, goal::kind::at_most, limit};
}
[[nodiscard]] inline goal at_least(std::string what, double found, double limit) {
    return {std::move(what), found, goal::kind::at_least, limit};
}

/// The results of a program begin with these.
struct result_facts {
    std::string device;
    bool right = true;     ///< all data were
    bool complete = false; ///< false: the program has not ended, or was ended
    std::vector<goal> goals;
};

/// Opens a file of results anew. Errors: it cannot be written.
[[nodiscard]] std::ofstream open_results(std::string const& file);

/// Opens a file with a JSON object, and writes its first members: the device, the processor, the day, the facts. The caller writes
/// the others, and the last brace.
[[nodiscard]] std::ofstream begin_json(std::string const& file, result_facts const& facts);

/// The head of an HTML page. An emulated device is said to be one: its times say nothing about a GPU.
void begin_page(std::ostream& page, std::string const& title, std::string const& device);

/// Opens a file with a page, and begins a section of it with the goals. What comes behind the head, gmpi_step puts into one page.
[[nodiscard]] std::ofstream begin_section(std::string const& file, std::string const& title, result_facts const& facts);

/// The goals, and whether they are reached: on an emulated device, nobody knows.
void print_goals(result_facts const& facts);

/// A number of a table: three significant digits, and no exponent.
[[nodiscard]] std::string rounded(double value);

} // namespace bench
