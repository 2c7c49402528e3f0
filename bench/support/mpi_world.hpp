// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <cstddef>
#include <cstring>
#include <string>

namespace sode::internal::bench {

/// MPI from here to the end of the scope.
class mpi_world {
public:
    /// Throws nothing: MPI ends the program if it cannot start. `threads`: what the program needs, MPI_THREAD_…; it asks
    /// thread_level() for what it got.
    mpi_world(int& argc, char**& argv, int threads = MPI_THREAD_SINGLE) {
        MPI_Init_thread(&argc, &argv, threads, &thread_level_);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &size_);
    }
    ~mpi_world() { MPI_Finalize(); }
    mpi_world(mpi_world const&) = delete;
    mpi_world& operator=(mpi_world const&) = delete;

    [[nodiscard]] int rank() const noexcept { return rank_; }
    [[nodiscard]] int size() const noexcept { return size_; }
    [[nodiscard]] int thread_level() const noexcept { return thread_level_; }
    [[nodiscard]] MPI_Comm communicator() const noexcept { return MPI_COMM_WORLD; }

    /// "Open MPI v4.1.4": the first words of what the library says about itself.
    [[nodiscard]] static std::string library() {
        char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
        int length = 0;
        MPI_Get_library_version(text, &length);
        std::string name{text, static_cast<std::size_t>(length)};
        name = name.substr(0, name.find_first_of(",\n"));
        for (char& c : name)
            if (c == '\t') c = ' ';
        return name;
    }

private:
    int rank_ = 0;
    int size_ = 1;
    int thread_level_ = MPI_THREAD_SINGLE;
};

/// Who is the first to touch a shared window, and so has its pages near.
enum class first_touch { owner, user };

/// Memory that all ranks of `communicator` can load and store: a shared window, zeroed by its owners unless its users write it
/// first, in a passive epoch for life.
class shared_window {
public:
    shared_window(MPI_Comm communicator, std::size_t bytes, first_touch touch = first_touch::owner) {
        MPI_Info info = MPI_INFO_NULL;
        MPI_Info_create(&info);
        // Each rank's part on its own pages, so that its owner touches it first.
        MPI_Info_set(info, "alloc_shared_noncontig", "true");
        void* mine = nullptr;
        MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes), 1, info, communicator, static_cast<void*>(&mine), &window_);
        MPI_Info_free(&info);
        if (touch == first_touch::owner) std::memset(mine, 0, bytes);
        MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
        MPI_Win_sync(window_);
        MPI_Barrier(communicator);
        MPI_Win_sync(window_);
    }
    ~shared_window() {
        MPI_Win_unlock_all(window_);
        MPI_Win_free(&window_);
    }
    shared_window(shared_window const&) = delete;
    shared_window& operator=(shared_window const&) = delete;

    [[nodiscard]] char* of(int rank) const {
        MPI_Aint size = 0;
        int unit = 0;
        void* base = nullptr;
        MPI_Win_shared_query(window_, rank, &size, &unit, static_cast<void*>(&base));
        return static_cast<char*>(base);
    }
    [[nodiscard]] MPI_Win handle() const noexcept { return window_; }

private:
    MPI_Win window_ = MPI_WIN_NULL;
};

} // namespace sode::internal::bench
