// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/bootstrap.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sode::internal::files {

/// Does `work` on every rank, and what it returned on each is known to all. If it threw on any rank, all throw the error of the
/// first such rank: nobody is left waiting for somebody who has given up. Collective; `work` is not.
std::vector<std::string> in_step(bootstrap& ranks, std::function<std::string()> const& work);

/// A number that differs, with all likelihood, if what was added differs.
class digest {
public:
    void add(std::string_view text) noexcept;
    void add(std::uint64_t value) noexcept;
    [[nodiscard]] std::uint64_t value() const noexcept { return hash_; }

private:
    std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

} // namespace sode::internal::files
