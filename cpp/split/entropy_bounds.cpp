#include "split/entropy_bounds.hpp"

#include "split/exact_walk.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace ceiba {

namespace {

constexpr double kSlack = 0x1p-40; // far above the rounding errors of a gain

// Row counts of one class in real units: below the bin, in the bin, in the node.
struct Part {
    double below, within, total;

    double left(bool all) const { return below + (all ? within : 0.0); }
    double right(bool all) const { return std::max(0.0, total - left(all)); }
};

double n_log_n(double n) {
    return n > 0 ? n * math::log(n) : 0.0;
}

double two_class_bound(const Part& one, const Part& other, double parent) {
    double corner = -std::numeric_limits<double>::infinity();
    for (const bool first : {false, true})
        for (const bool second : {false, true}) {
            const double left = one.left(first) + other.left(second),
                         right = one.right(first) + other.right(second);
            corner = std::max(corner, likelihood(one.left(first), left) +
                                          likelihood(other.left(second), left) +
                                          likelihood(one.right(first), right) +
                                          likelihood(other.right(second), right));
        }
    return corner - parent + kSlack * (std::fabs(corner) + std::fabs(parent));
}

// Upper bound of a class's contribution, without the term of all rows.
double class_part(const Part& part) {
    double most = -std::numeric_limits<double>::infinity();
    for (const bool all : {false, true})
        most = std::max(most, n_log_n(part.left(all)) + n_log_n(part.right(all)));
    return most;
}

// Lower bound of the term of all rows, which is subtracted.
double whole_part(const Part& rows) {
    const double left = std::clamp(rows.total / 2, rows.below, rows.below + rows.within);
    return n_log_n(left) + n_log_n(std::max(0.0, rows.total - left));
}

// Per bin of one output: number of rows of its class, and of all rows.
class ClassBins {
  public:
    ClassBins(const ColumnScan& scan)
        : scan_(&scan), before_(sums_before(scan)), missing_(missing_sums(scan)) {}

    bool has_missing() const { return missing_.count > 0; }
    Part of_class(int bin, bool missing_left) const {
        const double unit = -scan_->packing->gradient_unit;
        return part(&Sums::gradient, unit, bin, missing_left);
    }
    Part of_all(int bin, bool missing_left) const {
        return part(&Sums::hessian, scan_->packing->hessian_unit, bin, missing_left);
    }

  private:
    Part part(std::int64_t Sums::* field, double unit, int bin, bool missing_left) const {
        const auto b = static_cast<std::size_t>(bin);
        const std::int64_t before = unpack(before_[b], *scan_->packing).*field,
                           behind = unpack(before_[b + 1], *scan_->packing).*field;
        const std::int64_t added = missing_left ? missing_.*field : 0;
        return {static_cast<double>(before + added) * unit,
                static_cast<double>(behind - before) * unit,
                static_cast<double>(scan_->total.*field) * unit};
    }

    const ColumnScan* scan_;
    std::vector<Pair> before_;
    Sums missing_;
};

double bound_of(std::span<const ClassBins> classes, int bin, bool missing_left, double parent) {
    const Part all = classes[0].of_all(bin, missing_left);
    if (classes.size() == 1) {
        const Part one = classes[0].of_class(bin, missing_left);
        const Part other{all.below - one.below, all.within - one.within, all.total - one.total};
        return two_class_bound(one, other, parent);
    }
    double sum = 0;
    for (const ClassBins& each : classes) sum += class_part(each.of_class(bin, missing_left));
    const double whole = whole_part(all);
    return sum - whole - parent + kSlack * (std::fabs(sum) + std::fabs(whole) + std::fabs(parent));
}

} // namespace

void entropy_bounds(std::span<const ColumnScan> scans, double* bounds) {
    std::vector<ClassBins> classes;
    double parent = 0;
    for (const ColumnScan& scan : scans) {
        classes.emplace_back(scan);
        parent += scan.parent_score;
    }
    for (int b = 0; b < scans[0].n_values; ++b) {
        bounds[b] = bound_of(classes, b, false, parent);
        if (classes[0].has_missing())
            bounds[b] = std::max(bounds[b], bound_of(classes, b, true, parent));
    }
}

} // namespace ceiba
