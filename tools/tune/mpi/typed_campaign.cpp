// SPDX-License-Identifier: Apache-2.0
#include "tune/mpi/typed_campaign.hpp"

#include "base/clock.hpp"
#include "base/machine_share.hpp"
#include "base/message.hpp"
#include "interpose/datatypes/datatype_contents.hpp"
#include "interpose/transport/eager_limit.hpp"
#include "tune/mpi/typed_messages.hpp"
#include "tune/prober.hpp"
#include "tune/progress.hpp"

#include <sode/error.hpp>
#include <sode/mpi.hpp>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <optional>

namespace sode::internal::tools {
namespace {

constexpr std::size_t enough = 100, least = 5;
constexpr double patient = 10; // times as long, until the least is seen

std::string name_of_mpi() {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    std::string name{text.data(), static_cast<std::size_t>(length)};
    name.resize(std::min(name.size(), name.find_first_of(",\n")));
    std::replace(name.begin(), name.end(), '\t', ' ');
    return name;
}

// The next rank of rank 0's machine; 0: there is none.
int mate_of(std::vector<int> const& machines) {
    auto const other = std::find(machines.begin() + 1, machines.end(), machines.front());
    return other == machines.end() ? 0 : static_cast<int>(other - machines.begin());
}

// The MPI layer, forced onto each of its paths.
struct layers {
    std::unique_ptr<interpose::layer> direct;
    std::unique_ptr<interpose::layer> both;
    std::unique_ptr<interpose::layer> push;
    std::unique_ptr<interpose::layer> staged;
    bool reachable = false; // the buffers of these two by each other; else all are staged

    // Null: MPI itself, or a path that cannot be.
    [[nodiscard]] interpose::layer* of(message_path path) const {
        switch (path) {
        case message_path::plain: return nullptr;
        case message_path::direct: return reachable ? direct.get() : nullptr;
        case message_path::both: return reachable ? both.get() : nullptr;
        case message_path::push: return reachable ? push.get() : nullptr;
        case message_path::staged: return staged.get();
        }
        return nullptr;
    }
};

std::unique_ptr<interpose::layer> layer_on(message_path path, config settings) {
    settings.profile = "default"; // the one that is there may be wrong
    settings.mpi_path = to_string(path);
    settings.mpi_eager_bytes = 0;
    settings.machine_size = 0; // what is measured is what goes on within the real one
    return std::make_unique<interpose::layer>(settings);
}

// The two ranks that measure.
class pair_at_work {
public:
    pair_at_work(MPI_Comm pair, layers& moving, std::size_t arena_bytes)
        : boot_(pair), memory_(make_open_space(boot_, arena_bytes)), turn_(boot_, *memory_), probe_(boot_, *memory_),
          messages_(pair, boot_.rank(), turn_), moving_(moving), moved_(rows_of(moved_rows, moved_row_bytes, moved_pitch)),
          moved_twice_(rows_of(2 * moved_rows, moved_row_bytes, moved_pitch)) {
        for (auto const& where : typed_samples()) samples_.emplace_back(where);
        for (auto const& c : message_checks()) checks_.emplace_back(c.where);
        fields_numbers_ = static_cast<double>(numbers_of(typed_rows{new_samples().fields}.type()));
        list_numbers_ = static_cast<double>(numbers_of(typed_rows{new_samples().list}.type()));
        longer_numbers_ = static_cast<double>(numbers_of(typed_rows{new_samples().longer}.type()));
    }

    [[nodiscard]] pair_distance look() { return probe_.look(); }

    [[nodiscard]] typed_times block() {
        typed_times t;
        t.fields_numbers = fields_numbers_;
        t.list_numbers = list_numbers_;
        t.longer_numbers = longer_numbers_;
        for (std::size_t i = 0; i < samples_.size(); ++i) t.plain[i] = messages_.plain(samples_[i]);
        if (moving_.reachable) {
            t.direct = messages_.moved(*moving_.direct, moved_);
            t.direct_twice = messages_.moved(*moving_.direct, moved_twice_);
        }
        t.staged = messages_.moved(*moving_.staged, moved_);
        t.staged_twice = messages_.moved(*moving_.staged, moved_twice_);
        auto& best = moving_.reachable ? *moving_.direct : *moving_.staged;
        t.new_fields = messages_.first(best, new_samples().fields);
        t.new_list = messages_.first(best, new_samples().list);
        t.new_longer = messages_.first(best, new_samples().longer);
        return t;
    }

