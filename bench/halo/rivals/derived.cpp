// SPDX-License-Identifier: Apache-2.0
// MPI packs: derived types, per direction or per peer, with fresh or with persistent requests.
#include "halo/rivals/rival.hpp"
#include "halo/rivals/typed.hpp"

namespace sode::internal::bench {
namespace {

class derived_isend final : public rival {
public:
    derived_isend(std::string name, rival_world const& w) : rival(std::move(name), w), edges_(one_type_per_direction(data())) {}

    void exchange() override {
        constexpr int tags = 400;
        double* const base = data().base(0);
        for (auto const& e : edges_.receives)
            MPI_Irecv(base, 1, e.type.get(), e.peer, tags + e.tag, communicator(), requests_.next());
        for (auto const& e : edges_.sends) MPI_Isend(base, 1, e.type.get(), e.peer, tags + e.tag, communicator(), requests_.next());
        requests_.wait();
    }

private:
    typed_edges edges_;
    posted_requests requests_;
};

class derived_persistent final : public rival {
public:
    derived_persistent(std::string name, rival_world const& w, bool per_peer)
        : rival(std::move(name), w), edges_(per_peer ? one_type_per_peer(data()) : one_type_per_direction(data())),
          self_(per_peer ? self_copies(data()) : copy_list{}) {
        int const tags = per_peer ? 600 : 500;
        double* const base = data().base(0);
        for (auto const& e : edges_.receives) requests_.receive(base, 1, e.type.get(), e.peer, tags + e.tag, communicator());
        for (auto const& e : edges_.sends) requests_.send(base, 1, e.type.get(), e.peer, tags + e.tag, communicator());
    }

    void exchange() override {
        requests_.start();
        run(self_);
        requests_.wait();
    }

private:
    typed_edges edges_;
    copy_list self_;
    persistent_requests requests_;
};

} // namespace

void add_derived_styles(std::vector<style>& all) {
    add_style<derived_isend>(all, "derived-isend");
    add_style<derived_persistent>(all, "derived-persistent", false);
    add_style<derived_persistent>(all, "struct-persistent", true);
}

} // namespace sode::internal::bench
