// SPDX-License-Identifier: Apache-2.0
#include "tasks/root/stub.hpp"

#include "base/limits.hpp"
#include "base/message.hpp"
#include "base/standard_descriptors.hpp"
#include "base/warn.hpp"
#include "tasks/root/election.hpp"
#include "tasks/root/job_key.hpp"
#include "tasks/usable.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sode::internal::tasks {

namespace {

constexpr std::int32_t only_task = 0;
constexpr int most_roots = 3; // that may end just when this stub comes

// Who waits for the end of what the task writes, or writes to it, must see the task's descriptors only. The standard error stays:
// the stub may have something to say itself.
// So does the pipe of a launcher that speaks PMI: if it closed with the task, Hydra would kill this stub before it can die as the
// task died.
void let_go(std::vector<int> const& descriptors) {
    int const nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    char const* const pmi = std::getenv("PMI_FD");
    int const launcher = pmi != nullptr ? std::atoi(pmi) : -1;
    for (int const fd : descriptors) {
        if (fd == STDERR_FILENO || fd == launcher) continue;
        if (fd <= STDERR_FILENO)
            dup2(nothing, fd);
        else
            close(fd);
    }
    close(nothing);
}

[[noreturn]] void die_by(int signal) {
    rlimit const none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_DUMPABLE, 0); // a core pattern that begins with a pipe does not ask for the limit
    ::signal(signal, SIG_DFL);
    raise(signal);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    sigprocmask(SIG_UNBLOCK, &set, nullptr);
    _exit(128 + signal); // a signal that ends nothing cannot have ended the task
}

class stub {
public:
    stub(root_link link, unique_fd signals, std::vector<int> const& descriptors)
        : link_(std::move(link)), signals_(std::move(signals)), descriptors_(descriptors) {}

    /// Empty: this root has ended before it answered.
    std::optional<int> run() {
        while (true) {
            std::array<pollfd, 2> polls{pollfd{link_.fd(), POLLIN, 0}, pollfd{signals_.get(), POLLIN, 0}};
            if (poll(polls.data(), polls.size(), -1) < 0) continue;
            if (polls[1].revents != 0) pass_signals_on();
            if (polls[0].revents == 0) continue;
            auto const what = link_.receive();
            if (!what) {
                if (!started_) return std::nullopt;
                tell(error{error_kind::peer, "this task has been killed",
                           "the process that started the tasks on this machine has been killed",
                           "look for the reason in the kernel log (dmesg)"});
                return stub_failed_status;
            }
            switch (what->kind) {
            case packet_kind::started:
                started_ = true;
                let_go(descriptors_);
                break;
            case packet_kind::failed: tell(error{error_kind::environment, what->text, "", ""}); return stub_failed_status;
            case packet_kind::stopped:
                // Not if it has been continued since.
                if (what->count == continues_) raise(SIGSTOP);
                break;
            case packet_kind::ended: return end(what->number);
            default: break;
            }
        }
    }
    [[nodiscard]] unique_fd take_signals() { return std::move(signals_); }

private:
    void pass_signals_on() {
        signalfd_siginfo info{};
        while (read(signals_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
            auto const signal = static_cast<int>(info.ssi_signo);
            if (signal == SIGCHLD) continue;
            if (signal == SIGCONT) ++continues_;
            static_cast<void>(
                link_.send({packet_kind::signal, only_task, signal, continues_, {}})); // if it is gone, receive() says so
        }
    }
    static int end(int status) {
        if (WIFSIGNALED(status)) die_by(WTERMSIG(status));
        return WEXITSTATUS(status);
    }

    root_link link_;
    unique_fd signals_;
    std::vector<int> const& descriptors_;
    bool started_ = false;
    std::int32_t continues_ = 0;
};

} // namespace

int run_stub(stub_wishes const& wishes) {
    auto const key = own_job_key();
    speak_as(speaker::process, key.rank, key.rank > 0 || key.on_machine > 1 ? 2 : 1);
    auto const request = own_request(wishes);
    open_standard_descriptors();
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    for (int s = 1; s <= SIGRTMAX; ++s)
        if (s != SIGKILL && s != SIGSTOP) ::signal(s, SIG_DFL); // what is ignored would not be passed on
    unique_fd signals{signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK)};
    if (!signals) throw refused("signals cannot be passed on", "signalfd", errno);

    auto const job = job_name(key);
    auto const written = write_request(request); // before a root is started for it
    std::vector<int> const descriptors(request.descriptors.begin(), request.descriptors.end());
    for (int tried = 0; tried < most_roots; ++tried) {
        auto link = join_root(job, "/proc/self/exe");
        if (!link.order(only_task, written, descriptors)) continue;
        stub self{std::move(link), std::move(signals), descriptors};
        if (tried == 0) prctl(PR_SET_NAME, "sode-stub");
        if (auto const status = self.run()) return *status;
        signals = self.take_signals();
    }
    auto const here = tasks_usable();
    throw error{error_kind::environment, "the process that starts the tasks on this machine keeps terminating",
                here.usable ? "this process did not answer" : here.why,
                here.usable ? limit_behind(EMFILE) : "see the output of `sode info`"};
}

} // namespace sode::internal::tasks
