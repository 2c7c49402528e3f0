// SPDX-License-Identifier: Apache-2.0
#include "hdf5/in_step.hpp"

#include "base/message.hpp"

#include <sode/error.hpp>

#include <fmt/format.h>

namespace sode::internal::files {
namespace {

constexpr char good = 'g';

std::string failed(error_kind kind, std::string_view what) {
    return fmt::format("{}{}", static_cast<char>('0' + static_cast<int>(kind)), what);
}

std::string tried(std::function<std::string()> const& work) {
    try {
        return good + work();
    } catch (error const& e) {
        return failed(e.kind(), quoted(e.what()));
    } catch (std::exception const& e) {
        return failed(error_kind::environment, e.what());
    }
}

} // namespace

std::vector<std::string> in_step(bootstrap& ranks, std::function<std::string()> const& work) {
    auto said = ranks.allgather(tried(work));
    for (std::size_t r = 0; r < said.size(); ++r) {
        if (said[r].front() == good) continue;
        auto const text = said[r].substr(1);
        throw error{static_cast<error_kind>(said[r].front() - '0'),
                    said.size() == 1 ? text : fmt::format("at rank {}: {}", r, text),
                    {},
                    {}};
    }
    for (auto& text : said) text.erase(0, 1);
    return said;
}

} // namespace sode::internal::files
