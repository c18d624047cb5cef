#include "split/category.hpp"

#include "split/exact_walk.hpp"
#include "split/row_counts.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace ceiba {

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

// A level that a set may contain.
struct Level {
    double ratio;
    Code code;
    double count;
};

struct RealSums {
    double gradient, hessian;
};

RealSums real(const Sums& sums, const Packing& packing) {
    return {static_cast<double>(sums.gradient) * packing.gradient_unit,
            static_cast<double>(sums.hessian) * packing.hessian_unit};
}

CosineTerms terms_of_children(const ColumnScan& node, const Sums& set, const Sums& added) {
    const RealSums one = real(set, *node.packing), more = real(added, *node.packing),
                   all = real(node.total, *node.packing),
                   left{one.gradient + more.gradient, one.hessian + more.hessian},
                   right{all.gradient - left.gradient, all.hessian - left.hessian};
    const auto terms = [&](const RealSums& sums) {
        return cosine_terms(sums.gradient, sums.hessian,
                            bounded_step(sums.gradient, sums.hessian, *node.rule, node.bounds));
    };
    const CosineTerms a = terms(left), b = terms(right);
    return {a.top + b.top, a.below + b.below};
}

// The sums of a level, and its row count for min_samples_leaf.
Sums counted(Sums sums, const ColumnScan& node) {
    if (!node.rule->estimate_rows) return sums;
    const double factor = rows_per_hessian(static_cast<double>(node.total.count),
                                           real(node.total, *node.packing).hessian),
                 rows = estimated_rows(real(sums, *node.packing).hessian, factor);
    sums.count = static_cast<std::int64_t>(rows);
    return sums;
}

// The best set so far, before it becomes a decision.
struct Found {
    const Level* first = nullptr; // the set: `n` levels from here, in steps of `step`
    std::ptrdiff_t n = 0, step = 1;
    bool missing_left = false;
};

class CategoryScan {
  public:
    // `order`: the output by whose ratios the levels are sorted.
    CategoryScan(std::span<const ColumnScan> scans, CategoryKind kind, const CategoryRule& rule,
                 bool level, const CosineTerms* rest, std::size_t n_outputs, std::size_t order)
        : scans_(scans), n_outputs_(n_outputs), rule_(rule), gain_rule_(*scans[0].rule),
          child_l2_(rule.child_l2(kind)), level_(level), rest_(rest),
          invalid_(level ? 0.0 : kNever) {
        gain_rule_.lambda += child_l2_;
        tries_missing_ = kind == CategoryKind::onehot && rule.missing == MissingLevel::either &&
                         scans[0].has_missing;
        collect(kind, order);
    }

    void try_single_levels(Split& best) {
        for (const Level& level : drawn_levels()) {
            start();
            add(level);
            consider({&level, 1, 1, false}, best);
        }
    }

    void try_ends(Split& best) {
        const auto n = std::ssize(levels_);
        if (n < rule_.min_levels) return;
        for (const std::ptrdiff_t step : {1, -1}) {
            const std::ptrdiff_t half = (n + 1) / 2 - (rule_.parted && step < 0 ? 1 : 0),
                                 most = std::min<std::ptrdiff_t>(rule_.max_levels,
                                                                 rule_.halves ? half : n) -
                                        (rule_.by_constant ? 1 : 0);
            const Level* first = step > 0 ? levels_.data() : levels_.data() + n - 1;
            // Extra trees draw the number of levels; such a set may be too small.
            const std::ptrdiff_t drawn =
                scans_[0].drawn && most > 0
                    ? static_cast<std::ptrdiff_t>(scans_[0].lot % static_cast<std::uint64_t>(most))
                    : -1;
            double group = 0;
            start();
            for (std::ptrdiff_t i = 0; i < most; ++i) {
                const Level& level = first[i * step];
                add(level);
                group += level.count;
                if (group < rule_.min_group || (scans_[0].drawn && i != drawn)) continue;
                if (total_ - in_set_ < rule_.min_group) break;
                if (consider({first, i + 1, step, false}, best)) group = 0;
            }
        }
    }

    // Stores the best set as the decision of the split.
    void write(Split& best) const {
        if (found_.n == 0) return;
        const auto missing = static_cast<Code>(scans_[0].n_values);
        CodeSet set;
        bool missing_left = found_.missing_left;
        for (std::ptrdiff_t i = 0; i < found_.n; ++i) {
            const Code code = found_.first[i * found_.step].code;
            if (code == missing)
                missing_left = true;
            else
                set.add(code);
        }
        best.decision = {scans_[0].feature, 0, missing_left,
                         std::make_shared<const CodeSet>(std::move(set))};
        best.child_l2 = child_l2_;
        best.left = left_sums(scans_[0], best.decision);
    }

  private:
    // The levels that occur in the node, in the order of trial.
    void collect(CategoryKind kind, std::size_t order) {
        const int n_codes = scans_[0].n_values +
                            (scans_[0].has_missing && rule_.missing == MissingLevel::level ? 1 : 0);
        const Packing& packing = *scans_[order].packing;
        for (std::size_t i = order; i < scans_.size(); i += n_outputs_)
            total_ += static_cast<double>(scans_[i].total.count);
        const bool all_count = kind == CategoryKind::subset && rule_.by_constant &&
                               rule_.absent_count && scans_[0].n_values > rule_.max_levels;
        for (int b = 0; b < n_codes; ++b) {
            Sums sums;
            for (std::size_t i = order; i < scans_.size(); i += n_outputs_)
                if (scans_[i].counted()[b] != 0) sums += unpack(scans_[i].words(b), packing);
            if (sums.count == 0 && !all_count) continue;
            const auto count = static_cast<double>(counted(sums, scans_[order]).count);
            if (kind == CategoryKind::subset && count < rule_.support) continue;
            levels_.push_back({ratio_of(real(sums, packing)), static_cast<Code>(b), count});
        }
        if (kind == CategoryKind::subset)
            std::sort(levels_.begin(), levels_.end(), [](const Level& a, const Level& b) {
                return a.ratio != b.ratio ? a.ratio < b.ratio : a.code < b.code;
            });
    }

