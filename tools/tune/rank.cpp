// SPDX-License-Identifier: Apache-2.0
#include "tune/rank.hpp"

#include "base/bootstraps.hpp"
#include "base/whole_file.hpp"
#include "tune/campaign.hpp"
#include "tune/kernel_probe.hpp"
#include "tune/progress.hpp"
#include "tune/report.hpp"

#include <sode/error.hpp>

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>

namespace sode::internal::tools {
namespace {

std::string in_words(campaign_result const& r) {
    return fmt::format("near {}, far {}, one core {}{}", r.near.size(), r.far.size(), r.local.size(),
                       r.dropped > 0 ? fmt::format(" ({} between)", r.dropped) : "");
}

void keep_earlier(tuned& t, std::string const& file) {
    try {
        tuned earlier;
        earlier.costs = load_profile(file, &earlier.origin);
        keep_what_was_seen(t, earlier);
    } catch (error const&) { // NOLINT(bugprone-empty-catch): what cannot be read is replaced
    }
}

// Which kernels this processor prefers. Stored where every process looks, if the profile is.
void tell_kernels(tune_options const& options) {
    constexpr double seconds = 0.08;
    auto const sets = probed_kernel_sets();
    if (sets.size() < 2) return; // nothing to choose
    auto const choice = choose_kernels(probe_kernels(sets, seconds), sets);
    fmt::print(stderr, "copies by {}\n", kernels_in_words(choice));
    if (!options.output.empty() && options.output == default_profile_path())
        replace_file(kernels_file(), "choice of kernels", write_kernels(choice, processor_key()));
}

void tell(tune_options const& options, tuned t) {
    if (std::error_code none; !options.output.empty() && std::filesystem::exists(options.output, none))
        keep_earlier(t, options.output);
    if (options.print)
        fmt::print("{}", write_profile(t.costs, t.origin));
    else
        fmt::print("{}", table(t));
    fmt::print(options.print ? stderr : stdout, "{}", checks_table(t));
    std::fflush(stdout);
    if (options.output.empty()) return;
    save_profile(options.output, t.costs, t.origin);
    fmt::print(stderr, "written to {}\n", options.output);
    for (auto const& part : {"near", "far"})
        if (auto const& u = t.origin.unseen; std::find(u.begin(), u.end(), part) != u.end())
            fmt::print(stderr,
                       "no two cores were found {}: these constants keep the built-in values; another run may find such cores\n",
                       std::string_view{part} == "near" ? "near each other" : "far apart");
}

} // namespace

void tune_as_rank(tune_options const& options) {
    auto const settings = config::from_environment();
    auto const boot = make_bootstrap(settings);
    auto const memory = make_open_space(*boot, settings.segment_bytes);
    auto const plan = options.quick ? campaign_plan{.seconds = 3, .enough = 30, .one_distance = true} : campaign_plan{};
    campaign_result result;
    {
        progress_bar bar{"measuring"};
        result = run_campaign(*boot, *memory, plan, [&](double done, auto const& so_far) { bar.show(done, in_words(so_far)); });
    }
    if (boot->rank() == 0) {
        tell(options, conclude(result));
        tell_kernels(options);
    }
    boot->barrier(); // nobody takes its memory away before
}

} // namespace sode::internal::tools
