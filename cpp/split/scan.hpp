// Split search: the best threshold of a column, from the histogram of a node.
//
// Candidate b sends bins 0..b left. If rows of the node are missing, each candidate is scored with
// them on the left and on the right; the last candidate is all values left, missing right ("missing
// against present"). Ties go to the lowest column, then the lowest bin, then missing left: candidates
// come in that order, and only a strictly larger gain replaces the best. In a monotone column,
// candidates whose child values violate the direction are skipped, except missing against present.
#pragma once

#include "data/decision.hpp"
#include "gradient/packing.hpp"
#include "rows/planes.hpp"
#include "split/gain.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace ceiba {

struct Split {
    double gain = -std::numeric_limits<double>::infinity();
    Decision decision;
    double threshold = 0; // exact and approx: the same decision on raw values
    Sums left;
    double child_l2 = 0;              // penalty of its children, besides reg_lambda
    std::vector<Sums> more_left = {}; // of the second output and those after it, if there are more

    bool found() const { return decision.exists(); }
};

// One column of one node.
struct ColumnScan {
    PlanesOf<const std::uint64_t> bins;
    int feature = 0;
    int n_values = 0;         // bins of values
    bool has_missing = false; // the bin after them holds missing values
    const Packing* packing = nullptr;
    const GainRule* rule = nullptr;
    Sums total; // of the node
    double parent_score = 0;
    Bounds bounds;            // of the node; read where the rule is bounded
    int direction = 0;        // of the column: 1 rises, -1 falls
    bool needs_value = false; // missing rows alone on the left are no candidate
    Sums missing;             // where the bins are not those of the column: the missing rows
    bool drawn = false;       // extra trees: only one candidate is tried ...
    std::uint64_t lot = 0;    // ... by this random number (split/drawn.hpp)
    double invalid = 0;       // add_gains: what a candidate adds whose child breaks a minimum
    bool zero_first = false;  // zero is in the first bin (split/row_counts.hpp)

    // The planes as they are packed: one of single words, or one of gradients and one of the rest.
    const std::uint64_t* first() const { return bins.plane(0); }
    const std::uint64_t* rest() const { return bins.n_planes > 1 ? bins.plane(1) : nullptr; }
    const std::uint64_t* counted() const { return bins.plane(bins.n_planes > 1 ? 1 : 0); }
    Pair words(int bin) const {
        return {first()[bin], bins.n_planes > 1 ? rest()[bin] : std::uint64_t{0}};
    }
};

// Columns of two bins, as in a one-hot table, that are scanned in one call.
struct PairColumns {
    static constexpr int kMost = 256;
    int n = 0;
    int features[kMost]; // increasing
    int places[kMost];   // of their first bins, counted from the first bin of the first column
};

// Terms that rank candidates: one entry per candidate, summed over the nodes that share it.
struct RankTerms {
    double *top, *below; // of the cosine; or gains, and nothing
    double* splits;      // nodes that the candidate divides
};

#define CEIBA_DECLARE_SPLIT_KERNELS(arch)                                                          \
    namespace arch {                                                                               \
    double scan_column(const ColumnScan& scan, Split& best);                                       \
    void scan_pairs(const ColumnScan& first, const PairColumns& columns, double* gains,            \
                    Split& best);                                                                  \
    void add_gains(const ColumnScan& scan, double* missing_right, double* missing_left);           \
    void value_gains(const ColumnScan& values, const Pair& below, double* missing_right,           \
                     double* missing_left);                                                        \
    void add_terms(const ColumnScan& scan, const RankTerms& missing_right,                         \
                   const RankTerms& missing_left);                                                 \
    void add_noise(std::uint64_t key, std::uint64_t first, std::uint64_t step, double sigma,       \
                   std::size_t n, double* values);                                                 \
    }
CEIBA_DECLARE_SPLIT_KERNELS(baseline)
CEIBA_DECLARE_SPLIT_KERNELS(avx2)
#undef CEIBA_DECLARE_SPLIT_KERNELS

struct SplitKernels {
    // Replaces `best` where this column has a larger gain. Returns the largest gain of the column, or
    // minus infinity.
    double (*scan_column)(const ColumnScan&, Split& best);
    // The same for several columns of two bins each, without missing values and without directions.
    // `first` scans the first of them; gains[i] receives the gain of columns.features[i].
    void (*scan_pairs)(const ColumnScan& first, const PairColumns& columns, double* gains,
                       Split& best);
    // Symmetric growth, and trees of several outputs: adds the gain of every candidate (`invalid`
    // where a child breaks a minimum, or the children the direction) to two rows of gains.
    // missing_left is not touched where the column has no missing bin.
    void (*add_gains)(const ColumnScan&, double* missing_right, double* missing_left);
    // Exact splits: `values` holds sums of single values instead of bins, and `below` that of all
    // below them. The gain behind every value; missing_left null: not asked for.
    void (*value_gains)(const ColumnScan& values, const Pair& below, double* missing_right,
                        double* missing_left);
    // Candidates that are not ranked by plain gains (split/ranking.hpp): adds the terms of a node.
    // missing_left is not touched where the column has no missing bin.
    void (*add_terms)(const ColumnScan&, const RankTerms& missing_right,
                      const RankTerms& missing_left);
    // values[i] += sigma times the normal number of candidate first + i * step.
    void (*add_noise)(std::uint64_t key, std::uint64_t first, std::uint64_t step, double sigma,
                      std::size_t n, double* values);
};

SplitKernels split_kernels();

// The first bin of values that holds rows, or n_values if none does.
std::size_t first_filled(const ColumnScan& scan);

// Makes "codes up to `last` go left" the decision of a split, with the sums that it sends left.
void take_threshold(const ColumnScan& scan, int last, bool missing_left, Split& split);

// The sums of the rows whose value is missing.
Sums missing_sums(const ColumnScan& scan);

// The sums of the rows that a decision sends left.
Sums left_sums(const ColumnScan& scan, const Decision& decision);

} // namespace ceiba
