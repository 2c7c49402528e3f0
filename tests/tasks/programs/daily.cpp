// SPDX-License-Identifier: Apache-2.0
// What programs do with their process, one by one: `daily WHAT` prints "ok" if it went as in any other process.
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <future>
#include <iostream>
#include <map>
#include <numeric>
#include <pthread.h>
#include <set>
#include <spawn.h>
#include <stdexcept>
#include <string>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

extern char** environ; // NOLINT(readability-redundant-declaration)

namespace {

int value = 1;
thread_local int each = 7;

bool ended_with(pid_t child, int code) {
    int status = 0;
    return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == code;
}

bool forks() {
    pid_t const child = ::fork();
    if (child == 0) {
        value = 2;
        // Its memory is a copy, and so are the addresses that the next large block gets.
        std::vector<char> block(5'000'000, 'x');
        std::thread{[&] { block[0] = 'y'; }}.join();
        ::_exit(block[0] == 'y' && value == 2 ? 3 : 4);
    }
    return ended_with(child, 3) && value == 1;
}

bool executes() {
    pid_t const child = ::fork();
    if (child == 0) {
        ::execl("/bin/sh", "sh", "-c", "exit 5", nullptr);
        ::_exit(6);
    }
    return ended_with(child, 5);
}

bool vforks() {
    pid_t const child = ::vfork();
    if (child == 0) {
        ::execl("/bin/sh", "sh", "-c", "exit 5", nullptr);
        ::_exit(6);
    }
    return ended_with(child, 5);
}

bool spawns() {
    pid_t child = 0;
    std::string shell = "sh";
    std::string option = "-c";
    std::string what = "exit 9";
    std::vector<char*> words{shell.data(), option.data(), what.data(), nullptr};
    return ::posix_spawn(&child, "/bin/sh", nullptr, nullptr, words.data(), environ) == 0 && ended_with(child, 9);
}

bool systems() {
    return WEXITSTATUS(std::system("test $(expr 1 + 1) = 2 && exit 4")) == 4;
}

bool popens() {
    std::FILE* const pipe = ::popen("echo said; cat /dev/null", "r");
    char line[16] = {};
    bool const said = std::fgets(line, sizeof line, pipe) != nullptr && std::strcmp(line, "said\n") == 0;
    return ::pclose(pipe) == 0 && said;
}

bool threads() {
    std::atomic<int> sum = 0;
    std::vector<std::thread> team;
    for (int i = 0; i < 8; ++i)
        team.emplace_back([&, i] {
            each = i;
            std::vector<int> many(1'000'000, i); // beyond what malloc takes from its arenas
            sum += std::accumulate(many.begin(), many.end(), 0) / 1'000'000 + each;
        });
    for (auto& one : team) one.join();
    return sum == 56 && each == 7;
}

bool throws() {
    try {
        std::map<std::string, int>{}.at("nothing");
    } catch (std::out_of_range const&) {
        auto work = std::async(std::launch::async, []() -> int { throw std::runtime_error{"from a thread"}; });
        try {
            work.get();
        } catch (std::runtime_error const& caught) {
            return std::string{caught.what()} == "from a thread";
        }
    }
    return false;
}

bool asynchronous() {
    std::vector<std::future<int>> all;
    for (int i = 0; i < 20; ++i) all.push_back(std::async(std::launch::async, [i] { return i * i; }));
    int sum = 0;
    for (auto& one : all) sum += one.get();
    return sum == 2470;
}

bool openmp() {
    int sum = 0;
    std::set<std::thread::id> team;
#pragma omp parallel num_threads(3)
    {
#pragma omp critical
        team.insert(std::this_thread::get_id());
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < 100; ++i) sum += i;
    }
    return sum == 4950 && team.size() == 3;
}

bool loads() {
    void* const math = ::dlopen("libm.so.6", RTLD_NOW);
    auto* const cosine = reinterpret_cast<double (*)(double)>(::dlsym(math, "cos"));
    return cosine != nullptr && cosine(0) == 1 && ::dlclose(math) == 0;
}

