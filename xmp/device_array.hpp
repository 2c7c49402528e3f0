// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "device.hpp"
#include "device_boxes.hpp"
#include "exchanges.hpp"

#include <map>
#include <memory>

namespace sode::xmp {

/// Of an exchange: what neighbours need of this rank's elements, and what it gets from them.
struct device_halo {
    std::vector<sode_acc_box> rim, halo; ///< in the device's copy
    std::vector<sode_acc_box> stage_rim, stage_halo;
    std::size_t rim_bytes = 0, halo_bytes = 0;
    void* packed = nullptr; ///< on the device
    std::vector<char> here; ///< the same on the host
    sode_exchange* exchange = nullptr;
};

/// The copy of one array on this rank's device.
class on_device {
public:
    on_device(char const* at, sode_xmp_array const& array);
    on_device(on_device const&) = delete;
    on_device& operator=(on_device const&) = delete;
    ~on_device();

    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    [[nodiscard]] bool there() const { return bytes_ == 0 || device_.present(first_, bytes_) != 0; }
    /// Ends the program where it is not there.
    void require(char const* at, char const* what) const;
    /// The first element's; the host's own where both share memory, null where it is not there.
    [[nodiscard]] char* address() const { return bytes_ == 0 ? first_ : static_cast<char*>(device_.address(first_)); }
    [[nodiscard]] std::ptrdiff_t shift() const { return base_ ? static_cast<char*>(base_) - first_ : 0; }

    void enter(char const* at, int how, sode_range const* part, int queue);
    void leave(int how, sode_range const* part, int queue);
    /// Moves a part between the device and `host`, which lies as the array does.
    void move(places const& what, bool to_device, char* host, lying const& host_lies, int queue) const;
    /// What of a part this rank has, also in its shadow.
    [[nodiscard]] places held(sode_range const* part) const;
    /// The same without the shadow.
    [[nodiscard]] places owned() const;
    [[nodiscard]] char* host() const { return static_cast<char*>(base_); }
    [[nodiscard]] lying const& lies() const { return lies_; }

    /// An array on the host that halos and parts of gmoves pass through: another one of the same kind, whose elements nobody sees.
    /// Collective when it is asked for first.
    sode_xmp_array& stage(char const* at);
    [[nodiscard]] char* stage_base() const { return static_cast<char*>(stage_.base); }
    [[nodiscard]] lying const& stage_lies() const { return stage_lies_; }
    device_halo& halo(char const* at, exchange_kind const& kind);

    device_halo* initialised = nullptr; ///< by reflect_init
    bool direct = false;                ///< what is initialised is the array's own exchange

private:
    [[nodiscard]] std::int64_t place_of(std::size_t d, std::int64_t index) const;

    sode_acc_device const& device_;
    sode_xmp_array array_; // a copy: the program's own may be a parameter's
    places all_;
    lying lies_, stage_lies_;
    void* base_ = nullptr;
    char* first_ = nullptr;
    std::size_t bytes_ = 0;
    int entered_ = 0;
    bool foreign_ = false; // the program has put it there by OpenACC's functions
    sode_xmp_array stage_{};
    std::unique_ptr<sode_xmp_array_state> stage_state_;
    std::map<exchange_kind, device_halo> halos_;
};

/// The device's copy of an array, there or not. Ends the program where the array has no memory.
[[nodiscard]] on_device& device_copy(char const* at, sode_xmp_array const& array);

} // namespace sode::xmp
