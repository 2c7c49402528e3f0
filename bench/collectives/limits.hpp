// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "collectives/collective.hpp"

#include <memory>
#include <string>
#include <vector>

namespace sode {
class runtime;
} // namespace sode

namespace sode::internal::bench {

/// The limits of a collective (support/limit.hpp) with the flags that it cannot do without, in memory of the same kind as ours: a
/// rank writes what it has to give, says so in a line of its own, and copies or combines what others have said. Nobody waits until
/// it may write again.
///
/// Of "shared": "limit:pull", where every rank fetches what it gets; "limit:lines", where up to seven numbers lie beside the flag;
/// "limit:slices", where each rank moves a slice of everything that all ranks get (what prefix sums have no use for).
/// Of "own": what goes through copies in shared memory, a piece of 16 KiB after the other ("limit:staged"), all at once ("-whole"),
/// or combined by all ranks, a slice each ("-slices"); and "limit:lines". \param yields give the core away while waiting
/// Collective. All ranks are on one machine.
[[nodiscard]] std::vector<std::unique_ptr<collective_subject>> collective_limits(runtime& rt, collective_case const& c,
                                                                                 bool yields);
/// Their names.
[[nodiscard]] std::vector<std::string> collective_limit_names();

} // namespace sode::internal::bench
