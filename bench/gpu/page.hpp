// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <fstream>
#include <string>

/// What the programs of bench/gpu write for a person and for other programs.
namespace bench {

/// Opens a file of results; `behind` what is there already. Errors: it cannot be written.
[[nodiscard]] std::ofstream open_results(std::string const& file, bool behind = false);

/// The first members of a JSON object: the device, the processor, the day.
[[nodiscard]] std::string measured_where(std::string const& device);

/// The head of an HTML page. An emulated device is said to be one: its times say nothing about a GPU.
void begin_page(std::ostream& page, std::string const& title, std::string const& device);

/// A number of a table: three significant digits, and no exponent.
[[nodiscard]] std::string rounded(double value);

} // namespace bench
