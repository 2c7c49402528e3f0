// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sode/bootstrap.hpp>

#include <functional>
#include <string>
#include <vector>

namespace sode::internal::files {

/// Does `work` on every rank, and what it returned on each is known to all. If it threw on any rank, all throw the error of the
/// first such rank: nobody is left waiting for somebody who has given up. Collective; `work` is not.
std::vector<std::string> in_step(bootstrap& ranks, std::function<std::string()> const& work);

} // namespace sode::internal::files
