// SPDX-License-Identifier: Apache-2.0
#include "evaluation/evaluate.hpp"

#include "evaluation/branches.hpp"
#include "evaluation/carriage.hpp"
#include "evaluation/shared_core.hpp"

#include <sode/error.hpp>

#include <algorithm>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sode::internal {
namespace {

constexpr std::uint32_t nobody_waits = ~0U;

struct message_key {
    std::int32_t from, to;
    std::uint32_t number; // of the messages of an epoch between the two
    std::int32_t epoch;
    friend bool operator==(message_key const&, message_key const&) = default;
};
struct hash_of_key {
    std::size_t operator()(message_key const& k) const noexcept {
        auto h = static_cast<std::uint64_t>(static_cast<std::uint32_t>(k.from)) << 32U | static_cast<std::uint32_t>(k.to);
        h = (h ^ k.number ^ static_cast<std::uint64_t>(k.epoch) << 20U) * 0x9e3779b97f4a7c15ULL;
        return static_cast<std::size_t>(h ^ h >> 29U);
    }
};

class simulation {
public:
    simulation(step_table const& table, machine_map const& machines, topology const& wires, evaluation_costs const& costs,
               evaluation_options const& options)
        : table_(table), machines_(machines), costs_(costs), options_(options), steps_(table.steps()),
          ranks_(static_cast<std::size_t>(table.ranks())), actors_(table.streams().size()), lines_(table.lines()),
          carriage_(wires, costs, options.inner), offloaded_(costs.runner == plan_runner::interfaces) {
        for (std::size_t a = 0; a < actors_.size(); ++a) {
            actors_[a].rank = table.streams()[a].rank;
            actors_[a].nic = table.streams()[a].nic;
        }
        if (offloaded_) branches_ = branches{table};
        result_.ends.resize(ranks_.size());
        for (std::size_t c = 0; c < table.cores().cores(); ++c)
            cores_.push_back({.turns{static_cast<int>(table.cores().ranks_of(static_cast<int>(c)).size()), costs.yield}});
    }

    evaluation run() {
        for (std::size_t r = 0; r < ranks_.size(); ++r) first_start(r);
        while (!events_.empty()) {
            auto const e = events_.top();
            events_.pop();
            if (e.what < actors_.size()) {
                come_to(e.what, e.time);
            } else if (auto const n = e.what - actors_.size(); n < cores_.size()) {
                turn_of(cores_[n], e.time);
            } else {
                auto const place = n - cores_.size();
                auto const given = signals_[place];
                free_.push_back(static_cast<std::uint32_t>(place));
                give(given, e.time);
            }
        }
        result_.finished = std::all_of(ranks_.begin(), ranks_.end(),
                                       [&](rank_state const& r) { return r.epoch == options_.epochs && r.running == 0; });
        for (auto const& r : ranks_) {
            result_.busiest_core = std::max(result_.busiest_core, r.busy);
            last_ = std::max(last_, r.ended);
        }
        for (std::size_t c = 0; c < cores_.size(); ++c) {
            double busy = 0;
            for (int const r : table_.cores().ranks_of(static_cast<int>(c))) busy += ranks_[static_cast<std::size_t>(r)].busy;
            result_.busiest_core = std::max(result_.busiest_core, busy);
        }
        for (double const end : result_.ends) result_.epoch = std::max(result_.epoch, end);
        if (options_.epochs > 1) result_.repeated = (last_ - result_.epoch) / (options_.epochs - 1);
        result_.busiest_link = carriage_.busiest_link();
        return std::move(result_);
    }

private:
    using step = step_table::step;
    static constexpr auto no_line = step_table::no_line;
    struct signal {
        std::uint32_t line = no_line;
        bool sum = false;
        bool arrives = false;   // of what another machine has sent
        std::int32_t from = -1; // the rank that says it
        std::int64_t value = 0;
    };
    // Small, because there are hundreds of thousands at a time.
    struct event {
        double time = 0;
        std::uint32_t order = 0; // among those of one time: as they came
        std::uint32_t what = 0;  // an actor goes on; then by number, a core goes to the next rank, or a signal is given
        bool operator<(event const& other) const noexcept {
            return time != other.time ? time > other.time : static_cast<std::int32_t>(order - other.order) > 0;
        }
    };
    struct actor_state {
        std::int32_t rank = 0;
        std::uint8_t nic = 0;
        std::uint32_t at = 0;
        std::uint32_t next = nobody_waits; // who waits for the same line
        bool has_line = false;             // it has come from the other core
        bool waited = false;               // and for it the stream has waited
        bool running = false;              // of a rank on a shared core that has it
        std::vector<loop_turn> turns{};
    };
    struct rank_state {
        int epoch = 0;
        std::uint32_t running = 0;
        double core_free = 0, busy = 0, ended = 0;
        std::vector<std::uint32_t> ready{}; // streams that wait for a shared core
    };
    // A core that ranks share.
    struct core_state {
        shared_core turns{};
        int next = -1;   // the rank whose turn comes
        double at = 0;   // then
        int running = 0; // streams of the rank that has it
    };
    struct line_state {
        std::int64_t value = 0;
        std::int32_t from = -1; // who has said it
        std::uint32_t waiter = nobody_waits;
    };
    // One end of a message that has begun.
    struct end_of_message {
        bool sends = false;
        std::uint8_t nic = 0;
        double time = 0;
        std::int64_t bytes = 0;
        signal completes{}; // its own; nothing if it has none
    };

