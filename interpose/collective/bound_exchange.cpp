// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/bound_exchange.hpp"

#include "array/prepare_exchange.hpp"
#include "array/prepare_kernel_reads.hpp"

#include <utility>

namespace sode::internal::interpose {

bool bound_exchange::can_be(detail::job& j, passed_exchange const& call) {
    return can_exchange(j, call.ends);
}

bool bound_exchange::should_read(detail::job& j, passed_exchange const& call) {
    return kernel_reads_pay(j, call.ends);
}

bound_exchange::bound_exchange(detail::job& j, passed_exchange&& call, std::string_view name, bool reads)
    : call_(std::move(call)), run_(reads ? prepare_kernel_reads(j, call_.ends, name) : nullptr) {
    if (!run_) run_ = prepare_exchange(j, call_.ends, {.name = std::string{name}});
    call_.ends.clear(); // the plan has them
}

int bound_exchange::begin() {
    for (auto const& a : call_.before) a.how(a.target, a.source);
    run_->front().start();
    return MPI_SUCCESS;
}

bool bound_exchange::proceed() {
    return run_->front().test();
}

int bound_exchange::end() {
    run_->front().wait();
    return call_.after ? call_.after->run() : MPI_SUCCESS;
}

} // namespace sode::internal::interpose