    [[nodiscard]] message_check_times check_block() {
        message_check_times t{};
        for (std::size_t i = 0; i < checks_.size(); ++i)
            for (std::size_t k = 0; k < message_paths; ++k) {
                auto const path = static_cast<message_path>(k);
                if (auto* const by = moving_.of(path))
                    t[i][k] = messages_.moved(*by, checks_[i]);
                else if (path == message_path::plain)
                    t[i][k] = messages_.plain(checks_[i]);
            }
        return t;
    }

private:
    mpi_bootstrap boot_;
    std::unique_ptr<space> memory_;
    turns turn_;
    prober probe_;
    typed_ping_pong messages_;
    layers& moving_;
    typed_rows moved_, moved_twice_;
    std::vector<typed_rows> samples_;
    std::vector<typed_rows> checks_;
    double fields_numbers_ = 0, list_numbers_ = 0, longer_numbers_ = 0;
};

bool known(pair_distance const& d) {
    return d.kind != pair_distance::regime::unknown;
}

typed_campaign why_not(std::string reason) {
    typed_campaign none;
    none.why_not = std::move(reason);
    return none;
}

// All that has to do with the layer is gone before the communicator of the two.
typed_campaign measure(MPI_Comm pair, int mate, config const& settings, profile const& known_costs, double seconds) {
    interpose::pmpi_bootstrap all;
    auto const share = find_machine_share(all);
    std::vector<char> crowded(static_cast<std::size_t>(all.size()));
    char const here = share.ranks > share.processors ? 1 : 0;
    all.allgather(&here, 1, crowded.data());
    if (crowded.front() != 0) return why_not("there are more ranks than processors on the machine; start two");
    typed_circumstances how{.eager_bytes = interpose::measure_short_messages(all).eager};
    layers moving;
    try {
        moving.direct = layer_on(message_path::direct, settings);
        moving.both = layer_on(message_path::both, settings);
        moving.push = layer_on(message_path::push, settings);
        moving.staged = layer_on(message_path::staged, settings);
    } catch (error const& e) { // on all ranks together
        return why_not(std::string{quoted(e.what())});
    }
    std::optional<pair_at_work> both;
    moving.reachable = pair != MPI_COMM_NULL && moving.direct->base.here().reachable(all.rank() == 0 ? mate : 0);
    if (pair != MPI_COMM_NULL) both.emplace(pair, moving, settings.segment_bytes);
    bool const leads = all.rank() == 0;
    typed_campaign result;
    result.seen.mpi = name_of_mpi();
    result.reachable = how.reachable = moving.reachable;
    progress_bar bar{"measuring datatypes"};
    auto const began = now_s();
    for (std::vector<char> last(static_cast<std::size_t>(all.size())); last.front() == 0;) {
        char mine = 0;
        if (both) {
            auto const before = both->look();
            auto const times = both->block();
            auto const checks = both->check_block();
            auto const after = both->look();
            if (leads) {
                auto& near = result.seen.near;
                auto& far = result.seen.far;
                how.apart = class_of(before);
                if (known(before) && known(after) && how.apart == class_of(after)) {
                    bool const is_near = how.apart == distance::near;
                    (is_near ? near : far).push_back(estimate(times, how, known_costs));
                    (is_near ? result.seen.near_checks : result.seen.far_checks).push_back(checks);
                }
                auto const seen = std::max(near.size(), far.size());
                // A busy machine rarely lets two ranks run at the same time.
                auto const patience = seen >= least ? seconds : patient * seconds;
                auto const waited = now_s() - began;
                mine = waited > patience || seen >= enough ? 1 : 0;
                auto const done = std::max(waited / patience, static_cast<double>(seen) / enough);
                bar.show(mine != 0 ? 1 : std::min(1.0, done), fmt::format("near {}, far {}", near.size(), far.size()));
            }
        }
        all.allgather(&mine, 1, last.data());
    }
    if (result.seen.near.size() < least) result.seen.near.clear(), result.seen.near_checks.clear();
    if (result.seen.far.size() < least) result.seen.far.clear(), result.seen.far_checks.clear();
    result.seen.how = {.eager_bytes = how.eager_bytes, .reachable = how.reachable};
    if (leads && result.seen.near.empty() && result.seen.far.empty()) result.why_not = "the two ranks did not run at the same time";
    return result;
}

} // namespace

typed_campaign measure_typed(config const& settings, profile const& known_costs, double seconds) {
    int rank = 0;
    interpose::check(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
    int const mate = mate_of(interpose::pmpi_bootstrap{}.machines());
    if (mate == 0) return why_not("no other rank is on the machine of rank 0");
    MPI_Comm pair = MPI_COMM_NULL;
    interpose::check(MPI_Comm_split(MPI_COMM_WORLD, rank == 0 || rank == mate ? 0 : MPI_UNDEFINED, rank, &pair), "MPI_Comm_split");
    auto result = measure(pair, mate, settings, known_costs, seconds);
    if (pair != MPI_COMM_NULL) MPI_Comm_free(&pair);
    return result;
}

} // namespace sode::internal::tools
