// SPDX-License-Identifier: Apache-2.0
#include "layout/kernel_choice.hpp"

#include "base/host_file.hpp"
#include "base/whole_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <filesystem>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace sode::internal {
namespace {

// Another number for kernels that may prefer other sets: what was probed before is forgotten.
constexpr int kernels_version = 2;
constexpr std::size_t longest_text = 4096;

constexpr std::array<std::string_view, kernel_classes> class_names{"words", "short_blocks", "rows", "long_rows",
                                                                   "big",   "lists",        "tiles"};

// The first line of `text`, which loses it.
std::string_view take_line(std::string_view& text) {
    auto const end = std::min(text.find('\n'), text.size());
    auto const line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

std::string title() {
    return fmt::format("sode kernels {}", kernels_version);
}

// Of blocks that fill lines.
kernel_class class_of_long(block_unit unit) noexcept {
    return unit == block_unit::big        ? kernel_class::big
           : unit == block_unit::long_row ? kernel_class::long_rows
                                          : kernel_class::rows;
}

kernel_class class_of_block(block_unit unit) noexcept {
    switch (unit) {
    case block_unit::bytes1:
    case block_unit::bytes2:
    case block_unit::bytes4:
    case block_unit::bytes8:
    case block_unit::pair2:
    case block_unit::pair4: return kernel_class::words;
    default: return static_cast<int>(unit) < tiled_units ? kernel_class::short_blocks : class_of_long(unit);
    }
}

#if defined(__x86_64__)
// Measured on family 26 alone (decision 92).
bool prefers_strings() noexcept {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(0, &a, &b, &c, &d) == 0 || b != signature_AMD_ebx || __get_cpuid(1, &a, &b, &c, &d) == 0) return false;
    unsigned const family = (a >> 8 & 15) + (a >> 20 & 255);
    return family == 26;
}
#endif

} // namespace

std::string_view to_string(kernel_class c) noexcept {
    return class_names[static_cast<std::size_t>(c)];
}

kernel_class class_of_kernel(int kernel) noexcept {
    if (kernel < first_nest_kernel) return kernel_class::lists;
    if (kernel < first_tiled_kernel) return class_of_block(static_cast<block_unit>((kernel - first_nest_kernel) % block_units));
    if (kernel < first_segments_kernel) return kernel_class::tiles;
    auto const unit = (kernel - first_segments_kernel) % block_units;
    return unit < tiled_units ? kernel_class::lists : class_of_long(static_cast<block_unit>(unit));
}

kernel_choice usual_kernels() {
    kernel_choice choice;
    choice.sets.fill(supported_kernel_sets().front());
#if defined(__x86_64__)
    if (moves_strings() && prefers_strings()) choice.sets[static_cast<std::size_t>(kernel_class::big)] = &string_kernels();
#endif
    return choice;
}

std::vector<kernel_set const*> probed_kernel_sets() {
    auto sets = supported_kernel_sets();
#if defined(__x86_64__)
    std::erase_if(sets, [](kernel_set const* s) { return s == &string_kernels(); });
#endif
    if (sets.size() > 1) sets.pop_back(); // the baseline, which claims nothing
    return sets;
}

std::string processor_key() {
#if defined(__x86_64__)
    unsigned a = 0, b = 0, c = 0, d = 0;
    std::array<char, 49> brand{};
    for (unsigned part = 0; part < 3; ++part) {
        if (__get_cpuid(0x80000002U + part, &a, &b, &c, &d) == 0) break;
        std::array const words{a, b, c, d};
        std::memcpy(brand.data() + std::size_t{16} * part, words.data(), 16);
    }
    std::string name{brand.data()};
    std::replace(name.begin(), name.end(), '\n', ' ');
    return fmt::format("{} {:x}", name, __get_cpuid(1, &a, &b, &c, &d) == 0 ? 0 : a);
#else
    return "unknown";
#endif
}

std::string write_kernels(kernel_choice const& choice, std::string_view processor) {
    std::string text = fmt::format("{}\n{}\n", title(), processor);
    for (std::size_t i = 0; i < kernel_classes; ++i) text += fmt::format("{} {}\n", class_names[i], choice.sets[i]->name);
    return text;
}

std::optional<kernel_choice> read_kernels(std::string_view text, std::string_view processor) {
    if (text.size() > longest_text || take_line(text) != title() || take_line(text) != processor) return std::nullopt;
    auto const known = supported_kernel_sets();
    kernel_choice choice;
    for (std::size_t i = 0; i < kernel_classes; ++i) {
        auto const line = take_line(text);
        auto const set = std::find_if(known.begin(), known.end(),
                                      [&](kernel_set const* s) { return line == fmt::format("{} {}", class_names[i], s->name); });
        if (set == known.end()) return std::nullopt;
        choice.sets[i] = *set;
    }
    if (!text.empty()) return std::nullopt;
    return choice;
}

std::optional<kernel_choice> load_kernels(std::string const& file) noexcept {
    try {
        std::error_code none;
        if (file.empty() || !std::filesystem::exists(file, none)) return std::nullopt;
        return read_kernels(read_file(file, "choice of kernels", longest_text), processor_key());
    } catch (std::exception const&) {
        return std::nullopt; // a probe's result is worth a new probe, not a job
    }
}

std::string kernels_file() {
    return host_file("kernels", ".txt");
}

kernel_choice const& kernels_in_force() noexcept {
    static kernel_choice const choice = [] {
        // Where there is nothing to choose, nothing is read.
        if (probed_kernel_sets().size() > 1)
            if (auto const probed = load_kernels(kernels_file())) return *probed;
        return usual_kernels();
    }();
    return choice;
}

bool strings_in_force() noexcept {
#if defined(__x86_64__)
    static bool const they_are = &kernels_in_force().of(kernel_class::big) == &string_kernels();
    return they_are;
#else
    return false;
#endif
}

} // namespace sode::internal
