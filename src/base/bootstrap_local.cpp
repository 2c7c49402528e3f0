// SPDX-License-Identifier: Apache-2.0
#include "base/board.hpp"
#include "base/bootstraps.hpp"
#include "base/fd_message.hpp"
#include "base/job_control.hpp"
#include "base/system_error.hpp"

#include <charconv>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <string>

namespace sode::internal {

namespace {

class local_bootstrap final : public bootstrap {
public:
    local_bootstrap(job_place const& place, unique_fd const& memory, config const& settings)
        : place_(place), control_(memory, place),
          board_(control_.board_memory(), place.rank, place.size, make_wait_policy(settings, place.size, control_.processors()),
                 [this](int rank) { return control_.departed(rank); }) {}

    [[nodiscard]] int rank() const noexcept override { return place_.rank; }
    [[nodiscard]] int size() const noexcept override { return place_.size; }
    [[nodiscard]] std::string_view name() const noexcept override { return "sode run"; }
    [[nodiscard]] std::vector<int> machines() override { return std::vector<int>(static_cast<std::size_t>(place_.size), 0); }
    void allgather(void const* mine, std::size_t bytes, void* all) override { board_.allgather(mine, bytes, all); }
    void combine(std::span<std::uint64_t> maxima, std::span<std::uint64_t> sums) override { board_.combine(maxima, sums); }
    void barrier() override { board_.barrier(); }
    [[nodiscard]] std::optional<std::string> departed(int rank) noexcept override { return control_.departed(rank); }

private:
    job_place place_;
    job_control control_;
    board board_;
};

// The mark tells a second runtime of this process from a program that a rank has started: the one would be alone by mistake, the
// other is alone rightly.
void mark_joined() {
    unsetenv(boot_fd_variable);
    setenv(boot_joined_variable, std::to_string(getpid()).c_str(), 1);
}

void refuse_second_join() {
    char const* const joined = std::getenv(boot_joined_variable);
    if (joined != nullptr && joined == std::to_string(getpid()))
        throw error{error_kind::usage, "this process has already joined its job",
                    "a process is one rank, and can join a job only once",
                    "create one sode::runtime in main(), and keep the runtime until the program ends"};
}

unique_fd announced_socket(std::string_view text) {
    int number = -1;
    auto const [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc{} || end != text.data() + text.size() || number < 0 || fcntl(number, F_SETFD, FD_CLOEXEC) != 0)
        throw error{error_kind::environment, fmt::format("{}={} does not name an open file descriptor", boot_fd_variable, text),
                    "another program between `sode run` and this program closed the file descriptor",
                    fmt::format("keep file descriptors open, or unset {} to run alone", boot_fd_variable)};
    return unique_fd{number};
}

} // namespace

void decline_local_place() {
    if (char const* const variable = std::getenv(boot_fd_variable)) static_cast<void>(announced_socket(variable));
    unsetenv(boot_fd_variable);
    unsetenv(boot_joined_variable);
    unsetenv(boot_size_variable);
}

std::unique_ptr<bootstrap> make_local_bootstrap(config const& settings) {
    char const* const variable = std::getenv(boot_fd_variable);
    if (variable == nullptr) {
        refuse_second_join();
        return nullptr;
    }
    unique_fd const socket = announced_socket(variable);
    mark_joined();

    uid_t const launcher = peer_user(socket.get());
    if (launcher != geteuid())
        throw error{error_kind::environment, "this rank does not trust its launcher",
                    fmt::format("the rank runs as user {}, and the launcher as user {}", geteuid(), launcher),
                    "run the rank and the launcher as the same user"};
    job_place place;
    unique_fd const memory = receive_with_fd(socket.get(), &place, sizeof place);
    if (!memory)
        throw error{error_kind::usage, "this rank's place in the job is taken", "another process has already joined as this rank",
                    "start one Sode program for each rank"};
    if (place.version != job_place{}.version || place.size < 1 || place.size > max_local_ranks || place.rank < 0 ||
        place.rank >= place.size)
        throw error{error_kind::environment, "the launcher's description of the job cannot be read",
                    "the launcher belongs to another version of Sode",
                    "use the same version of Sode for the program and for `sode run`"};
    return std::make_unique<local_bootstrap>(place, memory, settings);
}

} // namespace sode::internal
