// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "parts.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <iterator>
#include <sode/error.hpp>
#include <spawn.h>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace sode::internal::tools {
namespace {

namespace fs = std::filesystem;

/// A folder for rewritten sources, which goes with the compiler's last word.
class work_folder {
public:
    work_folder() {
        auto name = (fs::temp_directory_path() / "sode-cc-XXXXXX").string();
        if (!mkdtemp(name.data()))
            throw error{error_kind::environment, "there is no folder for temporary files",
                        std::error_code(errno, std::generic_category()).message(), "set TMPDIR to a folder that can be written"};
        path_ = name;
    }
    work_folder(work_folder const&) = delete;
    work_folder& operator=(work_folder const&) = delete;
    ~work_folder() {
        std::error_code none;
        fs::remove_all(path_, none);
    }
    [[nodiscard]] fs::path const& path() const { return path_; }

private:
    fs::path path_;
};

int run(std::vector<std::string> words, bool show) {
    if (show) fmt::print(stderr, "{}\n", fmt::join(words, " "));
    std::vector<char*> arguments;
    for (auto& w : words) arguments.push_back(w.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    if (int const code = posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ); code != 0)
        throw error{error_kind::environment, fmt::format("{} cannot be run", words.front()),
                    std::error_code(code, std::generic_category()).message(),
                    "install a C compiler, or name one: sode cc --with=gcc"};
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool is_source(std::string const& word) {
    return word.size() > 2 && word.ends_with(".c") && word.front() != '-';
}

/// The command line, sorted by who must see it.
struct line {
    std::string compiler = "cc";
    bool show = false, emit = false, links = true;
    bool dependencies = false;
    std::string output, list;         ///< -o, -MF
    std::vector<std::string> words;   ///< the compiler's, sources among them
    std::vector<std::string> reading; ///< what says how sources are read
    std::vector<std::string> places;  ///< of headers, for the compiler
};

line sorted(std::vector<std::string> const& all) {
    constexpr std::array takes_word{"-I", "-D", "-U", "-include", "-isystem", "-iquote", "-idirafter"};
    constexpr std::array stops{"-c", "-E", "-S", "-M", "-MM", "-fsyntax-only"};
    line l;
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::string_view const w = all[i];
        if (w.starts_with("--with=")) {
            l.compiler = w.substr(7);
            continue;
        }
        if (w == "--with" && i + 1 < all.size()) { // as CMake puts a compiler behind what launches it
            l.compiler = all[++i];
            continue;
        }
        if (w == "-fsode-check") {
            l.reading.emplace_back(w);
            continue;
        }
        if (w == "--show" || w == "--emit") {
            (w == "--show" ? l.show : l.emit) = true;
            continue;
        }
        l.words.emplace_back(w);
        if (w == "-MD" || w == "-MMD") l.dependencies = true;
        if ((w == "-o" || w == "-MF") && i + 1 < all.size()) {
            (w == "-o" ? l.output : l.list) = all[i + 1];
            l.words.push_back(all[++i]);
        }
        if (std::ranges::find(stops, w) != stops.end()) l.links = false;
        if (std::ranges::find(takes_word, w) != takes_word.end() && i + 1 < all.size()) {
            l.reading.emplace_back(w);
            l.reading.push_back(all[i + 1]);
            l.words.push_back(all[++i]);
        } else if (w.starts_with("-I") || w.starts_with("-D") || w.starts_with("-U") || w.starts_with("-std=") || w == "-ansi") {
            l.reading.emplace_back(w);
        }
    }
    return l;
}

// A list of dependencies names the sources and not what they were rewritten to: those are gone, and make would wonder.
void restore_names(line const& l, std::vector<std::pair<fs::path, fs::path>> const& rewritten) {
    auto list = fs::path{l.list};
    if (list.empty()) list = l.output.empty() ? fs::path{rewritten.front().second.filename()} : fs::path{l.output};
    if (l.list.empty()) list.replace_extension(".d");
    std::ifstream in{list};
    std::string text{std::istreambuf_iterator<char>{in}, {}};
    if (!in.is_open()) return;
    for (auto const& [folder, source] : rewritten) {
        auto const from = folder.string() + '/', to = source.parent_path().empty() ? "" : source.parent_path().string() + '/';
        for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
            text.replace(at, from.size(), to);
    }
    std::ofstream{list} << text;
}

int compile(std::vector<std::string> const& all) {
    auto l = sorted(all);
    auto const rewriter =
        part_of_sode({"../libexec/sode/sode-rewrite", "../" SODE_LIBEXECDIR "/sode/sode-rewrite"}, "`sode cc` was not built",
                     "build Sode on a machine with Clang's libraries (Debian: apt install libclang-14-dev llvm-14-dev)");
    auto const library = part_of_sode({"../lib/libsode-xmp.so", "../" SODE_LIBDIR "/libsode-xmp.so"}, "libsode-xmp.so is missing",
                                      "install Sode as a whole (cmake --install)");
    // In a build folder the headers are where the sources are; installed, beside the others.
    auto const header = part_of_sode({"../include/xmp.h", "../../../include/xmp.h"}, "xmp.h is missing",
                                     "install Sode as a whole (cmake --install)");
    auto const include = "-I" + fs::path{header}.parent_path().string();
    auto const libraries = fs::path{library}.parent_path().string();
    work_folder const work;
    l.reading.push_back(include);
    int number = 0;
    std::vector<std::pair<fs::path, fs::path>> sources; // where they were rewritten, and what they are
    for (auto& w : l.words) {
        if (!is_source(w)) continue;
        if (std::error_code none; !fs::exists(w, none))
            throw error{error_kind::usage, fmt::format("{} cannot be compiled", w), "there is no such file", "look at its name"};
        auto const folder = work.path() / std::to_string(number++);
        fs::create_directory(folder);
        auto const rewritten = (l.emit ? fs::path{"-"} : folder / fs::path{w}.filename()).string();
        std::vector<std::string> command{rewriter, "-o", rewritten, w};
        command.insert(command.end(), l.reading.begin(), l.reading.end());
        if (int const status = run(command, l.show); status != 0) return status;
        l.places.emplace_back("-I" + folder.string()); // headers with directives: before the user's own
        l.places.push_back("-iquote" + fs::absolute(w).parent_path().string());
        sources.emplace_back(folder, w);
        w = rewritten;
    }
    if (l.emit) return 0;
    std::vector<std::string> command{l.compiler};
    command.insert(command.end(), l.places.begin(), l.places.end());
    command.emplace_back("-Wno-unknown-pragmas");
    command.insert(command.end(), l.words.begin(), l.words.end());
    command.emplace_back("-Wno-misleading-indentation"); // a loop's line has what is done behind the loop
    command.push_back(include);
    if (l.links)
        for (auto const& word : {"-L" + libraries, "-Wl,-rpath," + libraries, std::string{"-lsode-xmp"}}) command.push_back(word);
    int const status = run(command, l.show);
    if (l.dependencies && status == 0 && !sources.empty()) restore_names(l, sources);
    return status;
}

} // namespace

command add_cc(CLI::App& app) {
    CLI::App* const one = app.add_subcommand(
        "cc", "Compile and link a C program with directives of XcalableMP: sode cc [options of cc] program.c -o program");
    one->prefix_command(); // every word is the compiler's
    one->set_help_flag();
    return [one](std::vector<std::string> const& rest) -> int {
        auto words = one->remaining();
        words.insert(words.end(), rest.begin(), rest.end());
        if (words.empty() || words.front() == "--help") {
            fmt::print("sode cc: compiles C programs with directives of XcalableMP (#pragma xmp)\n\n"
                       "    sode cc -O3 laplace.c -o laplace\n    sode run -n 4 ./laplace\n\n"
                       "Options are those of cc, and:\n  --emit        print the rewritten source\n  --show        print the "
                       "commands that are run\n"
                       "  --with=CC     compile with CC in place of cc (also: --with CC)\n");
            return words.empty() ? 1 : 0;
        }
        return compile(words);
    };
}

} // namespace sode::internal::tools
