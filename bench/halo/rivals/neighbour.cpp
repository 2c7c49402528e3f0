// SPDX-License-Identifier: Apache-2.0
// One neighbourhood collective for everything, with a type per direction or per peer.
#include "halo/rivals/rival.hpp"
#include "halo/rivals/typed.hpp"

namespace sode::internal::bench {
namespace {

enum class edges_by { direction, peer };
enum class waiting { blocking, nonblocking };

class neighbour_alltoallw final : public rival {
public:
    neighbour_alltoallw(std::string name, rival_world const& w, edges_by by, waiting how)
        : rival(std::move(name), w), how_(how),
          edges_(by == edges_by::peer ? one_type_per_peer(data()) : one_type_per_direction(data())),
          self_(by == edges_by::peer ? self_copies(data()) : copy_list{}),
          ones_(edges_.sends.size() + edges_.receives.size() + 1, 1), zeros_(ones_.size(), 0) {
        std::vector<int> sources, targets;
        for (auto const& e : edges_.receives) sources.push_back(e.peer), receive_types_.push_back(e.type.get());
        for (auto const& e : edges_.sends) targets.push_back(e.peer), send_types_.push_back(e.type.get());
        MPI_Dist_graph_create_adjacent(communicator(), static_cast<int>(sources.size()), sources.data(), ones_.data(),
                                       static_cast<int>(targets.size()), targets.data(), ones_.data(), MPI_INFO_NULL, 0, &graph_);
    }
    ~neighbour_alltoallw() override { MPI_Comm_free(&graph_); }

    void exchange() override {
        double* const base = data().base(0);
        if (how_ == waiting::blocking) {
            MPI_Neighbor_alltoallw(base, ones_.data(), zeros_.data(), send_types_.data(), base, ones_.data(), zeros_.data(),
                                   receive_types_.data(), graph_);
            run(self_);
            return;
        }
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Ineighbor_alltoallw(base, ones_.data(), zeros_.data(), send_types_.data(), base, ones_.data(), zeros_.data(),
                                receive_types_.data(), graph_, &request);
        run(self_);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }

private:
    waiting how_;
    typed_edges edges_;
    copy_list self_;
    std::vector<int> ones_;
    std::vector<MPI_Aint> zeros_;
    std::vector<MPI_Datatype> send_types_, receive_types_;
    MPI_Comm graph_ = MPI_COMM_NULL;
};

} // namespace

void add_neighbour_styles(std::vector<style>& all) {
    add_style<neighbour_alltoallw>(all, "ineighbor-direction", edges_by::direction, waiting::nonblocking);
    add_style<neighbour_alltoallw>(all, "neighbor-direction", edges_by::direction, waiting::blocking);
    add_style<neighbour_alltoallw>(all, "ineighbor-peer", edges_by::peer, waiting::nonblocking);
    add_style<neighbour_alltoallw>(all, "neighbor-peer", edges_by::peer, waiting::blocking);
}

} // namespace sode::internal::bench
