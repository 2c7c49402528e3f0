// SPDX-License-Identifier: Apache-2.0
#include "cc_line.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sode/error.hpp>
#include <string_view>

namespace sode::internal::tools {
namespace {

// The words of a response file: between blanks, in quotes, and behind backslashes, as compilers read them.
std::vector<std::string> words_of(std::string const& text) {
    std::vector<std::string> words;
    bool open = false;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char const c = text[i];
        if (quote == 0 && std::isspace(static_cast<unsigned char>(c))) {
            open = false;
            continue;
        }
        if (!open) words.emplace_back();
        open = true;
        if (c == '\\' && i + 1 < text.size())
            words.back() += text[++i];
        else if (quote == 0 && (c == '"' || c == '\''))
            quote = c;
        else if (c == quote)
            quote = 0;
        else
            words.back() += c;
    }
    return words;
}

void expand(std::vector<std::string> const& all, std::vector<std::string>& to, int depth) {
    for (auto const& w : all) {
        std::ifstream file;
        if (w.size() > 1 && w.front() == '@') file.open(w.substr(1));
        if (!file.is_open()) {
            to.push_back(w); // the compiler's own affair, if it is one
            continue;
        }
        if (depth > 20)
            throw error{error_kind::usage, fmt::format("{} cannot be read", w), "response files include each other",
                        "remove one of the @FILE options in the cycle"};
        expand(words_of({std::istreambuf_iterator<char>{file}, {}}), to, depth + 1);
    }
}

template <std::size_t n> bool among(std::array<std::string_view, n> const& list, std::string_view w) {
    return std::ranges::find(list, w) != list.end();
}

// Beginnings of options that change what the preprocessor or the parser sees, and that Clang has, too.
bool is_read(std::string_view w) {
    constexpr std::array<std::string_view, 15> beginnings{"-I",      "-D",    "-U",    "-std=",    "-O",
                                                          "-march=", "-mavx", "-msse", "-mfma",    "-mbmi",
                                                          "-m32",    "-m64",  "-ansi", "-pthread", "-nostdinc"};
    return w == "-funsigned-char" || w == "-fsigned-char" || w == "-trigraphs" ||
           std::ranges::any_of(beginnings, [&](auto b) { return w.starts_with(b); });
}

bool named_cxx(std::string_view w) {
    constexpr std::array<std::string_view, 6> endings{".cpp", ".cc", ".cxx", ".c++", ".C", ".cp"};
    return std::ranges::any_of(endings, [&](auto end) { return w.size() > end.size() && w.ends_with(end); });
}

} // namespace

cc_line sorted(bool cxx, std::vector<std::string> const& given) {
    // Options whose next word is theirs; those of the first list are the rewriter's, too.
    constexpr std::array<std::string_view, 9> read{"-I",       "-D",      "-U",         "-include", "-imacros",
                                                   "-isystem", "-iquote", "-idirafter", "-isysroot"};
    constexpr std::array<std::string_view, 15> others{
        "-o", "-MF",    "-MT", "-MQ", "-x", "-L", "-l", "-T", "-u", "-z", "-Xlinker", "-Xassembler", "-Xpreprocessor",
        "-e", "--param"};
    constexpr std::array<std::string_view, 6> stops{"-c", "-E", "-S", "-M", "-MM", "-fsyntax-only"};
    std::vector<std::string> all;
    expand(given, all, 0);
    cc_line l;
    l.compiler = cxx ? "c++" : "cc";
    std::string language = "none";
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::string_view const w = all[i];
        bool const last = i + 1 == all.size();
        if (w.starts_with("--with=")) {
            l.compiler = w.substr(7);
            l.named = true;
            continue;
        }
        if (w == "--with" && !last) { // as CMake puts a compiler behind what launches it
            l.compiler = all[++i];
            l.named = true;
            continue;
        }
        if (w == "-acc" || w == "-fopenacc") {
            l.accelerators = true;
            continue;
        }
        if (w.starts_with("--device=")) {
            auto const name = w.substr(9);
            auto const count = name.starts_with("stand-in:") ? name.substr(9) : "1";
            l.devices = 0;
            auto const number = std::from_chars(count.data(), count.data() + count.size(), l.devices);
            if (name.substr(0, name.find(':')) != "stand-in")
                throw error{error_kind::usage, fmt::format("there is no device \"{}\"", name), "sode cc accepts only stand-in",
                            "omit the option to use the compiler's own device"};
            if (number.ec != std::errc{} || number.ptr != count.data() + count.size() || l.devices < 1 || l.devices > 64)
                throw error{error_kind::usage, fmt::format("\"{}\" is not a number of devices", count),
                            "a rank has 1 to 64 stand-in devices", "write --device=stand-in, or --device=stand-in:2"};
            l.stand_in = true;
            continue;
        }
        if (w == "-fsode-check" || w == "--serial") {
            l.reading.emplace_back(w);
            continue;
        }
        if (w == "--show" || w == "--emit") {
            (w == "--show" ? l.show : l.emit) = true;
            continue;
        }
        if (w == "-" && (language == "c" || language == "c++"))
            throw error{error_kind::usage, "a program on standard input cannot be compiled", "sode cc reads the program twice",
                        "write the program to a file"};
        if (among(stops, w)) l.links = false;
        l.dependencies = l.dependencies || w == "-MD" || w == "-MMD";
        l.only_lists = l.only_lists || w == "-M" || w == "-MM";
        if (w.starts_with("-fopenmp")) {
            l.reading.emplace_back(w);
            l.reading.emplace_back("-D_OPENMP=201511"); // what stands behind it has directives, too
        } else if (is_read(w) || among(read, w)) {
            l.reading.emplace_back(w);
        } else if (w.starts_with("-Wp,")) { // -Wp,-DX=1
            for (std::size_t at = 4; at < w.size(); at = std::min(w.find(',', at), w.size()) + 1)
                l.reading.emplace_back(w.substr(at, std::min(w.find(',', at), w.size()) - at));
        }
        if (among(read, w) || among(others, w)) {
            if (last)
                throw error{error_kind::usage, fmt::format("{} has no value", w), "the option is the last argument",
                            fmt::format("write a value after {}", w)};
            auto const& next = all[i + 1];
            if (among(read, w)) l.reading.push_back(next);
            if (w == "-o") l.output = next;
            if (w == "-MF") l.list = next;
            if (w == "-x") language = next;
            l.words.emplace_back(w);
            l.words.push_back(next);
            ++i;
            continue;
        }
        if (w.starts_with("-x")) language = w.substr(2);
        bool const named_c = w.size() > 2 && w.ends_with(".c"); // which compilers of C++ take for C++
        bool const is_cpp = language == "c++" || (language == "none" && (named_cxx(w) || (cxx && named_c)));
        bool const is_c = language == "c" || (language == "none" && !cxx && named_c);
        if (!w.starts_with('-') && (is_c || is_cpp)) {
            l.sources.insert(l.words.size());
            if (is_cpp)
                l.as_cxx.insert(l.words.size());
            else if (!named_c)
                l.as_c.insert(l.words.size());
        }
        l.words.emplace_back(w);
    }
    return l;
}

} // namespace sode::internal::tools
