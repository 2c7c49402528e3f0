// SPDX-License-Identifier: Apache-2.0
#include <sode/planned.hpp>

#include "base/misuse.hpp"
#include "engine/prepared_list.hpp"

#include <utility>

namespace sode {
using namespace internal;

planned::planned(std::unique_ptr<prepared_list> parts) : parts_(std::move(parts)) {}

planned::~planned() = default;

planned::planned(planned&&) noexcept = default;

planned& planned::operator=(planned&& other) noexcept {
    planned mine{std::move(other)};
    std::swap(parts_, mine.parts_);
    return *this;
}

prepared_list& planned::made() const {
    if (!parts_) refuse_moved("a planned communication");
    return *parts_;
}

void planned::start() {
    made().start();
}

bool planned::test() {
    return made().test();
}

void planned::wait() {
    made().wait();
}

std::string planned::explain() const {
    return made().explain();
}

std::string planned::dump(std::string_view format) const {
    std::vector<plan const*> all;
    made().tell_steps(all);
    return dump_all(all, format);
}

std::uint64_t planned::executed() const noexcept {
    return parts_ ? parts_->executed() : 0;
}
std::uint64_t planned::epochs() const noexcept {
    return parts_ ? parts_->epochs() : 0;
}

} // namespace sode
