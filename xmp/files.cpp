// SPDX-License-Identifier: Apache-2.0
// Files of several nodes: each node opens the file, and reads and writes at its own places. Only the shared position is
// communicated.
#include "files.hpp"

#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <memory>
#include <set>
#include <sode/directives.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace sode::xmp {
namespace {

constexpr std::size_t failed = static_cast<std::size_t>(-1);

std::set<xmp_file*>& all_open() {
    static std::set<xmp_file*> list;
    return list;
}

// -1: no mode of fopen().
int flags_of(std::string const& mode) {
    bool const both = mode.find('+') != std::string::npos;
    if (mode.empty() || mode.find_first_not_of("+b", 1) != std::string::npos) return -1;
    int const direction = both ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
    switch (mode[0]) {
    case 'r': return direction;
    case 'w': return direction | O_CREAT | O_TRUNC;
    case 'a': return direction | O_CREAT;
    default: return -1;
    }
}

std::int64_t size_of(xmp_file const& f) {
    struct stat is {};
    return fstat(f.descriptor, &is) == 0 ? is.st_size : -1;
}

// Where whence and offset lead from `now`; -1: nowhere.
std::int64_t target(xmp_file const& f, file_view const& v, std::int64_t now, std::int64_t offset, int whence) {
    switch (whence) {
    case SEEK_SET: break;
    case SEEK_CUR: offset += now; break;
    case SEEK_END: offset += v.end(size_of(f)); break;
    default: return -1;
    }
    return offset < 0 ? -1 : offset;
}

std::int64_t shared_position(char const* at, xmp_file const& f, sode_word_op op, std::int64_t operand) {
    if (!f.shared)
        fail(at, "file \"" + f.name + "\" has no shared position (MPI was initialised without MPI_THREAD_MULTIPLE)",
             "compile the file that calls xmp_fopen_all() by `sode cc`");
    std::int64_t before = 0;
    check(at, sode_window_word(f.shared, 0, 0, sizeof before, op, operand, 0, &before), f.nodes->job);
    return before;
}

// At the node's own position.
std::size_t moved(xmp_file& f, std::int64_t bytes) {
    if (bytes < 0) return failed;
    f.at += bytes;
    return static_cast<std::size_t>(bytes);
}

std::int64_t bytes_of(std::size_t size, std::size_t count) {
    return static_cast<std::int64_t>(size * count);
}

template <class Move> std::int64_t each_run(std::vector<file_run> const& runs, Move const& move) {
    std::int64_t all = 0;
    for (auto const& r : runs)
        for (std::int64_t done = 0; done < r.bytes;) {
            auto const n = move(all, static_cast<std::size_t>(r.bytes - done), r.offset + done);
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) return -1;
            if (n == 0) return all; // the end of the file
            done += n;
            all += n;
        }
    return all;
}

} // namespace

xmp_file& open_file(char const* at, xmp_file_t* file) {
    if (!all_open().contains(file))
        fail(at, file ? "this file is not open" : "the file is NULL", "open the file by xmp_fopen_all(), and test the result");
    return *file;
}

std::int64_t read_runs(xmp_file const& f, std::vector<file_run> const& runs, char* memory) {
    return each_run(runs, [&](std::int64_t k, std::size_t n, std::int64_t at) { return pread(f.descriptor, memory + k, n, at); });
}

std::int64_t write_runs(xmp_file const& f, std::vector<file_run> const& runs, char const* memory) {
    return each_run(runs, [&](std::int64_t k, std::size_t n, std::int64_t at) { return pwrite(f.descriptor, memory + k, n, at); });
}

std::int64_t& position(xmp_file& f, bool writes) {
    auto const append = std::exchange(f.appends_at, -1);
    if (writes && append >= 0) f.at = append;
    return f.at;
}

void set_shared_position(char const* at, xmp_file const& f, std::int64_t to) {
    if (f.shared && f.nodes->mine == 0) (void)shared_position(at, f, SODE_WORD_STORE, to);
}

bool on_all(char const* at, sode_xmp_set& nodes, bool mine) {
    int all = mine ? 1 : 0;
    auto* const job = process::here().job_of(at, nodes);
    check(at, sode_allreduce(job, &all, 1, SODE_INT32, SODE_MIN), job);
    return all != 0;
}

} // namespace sode::xmp

using namespace sode::xmp;

