// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "device.hpp"
#include "device_boxes.hpp"
#include "device_parts.hpp"
#include "exchanges.hpp"

#include <map>
#include <memory>

namespace sode::xmp {

/// What goes through one piece of memory: from a device to the array on the host that exchanges, from there to a device, or from
/// one device to another.
struct device_piece {
    std::size_t part = 0, to = 0;           ///< whose it is, and where it goes
    std::vector<sode_acc_box> boxes, stage; ///< in the device's copy, and in the array on the host
    std::size_t bytes = 0;
    void* packed = nullptr; ///< on the device `part`
    void* there = nullptr;  ///< on the device `to`, if that is another one
    std::vector<char> here; ///< the same on the host
};

/// Of an exchange: what neighbours need of this rank's elements, what it gets from them, and what its devices need of each other.
struct device_halo {
    std::vector<device_piece> rims, halos, between;
    sode_exchange* exchange = nullptr;
};

/// The copy of one array on this rank's device, or on several of them.
class on_device {
public:
    on_device(char const* at, sode_xmp_array const& array);
    on_device(on_device const&) = delete;
    on_device& operator=(on_device const&) = delete;
    ~on_device();

    [[nodiscard]] bool there() const;
    /// Ends the program where it is not there.
    void require(char const* at, char const* what) const;
    /// The first element of a part; the host's own where both share memory, null where it is not there.
    [[nodiscard]] char* address(device_part const& p) const;
    [[nodiscard]] std::ptrdiff_t shift(device_part const& p) const { return base_ ? static_cast<char*>(base_) - p.first : 0; }
    [[nodiscard]] std::vector<device_part> const& parts() const { return parts_; }
    [[nodiscard]] std::optional<device_layout> const& layout() const { return layout_; }
    /// Ends the program where the array is on several devices.
    device_part const& only(char const* at, char const* what) const;
    /// What the next entry puts the array onto.
    void lay_out(char const* at, device_layout const& wanted);
    [[nodiscard]] std::string name() const { return array_.state->name; }
    /// Along a dimension: this rank's shadow below (0) or above (1).
    [[nodiscard]] std::int64_t shadow(std::size_t dim, std::size_t side) const;
    [[nodiscard]] std::int64_t offset(std::size_t dim) const { return array_.state->offsets[dim]; }

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
    /// What neighbours need goes into that array.
    void take_rims(device_halo& h);
    /// What it got comes from there.
    void give_halos(device_halo& h);
    void exchange_between(std::vector<device_piece>& pieces) const;
    /// Fills the shadows of this rank's devices from each other.
    void reflect_between(char const* at);

    device_halo* initialised = nullptr; ///< by reflect_init
    bool direct = false;                ///< what is initialised is the array's own exchange

private:
    [[nodiscard]] std::int64_t place_of(std::size_t d, std::int64_t index) const;
    void cut(std::optional<device_layout> const& layout);
    void cut_anew(std::optional<device_layout> const& layout);
    void move(device_part const& part, places const& what, bool to_device, char* host, lying const& host_lies, int queue) const;
    void release(device_halo& h);
    std::vector<device_piece> between_parts();
    void allocate(std::vector<device_piece>& pieces) const;
    void pack(device_piece& piece) const;
    [[nodiscard]] char* base_there(std::size_t part) const { return address(parts_[part]) + shift(parts_[part]); }

    sode_acc_device const& device_;
    sode_xmp_array array_; // a copy: the program's own may be a parameter's
    places all_;
    lying lies_, stage_lies_;
    void* base_ = nullptr;
    std::vector<device_part> parts_;
    std::optional<device_layout> layout_;
    bool laid_out_ = false; // for the entry that comes
    int entered_ = 0;
    bool foreign_ = false; // the program has put it there by OpenACC's functions
    sode_xmp_array stage_{};
    std::unique_ptr<sode_xmp_array_state> stage_state_;
    std::map<exchange_kind, device_halo> halos_;
};

/// The device's copy of an array, there or not. Ends the program where the array has no memory.
[[nodiscard]] on_device& device_copy(char const* at, sode_xmp_array const& array);

} // namespace sode::xmp
