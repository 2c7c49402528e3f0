// SPDX-License-Identifier: Apache-2.0
#include "cc_line.hpp"
#include "commands.hpp"
#include "parts.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <iterator>
#include <sode/error.hpp>
#include <spawn.h>
#include <sstream>
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
                        std::error_code(errno, std::generic_category()).message(), "set TMPDIR to a writable folder"};
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
                    "install a C compiler, or select a compiler: sode cc --with=gcc"};
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status))
        throw error{error_kind::environment, fmt::format("{} was killed", words.front()), strsignal(WTERMSIG(status)),
                    "if nobody killed the process, report this defect of Sode, together with your program"};
    return WEXITSTATUS(status);
}

// A name as lists of dependencies have it.
std::string escaped(std::string const& path) {
    std::string text;
    for (char const c : path) text += c == ' ' ? std::string{"\\ "} : std::string{c};
    return text;
}

// A list of dependencies names the sources and not what they were rewritten to: those are gone, and make would wonder.
void restore_names(cc_line const& l, std::vector<std::pair<fs::path, fs::path>> const& rewritten) {
    auto list = fs::path{l.list};
    if (list.empty()) list = l.output.empty() ? fs::path{rewritten.front().second.filename()} : fs::path{l.output};
    if (l.list.empty()) list.replace_extension(".d");
    std::ifstream in{list};
    std::string text{std::istreambuf_iterator<char>{in}, {}};
    if (!in.is_open()) return;
    for (auto const& [folder, source] : rewritten) {
        auto const headers = folder.string() + "/root"; // and a number, and the path that they have
        for (auto at = text.find(headers); at != std::string::npos; at = text.find(headers, at))
            text.erase(at, text.find('/', at + headers.size()) - at);
        auto const from = folder.string() + '/';
        auto const to = escaped(source.parent_path().empty() ? "" : source.parent_path().string() + '/');
        for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
            text.replace(at, from.size(), to);
    }
    std::ofstream{list} << text;
}

// What a compiler says when it is asked: its first line.
std::string answer(std::string const& compiler, char const* question) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) return "";
    posix_spawn_file_actions_t actions{};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    std::array<std::string, 2> words{compiler, question};
    std::array<char*, 3> arguments{words[0].data(), words[1].data(), nullptr};
    pid_t child = 0;
    bool const runs = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    std::string said;
    std::array<char, 512> piece{};
    for (ssize_t n = 0; runs && (n = read(ends[0], piece.data(), piece.size())) > 0;)
        said.append(piece.data(), static_cast<std::size_t>(n));
    close(ends[0]);
    if (runs)
        while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
        }
    return said.substr(0, said.find('\n'));
}

// GCC's assembler for nvptx asks CUDA's ptxas, where there is one, for a verdict on code for devices that it has forgotten.
void hide_ptxas() {
    auto const* const path = std::getenv("PATH");
    std::string kept;
    for (std::string_view rest = path ? path : ""; !rest.empty();) {
        auto const folder = rest.substr(0, rest.find(':'));
        rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
        auto const at = fs::path{folder};
        std::error_code none;
        if (fs::exists(at / "ptxas", none) && !fs::exists(at / "gcc", none)) continue;
        kept += (kept.empty() ? "" : ":") + std::string{folder};
    }
    setenv("PATH", kept.c_str(), 1);
}

// OpenACC's options for the user's compiler, and where the rewriter finds <openacc.h>.
void set_up_accelerators(cc_line& l, bool cxx) {
    if (l.stand_in && !l.accelerators)
        throw error{error_kind::usage, "--device=stand-in selects an OpenACC device", "-acc is missing", "add -acc"};
    if (!l.accelerators) return;
    if (std::ranges::find(l.reading, "-fsode-check") != l.reading.end())
        throw error{error_kind::usage, "-fsode-check cannot be used with -acc", "-fsode-check cannot check code on a device",
                    "check the program without -acc, which ignores OpenACC directives"};
    if (!l.named) l.compiler = cxx ? "g++" : "gcc";
    bool const nvidia = fs::path{l.compiler}.filename().string().starts_with("nvc");
    if (nvidia && l.stand_in)
        throw error{error_kind::usage, "nvc cannot use the stand-in device", "the stand-in device replaces GCC's libgomp",
                    "remove one of the two options"};
    l.reading.emplace_back("-acc");
    l.words.emplace_back(nvidia ? "-acc" : "-fopenacc");
    if (nvidia) return;
    if (auto const folder = answer(l.compiler, "-print-file-name=include"); folder.find('/') != std::string::npos) {
        l.reading.emplace_back("-idirafter");
        l.reading.push_back(folder);
    }
    if (l.stand_in) {
        l.words.emplace_back("-foffload=disable");
        if (l.devices > 1) l.words.push_back(fmt::format("-DSODE_ACC_STAND_IN={}", l.devices));
    } else {
        hide_ptxas();
        l.words.emplace_back("-foffload-options=-lm"); // kernels call the device's own mathematics library
    }
}

// Where the compiler of an MPI, mpicc, finds <mpi.h>: it says which command it runs.
void ask_mpi(cc_line& l) {
    if (!fs::path{l.compiler}.filename().string().starts_with("mpi")) return;
    std::istringstream words{answer(l.compiler, "-show")};
    for (std::string w; words >> w;)
        if (w.starts_with("-I") && w.size() > 2) l.reading.push_back(w);
}

