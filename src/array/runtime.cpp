// SPDX-License-Identifier: Apache-2.0
#include <sode/runtime.hpp>

#include "base/activity.hpp"
#include "base/bootstraps.hpp"
#include "base/message.hpp"
#include "base/thread_team.hpp"
#include "base/warn.hpp"
#include "collective/reductions.hpp"
#include "engine/prepared_list.hpp"
#include "model/job.hpp"

#include <sode/check.hpp>
#include <sode/detail/worker_threads.hpp>
#include <sode/threads.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace sode {
using namespace internal;

namespace {

std::shared_ptr<detail::job> join(std::unique_ptr<bootstrap> boot, config settings, int argc, char** argv, bool optimised) {
    doing const what{activity::start};
    speak_as(boot->one_process() ? speaker::thread : speaker::process, boot->rank(), boot->size());
    boot = with_small_machines(std::move(boot), settings.machine_size);
    auto j = std::make_shared<detail::job>(std::move(boot), std::move(settings));
    for (int i = 1; i < argc; ++i) j->arguments.emplace_back(argv[i]);
    if (!optimised && j->boot->rank() == 0)
        warn("this program was compiled without optimisation", "without optimisation, loops can take a hundred times as long",
             "compile with -O2; with CMake, -DCMAKE_BUILD_TYPE=Release");
    if (j->settings.check.halo) j->watches = std::make_shared<detail::watch_list>();
    return j;
}

/// Errors in them are told as all others are, though they are found before anything else is done.
config settings_of_job() {
    tell_uncaught();
    return config::from_environment();
}

template <class T> T number(std::string_view name, std::string const& text) {
    T value{};
    auto const [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc{} || end != text.data() + text.size())
        throw error{error_kind::usage, fmt::format("{} {} is invalid", name, text),
                    "the value is not a number of the type that the program expects",
                    fmt::format("write {} 100, for example", name)};
    return value;
}

std::string const* value_of(detail::job const& j, std::string_view name) {
    auto const& list = j.arguments;
    auto const at = std::find(list.begin(), list.end(), name);
    if (at == list.end()) return nullptr;
    if (at + 1 == list.end())
        throw error{error_kind::usage, fmt::format("{} has no value", name), "the option is the last argument",
                    fmt::format("write {} VALUE", name)};
    return &*(at + 1);
}

} // namespace

runtime::runtime(int argc, char** argv, bool optimised) {
    auto settings = settings_of_job();
    auto boot = make_bootstrap(settings);
    job_ = join(std::move(boot), std::move(settings), argc, argv, optimised);
}

runtime::runtime(std::unique_ptr<bootstrap> boot, int argc, char** argv, bool optimised)
    : job_(join(std::move(boot), settings_of_job(), argc, argv, optimised)) {}

runtime::runtime(runtime const& of, std::vector<int> const& ranks) : job_(of.job().make_part(ranks)) {}

runtime::~runtime() {
    if (job_->watches && !job_->whole && !job_->unwinds()) {
        try {
            doing const what{activity::end};
            job_->watches->report(*job_);
            // NOLINTNEXTLINE(bugprone-empty-catch): a rank has died, which is told where it was waited for
        } catch (...) {
        }
    }
    job_->end();
}

int runtime::rank() const noexcept {
    return job_->boot->rank();
}
int runtime::size() const noexcept {
    return job_->boot->size();
}

index_t runtime::arg(std::string_view name, index_t fallback) const {
    auto const* text = value_of(*job_, name);
    return text ? number<index_t>(name, *text) : fallback;
}
int runtime::arg(std::string_view name, int fallback) const {
    auto const* text = value_of(*job_, name);
    return text ? number<int>(name, *text) : fallback;
}
double runtime::arg(std::string_view name, double fallback) const {
    auto const* text = value_of(*job_, name);
    return text ? number<double>(name, *text) : fallback;
}
std::string runtime::arg(std::string_view name, std::string_view fallback) const {
    auto const* text = value_of(*job_, name);
    return text ? *text : std::string{fallback};
}
bool runtime::flag(std::string_view name) const {
    return std::find(job_->arguments.begin(), job_->arguments.end(), name) != job_->arguments.end();
}

void runtime::barrier() {
    doing const what{activity::barrier};
    if (job_->remote)
        job_->remote->meet();
    else
        job_->boot->barrier();
    job_->freed.collective_done();
}

std::string runtime::describe() const {
    auto const& j = *job_;
    int const machines = j.ranks->machines().machines();
    auto text = j.whole ? fmt::format("a part of {} ranks: ", j.whole->boot->size()) : std::string{};
    text += fmt::format("{} rank{} by {}, {} machine{}, memory: {}, {} cores", size(), size() == 1 ? "" : "s", j.boot->name(),
                        machines, machines == 1 ? "" : "s", j.memory->name(), j.usable_cores);
    if (auto const& pairs = j.distances.pairs(); !pairs.empty() && pairs.front().distance.round_trip_ns > 0)
        text += fmt::format(", core to core {:.0f} ns", pairs.front().distance.round_trip_ns);
    if (j.workers) text += fmt::format(", {} threads a rank", j.workers->size());
    return text + fmt::format(", profile: {}", j.profile_file.empty() ? "built in" : j.profile_file);
}

std::vector<int> ranks_of_colour(runtime const& rt, int colour, int key) {
    struct told {
        int colour, key;
    };
    auto const& j = rt.job();
    j.require_running("ranks_of_colour");
    std::vector<told> all(static_cast<std::size_t>(rt.size()));
    told const mine{colour, key};
    j.boot->allgather(&mine, sizeof mine, all.data());
    std::vector<int> ranks;
    if (colour < 0) return ranks;
    for (int r = 0; r < rt.size(); ++r)
        if (all[static_cast<std::size_t>(r)].colour == colour) ranks.push_back(r);
    std::ranges::stable_sort(ranks, {}, [&](int r) { return all[static_cast<std::size_t>(r)].key; });
    return ranks;
}

std::string runtime::explain() const {
    return job_->reduced ? job_->reduced->explain() : std::string{};
}

std::string runtime::dump(std::string_view format) const {
    return job_->reduced ? job_->reduced->dump(format) : dump_all({}, format);
}

void run_threads(int ranks, std::function<void(runtime&)> const& program, int argc, char** argv) {
    run_as_threads(
        ranks,
        [&](std::unique_ptr<bootstrap> boot) {
            runtime rt{std::move(boot), argc, argv};
            program(rt);
        },
        settings_of_job());
}

namespace detail {

std::shared_ptr<watch_list> const& watches(job& j) noexcept {
    return j.watches;
}

worker_threads* workers_of(job* j) noexcept {
    return j ? j->workers.get() : nullptr;
}
int count(worker_threads const& w) noexcept {
    return w.size();
}
void run_on(worker_threads& w, void (*piece)(void* what, int k), void* what) {
    w.run(piece, what);
}

std::shared_ptr<std::byte> allocate(job& j, std::size_t bytes) {
    // Equal arrays at equal distances fall into the same cache sets; a different number of lines before each keeps them apart.
    constexpr std::size_t step = 5 * 64, places = 13;
    std::size_t const before = (j.stagger++ % places) * step;
    std::size_t const room = before + bytes;
    std::byte* const block = j.memory->allocate(room);
    return {block + before, [block, room, keeps = j.shared_from_this()](std::byte*) { keeps->freed.release(block, room); }};
}

} // namespace detail
} // namespace sode