    void go_on_at(std::uint32_t actor, double time) { events_.push({time, order_++, actor}); }
    void give_at(double time, signal const& s) {
        if (s.line == no_line) return;
        if (free_.empty()) {
            free_.push_back(static_cast<std::uint32_t>(signals_.size()));
            signals_.emplace_back();
        }
        auto const place = free_.back();
        free_.pop_back();
        signals_[place] = s;
        events_.push({time, order_++, static_cast<std::uint32_t>(actors_.size() + cores_.size()) + place});
    }

    [[nodiscard]] core_state& core_of(std::int32_t rank) { return cores_[static_cast<std::size_t>(table_.cores().of(rank))]; }

    void first_start(std::size_t r) {
        if (cores_.empty()) return start(r, 0);
        wants(static_cast<std::int32_t>(r), 0);
    }
    // A stream can go on. On a shared core, when its rank has it.
    void come_to(std::uint32_t actor, double time) {
        auto& a = actors_[actor];
        if (cores_.empty() || a.running) return run_from(actor, time);
        auto& core = core_of(a.rank);
        if (!core.turns.runs(table_.cores().place(a.rank))) {
            ranks_[static_cast<std::size_t>(a.rank)].ready.push_back(actor);
            return wants(a.rank, time);
        }
        a.running = true;
        ++core.running;
        run_from(actor, time);
    }
    // Its streams that wait look for their words all the time.
    [[nodiscard]] bool looks(std::int32_t rank) {
        return table_.cores().beside(rank) == 1 || core_of(rank).turns.runs(table_.cores().place(rank));
    }
    void wants(std::int32_t rank, double time) {
        auto& core = core_of(rank);
        if (!core.turns.idle()) return; // it is asked when the core is given up
        double const at = core.turns.turn(table_.cores().place(rank), time);
        if (core.next >= 0 && core.at <= at) return;
        core.next = rank;
        core.at = at;
        events_.push(
            {at, order_++, static_cast<std::uint32_t>(actors_.size() + static_cast<std::size_t>(table_.cores().of(rank)))});
    }
    void turn_of(core_state& core, double time) {
        if (core.next < 0 || core.at != time || !core.turns.idle()) return; // another one was earlier
        auto const r = static_cast<std::size_t>(std::exchange(core.next, -1));
        auto& rank = ranks_[r];
        core.turns.run(table_.cores().place(static_cast<std::int32_t>(r)));
        rank.core_free = time;
        if (rank.epoch == 0) start(r, time);
        for (auto const actor : std::exchange(rank.ready, {})) {
            actors_[actor].running = true;
            ++core.running;
            go_on_at(actor, time);
        }
        go_round(static_cast<std::int32_t>(r));
    }
    // A stream of the rank that has the core waits, or is over; then, when nothing else of the rank runs, the next rank has its
    // turn.
    void stop(actor_state& a) {
        if (cores_.empty()) return;
        a.running = false;
        --core_of(a.rank).running;
    }
    void go_round(std::int32_t rank) {
        if (cores_.empty()) return;
        if (auto& core = core_of(rank); core.running == 0) give_up(core, ranks_[static_cast<std::size_t>(rank)].core_free);
    }
    void give_up(core_state& core, double time) {
        core.turns.give_up(time);
        auto const number = static_cast<int>(&core - cores_.data());
        for (int const r : table_.cores().ranks_of(number)) {
            auto const& rank = ranks_[static_cast<std::size_t>(r)];
            if (!rank.ready.empty() || rank.epoch == 0) wants(r, time);
        }
    }

