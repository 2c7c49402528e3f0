// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/bootstrap.hpp>

#include <cstring>
#include <vector>

namespace sode::internal::testing {

/// Alone, whatever has started this test.
struct lonely final : bootstrap {
    int rank() const noexcept override { return 0; }
    int size() const noexcept override { return 1; }
    std::string_view name() const noexcept override { return "alone"; }
    bool one_process() const noexcept override { return true; }
    std::vector<int> machines() override { return {0}; }
    void allgather(void const* mine, std::size_t bytes, void* all) override { std::memcpy(all, mine, bytes); }
};

} // namespace sode::internal::testing
