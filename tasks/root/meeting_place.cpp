// SPDX-License-Identifier: Apache-2.0
#include "tasks/root/meeting_place.hpp"

#include "base/random_digits.hpp"
#include "tasks/root/job_key.hpp"
#include "tasks/root/user_keyring.hpp"

namespace sode::internal::tasks {

namespace {

constexpr std::size_t random_bytes = 16;
constexpr int most_tries = 3; // of which one succeeds, unless the key goes each time between making and finding

} // namespace

meeting_place::meeting_place(std::string job) : job_(std::move(job)) {}

std::string const& meeting_place::name() {
    for (int tried = 0; tried < most_tries; ++tried) {
        if (auto const found = user_keyring::find(job_)) {
            serial_ = found->serial;
            return name_ = found->text;
        }
        user_keyring::make(job_, socket_name_prefix() + random_digits(random_bytes));
    }
    serial_ = 0;
    return name_ = job_;
}

bool meeting_place::agreed() const {
    auto const found = user_keyring::find(job_);
    return found ? found->serial == serial_ : serial_ == 0;
}

bool meeting_place::leave() {
    if (serial_ == 0) return false;
    user_keyring::remove(job_, serial_);
    return true;
}

void close_meeting_place(std::string const& job, std::string const& name) {
    if (auto const found = user_keyring::find(job); found && found->text == name) user_keyring::remove(job, found->serial);
}

} // namespace sode::internal::tasks