    void start(std::size_t r, double time) {
        auto& rank = ranks_[r];
        if (rank.epoch == options_.epochs) return;
        ++rank.epoch;
        double const starting = costs_.start + costs_.queued * static_cast<double>(branches_.queued(r));
        if (rank.epoch == 1) {
            result_.starting = std::max(result_.starting, starting);
            result_.planning = std::max(result_.planning, costs_.planned + costs_.made * static_cast<double>(branches_.queued(r)));
        }
        rank.busy += starting;
        time += starting;
        rank.core_free = std::max(rank.core_free, time);
        if (costs_.runner == plan_runner::thread) time += costs_.wake;
        for (auto a = table_.first_stream(r); a < table_.first_stream(r + 1); ++a) {
            ++rank.running;
            actors_[a].at = table_.streams()[a].first;
            if (!cores_.empty()) {
                actors_[a].running = true;
                ++core_of(actors_[a].rank).running;
            }
            go_on_at(a, time);
        }
        if (rank.running == 0) end(r, time);
    }
    void end(std::size_t r, double time) {
        auto& rank = ranks_[r];
        if (costs_.runner != plan_runner::caller) time += costs_.wake;
        if (rank.epoch == 1) result_.ends[r] = time;
        rank.ended = time;
        start(r, time);
    }

    [[nodiscard]] static std::uint32_t line_of(step_table::line const& l, int epoch) noexcept {
        return l.first + static_cast<std::uint32_t>(epoch) % l.slots;
    }

    [[nodiscard]] double work_of(step const& s, std::int32_t rank) const {
        // What comes costs its bytes when it is there.
        if (s.op == operation::receive) return between(rank, s.peer).protocol_for(s.bytes).overhead;
        if (s.op == operation::send || s.op == operation::put) return host_time(rank, s.peer, s.bytes);
        if (s.op == operation::landing) return 0;
        if (s.bytes == 0) return costs_.step;
        return costs_.step + static_cast<double>(s.bytes) * byte_of(s);
    }
    // A copy takes as long as its slower end. A reduction reads two operands and writes its result; to read alone is half a copy.
    [[nodiscard]] double byte_of(step const& s) const noexcept {
        double const local = s.among > costs_.cache_bytes ? costs_.local_byte_big : costs_.local_byte;
        double const written = s.shown ? std::max(costs_.shared_byte, local) : local;
        // A wide copy takes lines without reading them; what is computed is stored, line by line.
        if (s.op == operation::reduce)
            return s.theirs * costs_.shared_byte + (2 - s.theirs) * local / 2 +
                   (s.shown ? std::max(costs_.reclaim_byte, written) : written);
        return s.theirs == 0 ? written : std::max(costs_.shared_byte, written);
    }

