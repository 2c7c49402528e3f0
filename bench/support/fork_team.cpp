// SPDX-License-Identifier: Apache-2.0
#include "support/fork_team.hpp"
#include "support/cores.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace sode::internal::bench {
namespace {

constexpr std::size_t board_slot = 64 << 10;

std::size_t aligned(std::size_t bytes) noexcept {
    return (bytes + 4095) / 4096 * 4096;
}
std::size_t gates_at(int ranks) noexcept {
    return aligned(control::bytes(ranks));
}
std::size_t board_at(int ranks) noexcept {
    return gates_at(ranks) + aligned(sizeof(gate) * static_cast<std::size_t>(ranks));
}
std::size_t all_bytes(int ranks) noexcept {
    return board_at(ranks) + board_slot * static_cast<std::size_t>(ranks);
}

[[noreturn]] void be_rank(int rank, int ranks, void* memory, std::vector<int> const& cores, pid_t parent,
                          std::function<void(fork_rank&)> const& body) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    int status = 1;
    try {
        if (static_cast<std::size_t>(ranks) <= cores.size()) bind_to_core(cores[static_cast<std::size_t>(rank)]);
        fork_rank self{rank, ranks, memory, cores};
        body(self);
        status = 0;
    } catch (std::exception const& e) {
        std::fprintf(stderr, "rank %d: %s\n", rank, e.what());
    }
    std::fflush(nullptr);
    _exit(status);
}

} // namespace

class fork_rank::fork_bootstrap final : public bootstrap {
public:
    explicit fork_bootstrap(fork_rank& self) noexcept : self_(self) {}
    [[nodiscard]] int rank() const noexcept override { return self_.rank(); }
    [[nodiscard]] int size() const noexcept override { return self_.ranks(); }
    [[nodiscard]] std::string_view name() const noexcept override { return "forked benchmark"; }
    [[nodiscard]] std::vector<int> machines() override { return std::vector<int>(static_cast<std::size_t>(size()), 0); }

    void allgather(void const* mine, std::size_t bytes, void* all) override {
        for (std::size_t at = 0; at < bytes; at += board_slot) {
            std::size_t const length = std::min(board_slot, bytes - at);
            std::memcpy(slot(rank()), static_cast<char const*>(mine) + at, length);
            self_.shared().barrier();
            for (int r = 0; r < size(); ++r)
                std::memcpy(static_cast<char*>(all) + static_cast<std::size_t>(r) * bytes + at, slot(r), length);
            self_.shared().barrier();
        }
    }

private:
    [[nodiscard]] char* slot(int r) const noexcept { return self_.board_ + board_slot * static_cast<std::size_t>(r); }
    fork_rank& self_;
};

fork_rank::fork_rank(int rank, int ranks, void* memory, std::vector<int> cores)
    : shared_(memory, rank, ranks, static_cast<std::size_t>(ranks) > cores.size()),
      gates_(reinterpret_cast<gate*>(static_cast<char*>(memory) + gates_at(ranks))),
      board_(static_cast<char*>(memory) + board_at(ranks)), cores_(std::move(cores)) {}

std::unique_ptr<bootstrap> fork_rank::join() {
    return std::make_unique<fork_bootstrap>(*this);
}

void run_forked(int ranks, std::function<void(fork_rank&)> const& body) {
    std::size_t const bytes = all_bytes(ranks);
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error{"cannot map " + std::to_string(bytes) + " bytes: " + std::strerror(errno)};
    struct unmap {
        void* memory;
        std::size_t bytes;
        ~unmap() { munmap(memory, bytes); }
    } const guard{memory, bytes};

    for (int r = 0; r < ranks; ++r)
        new (static_cast<char*>(memory) + gates_at(ranks) + sizeof(gate) * static_cast<std::size_t>(r)) gate;
    auto const cores = usable_cores();
    std::vector<pid_t> children;
    bool failed = false;
    std::fflush(nullptr);
    pid_t const parent = getpid();
    for (int r = 0; r < ranks && !failed; ++r) {
        pid_t const child = fork();
        if (child == 0) be_rank(r, ranks, memory, cores, parent, body);
        if (child < 0)
            failed = true;
        else
            children.push_back(child);
    }
    for (std::size_t left = children.size(); left > 0; --left) {
        if (failed)
            for (pid_t c : children) kill(c, SIGKILL);
        int status = 0;
        pid_t const ended = wait(&status);
        std::erase(children, ended);
        failed = failed || !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    }
    if (failed) throw std::runtime_error{"a rank of the benchmark failed"};
}

} // namespace sode::internal::bench