    // Sort key of a level.
    double ratio_of(const RealSums& sums) const {
        if (rule_.by_constant)
            return best_constant(sums.gradient, sums.hessian, rule_.smooth, gain_rule_.alpha,
                                 gain_rule_.limit);
        const double below = sums.hessian + rule_.smooth;
        return below > 0 ? sums.gradient / below : 0.0;
    }

    // The levels to try alone: all, or the one that extra trees draw.
    std::span<const Level> drawn_levels() const {
        if (!scans_[0].drawn || levels_.empty()) return levels_;
        return std::span(levels_).subspan(scans_[0].lot % levels_.size(), 1);
    }

    void start() {
        left_.assign(scans_.size(), Sums{});
        in_set_ = 0;
    }

    void add(const Level& level) {
        in_set_ += level.count;
        for (std::size_t i = 0; i < scans_.size(); ++i)
            left_[i] +=
                counted(unpack(scans_[i].words(static_cast<int>(level.code)), *scans_[i].packing),
                        scans_[i]);
    }

    // Score of the set for one output, if it is not the sum of gains.
    double merit(bool missing_left) const {
        CosineTerms sum = *rest_;
        int n_splits = 0;
        for (std::size_t i = 0; i < scans_.size(); ++i) {
            ColumnScan node = scans_[i];
            node.rule = &gain_rule_;
            const Sums added = missing_left ? missing_sums(node) : Sums{};
            const double own = gain_of(node, left_[i], added, kNever);
            const bool valid = own > kNever;
            n_splits += valid;
            if (!gain_rule_.cosine) {
                sum.top += valid ? own : 0.0;
                continue;
            }
            const CosineTerms terms =
                valid ? terms_of_children(node, left_[i], added) : terms_of_node(scans_[i]);
            sum.top += terms.top;
            sum.below += terms.below;
        }
        if (n_splits == 0) return kNever;
        return gain_rule_.cosine ? cosine(sum.top, sum.below) : sum.top;
    }

    double gain(bool missing_left) const {
        if (rest_ != nullptr) return merit(missing_left);
        double sum = 0;
        for (std::size_t first = 0; first < scans_.size(); first += n_outputs_) {
            const double own = gain_of_node(first, missing_left);
            sum = first == 0 ? own : sum + own;
        }
        return sum;
    }

    // For the node whose outputs begin at `first`.
    double gain_of_node(std::size_t first, bool missing_left) const {
        double sum = 0;
        for (std::size_t i = first; i < first + n_outputs_; ++i) {
            ColumnScan scan = scans_[i];
            scan.rule = &gain_rule_;
            const Sums added = missing_left ? counted(missing_sums(scan), scan) : Sums{};
            const double own = gain_of(scan, left_[i], added, kNever);
            if (own == kNever) return invalid_;
            sum = i == first ? own : sum + own;
        }
        return sum;
    }

    // Returns whether both children satisfy the minimums.
    bool consider(const Found& found, Split& best) {
        const double without = gain(false);
        bool possible = without > kNever;
        if (without > best.gain) {
            best.gain = without;
            found_ = found;
        }
        if (!tries_missing_) return possible || level_;
        const double with = gain(true);
        possible = possible || with > kNever;
        if (with > best.gain) {
            best.gain = with;
            found_ = found;
            found_.missing_left = true;
        }
        return possible || level_;
    }

    std::span<const ColumnScan> scans_; // [node][output]
    std::size_t n_outputs_;
    const CategoryRule& rule_;
    GainRule gain_rule_;
    double child_l2_;
    bool level_;
    const CosineTerms* rest_;
    double invalid_;
    bool tries_missing_ = false;
    std::vector<Level> levels_;
    std::vector<Sums> left_; // [node][output], of the levels in the set
    double total_ = 0, in_set_ = 0;
    Found found_;
};

} // namespace

void scan_category(std::span<const ColumnScan> scans, CategoryKind kind, const CategoryRule& rule,
                   bool level, Split& best, const CosineTerms* rest, std::size_t n_outputs) {
    if (scans.empty()) return;
    const std::size_t n_orders = kind == CategoryKind::onehot ? 1 : n_outputs;
    for (std::size_t order = 0; order < n_orders; ++order) {
        CategoryScan scan(scans, kind, rule, level, rest, n_outputs, order);
        if (kind == CategoryKind::onehot)
            scan.try_single_levels(best);
        else
            scan.try_ends(best);
        scan.write(best);
    }
}

CosineTerms terms_of_node(const ColumnScan& node) {
    const RealSums all = real(node.total, *node.packing);
    return cosine_terms(all.gradient, all.hessian,
                        bounded_step(all.gradient, all.hessian, *node.rule, node.bounds));
}

double gain_of_set(std::span<const ColumnScan> outputs, CategoryKind kind, const CategoryRule& rule,
                   const Decision& decision) {
    GainRule gain_rule = *outputs[0].rule;
    gain_rule.lambda += rule.child_l2(kind);
    double sum = 0;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        ColumnScan scan = outputs[i];
        scan.rule = &gain_rule;
        const double own = gain_of(scan, left_sums(scan, decision), {}, kNever);
        if (own == kNever) return 0.0;
        sum = i == 0 ? own : sum + own;
    }
    return sum;
}

} // namespace ceiba