/// Where the libraries are: libsode-xmp.so, and libsode.so beside it if there is one (in a build folder elsewhere), for programs
/// that call <sode/sode.h> themselves.
std::vector<std::string> libraries_of(std::string const& folder) {
    std::vector<std::string> words{"-L" + folder, "-Wl,-rpath," + folder, "-lsode-xmp"};
    for (auto const& at : {folder, folder + "/../src"}) {
        std::error_code none;
        if (!fs::exists(at + "/libsode.so", none)) continue;
        if (auto const other = fs::canonical(at).string(); other != folder)
            words.insert(words.end(), {"-L" + other, "-Wl,-rpath," + other});
        words.insert(words.end(), {"-Wl,--push-state,--as-needed", "-lsode", "-Wl,--pop-state"});
        break;
    }
    words.emplace_back("-lm");
    return words;
}

int compile(bool cxx, std::vector<std::string> const& all) {
    auto l = sorted(cxx, all);
    ask_mpi(l);
    set_up_accelerators(l, cxx);
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
    std::vector<std::string> places;                    // of headers, for the compiler
    for (auto const k : l.only_lists ? std::set<std::size_t>{} : l.sources) {
        auto& w = l.words[k];
        if (std::error_code none; !fs::exists(w, none))
            throw error{error_kind::usage, fmt::format("{} cannot be compiled", w), "there is no such file", "check the file name"};
        auto const folder = work.path() / std::to_string(number++);
        fs::create_directory(folder);
        auto const rewritten = (l.emit ? fs::path{"-"} : folder / fs::path{w}.filename()).string();
        std::vector<std::string> command{rewriter, "-o", rewritten, w};
        command.insert(command.end(), l.reading.begin(), l.reading.end());
        if (l.as_c.contains(k)) command.insert(command.end(), {"-x", "c"});
        if (l.as_cxx.contains(k)) {
            command.insert(command.end(), {"-x", "c++"});
            if (std::ranges::none_of(l.reading, [](auto const& r) { return r.starts_with("-std=") || r == "-ansi"; }))
                command.emplace_back("-std=gnu++17");
        }
        if (int const status = run(command, l.show); status != 0) return status;
        places.push_back("-iquote" + fs::absolute(w).parent_path().string());
        sources.emplace_back(folder, w);
        w = rewritten;
    }
    if (l.emit) return 0;
    std::vector<std::string> command{l.compiler};
    command.insert(command.end(), places.begin(), places.end());
    command.emplace_back("-Wno-unknown-pragmas");
    command.emplace_back("-D_XCALABLEMP=201811"); // what stands behind it was rewritten, too
    if (std::ranges::find(l.reading, "-acc") != l.reading.end()) command.emplace_back("-D_XCALABLEACC=1");
    command.insert(command.end(), l.words.begin(), l.words.end());
    command.emplace_back("-Wno-misleading-indentation"); // a loop's line has what is done behind the loop
    command.push_back(include);
    if (l.links && l.stand_in) command.emplace_back(libraries + "/libsode-acc-stand-in.so");
    if (l.links) std::ranges::copy(libraries_of(libraries), std::back_inserter(command));
    int const status = run(command, l.show);
    if (l.dependencies && status == 0 && !sources.empty()) restore_names(l, sources);
    return status;
}

} // namespace

namespace {

command add_compiler(CLI::App& app, bool cxx) {
    std::string const name = cxx ? "c++" : "cc", language = cxx ? "C++" : "C", ending = cxx ? "cpp" : "c";
    CLI::App* const one = app.add_subcommand(
        name,
        fmt::format("Compile and link a {0} program with XcalableMP directives: sode {1} [options of {1}] program.{2} -o program",
                    language, name, ending));
    one->prefix_command(); // every word is the compiler's
    one->set_help_flag();
    return [=](std::vector<std::string> const& rest) -> int {
        auto words = one->remaining();
        words.insert(words.end(), rest.begin(), rest.end());
        if (words.empty() || words.front() == "--help") {
            fmt::print(
                "sode {0}: compiles {1} programs with XcalableMP directives (#pragma xmp)\n\n"
                "    sode {0} -O3 laplace.{2} -o laplace\n    sode run -n 4 ./laplace\n\n"
                "The options are those of {0}, and:\n  --emit        print the rewritten source\n  --show        print the "
                "commands that are run\n"
                "  --with=CC     compile with CC instead of {0} (also: --with CC)\n"
                "  --serial      make a serial program\n"
                "  -fsode-check  check every access to distributed arrays when the program runs\n"
                "  -acc          compile XcalableACC and OpenACC directives (with gcc -fopenacc, or nvc)\n"
                "  --device=stand-in  with -acc: use a device that has its own memory and needs no GPU; stand-in:COUNT: use COUNT\n"
                "                such devices\n",
                name, language, ending);
            return words.empty() ? 1 : 0;
        }
        return compile(cxx, words);
    };
}

} // namespace

command add_cc(CLI::App& app) {
    return add_compiler(app, false);
}
command add_cxx(CLI::App& app) {
    return add_compiler(app, true);
}

} // namespace sode::internal::tools
