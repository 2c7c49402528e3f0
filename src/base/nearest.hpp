// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace sode::internal {

/// The candidate that `name` is most likely a misspelling of (edit distance of at most a third of its length); empty if none is
/// near.
[[nodiscard]] std::string nearest(std::string_view name, std::vector<std::string_view> const& candidates);

} // namespace sode::internal
