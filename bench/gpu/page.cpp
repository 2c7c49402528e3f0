// SPDX-License-Identifier: Apache-2.0
#include "page.hpp"

#include "support/machine.hpp"

#include <sode/error.hpp>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>
#include <fmt/chrono.h>
#include <fmt/format.h>

namespace bench {
namespace {

std::string today() {
    return fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
}

} // namespace

std::ofstream open_results(std::string const& file, bool behind) {
    std::ofstream out{file, behind ? std::ios::app : std::ios::trunc};
    if (!out)
        throw sode::error{sode::error_kind::environment, "the results cannot be written", file + ": " + std::strerror(errno),
                          "name a folder that you may write to"};
    return out;
}

std::string measured_where(std::string const& device) {
    return fmt::format("\"device\": \"{}\", \"processor\": \"{}\", \"date\": \"{}\"", device, sode::internal::bench::processor(),
                       today());
}

void begin_page(std::ostream& page, std::string const& title, std::string const& device) {
    page << "<!doctype html><html lang=en><meta charset=utf-8><title>" << title
         << "</title>\n<style>body{font:16px sans-serif;margin:2em}td,th{padding:.2em 1em;text-align:right}</style>\n<h1>" << title
         << "</h1>\n<p>" << device << "; " << sode::internal::bench::processor() << "; " << today() << ".</p>\n";
    if (device.starts_with("emulated"))
        page << "<p><b>The device is emulated: threads of the processor play it. The times say nothing about a GPU.</b></p>\n";
}

std::string rounded(double value) {
    if (value == 0 || !std::isfinite(value)) return fmt::format("{}", value);
    auto const digits = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
    return fmt::format("{:.{}f}", value, digits < 3 ? 3 - digits : 0);
}

} // namespace bench