bool loads_executable_stack() {
    // A library that wants code on the stack makes that of the whole process executable.
    std::string const folder{program_invocation_name,
                             static_cast<std::size_t>(program_invocation_short_name - program_invocation_name)};
    void* const library = ::dlopen((folder + "libexecstack.so").c_str(), RTLD_NOW);
    if (library == nullptr) return false;
    unsigned char const code[] = {0xb8, 0x2a, 0, 0, 0, 0xc3}; // mov $42, %eax; ret
    return reinterpret_cast<int (*)()>(reinterpret_cast<std::uintptr_t>(&code))() == 42;
}

std::atomic<int> alarms = 0;

bool signals() {
    std::signal(SIGALRM, [](int) { ++alarms; });
    itimerval const often{{0, 500}, {0, 500}};
    ::setitimer(ITIMER_REAL, &often, nullptr);
    // Interrupts that fall on calls which somebody else makes for this process.
    for (int i = 0; i < 3000 || alarms < 3; ++i) {
        std::vector<char> block(300'000);
        block[static_cast<std::size_t>(i) % block.size()] = 'x';
    }
    itimerval const never{};
    ::setitimer(ITIMER_REAL, &never, nullptr);
    return alarms >= 3;
}

bool knows_stack() {
    pthread_attr_t attributes;
    void* low = nullptr;
    std::size_t bytes = 0;
    int here = 0;
    if (::pthread_getattr_np(::pthread_self(), &attributes) != 0 || ::pthread_attr_getstack(&attributes, &low, &bytes) != 0)
        return false;
    ::pthread_attr_destroy(&attributes);
    auto const at = reinterpret_cast<std::uintptr_t>(&here);
    auto const begin = reinterpret_cast<std::uintptr_t>(low);
    // As much as the limit says can be used.
    constexpr std::size_t much = std::size_t{7} << 20U;
    *reinterpret_cast<char volatile*>(at - much) = 1;
    return at > begin && at < begin + bytes && bytes > much;
}

bool mixes() {
    std::atomic<int> good = 0;
    std::vector<std::thread> team;
    for (int i = 0; i < 4; ++i)
        team.emplace_back([&, i] {
            for (int k = 0; k < 25; ++k) {
                std::vector<char> block(std::size_t{200'000} * static_cast<std::size_t>(i + 1), 'x');
                if (k % 5 == 0 && i % 2 == 0) {
                    pid_t const child = ::fork();
                    if (child == 0) ::_exit(std::vector<char>(3'000'000, 'y').back() == 'y' ? 3 : 4);
                    if (ended_with(child, 3)) ++good;
                } else if (k % 5 == 0) {
                    if (WEXITSTATUS(std::system("exit 3")) == 3) ++good;
                } else if (block.back() == 'x') {
                    ++good;
                }
            }
        });
    for (auto& one : team) one.join();
    return good == 100;
}

bool breaks() {
    constexpr std::intptr_t step = 1'000'000;
    auto* const before = static_cast<char*>(::sbrk(0));
    if (::sbrk(step) != before || ::sbrk(0) != before + step) return false;
    before[0] = before[step - 1] = 'x';
    if (::sbrk(-step) != before + step || ::sbrk(step) != before || before[0] != 0 || before[step - 1] != 0) return false;
    if (::brk(before) != 0 || ::sbrk(std::intptr_t{1} << 45) != reinterpret_cast<void*>(-1) || errno != ENOMEM) return false;
    pid_t const child = ::fork();
    if (child == 0) ::_exit(std::vector<char>(100'000, 'x').back() == 'x' && std::malloc(1000) != nullptr ? 3 : 4);
    return ended_with(child, 3) && std::malloc(1000) != nullptr;
}

} // namespace

int main(int argc, char** argv) {
    std::map<std::string, std::function<bool()>> const all{
        {"fork", forks},         {"exec", executes},     {"vfork", vforks},   {"spawn", spawns},
        {"system", systems},     {"popen", popens},      {"thread", threads}, {"throw", throws},
        {"async", asynchronous}, {"openmp", openmp},     {"dlopen", loads},   {"signal", signals},
        {"break", breaks},       {"stack", knows_stack}, {"mix", mixes},      {"execstack", loads_executable_stack}};
    auto const chosen = all.find(argc == 2 ? argv[1] : "");
    if (chosen == all.end()) return 2;
    std::cout << (chosen->second() ? "ok" : "not as in other processes") << std::endl;
}
