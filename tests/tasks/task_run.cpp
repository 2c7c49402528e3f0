// SPDX-License-Identifier: Apache-2.0
#include "task_run.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ; // NOLINT(readability-redundant-declaration)

namespace sode::internal::testing {

std::string program_path(std::string const& name) {
    return std::string{SODE_TASK_PROGRAMS} + "/" + name;
}

task_order task_run::order_for(std::string const& path, std::vector<std::string> const& arguments) {
    task_order order;
    order.path = path;
    order.argv = {path};
    order.argv.insert(order.argv.end(), arguments.begin(), arguments.end());
    for (char** one = environ; *one != nullptr; ++one) order.env.emplace_back(*one);
    return order;
}

task_run::task_run(task_house& house, task_order order) : house_(&house) {
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0) throw std::runtime_error{"pipe"};
    input_ = in[1];
    printed_ = out[0];
    order.fds.insert(order.fds.end(), {{in[0], 0}, {out[1], 1}, {2, 2}});
    try {
        task_ = house.start(order);
    } catch (...) {
        for (int fd : {in[0], in[1], out[0], out[1]}) ::close(fd);
        throw;
    }
    ::close(in[0]);
    ::close(out[1]);
}

task_run::~task_run() {
    if (!waited_) {
        ::kill(task_.pid, SIGKILL);
        wait();
    }
    ::close(printed_);
}

std::string task_run::line() {
    std::string text;
    for (char c = 0; ::read(printed_, &c, 1) == 1 && c != '\n';) text.push_back(c);
    return text;
}

void task_run::close_input() {
    if (input_ >= 0) ::close(input_);
    input_ = -1;
}

int task_run::wait() {
    close_input();
    std::array<char, 4096> part{};
    for (ssize_t bytes = 0; (bytes = ::read(printed_, part.data(), part.size())) > 0;)
        output_.append(part.data(), static_cast<std::size_t>(bytes));
    int status = 0;
    while (::waitpid(task_.pid, &status, 0) < 0 && errno == EINTR) {
    }
    waited_ = true;
    why_ = house_->ended(task_.index, status);
    return status;
}

} // namespace sode::internal::testing
