// SPDX-License-Identifier: Apache-2.0
#include "base/task_board.hpp"
#include "device/accelerator.hpp"

#include "device/cuda/plugin.hpp"
#include "device/emulated/emulated_device.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

#include <charconv>

namespace sode::internal {
namespace {

constexpr std::string_view hint = "set SODE_DEVICE=emulated to try a program without a device";

std::size_t needed_number(device_wish const& wish, std::size_t count, int place) {
    if (wish.number < 0) return static_cast<std::size_t>(place) % count;
    auto const n = static_cast<std::size_t>(wish.number);
    if (n < count) return n;
    throw error{error_kind::environment, fmt::format("there is no device cuda:{}", n),
                fmt::format("this machine has {}, numbered from 0", count),
                "select one of these devices with SODE_DEVICE, or set SODE_DEVICE=none"};
}

std::unique_ptr<accelerator> open_cuda(device_wish const& wish, device_terms const& terms) {
    refuse_cuda_in_tasks();
    auto const cuda = load_cuda(terms.plugin);
    if (!cuda.devices) throw error{error_kind::environment, "this machine has no device", cuda.why_not, hint};
    auto const count = static_cast<std::size_t>(cuda.devices->count());
    return cuda.devices->open(static_cast<int>(needed_number(wish, count, terms.place)), terms);
}

} // namespace

// The driver keeps one table of addresses for a process, by its address space; tasks would load it several times into one.
void refuse_cuda_in_tasks() {
    if (own_task_place())
        throw error{error_kind::environment, "this rank cannot use a CUDA device",
                    "the rank is a task in the address space of other ranks, and the CUDA driver supports only one process for "
                    "each address space",
                    "start the program without --space=tasks, or set SODE_DEVICE=emulated"};
}

device_wish wished_device(std::string_view text, std::size_t bytes) {
    auto const refuse = [&](std::string_view why, std::string_view suggestion) {
        throw error{error_kind::usage, fmt::format("SODE_DEVICE={} is invalid", text), why, suggestion};
    };
    auto const device = text.substr(0, text.find(','));
    device_wish w{.kind = std::string{device.substr(0, device.find(':'))}, .bytes = bytes};
    for (auto rest = text.substr(device.size()); !rest.empty();) {
        auto const word = rest.substr(1, rest.find(',', 1) - 1);
        rest.remove_prefix(1 + word.size());
        if (word == "private")
            w.is_private = true;
        else if (word == "sockets" && w.kind == "emulated")
            w.sockets = true;
        else if (word == "graphs")
            w.graphs = graph_use::always;
        else if (word == "no-graphs")
            w.graphs = graph_use::never;
        else
            refuse("the word after a comma is private, graphs, no-graphs or, for emulated devices, sockets; \"none\" has no comma",
                   "set SODE_DEVICE to emulated,private");
    }
    auto const colon = device.find(':');
    if (colon == std::string_view::npos) return w;
    auto const number = device.substr(colon + 1);
    int value = -1;
    auto const [end, status] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (status != std::errc{} || end != number.data() + number.size() || value < 0 || (w.kind == "emulated" && value == 0))
        refuse("there is no number after the colon",
               "set SODE_DEVICE to emulated:2 for two emulated devices, or cuda:1 for the second CUDA device");
    (w.kind == "emulated" ? w.count : w.number) = value;
    return w;
}

std::vector<device_facts> find_devices(device_wish const& wish, std::string const& plugin) {
    if (wish.kind == "none") return {};
    if (wish.kind == "emulated") return std::vector(static_cast<std::size_t>(wish.count), emulated_facts(wish.bytes));
    auto const cuda = load_cuda(plugin);
    if (!cuda.devices && wish.kind == "cuda") throw error{error_kind::environment, "there is no CUDA device", cuda.why_not, hint};
    std::vector<device_facts> all;
    for (int d = 0; cuda.devices && d < cuda.devices->count(); ++d) all.push_back(cuda.devices->facts(d));
    return all;
}

std::unique_ptr<accelerator> open_device(device_wish const& wish, device_terms const& terms) {
    if (wish.kind == "none")
        throw error{error_kind::environment, "this rank has no device", "SODE_DEVICE is none",
                    "unset SODE_DEVICE, or set SODE_DEVICE=emulated"};
    auto own = terms;
    own.is_private = wish.is_private;
    own.sockets = wish.sockets;
    auto device =
        wish.kind == "emulated"
            ? make_emulated_device(static_cast<std::size_t>(terms.place) % static_cast<std::size_t>(wish.count), wish.bytes, own)
            : open_cuda(wish, own);
    device->use_graphs(wish.graphs);
    return device;
}

} // namespace sode::internal
