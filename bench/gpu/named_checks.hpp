// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "two_ranks.hpp"

#include <sode/error.hpp>
#include <sode/runtime.hpp>

#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace bench {

/// What holds, and what does not.
struct checked : result_facts {
    std::vector<std::pair<std::string, std::string>> all{}; ///< name, and why it does not hold; empty: it does
};

/// Checks by name, one after another, on all ranks; one that fails says why, and the others follow.
class named_checks {
public:
    named_checks(sode::runtime& rt, std::string device, keep_results<checked> keep) : rt_(rt), keep_(std::move(keep)) {
        found_.device = std::move(device);
    }
    void check(std::string const& name, std::function<void()> const& what) {
        std::string why;
        try {
            what();
        } catch (std::exception const& e) {
            why = e.what();
            found_.right = false;
        }
        rt_.barrier(); // whoever has failed waits for those who have not
        std::printf("rank %d: %s: %s\n", rt_.rank(), name.c_str(), why.empty() ? "yes" : why.c_str());
        std::fflush(stdout);
        found_.all.emplace_back(name, why);
        keep_(found_);
    }
    static void must(bool holds, char const* why) {
        if (!holds) throw sode::error{sode::error_kind::environment, "a check failed", why, "report it, with the driver's version"};
    }
    [[nodiscard]] checked found() const { return found_; }

private:
    sode::runtime& rt_;
    keep_results<checked> keep_;
    checked found_;
};

inline void print(checked const&) {} // has been printed
inline void write_json(checked const& all, std::string const& file) {
    auto out = begin_json(file, all);
    out << ", \"checks\": {";
    for (std::size_t i = 0; i < all.all.size(); ++i)
        out << (i == 0 ? "\n" : ",\n") << "  \"" << all.all[i].first << "\": " << (all.all[i].second.empty() ? "true" : "false");
    out << "\n }}\n";
}
inline void write_html(checked const& all, std::string const& file) {
    auto out = begin_section(file, "Checks", all);
    out << "<table><tr><th>check<th>holds</tr>\n";
    for (auto const& [name, why] : all.all) out << "<tr><td>" << name << "<td>" << (why.empty() ? "yes" : why) << "</tr>\n";
    out << "</table>\n";
}

} // namespace bench
