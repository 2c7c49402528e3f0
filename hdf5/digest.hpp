// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/mixing.hpp"

#include <cstdint>
#include <string_view>

namespace sode::internal::files {

/// A number that differs, with all likelihood, if what was added differs.
class digest {
public:
    void add(std::string_view text) noexcept {
        for (char const c : text) hash_ = (hash_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL; // FNV-1a
        add(std::uint64_t{text.size()});
    }
    void add(std::uint64_t value) noexcept { mix(hash_, value); }
    [[nodiscard]] std::uint64_t value() const noexcept { return hash_; }

private:
    std::uint64_t hash_ = 0xcbf29ce484222325ULL; // of FNV-1a
};

} // namespace sode::internal::files
