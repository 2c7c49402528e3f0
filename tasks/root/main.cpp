// SPDX-License-Identifier: Apache-2.0
// sode-task: what `sode task` executes, for each rank (the stub), and what runs the tasks of a machine (the root). Small and
// static, because the root is the first inhabitant of the address space that all tasks share.
#include "base/random_digits.hpp"
#include "base/system_error.hpp"
#include "base/warn.hpp"
#include "tasks/root/abstract_socket.hpp"
#include "tasks/root/election.hpp"
#include "tasks/root/house_starter.hpp"
#include "tasks/root/job_key.hpp"
#include "tasks/root/meeting_place.hpp"
#include "tasks/root/options.hpp"
#include "tasks/root/root.hpp"
#include "tasks/root/stub.hpp"
#include "tasks/usable.hpp"

#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace sode::internal::tasks {
namespace {

// What the root got from the process that happened to start it, and what its tasks must not be limited by: each brings its own.
void forget_where_we_come_from() {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    for (int s = 1; s <= SIGRTMAX; ++s)
        if (s != SIGKILL && s != SIGSTOP) ::signal(s, SIG_DFL);
    std::vector<unsigned long> everywhere(128, ~0UL); // the kernel leaves out what this process may not use
    syscall(SYS_sched_setaffinity, 0, everywhere.size() * sizeof(unsigned long), everywhere.data());
    syscall(SYS_set_mempolicy, 0, nullptr, 0);
    for (auto const what : {RLIMIT_NOFILE, RLIMIT_AS, RLIMIT_DATA}) {
        rlimit most{};
        getrlimit(what, &most);
        most.rlim_cur = most.rlim_max;
        setrlimit(what, &most);
    }
    prctl(PR_SET_NAME, "sode-root");
}

// `job`: whose clients come to a listener; null: those of the keeper that started this root.
int be_root(char const* job) {
    forget_where_we_come_from();
    unique_fd given{root_descriptor};
    if (fcntl(given.get(), F_SETFD, FD_CLOEXEC) != 0) throw system_error("this root has no clients", "fcntl", "write `sode task`");
    house_starter starter;
    if (job != nullptr) {
        auto const name = name_of(given);
        root own{starter, std::move(given), {}};
        own.run();
        close_meeting_place(job, name);
    } else {
        fcntl(given.get(), F_SETFL, O_NONBLOCK);
        auto listener = listen_at(socket_name_prefix() + random_digits(16)); // for who only looks
        root{starter, listener ? std::move(*listener) : unique_fd{}, std::move(given)}.run();
    }
    return 0;
}

// One line for `sode info`.
int tell_usability() {
    auto const answer = tasks_usable();
    std::string const fine =
        answer.caution.empty() ? "ranks in one address space: sode run --space=tasks, sode task" : answer.caution;
    std::printf("%s\n", (answer.usable ? fine : answer.why).c_str());
    return answer.usable ? 0 : 1;
}

} // namespace
} // namespace sode::internal::tasks

int main(int argc, char** argv) {
    try {
        if ((argc == 2 || argc == 3) && std::string_view{argv[1]} == "--root") return sode::internal::tasks::be_root(argv[2]);
        if (argc == 2 && std::string_view{argv[1]} == "--usable") return sode::internal::tasks::tell_usability();
        auto const wishes = sode::internal::tasks::parse_options(argc, argv);
        if (!wishes) return 0;
        return sode::internal::tasks::run_stub(*wishes);
    } catch (sode::internal::tasks::program_error const& e) {
        sode::internal::tell(e);
        return e.status();
    } catch (sode::error const& e) {
        sode::internal::tell(e);
        return e.kind() == sode::error_kind::usage ? 2 : sode::internal::tasks::stub_failed_status;
    } catch (std::exception const& e) {
        sode::internal::tell(e);
        return sode::internal::tasks::stub_failed_status;
    }
}
