// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace sode::internal::tasks {

/// The name of the socket at which the processes of one job and one user find their root, on one machine.
///
/// Every user may take every name of a socket, and what tells a job from others (process numbers, a launcher's variables) others
/// can see. So the name is random, and in the user's keyring under the name of the job. Where there is no keyring, the name follows
/// from that of the job: another user who takes it first is noticed, and in the way.
class meeting_place {
public:
    /// `job`: job_name().
    explicit meeting_place(std::string job);

    /// As of now. The first process of the job decides it. Errors: environment, if there are no random numbers.
    [[nodiscard]] std::string const& name();
    /// Whether that is still the name that others find.
    [[nodiscard]] bool agreed() const;
    /// Somebody else has taken the socket of that name: name() will be another one. False, if there is no choice.
    bool leave();

private:
    std::string job_;
    std::string name_;
    std::int32_t serial_ = 0; ///< of the key that says so; 0: none
};

/// The root of that name ends; to be called before its socket is closed, so that who can take the name from then on sees that it
/// does not count any more.
void close_meeting_place(std::string const& job, std::string const& name);

} // namespace sode::internal::tasks
