// SPDX-License-Identifier: Apache-2.0
// The two everyday styles: faces packed, one dimension after another, with fresh or with persistent requests.
#include "halo/rivals/mpi_handles.hpp"
#include "halo/rivals/phases.hpp"
#include "halo/rivals/rival.hpp"

namespace sode::internal::bench {
namespace {

class packed_isend final : public rival {
public:
    packed_isend(std::string name, rival_world const& w) : rival(std::move(name), w), phases_(dimension_by_dimension(data())) {}

    void exchange() override {
        for (auto& p : phases_) {
            for (auto const& m : p.receives) MPI_Irecv(m.data, m.bytes, MPI_BYTE, m.peer, m.tag, communicator(), requests_.next());
            run(p.pack);
            for (auto const& m : p.sends) MPI_Isend(m.data, m.bytes, MPI_BYTE, m.peer, m.tag, communicator(), requests_.next());
            run(p.self);
            requests_.wait();
            run(p.unpack);
        }
    }

private:
    std::vector<phase> phases_;
    posted_requests requests_;
};

class packed_persistent final : public rival {
public:
    packed_persistent(std::string name, rival_world const& w) : rival(std::move(name), w), phases_(dimension_by_dimension(data())) {
        constexpr int tags = 100;
        for (auto& p : phases_) {
            auto& r = requests_.emplace_back();
            for (auto const& m : p.receives) r.receive(m.data, m.bytes, MPI_BYTE, m.peer, tags + m.tag, communicator());
            for (auto const& m : p.sends) r.send(m.data, m.bytes, MPI_BYTE, m.peer, tags + m.tag, communicator());
        }
    }

    void exchange() override {
        for (std::size_t i = 0; i < phases_.size(); ++i) {
            auto& p = phases_[i];
            requests_[i].start_receives();
            run(p.pack);
            requests_[i].start_sends();
            run(p.self);
            requests_[i].wait();
            run(p.unpack);
        }
    }

private:
    std::vector<phase> phases_;
    std::vector<persistent_requests> requests_;
};

} // namespace

void add_packed_styles(std::vector<style>& all) {
    add_style<packed_isend>(all, "packed-isend");
    add_style<packed_persistent>(all, "packed-persistent");
}

} // namespace sode::internal::bench
