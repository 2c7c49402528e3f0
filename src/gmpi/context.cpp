// SPDX-License-Identifier: Apache-2.0
#include "device/accelerator.hpp"
#include "gmpi/kernel_context.hpp"

#include <sode/detail/gmpi/chosen_device.hpp>
#include <sode/error.hpp>
#include <sode/halo.hpp>
#include <sode/planned.hpp>

#include <fmt/format.h>

namespace sode {
using namespace internal;

gmpi::context::context(runtime& rt, options const& o, std::shared_ptr<memory> of_device)
    : parts_(std::make_unique<kernel_context>(rt.shared_job(), std::move(of_device), o)) {}

gmpi::detail::chosen_device gmpi::detail::choose_device(runtime& rt) {
    auto& j = rt.job();
    auto const wish = wished_device(j.settings.device, j.settings.device_bytes);
    chosen_device all{.emulated = wish.kind == "emulated",
                      .needed = wish.kind == "cuda",
                      .number = wish.number,
                      .place = j.ranks->machines().place(j.boot->rank())};
    if (all.emulated || wish.kind == "none") all.name = j.need_device().name(); // which refuses none
    return all;
}

void gmpi::detail::refuse_cuda_in_tasks() {
    internal::refuse_cuda_in_tasks();
}

gmpi::context::~context() = default;

gmpi::device_handle gmpi::context::device_handle() const noexcept {
    return parts_->manages.words().handle();
}

gmpi::detail::ring const* gmpi::context::host_rings() const noexcept {
    return parts_->manages.words().host_rings().data();
}

gmpi::memory& gmpi::context::of_device() const noexcept {
    return parts_->manages.words().memory();
}

std::shared_ptr<std::byte> gmpi::context::room(memory::kind k, std::size_t bytes) {
    auto const from = parts_->manages.words().shared_memory();
    if (dynamic_cast<host_memory*>(from.get()) != nullptr) return sode::detail::allocate(*parts_->of, bytes);
    // What libsode has of the device other processes can map.
    if (auto* const device = parts_->of->surroundings().device; device && k == memory::kind::device)
        return {device->allocate(bytes), [device, bytes, of = parts_->of](std::byte* place) { device->release(place, bytes); }};
    return {from->allocate(k, bytes), [from, k](std::byte* place) { from->release(k, place); }};
}

int gmpi::context::show(std::span<std::byte> mine) {
    return parts_->manages.add_window(mine.data(), mine.size());
}

gmpi::plan_number gmpi::context::add(reflection& halo) {
    return parts_->halos.add(halo);
}

gmpi::halo_handle gmpi::context::device_handle(reflection& halo) {
    return parts_->halos.handle_of(halo);
}

gmpi::plan_number gmpi::context::add(planned& what) {
    return {parts_->manages.add_plan({[&what] { what.start(); }, [&what] { return what.test(); }, [&what] { what.wait(); }})};
}

gmpi::arrivals gmpi::context::make_parts(bool leaves, std::byte* data, std::size_t bytes, std::uint32_t parts, int peer, int tag) {
    using kernels::partitioned_messages;
    auto const refuse = [&](std::string const& why, std::string_view suggestion) {
        throw error{error_kind::usage, "a partitioned message cannot be planned", why, suggestion};
    };
    if (peer < 0 || peer >= parts_->of->ranks->size())
        refuse(fmt::format("there is no rank {}", peer), "choose a rank of the runtime");
    if (tag < 0 || static_cast<std::uint32_t>(tag) > partitioned_messages::most_tag)
        refuse(fmt::format("the tag is {}", tag), "use tags from 0 to 32767");
    if (parts == 0 || parts > partitioned_messages::most_parts || bytes % parts != 0)
        refuse(fmt::format("{} bytes cannot be split into {} equal parts", bytes, parts), "use 1 to 65536 parts of equal length");
    auto const [number, first] = parts_->manages.add_partitioned({.leaves = leaves,
                                                                  .data = data,
                                                                  .parts = parts,
                                                                  .bytes = bytes / parts,
                                                                  .peer = peer,
                                                                  .tag = static_cast<std::uint32_t>(tag)});
    return {{number}, first, parts};
}

bool gmpi::context::progress() {
    return parts_->manages.carry();
}

void gmpi::context::abort() noexcept {
    parts_->manages.abort(code::aborted);
}

std::string gmpi::context::describe() const {
    return parts_->manages.describe();
}

} // namespace sode
