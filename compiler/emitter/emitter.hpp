// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "compiler/accelerators/device_sets.hpp"
#include "compiler/unit/unit.hpp"

#include <memory>
#include <string_view>

namespace sode::compiler {

class counted_loop;

/// Memory that an item of a directive names: address and bytes, and what stands before the use of both and behind it.
struct named_memory {
    std::string address, bytes, before, behind;
    std::string part; ///< of a distributed array: which, and what of it; "": of no such array

    /// What complains about nodes of `set` that do not have that part.
    [[nodiscard]] std::string required(std::string const& at, std::string const& set) const;
};

/// Writes C in place of directives. Everything stands on the directive's own line, so that line numbers stay the user's.
class emitter {
public:
    explicit emitter(unit& u) : unit_(u) {}
    void run();

private:
    // emitter.cpp
    void declare(directive const& d, std::string const& declaration, std::string const& action);
    void nothing(directive const& d);
    void local_views();
    void finish();

    // mappings.cpp
    void nodes(directive const& d);
    void nodes(directive const& d, std::string& declarations, std::string& actions) const;
    void index_space(directive const& d);
    void index_space(directive const& d, std::string& declarations, std::string& actions) const;
    [[nodiscard]] std::string range(reference const& r, dimension const& dim, bool nodes) const;
    [[nodiscard]] std::vector<std::string> ranges(reference const& r, directive const& of) const;
    void distribute(directive const& d);
    void fix(directive const& d);
    [[nodiscard]] std::vector<std::string> formats(std::vector<dimension> const& dims) const;

    // arrays.cpp
    void align(directive const& d);
    void declarators();
    [[nodiscard]] std::string made(aligned_array const& a) const;
    [[nodiscard]] static std::string member_base(aligned_array const& a);
    [[nodiscard]] static std::string based(aligned_array const& a);
    [[nodiscard]] std::string offset(aligned_array const& a, std::size_t dim, int at = 0) const;
    [[nodiscard]] std::string view(aligned_array const& a, std::string const& name) const;
    [[nodiscard]] std::string pitches(aligned_array const& a) const;
    [[nodiscard]] long constant_pitch(aligned_array const& a, std::size_t dim) const;
    [[nodiscard]] std::optional<long> constant_shadow(aligned_array const& a, std::size_t dim) const;
    [[nodiscard]] std::optional<long> declared_extent(aligned_array const& a, std::size_t dim) const;
    [[nodiscard]] directive const* made_later(directive const& d) const;
    void shadow(directive const& d);
    [[nodiscard]] std::string widths_given(directive const& d, std::string const& name, std::vector<dimension> const& dims) const;
    [[nodiscard]] std::vector<std::string> extents(aligned_array const& a) const;
    [[nodiscard]] std::string extent(clang::Expr const* e) const;
    [[nodiscard]] std::vector<std::string> declared_extents(aligned_array const& a) const;
    [[nodiscard]] std::string cut_pointer(aligned_array const& a) const;

    // references.cpp
    void references();
    friend class reference_visitor;
    friend class section_assignment;

    // loops.cpp
    void count_loops();
    void loop(directive const& d);
    friend class loop_writer;
    friend class counted_loop;
    friend class loop_reach;

    // accelerators.cpp
    void accelerator(directive const& d);
    friend class accelerator_writer;
    [[nodiscard]] std::string loop_in_region(directive const& d);

    // device_sets.cpp
    static std::string device_set_object(std::string const& name);
    void devices(directive const& d);
    [[nodiscard]] directive const* laid_out_by(clang::Expr const* array) const;
    [[nodiscard]] std::string named_devices(directive const& d, openacc_clause const& on) const;
    [[nodiscard]] std::optional<device_set> device_set_of(directive const& d) const;
    void layout_of_loop(directive const& d, device_set& set) const;
    void layout_of_data(directive const& d, device_set& set) const;
    void share_loops();
    [[nodiscard]] bool at_once(directive const& d) const;
    [[nodiscard]] std::string shared(directive const& loop, dimension const& dim, clang::Token const* index,
                                     std::string const& all) const;

