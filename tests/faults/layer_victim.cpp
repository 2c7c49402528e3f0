// SPDX-License-Identifier: Apache-2.0
// Two ranks of an MPI program that knows nothing of Sode. Messages of a derived datatype go from the one to the other, until rank 1
// dies in the middle.
//     ROLE        sender | receiver: what rank 1 is
//     AFTER_US    microseconds after the first message; -1: in the middle of a copy, a few messages later
//     HOW         kill | exit
// Rank 0 says what became of it: "told CODE TEXT"; "alone", where MPI itself has had no word for a second; "done", where its
// messages have all left; "wrong", where bytes have come that nobody sent.
#include <mpi.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

namespace {

constexpr int rows = 1 << 20; // 8 MiB of data, of 16: whoever dies is likely to die in a copy
using moment = std::chrono::steady_clock::time_point;

void die_by(int signal, std::string const& how) {
    std::signal(signal, [](int) { _exit(3); });
    if (how == "kill") std::signal(signal, [](int) { kill(getpid(), SIGKILL); });
}
void die_after(int microseconds) {
    itimerval const once{{0, 0}, {0, microseconds}};
    setitimer(ITIMER_REAL, &once, nullptr);
}
/// Whoever copies the message gets as far as its middle.
void close_the_middle(std::vector<double>& data) {
    auto const page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    auto const middle = reinterpret_cast<std::uintptr_t>(data.data() + rows) / page * page;
    mprotect(reinterpret_cast<void*>(middle), page, PROT_NONE);
}

// Polls, so that what MPI never ends does not hold us. Returns how the request ended.
enum class outcome { done, told, alone };
outcome end_of(MPI_Request& request, int& code) {
    moment const begun = std::chrono::steady_clock::now();
    for (int done = 0;;) {
        code = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS) return outcome::told;
        if (done != 0) return outcome::done;
        if (std::chrono::steady_clock::now() - begun > std::chrono::seconds{1}) return outcome::alone;
    }
}

[[noreturn]] void report(std::string const& how, int code, int messages) {
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    if (code != MPI_SUCCESS) MPI_Error_string(code, text.data(), &length);
    std::printf("survivor %s %s after %d\n", how.c_str(), text.data(), messages);
    std::fflush(stdout);
    _exit(0); // a job without one of its ranks has no end that MPI knows
}

[[noreturn]] void receive(MPI_Datatype type) {
    std::vector<double> in(2 * rows, -1);
    for (int round = 0;; ++round) {
        MPI_Request request = MPI_REQUEST_NULL;
        int code = MPI_Irecv(in.data(), 1, type, 1, 0, MPI_COMM_WORLD, &request);
        outcome const how = code == MPI_SUCCESS ? end_of(request, code) : outcome::told;
        if (how == outcome::told) report("told", code, round);
        if (how == outcome::alone) report("alone", MPI_SUCCESS, round);
        if (in.front() != round || in[2 * (rows - 1)] != round || in[rows] != 0 || in[1] != -1) report("wrong", MPI_SUCCESS, round);
    }
}

// No more of them than fit into the stages: what exceeds these is left to MPI, which waits for ever.
[[noreturn]] void send(MPI_Datatype type) {
    constexpr int messages = 24;
    std::vector<double> const out(2 * rows);
    for (int round = 0; round < messages; ++round)
        if (int const code = MPI_Send(out.data(), 1, type, 1, 0, MPI_COMM_WORLD); code != MPI_SUCCESS) report("told", code, round);
    report("done", MPI_SUCCESS, messages);
}

void die_in(std::string const& role, MPI_Datatype type) {
    std::vector<double> data(2 * rows);
    MPI_Barrier(MPI_COMM_WORLD);
    constexpr int rounds_before = 4; // the first messages of a datatype may go by MPI
    int const after = std::atoi(std::getenv("AFTER_US"));
    die_by(after < 0 ? SIGSEGV : SIGALRM, std::getenv("HOW"));
    if (after >= 0) die_after(after);
    for (int round = 0;; ++round) {
        if (after < 0 && round == rounds_before) close_the_middle(data);
        data.front() = data[2 * (rows - 1)] = round;
        if (role == "sender")
            MPI_Send(data.data(), 1, type, 0, 0, MPI_COMM_WORLD);
        else
            MPI_Recv(data.data(), 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(rows, 1, 2, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    std::string const role = std::getenv("ROLE");
    if (rank == 1) die_in(role, type);
    MPI_Barrier(MPI_COMM_WORLD);
    role == "sender" ? receive(type) : send(type);
}
