// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/error.hpp>

#include <hdf5.h>

#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

namespace sode::internal::files {

/// While it lives, this thread alone of those that come by here is in the HDF5 library, and the library prints no errors by itself.
class library_use {
public:
    library_use();
    ~library_use();
    library_use(library_use const&) = delete;
    library_use& operator=(library_use const&) = delete;

private:
    std::unique_lock<std::mutex> lock_;
    H5E_auto2_t print_ = nullptr;
    void* print_data_ = nullptr;
};

/// An error whose reason is what HDF5 has just said: *problem (reason) suggestion*.
[[nodiscard]] error hdf5_error(std::string_view problem, std::string_view suggestion);

/// Owns an HDF5 identifier.
class handle {
public:
    using closer = herr_t (*)(hid_t);

    handle(hid_t id, closer close) noexcept : id_(id), close_(close) {}
    handle(handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
    handle& operator=(handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    ~handle() {
        if (*this) close_(id_);
    }

    [[nodiscard]] hid_t get() const noexcept { return id_; }
    [[nodiscard]] explicit operator bool() const noexcept { return id_ >= 0; }

    /// Closes now, for where closing can fail.
    [[nodiscard]] bool close() noexcept { return close_(std::exchange(id_, H5I_INVALID_HID)) >= 0; }

private:
    hid_t id_;
    closer close_;
};

} // namespace sode::internal::files
