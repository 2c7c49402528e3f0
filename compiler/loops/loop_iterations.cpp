// SPDX-License-Identifier: Apache-2.0
// Loops of which each iteration asks whether it is this rank's.
#include "compiler/loops/for_loops.hpp"
#include "compiler/loops/loop_writer.hpp"
#include "compiler/unit/operators.hpp"

#include <set>

namespace sode::compiler {

bool loop_writer::asks_each() const {
    std::set<clang::IdentifierInfo const*> seen;
    for (auto const& dim : d_.on.dims) {
        if (dim.colon && dim.lower.given()) return true;
        auto const* const index = dim.star || dim.colon ? nullptr : index_in(dim);
        if (!index) continue;
        if (!seen.insert(index->getIdentifierInfo()).second) return true;
        if (dim.lower.parsed && !follows(dim.lower.parsed, index->getIdentifierInfo())) return true;
    }
    return false;
}

void loop_writer::each_iteration(std::string const& name, bool is_nodes) {
    auto const at = d_.on.name.getLocation();
    if (!d_.window.empty() || device_ || d_.threads)
        return unit_.error(at,
                           "this loop needs an index or a constant in each dimension, because of " +
                               (device_ ? std::string{"the compute construct"} : "'" + (d_.threads ? "threads" : d_.window) + "'"));
    clang::ForStmt const* innermost = nullptr;
    bool several = false;
    for (std::size_t k = 0; k < d_.on.dims.size(); ++k) {
        auto const& dim = d_.on.dims[k];
        several = several || dim.colon;
        if (dim.star) continue;
        dims_ |= 1U << k;
        for (auto const& index : d_.indices) {
            bool used = false;
            for (auto const* const part : {&dim.lower, &dim.upper, &dim.step})
                for (auto const& t : part->words) used = used || t.getIdentifierInfo() == index.getIdentifierInfo();
            auto const* const f = used ? loop_over(d_.body, index.getIdentifierInfo()) : nullptr;
            if (used && !f) return no_loop(index);
            if (f && (!innermost || unit_.files.isBeforeInTranslationUnit(innermost->getForLoc(), f->getForLoc()))) innermost = f;
        }
    }
    if (several && !d_.operations.empty())
        return unit_.error(at, "a loop on a range of nodes has no 'reduction': each iteration is executed by several of them; "
                               "write the directive 'reduction' behind the loop");
    for (auto const& o : d_.operations)
        if (o.locations > 0)
            return unit_.error(at, "a reduction with locations needs a loop on an index and a constant in each dimension");
    auto const k = "__sode_k" + std::to_string(d_.number);
    auto const set = emitter_.set(d_, d_.on, unit_.named(d_, 0));
    auto const enter = "{sode_xmp_task " + k + " __attribute__((cleanup(sode_xmp_task_leave)))=sode_xmp_task_enter(" +
                       unit_.place(d_) + "," + set + "," + (several ? "0" : "1") + ");if(" + k + ".in){";
    auto const* const body = innermost ? innermost->getBody() : d_.body;
    unit_.insert_before(body, enter);
    iteration_ = body;
    before_reductions(std::string{"sode_xmp_sharing_"} + (is_nodes ? "nodes(" : "template(") + unit_.place(d_) + "," + name + ",");
}

} // namespace sode::compiler