extern "C" {

xmp_file_t* xmp_fopen_all(char const* name, char const* mode) {
    constexpr auto at = "xmp_fopen_all()";
    auto f = std::make_unique<xmp_file>();
    f->name = name ? name : "";
    f->nodes = &process::here().executing();
    int const flags = flags_of(mode ? mode : "");
    bool const first = f->nodes->mine == 0;
    if (flags < 0) errno = EINVAL;
    auto const open_it = [&](int how) { f->descriptor = flags < 0 ? -1 : open(f->name.c_str(), how | O_CLOEXEC, 0666); };
    if (first) open_it(flags); // it makes the file
    if (!on_all(at, *f->nodes, !first || f->descriptor >= 0)) return nullptr;
    if (!first) open_it(flags & ~(O_CREAT | O_TRUNC));
    if (int const why = errno; !on_all(at, *f->nodes, f->descriptor >= 0)) {
        if (f->descriptor >= 0) close(f->descriptor);
        errno = why;
        return nullptr;
    }
    if (sode_window_create(f->nodes->job, sizeof(std::int64_t), "shared position of a file", &f->shared) != SODE_OK)
        f->shared = nullptr;
    if (mode[0] == 'a') {
        auto const end = size_of(*f);
        (mode[1] == '+' || (mode[1] && mode[2] == '+') ? f->appends_at : f->at) = end;
        set_shared_position(at, *f, end);
        sode_xmp_barrier(at, f->nodes);
    }
    return *all_open().insert(f.release()).first;
}

int xmp_fclose_all(xmp_file_t* file) {
    constexpr auto at = "xmp_fclose_all()";
    if (!file) return 1;
    auto& f = open_file(at, file);
    if (f.shared) check(at, sode_window_barrier(f.shared), f.nodes->job);
    bool const well = on_all(at, *f.nodes, close(f.descriptor) == 0);
    if (f.shared) sode_window_destroy(f.shared);
    all_open().erase(file);
    delete file;
    return well ? 0 : 2;
}

int xmp_fseek(xmp_file_t* file, long long offset, int whence) {
    auto& f = open_file("xmp_fseek()", file);
    auto const to = target(f, f.view, position(f, false), offset, whence);
    if (to < 0) return -1;
    f.at = to;
    return 0;
}

int xmp_fseek_shared(xmp_file_t* file, long long offset, int whence) {
    constexpr auto at = "xmp_fseek_shared()";
    auto const& f = open_file(at, file);
    auto const to = target(f, file_view{}, shared_position(at, f, SODE_WORD_LOAD, 0), offset, whence);
    if (to < 0) return -1;
    (void)shared_position(at, f, SODE_WORD_STORE, to);
    return 0;
}

int xmp_fseek_shared_all(xmp_file_t* file, long long offset, int whence) {
    constexpr auto at = "xmp_fseek_shared_all()";
    auto const& f = open_file(at, file);
    (void)on_all(at, *f.nodes, true); // what others do at the old position is over
    return on_all(at, *f.nodes, f.nodes->mine != 0 || xmp_fseek_shared(file, offset, whence) == 0) ? 0 : -1;
}

long long xmp_ftell(xmp_file_t* file) {
    auto const& f = open_file("xmp_ftell()", file);
    return f.view.offset(f.at);
}

long long xmp_ftell_shared(xmp_file_t* file) {
    constexpr auto at = "xmp_ftell_shared()";
    return shared_position(at, open_file(at, file), SODE_WORD_LOAD, 0);
}

int xmp_file_sync_all(xmp_file_t* file) {
    constexpr auto at = "xmp_file_sync_all()";
    auto const& f = open_file(at, file);
    bool const well = fsync(f.descriptor) == 0 || errno == EINVAL; // what cannot be synchronised
    return on_all(at, *f.nodes, well) ? 0 : -1;
}

size_t xmp_fread(xmp_file_t* file, void* buffer, size_t size, size_t count) {
    auto& f = open_file("xmp_fread()", file);
    return moved(f, read_runs(f, f.view.runs(position(f, false), bytes_of(size, count)), static_cast<char*>(buffer)));
}

size_t xmp_fwrite(xmp_file_t* file, void const* buffer, size_t size, size_t count) {
    auto& f = open_file("xmp_fwrite()", file);
    return moved(f, write_runs(f, f.view.runs(position(f, true), bytes_of(size, count)), static_cast<char const*>(buffer)));
}

size_t xmp_fread_all(xmp_file_t* file, void* buffer, size_t size, size_t count) {
    return xmp_fread(file, buffer, size, count);
}

size_t xmp_fwrite_all(xmp_file_t* file, void const* buffer, size_t size, size_t count) {
    return xmp_fwrite(file, buffer, size, count);
}

size_t xmp_fread_shared(xmp_file_t* file, void* buffer, size_t size, size_t count) {
    constexpr auto at = "xmp_fread_shared()";
    auto const& f = open_file(at, file);
    auto const bytes = bytes_of(size, count);
    return static_cast<size_t>(read_runs(f, {{shared_position(at, f, SODE_WORD_ADD, bytes), bytes}}, static_cast<char*>(buffer)));
}

size_t xmp_fwrite_shared(xmp_file_t* file, void const* buffer, size_t size, size_t count) {
    constexpr auto at = "xmp_fwrite_shared()";
    auto const& f = open_file(at, file);
    auto const bytes = bytes_of(size, count);
    return static_cast<size_t>(
        write_runs(f, {{shared_position(at, f, SODE_WORD_ADD, bytes), bytes}}, static_cast<char const*>(buffer)));
}

} // extern "C"