    // communication.cpp
    /// The directive is about what is on the device. Without -acc everything is on the host.
    [[nodiscard]] bool on_device(directive const& d) const { return d.accelerated && unit_.directives.accelerators; }
    void task(directive const& d);
    void tasks(directive const& d);
    void barrier(directive const& d);
    void wait_async(directive const& d);
    void reflect(directive const& d);
    void reduction(directive const& d);
    void bcast(directive const& d);
    void gmove(directive const& d);
    void coarray(directive const& d);
    void image(directive const& d);
    void local_view(directive const& d);
    // packed.cpp
    [[nodiscard]] named_memory memory(directive const& d, expression const& item) const;
    [[nodiscard]] named_memory memory_of(directive const& d, expression const& item) const;
    [[nodiscard]] named_memory packed_by_device(directive const& d, std::vector<clang::ArraySubscriptExpr const*> const& subscripts,
                                                clang::Expr const* root) const;
    [[nodiscard]] std::string part(aligned_array const& a, std::vector<clang::ArraySubscriptExpr const*> const& subscripts) const;
    [[nodiscard]] std::string global_index(clang::Expr const* index, aligned_array const& a, std::size_t dim) const;
    /// How a call begins that translates an index of a cyclic dimension.
    [[nodiscard]] static std::string position_call(aligned_array const& a, std::size_t dim) {
        return "sode_xmp_place(&" + a.state() + "," + std::to_string(dim) + ",";
    }
    /// `searched`: a loop remembers where values of the reductions with locations were found.
    [[nodiscard]] std::string reductions(directive const& d, std::string const& set, bool searched = false) const;
    [[nodiscard]] static std::string search(directive const& d, std::size_t item) {
        return "__sode_l" + std::to_string(d.number) + "_" + std::to_string(item);
    }
    [[nodiscard]] std::string before_reductions(directive const& d, std::string const& set) const;
    [[nodiscard]] std::string side(std::string const& name, clang::Expr const* e) const;

    /// The element type of an array: C's words for it.
    [[nodiscard]] std::string element(aligned_array const& a) const;
    /// Whether all strides are numbers that the compiler knows.
    [[nodiscard]] bool constant_pitches(aligned_array const& a) const;
    /// Which dimension of the template follows dimension `dim` of the array; -1: none.
    [[nodiscard]] int target(aligned_array const& a, std::size_t dim) const;
    /// The format of the template's dimension: "block", "cyclic", "gblock", "*".
    [[nodiscard]] std::string format(aligned_array const& a, std::size_t dim) const;
    /// Whether a dimension lies in memory as it is declared: it is not split, and has no shadow.
    [[nodiscard]] bool as_declared(aligned_array const& a, std::size_t dim) const;
    /// The set of nodes that `on` or `from` names: a C expression.
    [[nodiscard]] std::string set(directive const& d, reference const& r, directive const* of) const;
    [[nodiscard]] bool integer(expression const& e, long& value) const;

    unit& unit_;
    bool reaches_ = false;                                 // the unit has `gmove in` or `out`
    bool meets_ = false;                                   // it makes coarrays by calls, or synchronises images
    bool posts_ = false;                                   // the unit has post or wait
    std::map<directive const*, std::string> before_for_;   // a pragma that stands above a `loop`, and belongs behind it
    std::map<directive const*, std::string> names_before_; // variables of its head that the loop itself reads
    bool names_wanted_ = false;                            // `default(none)` of the construct whose loop comes next
    std::map<directive const*, shared_loop> shared_;       // among devices, by the loop and by the construct
    std::set<directive const*> written_;                   // what is written already
    std::map<clang::ForStmt const*, std::shared_ptr<counted_loop>> counted_;
    std::map<clang::ArraySubscriptExpr const*, std::string> positions_;       // indices whose positions a loop counts
    std::map<directive const*, std::string> task_sets_;                       // variables that say who executes a task of `tasks`
    std::map<directive const*, std::pair<std::string, std::string>> delayed_; // arrays that a `distribute` makes: see declare()
    std::string coarrays_;                                                    // what makes the unit's coarrays
    std::vector<std::string> parts_;                                          // functions that make what the unit has
};

/// SODE_DOUBLE, ...; SODE_BYTES(n) for what is no number.
/// In a template, whose types have no code yet, what says it there: `written` is the type as the program has it.
[[nodiscard]] std::string type_code(clang::ASTContext const& ast, clang::QualType type, std::string const& written = "");
/// The same for a reduction. What is added part by part may be twice as many numbers: long double _Complex has no code of its own.
[[nodiscard]] std::string summand_code(clang::ASTContext const& ast, clang::QualType type, std::string_view operation,
                                       std::string const& written = "");
/// What C++ lets stand where an int64_t is wanted in braces.
[[nodiscard]] std::string as_int64(std::string const& text);
/// `a, b`
[[nodiscard]] std::string listed(char const* type, std::vector<std::string> const& items);
/// `SODE_XMP_LIST(int64_t, a, b)`
[[nodiscard]] std::string list(char const* type, std::vector<std::string> const& items);

} // namespace sode::compiler
