// SPDX-License-Identifier: Apache-2.0
#include <sode/planned.hpp>

#include "array/transfer_run.hpp"
#include "plan/dump.hpp"

#include <fmt/format.h>

#include <utility>

namespace sode {

planned::planned(std::unique_ptr<transfer_run> run) : run_(std::move(run)) {}

planned::~planned() {
    if (!run_ || !run_->engine().running()) return;
    try {
        run_->engine().wait();
    } catch (error const& e) {
        fmt::print(stderr, "sode: {}\n", e.what()); // a destructor must not throw
    }
}

planned::planned(planned&&) noexcept = default;

planned& planned::operator=(planned&& other) noexcept {
    planned mine{std::move(other)};
    std::swap(run_, mine.run_);
    return *this;
}

void planned::start() {
    run_->start();
}

bool planned::test() {
    return run_->engine().test();
}

void planned::wait() {
    run_->engine().wait();
}

std::string planned::explain() const {
    return sode::explain(run_->steps());
}

std::string planned::dump(std::string_view format) const {
    return sode::dump(run_->steps(), dump_format_of(format));
}

std::uint64_t planned::executed() const noexcept {
    return run_->engine().executed();
}
std::uint64_t planned::epochs() const noexcept {
    return run_->engine().epoch();
}

} // namespace sode
