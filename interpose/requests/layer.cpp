// SPDX-License-Identifier: Apache-2.0
#include "interpose/requests/layer.hpp"

#include "base/warn.hpp"
#include "interpose/transport/eager_limit.hpp"

#include <sode/error.hpp>

#include <algorithm>

#include <unistd.h>

namespace sode::interpose {

namespace {

std::optional<message_path> forced_path(config const& settings) {
    return settings.mpi_path.empty() ? std::nullopt : message_path_from(settings.mpi_path);
}

layout_price price_of_layouts(profile const& p) {
    // Of the choices that are made before anything is known of the layouts, near will do.
    datatype_costs const& c = p.datatypes_near;
    return {p.new_layout, p.new_layout_entry, c.mpi, c.mpi_list_row, c.mpi_byte};
}

/// A communicator of the same ranks. Not a duplicate: that would call what the user has attached to his. It is not he who deals
/// with its errors.
bool make_twin(MPI_Comm communicator, MPI_Comm& twin) {
    int rank = 0;
    PMPI_Comm_rank(communicator, &rank);
    return PMPI_Comm_split(communicator, 0, rank, &twin) == MPI_SUCCESS &&
           PMPI_Comm_set_errhandler(twin, MPI_ERRORS_RETURN) == MPI_SUCCESS;
}

} // namespace

layer::layer(config const& settings)
    : here_(settings), forced_(forced_path(settings)), price_(price_of_layouts(here_.costs())),
      eager_bytes_(settings.mpi_eager_bytes > 0 ? static_cast<std::int64_t>(settings.mpi_eager_bytes)
                                                : measure_eager_limit(here_.ranks())),
      least_bytes_(settings.mpi_eager_bytes > 0 ? eager_bytes_ : here_.costs().least_message_bytes),
      types_(static_cast<std::uint64_t>(::getpid())), report_(settings.mpi_report ? std::make_unique<report>() : nullptr),
      outbox_(here_, report_.get()), inbox_(here_, forced_) {
    check(PMPI_Comm_dup(MPI_COMM_SELF, &self_), "MPI_Comm_dup");
    PMPI_Add_error_class(&error_class_);
    PMPI_Add_error_string(error_class_, "a rank of this machine left, or was late, while a message of it was moved by Sode");
}

layer::~layer() {
    outbox_.settle();
    PMPI_Comm_free(&self_);
}

bool layer::wants_pairs(MPI_Count count, MPI_Datatype type) const noexcept {
    if (surely_predefined(type) || !is_long(count, type)) return false;
    MPI_Count size = 0, lower = 0, extent = 0;
    PMPI_Type_size_x(type, &size);
    PMPI_Type_get_true_extent_x(type, &lower, &extent);
    if (extent != size) return true;
    PMPI_Type_get_extent_x(type, &lower, &extent);
    return count > 1 && extent != size;
}

std::optional<bool> layer::remembered_vote(acquaintance& all, std::int64_t kind) {
    constexpr int good_for = 64; // calls
    auto const known = std::find_if(all.votes.begin(), all.votes.end(), [kind](auto const& v) { return v.kind == kind; });
    if (known == all.votes.end() || ++known->calls >= good_for) return std::nullopt;
    return known->by_pairs;
}

bool layer::vote(acquaintance& all, std::int64_t kind, bool wanted) {
    constexpr std::size_t kinds = 16;
    auto& votes = all.votes;
    int any = wanted ? 1 : 0;
    if (PMPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, all.twin) != MPI_SUCCESS) any = 0;
    acquaintance::vote const now{kind, 0, any != 0};
    auto const known = std::find_if(votes.begin(), votes.end(), [kind](auto const& v) { return v.kind == kind; });
    if (known != votes.end()) {
        *known = now;
    } else {
        if (votes.size() == kinds) votes.erase(votes.begin());
        votes.push_back(now);
    }
    return now.by_pairs;
}

acquaintance* layer::pairs_of(MPI_Comm communicator, bool by_stages) {
    using pairing = acquaintance::pairing;
    acquaintance* const known = peers_.of(communicator);
    if (known == nullptr) return nullptr;
    if (known->pairs == pairing::undecided) {
        bool all = known->in_world.size() > 1, reach = true;
        for (int const rank : known->in_world) {
            if (rank == here_.rank()) continue;
            all = all && here_.neighbour(rank);
            reach = reach && here_.reachable(rank);
        }
        known->pairs = !all ? pairing::none : reach ? pairing::by_buffers : pairing::by_stages;
        if (all && !make_twin(communicator, known->twin)) known->pairs = pairing::none;
    }
    bool const can = known->pairs == pairing::by_buffers || (known->pairs == pairing::by_stages && by_stages);
    return can ? known : nullptr;
}

std::string layer::told() {
    if (report_) here_.ranks().barrier(); // what was received late counts, too
    outbox_.settle();
    return report_ ? report_->text(here_.ranks()) : std::string{};
}

std::nullopt_t layer::leave(left_alone why, std::int64_t bytes) {
    if (report_) report_->leave(why, bytes);
    return std::nullopt;
}

int layer::code_of(error const& e) const {
    tell(e);
    return error_class_;
}

int layer::raise(MPI_Comm communicator, int code) {
    if (code != MPI_SUCCESS) PMPI_Comm_call_errhandler(communicator, code);
    return code;
}

bool layer::layout_pays(MPI_Datatype type, MPI_Count count) {
    return forced_ || types_.pays(type, count, length_of(count, type), price_);
}

void layer::progress() {
    if (requests_.empty() || !requests_.receiving()) return;
    constexpr std::size_t at_a_time = 8;
    requests_.some(at_a_time, [this](MPI_Request request, tracked_request& entry) { return poll(request, entry); });
}

} // namespace sode::interpose
