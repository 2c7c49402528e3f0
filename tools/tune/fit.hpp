// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "model/message_path.hpp"

#include <span>

namespace sode::internal::tools {

/// How long a message took.
struct timed_message {
    message_features what;
    message_path how = message_path::plain;
    double ns = 0;
};

/// Sets these constants, fields of a profile in which predict() is linear as far as these messages go, so that it comes nearest to
/// the times: the squares of the logarithms of predicted / measured are least, so that twice as long weighs as much as half. None
/// becomes negative. One on which no message depends stays what it is.
/// The fields are `constants` of `p`, given by functions from a profile to a field.
using profile_field = double& (*)(profile&);
void fit(profile& p, std::span<profile_field const> constants, std::span<timed_message const> messages);

/// What a message of that layout on both sides is to predict(), from memory to memory of two processors so far apart.
[[nodiscard]] message_features features_of(layout const& both_sides, distance apart);

} // namespace sode::internal::tools
