// SPDX-License-Identifier: Apache-2.0
// Joins the ranks of MPI_COMM_WORLD for a program that links no MPI itself. Compiled once for each MPI.
#include "base/message.hpp"
#include "base/mpi_plugin.hpp"

#include <sode/mpi.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <thread>

namespace {

/// A rank that leaves by an exception cannot end MPI, because the others may not come to MPI_Finalize; and there are launchers that
/// let them wait for it then. So it ends the job, after the program has had its say: main() prints the error and returns.
void end_the_job_on_exit() {
    ::on_exit(
        [](int status, void*) {
            int over = 0;
            MPI_Finalized(&over);
            if (over != 0) return;
            // MPI_Abort drops what the program has not written, and what launchers have not passed on.
            std::fflush(nullptr);
            std::this_thread::sleep_for(std::chrono::milliseconds{300});
            MPI_Abort(MPI_COMM_WORLD, status == 0 ? 1 : status);
        },
        nullptr);
}

/// A job that begins and ends MPI, unless the program does.
class whole_world final : public sode::bootstrap {
public:
    explicit whole_world(bool several_threads) {
        int running = 0;
        MPI_Initialized(&running);
        if (running == 0) {
            // One thread at a time, whichever it is: exchanges are run by their callers. Only for windows a thread serves others
            // while the program computes, or calls MPI.
            int const level = several_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SERIALIZED;
            int provided = 0;
            sode::detail::check_mpi(MPI_Init_thread(nullptr, nullptr, level, &provided), "MPI_Init_thread");
            ends_mpi_ = true;
        }
        ranks_ = std::make_unique<sode::mpi_bootstrap>(MPI_COMM_WORLD);
        sode::internal::speak_as(sode::internal::speaker::process, rank(), size()); // for the errors of this plug-in
    }
    ~whole_world() override {
        ranks_.reset();
        int over = 0;
        MPI_Finalized(&over);
        if (!ends_mpi_ || over != 0) return;
        if (std::uncaught_exceptions() == 0)
            MPI_Finalize();
        else
            end_the_job_on_exit();
    }
    whole_world(whole_world const&) = delete;
    whole_world& operator=(whole_world const&) = delete;

    [[nodiscard]] int rank() const noexcept override { return ranks_->rank(); }
    [[nodiscard]] int size() const noexcept override { return ranks_->size(); }
    [[nodiscard]] std::string_view name() const noexcept override { return ranks_->name(); }
    [[nodiscard]] std::vector<int> machines() override { return ranks_->machines(); }
    void combine(std::span<std::uint64_t> maxima, std::span<std::uint64_t> sums) override { ranks_->combine(maxima, sums); }
    void allgather(void const* mine, std::size_t bytes, void* all) override { ranks_->allgather(mine, bytes, all); }
    void barrier() override { ranks_->barrier(); }
    [[nodiscard]] sode::messenger* messages() noexcept override { return ranks_->messages(); }
    [[nodiscard]] std::unique_ptr<sode::bootstrap> part(std::span<int const> ranks) override { return ranks_->part(ranks); }

private:
    std::unique_ptr<sode::mpi_bootstrap> ranks_;
    bool ends_mpi_ = false;
};

} // namespace

extern "C" {

[[gnu::visibility("default")]] char const* sode_mpi_plugin_version() {
    return SODE_VERSION;
}

[[gnu::visibility("default")]] char const* sode_mpi_plugin_library() {
    static char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    MPI_Get_library_version(text, &length);
    return text;
}

[[gnu::visibility("default")]] sode::bootstrap* sode_mpi_plugin_join(int several_threads) {
    return std::make_unique<whole_world>(several_threads != 0).release();
}
}
