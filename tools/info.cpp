// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"

#include "base/byte_text.hpp"
#include "base/config.hpp"
#include "base/message.hpp"
#include "base/mpi_plugin.hpp"
#include "base/shared_memory.hpp"
#include "base/system_error.hpp"
#include "base/topology.hpp"
#include "base/unique_fd.hpp"
#include "device/accelerator.hpp"
#include "device/device_messages.hpp"
#include "launch/answer.hpp"
#include "launch/task_ranks.hpp"
#include "layout/kernel_choice.hpp"
#include "model/profile_file.hpp"

#include <sode/error.hpp>

#include <CLI/CLI.hpp>
#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <unistd.h>

namespace sode::internal::tools {

namespace {

// In one line of a table.
std::string as_remark(error const& e) {
    std::string text{quoted(e.what())};
    for (auto end = text.find("\n  "); end != std::string::npos; end = text.find("\n  ")) text.replace(end, 3, "; ");
    return text;
}

// Why ranks of this machine cannot share memory; empty if they can.
std::optional<std::string> why_no_segment() {
    try {
        std::size_t const page = 4096;
        unique_fd const file = make_memfd("sode-info", page);
        mapping const one{file, page};
        mapping const two{file, page};
        one.data()[0] = std::byte{42};
        if (two.data()[0] != std::byte{42}) return "two mappings of one memory file differ";
    } catch (error const& e) {
        return as_remark(e);
    }
    return std::nullopt;
}

// What the kernel believes can be had without swapping, in bytes.
std::uint64_t available_memory() {
    std::ifstream file{"/proc/meminfo"};
    std::string key;
    std::uint64_t kib = 0;
    for (std::string unit; file >> key >> kib && std::getline(file, unit);)
        if (key == "MemAvailable:") return kib * 1024;
    return 0;
}

std::uint64_t physical_memory() {
    return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void line(std::string_view what, bool usable, std::string_view remark) {
    fmt::print("  {:<13}{:<5}{}\n", what, usable ? "yes" : "no", remark);
}

void print_machine() {
    topology const machine;
    auto const here = processor_set::of_this_thread();
    std::string const model = machine.model();
    fmt::print("machine\n");
    if (!model.empty()) fmt::print("  {}\n", model);
    fmt::print("  packages {}, NUMA nodes {}, cores {}, processors {}, memory {}\n", machine.packages(), machine.numa_nodes(),
               machine.cores(), machine.processors(), byte_text(physical_memory()));
    for (int const level : {2, 3}) {
        auto const cache = machine.cache_of_level(level);
        if (cache.bytes > 0)
            fmt::print("  L{}: {} of {}, one for {} core{}\n", level, cache.count, byte_text(cache.bytes), cache.cores,
                       cache.cores == 1 ? "" : "s");
    }
    fmt::print("  usable here: processors {} ({} cores)", here.to_string(), machine.cores_in(here));
    if (int const time = usable_processors(here); time < here.count())
        fmt::print(", with processor time for only {} (quota of the control group)", time);
    fmt::print("\n\n{}\n", machine.tree());
}

void print_device(std::string_view kind, device_facts const& d) {
    line(kind, true,
         fmt::format("{}, {}{}, {} the memory of other devices here, {} pinned host memory", d.name,
                     d.bytes == 0 ? "memory of the segment" : byte_text(d.bytes),
                     d.socket < 0 ? "" : fmt::format(", at socket {}", d.socket), d.peers ? "reaches" : "does not reach",
                     d.maps_host ? "maps" : "does not map"));
}

// Only an MPI that has been begun knows, so a process of its own begins it: that may take long, or end the process.
constexpr std::chrono::seconds patience_with_mpi{20};
constexpr std::string_view begun_for = "--of-mpi";

int answer_of_mpi(std::string const& mpi) {
    try {
        auto const begun = begin_mpi(mpi, config::from_environment());
        auto const says = mpi_says_of_device_memory();
        fmt::print("{}\n", !says ? "nothing" : *says ? "yes" : "no");
        return 0;
    } catch (error const& e) {
        fmt::print("{}\n", as_remark(e)); // for who asks
        return 1;
    }
}

void print_device_messages(mpi_plugin const& p) {
    auto const kind = fmt::format("mpi/{}", p.name);
    auto const told = ask({"/proc/self/exe", "info", fmt::format("{}={}", begun_for, p.name)}, patience_with_mpi);
    auto const packed = "messages are packed in pinned memory";
    if (told.status == no_answer_status)
        line(kind, false, fmt::format("not known: MPI_Init took more than {} s; {}", patience_with_mpi.count(), packed));
    else if (told.status != 0)
        line(
            kind, false,
            fmt::format("not known: {}; {}",
                        told.text.empty() ? fmt::format("MPI_Init ended a job of one rank with status {}", told.status) : told.text,
                        packed));
    else if (told.text == "yes")
        line(kind, true, "messages are sent from CUDA device memory: MPIX_Query_cuda_support() is 1");
    else
        line(kind, false,
             told.text == "no" ? fmt::format("MPIX_Query_cuda_support() is 0: {}", packed)
                               : fmt::format("it has no MPIX_Query_cuda_support(): {}", packed));
}

void print_devices(std::vector<mpi_plugin> const& mpis) {
    auto const settings = config::from_environment();
    fmt::print("\ndevices (where arrays of sode::device are; SODE_DEVICE is {})\n",
               settings.device.empty() ? "unset" : settings.device);
    print_device("emulated", find_devices(wished_device("emulated", settings.device_bytes), {}).front());
    try {
        for (auto const& d : find_devices(wished_device("cuda", 0), find_beside_plugins("libsode-device-cuda.so", settings)))
            print_device("cuda", d);
    } catch (error const& e) {
        line("cuda", false, as_remark(e));
    }
    for (auto const& p : mpis)
        if (p.why_not.empty()) print_device_messages(p);
}

void print_profile(std::string const& processor) {
    fmt::print("\nprofile (what the cost model knows of this machine)\n");
    try {
        auto const file = profile_in_force(config::from_environment().profile);
        if (file.empty()) {
            fmt::print("  built in; `sode tune` measures this machine\n");
            return;
        }
        profile_origin origin;
        auto const costs = load_profile(file, &origin);
        fmt::print("  {}: \"{}\"", file, costs.name);
        if (!origin.date.empty()) fmt::print(", measured {}", origin.date);
        if (!origin.mpi.empty()) fmt::print(", messages of datatypes by {}", origin.mpi);
        if (!origin.unseen.empty()) fmt::print(", unseen: {}", fmt::join(origin.unseen, ", "));
        if (!origin.not_stored.empty()) fmt::print(", not stored: {}", fmt::join(origin.not_stored, ", "));
        if (!origin.cpu.empty() && origin.cpu != processor) fmt::print("\n  on another processor: {}", origin.cpu);
        fmt::print("\n");
    } catch (error const& e) {
        fmt::print("  cannot be used: {}\n", as_remark(e));
    }
}

void print_kernels() {
    fmt::print("\nkernels (which instruction set copies what)\n");
    auto const& in_force = kernels_in_force();
    for (std::size_t i = 0; i < kernel_classes; ++i)
        fmt::print("{}{} {}", i == 0 ? "  " : ", ", to_string(static_cast<kernel_class>(i)), in_force.sets[i]->name);
    fmt::print("\n  {}\n",
               load_kernels(kernels_file()) ? "as `sode tune` found (" + kernels_file() + ")" : "as built in for this processor");
}

// Asked of the program that would do it: it knows best.
void print_tasks() {
    auto const told = ask_about_tasks();
    line("tasks", told.status == 0, told.text.empty() ? "sode-task gives no reason" : told.text);
}

int print_info() {
    fmt::print("sode {}\n\n", SODE_VERSION);
    print_machine();

    auto const no_segment = why_no_segment();
    fmt::print("spaces (how ranks reach each other's memory)\n");
    line("segment", !no_segment,
         no_segment ? *no_segment : fmt::format("memory files work; {} of memory are available", byte_text(available_memory())));
    line("threads", true, "ranks as threads of one process");
    print_tasks();

    fmt::print("\nchannels (how bytes move)\n");
    line("reference", true, "slow and simple, for comparison");
    line("direct", true, no_segment ? "between threads only: there is no shared memory" : "loads and stores in a space");
    auto const mpis = find_mpi_plugins(config::from_environment());
    for (auto const& p : mpis)
        line(fmt::format("mpi/{}", p.name), p.why_not.empty(),
             p.why_not.empty() ? fmt::format("between machines: {} ({})", p.library, p.file) : p.why_not);
    line("device", true, "copies and words by queues of devices, see below");
    print_devices(mpis);
    print_profile(topology{}.model());
    print_kernels();
    return 0;
}

} // namespace

command add_info(CLI::App& app) {
    CLI::App* const info =
        app.add_subcommand("info", "Show this machine, which features of Sode work on it, and why other features do not work");
    auto const mpi = std::make_shared<std::string>();
    info->add_option(std::string{begun_for}, *mpi)->group(""); // how it starts itself
    return [mpi](std::vector<std::string> const& rest) {
        if (!rest.empty())
            throw error{error_kind::usage, "`sode info` takes no arguments", fmt::format("{} was passed", rest.front()),
                        "write `sode info`"};
        return mpi->empty() ? print_info() : answer_of_mpi(*mpi);
    };
}

} // namespace sode::internal::tools
