// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <memory>
#include <sode/sode.h>
#include <string>
#include <vector>

/// Some nodes of the program, by their ranks in the job, in ascending order of their numbers in the set.
struct sode_xmp_set {
    std::vector<int> ranks;
    int mine = -1;               ///< this rank's number among them; -1: it is none
    sode_runtime* job = nullptr; ///< null until they do something together
    sode_xmp_set const* task = nullptr;
    sode_xmp_set* in_task = nullptr; ///< those of them that `task` has, which was the innermost one when a loop asked last
};

namespace sode::xmp {

/// The program: XcalableMP's directives have no handles, so this is the one thing that a process has one of.
class process {
public:
    static process& here();

    void unit(void (*const* parts)(void));
    void begin();
    /// It has coarrays, posts, or `gmove in`.
    void make_local_view() { local_view_ = true; }
    /// One process is all nodes that are declared.
    void make_serial() { serial_ = true; }
    /// Some unit has coarrays.
    void expect_images() { images_ = true; }
    [[nodiscard]] bool has_images() const { return images_; }
    /// Leaves the job, once: at exit(), or when the program says so.
    void finish();
    [[nodiscard]] bool serial() const { return serial_; }

    /// All nodes.
    sode_xmp_set& world() {
        if (!world_) begin(); // a program that `cc` compiled without `sode cc`
        return *world_;
    }
    /// The executing ones.
    sode_xmp_set& executing() { return executing_.empty() ? world() : *executing_.back(); }
    /// Those of the innermost task: the nodes of an iteration are some of them.
    sode_xmp_set& of_task() { return tasks_.empty() ? world() : *tasks_.back(); }
    /// Whether all nodes of the program are in that task.
    bool all_in_task() { return tasks_.empty() || tasks_.back()->ranks.size() == world().ranks.size(); }
    /// Those with these ranks in the job.
    sode_xmp_set& set_of(std::vector<int> ranks);
    /// `set` with a job of its own. Collective among its nodes.
    sode_runtime* job_of(char const* at, sode_xmp_set& set);
    void enter(sode_xmp_set& set) { executing_.push_back(&set); }
    void enter_task(sode_xmp_set& set) {
        enter(set);
        tasks_.push_back(&set);
    }
    void leave() { executing_.pop_back(); }
    void leave_task() {
        leave();
        tasks_.pop_back();
    }
    /// What is done before the job is left.
    void before_end(void (*act)()) { last_acts_.push_back(act); }

private:
    process() = default;

    std::vector<void (*const*)(void)> units_;
    std::size_t made_ = 0; // units whose parts have run
    bool serial_ = false, images_ = false, local_view_ = false, over_ = false;
    std::unique_ptr<sode_xmp_set> world_;
    std::map<std::vector<int>, std::unique_ptr<sode_xmp_set>> sets_;
    std::vector<sode_xmp_set*> executing_, tasks_;
    std::vector<void (*)()> last_acts_;
};

/// Ends the program with a message: "file:line: problem (why)", and the suggestion below it.
[[noreturn]] void fail(char const* where, std::string const& problem, std::string const& suggestion);
/// Whether all of these ranks are nodes of the innermost task.
[[nodiscard]] bool in_task(std::vector<int> const& ranks);
/// Ends the program with the job's message unless `code` is SODE_OK.
void check(char const* where, int code, sode_runtime const* job);

} // namespace sode::xmp