    // As far as nothing else happens before.
    void run_from(std::uint32_t actor, double time) {
        while (take_step(actor, time)) {
            if (!events_.empty() && events_.top().time <= time) return go_on_at(actor, time);
        }
    }
    // \return it goes on, at `time` from now on
    bool take_step(std::uint32_t actor, double& time) {
        auto& a = actors_[actor];
        auto& rank = ranks_[static_cast<std::size_t>(a.rank)];
        auto const& d = steps_[a.at];
        auto const shift = d.strides == 0 ? loop_shift{} : shift_of(table_.strides(), d.strides, a.turns.data(), a.turns.size());
        if (d.trigger.first != no_line) {
            auto& line = lines_[line_of(d.trigger, rank.epoch)];
            if (line.value < d.trigger.value + shift.threshold + std::int64_t{rank.epoch} * d.trigger.step) {
                a.next = std::exchange(line.waiter, actor);
                stop(a);
                go_round(a.rank);
                return false;
            }
            // Who comes late finds it in the other core's cache, and waits for it as well.
            if (double const way = way_of_word(line.from, a.rank); way > 0 && !std::exchange(a.has_line, true)) {
                rank.core_free = std::max(rank.core_free, time) + way;
                go_on_at(actor, rank.core_free);
                return false;
            }
        }
        ++result_.steps;
        if (d.op == operation::end) {
            stop(a);
            if (--rank.running == 0) end(static_cast<std::size_t>(a.rank), time);
            go_round(a.rank);
            return false;
        }
        // An interface does all but what computes.
        bool const by_interface = offloaded_ && !moves_data(d.op);
        if (offloaded_ && !by_interface) time += costs_.wake;
        // Who has waited for the word loads what it tells of only now. Who comes late loads both at once.
        if (std::exchange(a.waited, false) && d.theirs > 0) time += costs_.flag / 2;
        double const begin = by_interface ? time : std::max(time, rank.core_free), work = by_interface ? 0 : work_of(d, a.rank);
        double const done = time = begin + work;
        if (!by_interface) rank.core_free = done;
        rank.busy += work;
        if (options_.timeline && d.op != operation::loop && d.op != operation::end_loop)
            result_.timeline.push_back(
                {a.rank, actor - table_.first_stream(static_cast<std::size_t>(a.rank)), d.op, d.peer, begin, done, by_interface});
        signal given{.from = a.rank};
        if (d.signal.first != no_line) {
            given.line = line_of(d.signal, rank.epoch);
            given.sum = d.sum;
            given.value = d.signal.value + shift.value + (d.sum ? 0 : std::int64_t{rank.epoch} * d.signal.step);
        }
        go_on(a, d);
        if (is_message(d.op) || is_put(d.op))
            begin_message(a.rank, d, {.nic = a.nic, .time = done, .completes = given});
        else
            give_at(done, given);
        return true;
    }

    void go_on(actor_state& a, step const& d) const {
        a.has_line = false;
        if (d.op == operation::loop) {
            a.turns.push_back({a.at++, 0});
        } else if (d.op == operation::end_loop) {
            if (auto& turn = a.turns.back(); ++turn.iteration < steps_[turn.loop].argument) {
                a.at = turn.loop + 1;
            } else {
                ++a.at;
                a.turns.pop_back();
            }
        } else {
            ++a.at;
        }
    }

    // A short message and a put leave when the sender is ready, a long message when both ends are.
    void begin_message(std::int32_t rank, step const& d, end_of_message mine) {
        bool const put = is_put(d.op);
        mine.sends = d.op == operation::send || d.op == operation::put;
        mine.bytes = d.bytes;
        auto const from = mine.sends ? rank : d.peer, to = mine.sends ? d.peer : rank;
        auto const& costs = between(from, to);
        bool const at_once = put || mine.bytes <= costs.eager;
        if (mine.sends && at_once) {
            // Both ends of a put name the one signal that there is: that it has arrived.
            if (put) mine.completes.line = no_line;
            mine.time = arrival(from, to, mine.time, mine);
        }
        message_key const key{from, to, d.argument + (put ? 1U << 31U : 0U), ranks_[static_cast<std::size_t>(rank)].epoch};
        auto const [found, first] = begun_.try_emplace(key, mine);
        if (first) return;
        auto const other = found->second;
        begun_.erase(found);
        auto const& send = mine.sends ? mine : other;
        auto const& receive = mine.sends ? other : mine;
        auto const latency = costs.protocol_for(mine.bytes).latency;
        auto const arrives = at_once ? send.time : arrival(from, to, std::max(send.time, receive.time + latency), send);
        auto completes = receive.completes;
        completes.arrives = true;
        give_at(std::max(arrives, receive.time) + (offloaded_ ? costs_.trigger : host_time(from, to, mine.bytes)), completes);
    }

