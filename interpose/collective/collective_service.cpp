// SPDX-License-Identifier: Apache-2.0
#include "interpose/collective/collective_service.hpp"

#include "base/meanwhile.hpp"
#include "interpose/calls/entry.hpp"
#include "interpose/calls/thread_level.hpp"
#include "interpose/collective/packing_room.hpp"
#include "interpose/transport/machines_bootstrap.hpp"
#include "model/job.hpp"

#include <algorithm>
#include <array>
#include <sched.h>
#include <utility>

namespace sode::internal::interpose {

namespace {

// Of these a job of ours would make more than a program without it has: threads, files.
config for_collectives(config settings) {
    settings.threads = 1;
    settings.engine.clear();
    settings.engine_cores.clear();
    settings.trace.clear();
    settings.channel.clear();
    settings.space = "segment";       // what users pass is no memory of ours, wherever ranks are
    settings.check.collective = true; // ranks that call different things shall hear of it
    settings.check.halo = false;
    return settings;
}

} // namespace

collective_service::collective_service(foundation& base, config settings)
    : base_(base), settings_(for_collectives(std::move(settings))) {
    int threads = MPI_THREAD_SINGLE;
    mpi_itself().query_thread(&threads);
    int const asked = level_of_program.load();
    bool const helper_may_call_mpi = asked >= 0 && threads == MPI_THREAD_MULTIPLE;
    if (asked >= 0) threads = asked;
    auto& here = base.here();
    bool const mine = settings_.mpi_collectives != "off" && threads != MPI_THREAD_MULTIPLE;
    // A rank that asks for plans always gets them, as do those that it calls with.
    bool const goes_by_model = settings_.mpi_collectives.empty() && settings_.choice == "model";
    std::array<std::uint64_t, 4> maxima{mine ? 0U : 1U, settings_.mpi_collectives == "on" ? 1U : 0U, goes_by_model ? 1U : 0U,
                                        helper_may_call_mpi ? 0U : 1U};
    static_cast<bootstrap&>(here.ranks()).combine(maxima, {});
    int const machine_size = std::exchange(settings_.machine_size, 0); // the layer's machines are divided already,
    settings_.spins = here.waiting().spins;                            // and share processors
    always_ = maxima[1] != 0;
    tries_ = !always_ && maxima[2] == 0;
    on_ = maxima[0] == 0 && here.ranks().size() > 1;
    if (!on_) return;
    packing_room::share_among(static_cast<int>(here.members().size()));
    check(PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, let_go, &key_, nullptr), "MPI_Comm_create_keyval");
    // A rank that waits for us may owe others a message, which MPI moves only while it is called.
    do_meanwhile([]() noexcept {
        if (auto* const all = serving.load(std::memory_order_acquire)) all->go_on();
    });
    if (maxima[3] == 0 && here.has_other_machines())
        spanning_ = std::make_shared<detail::job>(std::make_unique<machines_bootstrap>(MPI_COMM_WORLD, machine_size), settings_);
}

collective_service::~collective_service() {
    if (!on_) return;
    started_.finish();
    end_outliving();
    for (auto const& one : {job_, spanning_})
        if (one) one->end();
    for (auto left = all_.size() + 1; !all_.empty() && all_.size() < left;) { // MPI may refuse
        left = all_.size();
        PMPI_Comm_delete_attr((*all_.begin())->communicator(), key_);
    }
    outliving_.clear();
    kept_.clear();
    job_.reset();
    spanning_.reset();
    do_meanwhile(nullptr);
    PMPI_Comm_free_keyval(&key_);
}

// In MPI_Finalize, to which all ranks come.
void collective_service::end_outliving() {
    for (bool some = true; some;) {
        some = false;
        for (auto const& one : outliving_) some = (!one->are_over(true) && !one->must_stay()) || some;
        if (some) sched_yield();
    }
}

void collective_service::look_after_outliving() {
    std::erase_if(outliving_, [](auto const& one) { return one->are_over(); });
}

void collective_service::keep(std::unique_ptr<outliving_plans> plans) {
    look_after_outliving();
    outliving_.push_back(std::move(plans));
}

void collective_service::keep(std::vector<std::unique_ptr<repeated_plan>>&& plans) {
    for (auto& one : plans)
        if (one) {
            one->outlive_communicator();
            kept_.push_back(std::move(one));
        }
    plans.clear();
}

std::string collective_service::text() {
    return base_.told() != nullptr ? report_.text(base_.here().ranks()) : std::string{};
}

communicator_plans* collective_service::known(MPI_Comm communicator) const {
    communicator_plans* known = nullptr;
    int there = 0;
    if (!on_ || communicator == MPI_COMM_NULL) return nullptr;
    bool const told = PMPI_Comm_get_attr(communicator, key_, &known, &there) == MPI_SUCCESS && there != 0;
    return told ? known : nullptr;
}

communicator_plans* collective_service::find(MPI_Comm communicator) {
    communicator_plans* known = nullptr;
    int there = 0;
    if (PMPI_Comm_get_attr(communicator, key_, &known, &there) != MPI_SUCCESS) return nullptr;
    if (there == 0) {
        if (base_.communicators().is_ending(communicator)) return nullptr;
        auto made = std::make_unique<communicator_plans>(*this, communicator);
        if (PMPI_Comm_set_attr(communicator, key_, made.get()) != MPI_SUCCESS) return nullptr;
        known = made.release();
        all_.insert(known);
    }
    recent_[place_of(communicator)] = known;
    return known;
}

// Perhaps long after MPI_Comm_free, even when nobody is served any more.
int collective_service::let_go(MPI_Comm, int, void* attribute, void*) {
    entry const call;
    auto* const known = static_cast<communicator_plans*>(attribute);
    if (auto* const all = serving.load(std::memory_order_acquire)) all->forget(known);
    delete known; // NOLINT(cppcoreguidelines-owning-memory): MPI was the owner
    return MPI_SUCCESS;
}

std::vector<int> collective_service::members_of(MPI_Comm communicator) {
    acquaintance const* const known = base_.communicators().of(communicator);
    if (known == nullptr || std::ranges::find(known->in_world, -1) != known->in_world.end()) return {};
    return known->in_world;
}

bool collective_service::is_whole(std::span<int const> members) const noexcept {
    return static_cast<int>(members.size()) == base_.here().members().size();
}

detail::job& collective_service::job_of_machine() {
    if (job_) return *job_;
    if (!base_.here().has_other_machines()) {
        job_ = std::make_shared<detail::job>(std::make_unique<pmpi_bootstrap>(), settings_);
        return *job_;
    }
    std::vector<int> ranks;
    for (int const r : base_.here().members()) ranks.push_back(r);
    MPI_Group world = MPI_GROUP_NULL, here = MPI_GROUP_NULL;
    MPI_Comm among = MPI_COMM_NULL;
    check(PMPI_Comm_group(base_.here().ranks().communicator(), &world), "MPI_Comm_group");
    check(PMPI_Group_incl(world, static_cast<int>(ranks.size()), ranks.data(), &here), "MPI_Group_incl");
    check(PMPI_Comm_create_group(base_.here().ranks().communicator(), here, 0, &among), "MPI_Comm_create_group");
    PMPI_Group_free(&here);
    PMPI_Group_free(&world);
    auto boot = std::make_unique<pmpi_bootstrap>(among);
    PMPI_Comm_free(&among);
    job_ = std::make_shared<detail::job>(std::move(boot), settings_);
    return *job_;
}

} // namespace sode::internal::interpose
