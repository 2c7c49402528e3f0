// SPDX-License-Identifier: Apache-2.0
#include "hdf5/lay_out.hpp"

#include "base/system_error.hpp"
#include "hdf5/library.hpp"
#include "hdf5/number.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace sode::internal::files {
namespace {

class new_file {
public:
    explicit new_file(std::string name) : name_(std::move(name)), file_(create()) {}

    template <class T> void attribute(char const* name, hid_t type, T value) {
        auto const point = made(H5Screate(H5S_SCALAR), H5Sclose);
        auto const a = made(H5Acreate2(file_.get(), name, type, point.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
        if (H5Awrite(a.get(), type, &value) < 0) throw failure();
    }

    void group(std::string const& path) {
        static_cast<void>(made(H5Gcreate2(file_.get(), path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose));
    }

    /// \return where it begins
    index_t dataset(std::string const& path, hid_t type, std::vector<index_t> const& extents) {
        std::vector<hsize_t> const dims(extents.begin(), extents.end());
        auto const shape = made(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr), H5Sclose);
        auto const how = made(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        if (H5Pset_layout(how.get(), H5D_CONTIGUOUS) < 0 || H5Pset_alloc_time(how.get(), H5D_ALLOC_TIME_EARLY) < 0 ||
            H5Pset_fill_time(how.get(), H5D_FILL_TIME_NEVER) < 0)
            throw failure();
        auto const d =
            made(H5Dcreate2(file_.get(), path.c_str(), type, shape.get(), H5P_DEFAULT, how.get(), H5P_DEFAULT), H5Dclose);
        auto const at = H5Dget_offset(d.get());
        if (at != HADDR_UNDEF) return static_cast<index_t>(at);
        if (H5Dget_storage_size(d.get()) > 0) throw failure();
        return 0; // no elements, no place
    }

    void close() {
        if (!file_.close()) throw failure();
    }

private:
    handle create() {
        // Large datasets begin where pages do, so that ranks that write whole pages need no other's bytes.
        constexpr hsize_t large = 1U << 16U, page = 4096;
        auto const how = made(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
        if (H5Pset_alignment(how.get(), large, page) < 0) throw failure();
        return made(H5Fcreate(name_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, how.get()), H5Fclose);
    }

    [[nodiscard]] handle made(hid_t id, handle::closer close) const {
        if (id < 0) throw failure();
        return {id, close};
    }
    [[nodiscard]] error failure() const {
        return hdf5_error(fmt::format("cannot write {}", name_), "check that the folder exists, is writable, and has free space");
    }

    std::string name_;
    handle file_;
};

index_t bytes_of(std::vector<file_field> const& fields) {
    constexpr index_t header = 1 << 16, dataset_header = 1 << 13;
    index_t bytes = header;
    for (auto const& f : fields) {
        auto const& g = *f.array.shape;
        index_t elements = g.components;
        for (auto const n : extents_of(f)) elements *= n;
        bytes += elements * g.element_bytes + g.components * dataset_header;
    }
    return bytes;
}

bool fallocated(int fd, index_t bytes) {
    int status = 0;
    do status = fallocate(fd, 0, 0, bytes);
    while (status != 0 && errno == EINTR);
    return status == 0;
}
bool cannot_reserve() {
    return errno == EOPNOTSUPP || errno == ENOSYS;
}
error no_room(std::string const& name, index_t bytes) {
    return system_error(fmt::format("there is no free space for {}", name), fmt::format("{} bytes", bytes),
                        "free some space, or write to another place");
}

/// Whether `bytes` bytes would fit into an empty file.
void require_room(std::string const& name, int fd, index_t bytes) {
    if (fallocated(fd, bytes)) return;
    // Some file systems do not reserve: there, the first page stands for all, and writing will tell about the rest.
    std::array<std::byte, 4096> const page{};
    if (!cannot_reserve() || ftruncate(fd, bytes) != 0 || pwrite(fd, page.data(), page.size(), 0) < 0) throw no_room(name, bytes);
}

/// Makes sure that no other file takes the room that this one has.
void reserve(std::string const& name, int fd) {
    auto const bytes = static_cast<index_t>(std::filesystem::file_size(name));
    if (!fallocated(fd, bytes) && !cannot_reserve()) throw no_room(name, bytes);
}

} // namespace

std::vector<index_t> lay_out(std::string const& file, int fd, std::vector<file_field> const& fields, moment const& when) {
    // HDF5 that cannot write when it closes a file is in no good state ever after, and breaks down when the program ends: whether
    // there is room must be known before.
    require_room(file, fd, bytes_of(fields));
    std::vector<index_t> places;
    {
        library_use const here;
        new_file out{file};
        out.attribute("time", H5T_NATIVE_DOUBLE, when.time);
        out.attribute("step", H5T_NATIVE_INT64, when.step);
        for (auto const& f : fields) {
            auto const paths = paths_of(f);
            if (paths.size() > 1) out.group(f.name);
            for (auto const& path : paths) places.push_back(out.dataset(path, native(f.type), extents_of(f)));
        }
        out.close();
    }
    reserve(file, fd);
    return places;
}

} // namespace sode::internal::files