    [[nodiscard]] double host_time(int rank, int peer, std::int64_t bytes) const {
        auto const p = between(rank, peer).protocol_for(bytes);
        return p.overhead + p.host_byte * static_cast<double>(bytes);
    }
    [[nodiscard]] evaluation_costs const& between(int from, int to) const {
        return carriage_.costs(machines_.of(from), machines_.of(to));
    }

    // When the last byte of a message that leaves then is there; tells its sender when it has left.
    double arrival(int from, int to, double ready, end_of_message const& send) {
        ++result_.messages;
        result_.bytes += static_cast<std::uint64_t>(send.bytes);
        auto const passed = carriage_.pass(machines_.of(from), machines_.of(to), send.nic, ready, send.bytes);
        give_at(passed.left, send.completes);
        return passed.arrived;
    }

    // What has arrived moves one queue of an interface on. The others that send it wait for a packet each.
    double delayed(std::uint32_t actor, signal const& s, double time) {
        if (!s.arrives || branches_.more(s.line) == 0 || actor == branches_.first(s.line)) return time;
        return time + costs_.packet + costs_.loopback;
    }
    void branch(signal const& s, double time) {
        auto const more = branches_.more(s.line);
        if (!s.arrives || more == 0) return;
        auto const& first = actors_[branches_.first(s.line)];
        carriage_.occupy(machines_.of(first.rank), first.nic, time, more * costs_.packet);
    }

    // Until a rank sees what another one has said. What is said of messages is said by who has them.
    [[nodiscard]] double way_of_word(std::int32_t from, std::int32_t to) const noexcept {
        return table_.cores().together(from, to) ? 0 : costs_.flag;
    }

    void give(signal const& s, double time) {
        auto& line = lines_[s.line];
        line.value = s.sum ? line.value + s.value : std::max(line.value, s.value);
        line.from = s.from;
        for (auto w = std::exchange(line.waiter, nobody_waits); w != nobody_waits;) {
            auto const next = actors_[w].next;
            // Who does not look now, because its core is another rank's, comes late to it at its turn.
            double const way = looks(actors_[w].rank) ? way_of_word(s.from, actors_[w].rank) : 0;
            actors_[w].has_line = actors_[w].waited = way > 0;
            go_on_at(w, delayed(w, s, time) + way);
            w = next;
        }
        if (offloaded_) branch(s, time);
    }

    step_table const& table_;
    machine_map const& machines_;
    evaluation_costs const& costs_;
    evaluation_options const& options_;
    std::span<step const> steps_;
    std::vector<rank_state> ranks_;
    std::vector<actor_state> actors_; // streams
    std::vector<line_state> lines_;
    std::vector<core_state> cores_; // that ranks share
    carriage carriage_;
    branches branches_; // none, if nothing is offloaded
    bool offloaded_;
    std::unordered_map<message_key, end_of_message, hash_of_key> begun_;
    std::priority_queue<event> events_;
    std::vector<signal> signals_;     // that events give
    std::vector<std::uint32_t> free_; // places there
    std::uint32_t order_ = 0;
    double last_ = 0;
    evaluation result_;
};

} // namespace

evaluation evaluate(step_table const& plans, machine_map const& machines, topology const& wires, evaluation_costs const& costs,
                    evaluation_options const& options) {
    if (plans.cores().shared() && costs.runner != plan_runner::caller)
        throw error{error_kind::internal, "ranks that share cores are evaluated with engine inline only",
                    "the model does not share cores with the threads of other engines", "report this defect of Sode"};
    return simulation{plans, machines, wires, costs, options}.run();
}

} // namespace sode::internal
