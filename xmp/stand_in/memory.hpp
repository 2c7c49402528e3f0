// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <map>
#include <mutex>

namespace sode::stand_in {

/// How many devices there are: 1, or what a unit of the program was compiled with, before anything is on them.
[[nodiscard]] int devices();
void have(int count);
/// Held by every call: a thread of a rank that serves others uses the device beside the program's own.
[[nodiscard]] std::unique_lock<std::recursive_mutex> alone();
/// The device that calls of this thread are about.
[[nodiscard]] int current();
void use(int device);

/// What of the host has a copy on a device.
struct mapping {
    char* host;
    std::size_t bytes;
    char* device;
    int entered = 0; ///< by `enter data` and acc_create()
    int regions = 0; ///< that have it
};

/// Ends the program: "sode: stand-in device: ...".
[[noreturn]] void fail(char const* problem, void const* host, std::size_t bytes);

/// Memory of the current device: filled with ones, as nobody has written it.
[[nodiscard]] char* allocate(std::size_t bytes);
/// Memory of any device.
void release(char* device, std::size_t bytes);
/// While a kernel of the current device runs, the memory of the others cannot be touched.
void close_others();
void open_others();
/// Ends the program where this is memory of another device than the current one.
void own(void const* device, std::size_t bytes);

/// On the current device: the mapping that has all of these bytes; null: none has any. Ends the program where one has some of them.
[[nodiscard]] mapping* find(void const* host, std::size_t bytes);
[[nodiscard]] mapping* find_device(void const* device);
[[nodiscard]] mapping& make(void* host, std::size_t bytes);
/// Nobody has it any more.
void remove_unused(mapping& m);
void remove(mapping& m);
/// A host address as the device's.
[[nodiscard]] inline char* there(mapping const& m, void const* host) {
    return m.device + (static_cast<char const*>(host) - m.host);
}

} // namespace sode::stand_in
