// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "datatypes/derived.hpp"
#include "datatypes/places.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace sode::internal::bench {

/// `count` of `type`, from `offset` bytes of the application's memory on.
struct typed {
    derived type;
    std::ptrdiff_t offset = 0;
    int count = 1;
};

/// What one application sends to a neighbour and receives from it: where it lies in the application's memory, the datatypes that
/// describe it, and the code that an author would write to pack it by hand. Both partners use the same pattern; a pattern is
/// geometry and owns no data. Four descriptions of the same bytes, written independently: what they disagree about, the checks
/// find.
class pattern {
public:
    virtual ~pattern() = default;

    [[nodiscard]] virtual std::size_t memory_bytes() const = 0;
    [[nodiscard]] virtual places sent() const = 0;
    [[nodiscard]] virtual places received() const = 0;

    /// Not committed.
    [[nodiscard]] virtual typed send_type() const = 0;
    [[nodiscard]] virtual typed receive_type() const = 0;

    /// What is sent, in any order that unpack() knows, as many bytes as sent() has.
    virtual void pack(char const* memory, char* message) const = 0;
    virtual void unpack(char const* message, char* memory) const = 0;
};

/// A pattern at one size; its name is `FAMILY_BYTES`.
struct pattern_case {
    std::string name;
    std::function<std::unique_ptr<pattern>()> make;
};

/// Adds the cases of a family: `sizes` are what the constructor of `Pattern` takes.
template <typename Pattern, typename Size>
void add_cases(std::vector<pattern_case>& all, std::string const& family, std::initializer_list<Size> sizes) {
    for (auto const& size : sizes) {
        auto make = [size]() -> std::unique_ptr<pattern> { return std::make_unique<Pattern>(size); };
        all.push_back({family + "_" + std::to_string(total_bytes(make()->sent())), make});
    }
}

void add_wrf(std::vector<pattern_case>& all);
void add_milc(std::vector<pattern_case>& all);
void add_nas_mg(std::vector<pattern_case>& all);
void add_nas_lu(std::vector<pattern_case>& all);
void add_specfem(std::vector<pattern_case>& all);
void add_specfem_transpose(std::vector<pattern_case>& all);
void add_lammps(std::vector<pattern_case>& all);
void add_contiguous(std::vector<pattern_case>& all);

/// Everything that is sent from one rank to another.
[[nodiscard]] std::vector<pattern_case> all_patterns();

/// Element `index` of an array of T that begins `offset` bytes into `memory`.
template <typename T> [[nodiscard]] T* array_at(char* memory, std::size_t offset) noexcept {
    return reinterpret_cast<T*>(memory + offset);
}
template <typename T> [[nodiscard]] T const* array_at(char const* memory, std::size_t offset) noexcept {
    return reinterpret_cast<T const*>(memory + offset);
}

} // namespace sode::internal::bench
