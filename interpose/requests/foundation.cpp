// SPDX-License-Identifier: Apache-2.0
#include "interpose/requests/foundation.hpp"

#include "base/warn.hpp"
#include "interpose/calls/entry.hpp"
#include "interpose/calls/next.hpp"
#include "interpose/calls/thread_level.hpp"

#include <algorithm>
#include <new>
#include <unistd.h>

namespace sode::internal::interpose {

namespace {

std::optional<message_path> forced_path(config const& settings) {
    return settings.mpi_path.empty() ? std::nullopt : message_path_from(settings.mpi_path);
}

kept_choices::use use_of_file(config const& settings, machine const& here) {
    using enum kept_choices::use;
    if (settings.choice_file.empty() || !here.is_first()) return no;
    return settings.choice == "fixed" ? read : read_and_write;
}

/// That the program has, whatever MPI has by us.
int level_of_threads() {
    if (int const asked = level_of_program.load(std::memory_order_acquire); asked >= 0) return asked;
    int provided = MPI_THREAD_MULTIPLE;
    mpi_itself().query_thread(&provided);
    return provided;
}

layout_price price_of_layouts(profile const& p) {
    // Of the choices that are made before anything is known of the layouts, near will do.
    datatype_costs const& c = p.of(distance::near).datatypes;
    return {p.new_layout, p.new_layout_entry, c.mpi, c.mpi_list_row, c.mpi_byte};
}

} // namespace

foundation::foundation(config const& settings)
    : here_(settings), forced_(forced_path(settings)), learns_(!forced_ && (settings.choice.empty() || settings.choice == "learn")),
      knows_paths_(!forced_ && settings.choice != "model"),
      kept_(settings.choice_file, use_of_file(settings, here_), here_.learnt()), learnt_(here_.learnt(), learns_),
      price_(price_of_layouts(here_.costs())),
      short_(settings.mpi_eager_bytes > 0 ? short_messages{static_cast<std::int64_t>(settings.mpi_eager_bytes), 0}
                                          : measure_short_messages(here_.ranks())),
      least_bytes_(settings.mpi_eager_bytes > 0 ? short_.eager : here_.costs().least_message_bytes),
      least_standard_bytes_(learns_ ? std::max(least_bytes_, short_.mixed) : least_bytes_),
      types_(static_cast<std::uint64_t>(::getpid())), report_(settings.mpi_report ? std::make_unique<report>() : nullptr),
      one_thread_(level_of_threads() != MPI_THREAD_MULTIPLE) {
    PMPI_Add_error_class(&error_class_);
    PMPI_Add_error_string(error_class_, "a rank on this machine terminated, or was late, while Sode moved one of its messages");
}

bool foundation::layout_pays(MPI_Datatype type, MPI_Count count, int uses) {
    return forced_ || types_.pays(type, count, length_of(count, type), price_, uses);
}

std::nullopt_t foundation::leave(left_alone why, std::int64_t bytes) {
    if (report_) report_->leave(why, bytes);
    return std::nullopt;
}

// No function tells; but one that sends looks, even if it sends to nobody. The communicator is ours: its errors are only codes.
// What has a layout was committed when that was made.
bool foundation::is_committed(MPI_Datatype type, MPI_Count count) {
    if (surely_predefined(type) || types_.known(type, count) != nullptr) return true;
    char nothing = 0;
    return mpi_itself().send(&nothing, 1, type, MPI_PROC_NULL, 0, here_.ranks().communicator()) == MPI_SUCCESS;
}

int foundation::give_mpi_its_turn() {
    int flag = 0; // not of this process alone: of that MPICH 4.0 sees at a glance that nothing has come
    return mpi_itself().iprobe(MPI_ANY_SOURCE, 0, here_.ranks().communicator(), &flag, MPI_STATUS_IGNORE);
}

int foundation::code_of(std::exception const& e) const {
    tell(e);
    if (dynamic_cast<error const*>(&e) != nullptr) return error_class_;
    return dynamic_cast<std::bad_alloc const*>(&e) != nullptr ? MPI_ERR_NO_MEM : MPI_ERR_INTERN;
}

int foundation::raise(MPI_Comm communicator, int code) {
    if (code == MPI_SUCCESS) return code;
    program_called_back const handler;
    PMPI_Comm_call_errhandler(communicator, code);
    return code;
}

} // namespace sode::internal::interpose
