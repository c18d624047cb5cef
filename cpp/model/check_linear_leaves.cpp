#include "model/check_linear_leaves.hpp"

#include "base/errors.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

namespace ceiba {

void fail_damaged(const std::string& what) {
    throw ModelFileError("The trees of this model are damaged: " + what +
                         " Load another copy of the model, or train it again.");
}

namespace {

void check_lengths(const TreeArrays& a) {
    const auto& offsets = a.linear_offsets;
    if (std::ssize(offsets) != a.n_nodes() + 1 || offsets.front() != 0)
        fail_damaged("linear_offsets must start with 0 and contain the end of each node.");
    for (std::size_t node = 1; node < offsets.size(); ++node)
        if (offsets[node] < offsets[node - 1])
            fail_damaged("linear_offsets must not decrease or exceed the number of terms.");
    if (offsets.back() != a.n_terms())
        fail_damaged("linear_offsets must end with the number of terms.");
    for_each_array([&](const auto& array) {
        if (array.per != Per::term && array.per != Per::slope) return;
        const std::int64_t width = array.per == Per::slope ? a.leaf_width : 1;
        if (std::ssize(a.*array.member) != a.n_terms() * width)
            fail_damaged(std::string(array.name) + " must have " + std::to_string(width) +
                         " for each of the " + std::to_string(a.n_terms()) + " terms.");
    });
}

} // namespace

void check_linear_leaves(const TreeArrays& a, std::int64_t n_features) {
    if (!a.has_linear_leaves()) {
        if (a.n_terms() > 0 || a.extrapolates)
            fail_damaged("it has linear terms that no leaf uses.");
        return;
    }
    check_lengths(a);
    std::vector<char> has_levels(static_cast<std::size_t>(n_features), 0);
    for (std::int64_t node = 0; node < a.n_nodes(); ++node)
        if (a.splits_by_set(node) && a.feature[node] >= 0 && a.feature[node] < n_features)
            has_levels[static_cast<std::size_t>(a.feature[node])] = 1;
    for (std::int64_t node = 0; node < a.n_nodes(); ++node) {
        for (std::int64_t t = a.linear_offsets[node]; t < a.linear_offsets[node + 1]; ++t) {
            const std::string place = "term " + std::to_string(t) + " of a linear leaf ";
            const std::int32_t feature = a.linear_feature[t];
            if (feature < 0 || feature >= n_features)
                fail_damaged(place + "names column " + std::to_string(feature) +
                             ", but there are " + std::to_string(n_features) + ".");
            if (t > a.linear_offsets[node] && feature <= a.linear_feature[t - 1])
                fail_damaged(place + "must name a later column than the one before it.");
            if (has_levels[static_cast<std::size_t>(feature)] != 0)
                fail_damaged(place + "names a categorical column.");
            for (std::int64_t k = t * a.leaf_width; k < (t + 1) * a.leaf_width; ++k)
                if (!std::isfinite(a.linear_slope[k]))
                    fail_damaged(place + "has a slope that is not finite.");
            const double low = a.linear_low[t], mean = a.linear_mean[t], high = a.linear_high[t];
            if (!(std::isfinite(low) && std::isfinite(high) && low <= mean && mean <= high))
                fail_damaged(place + "must have a mean within its finite range.");
        }
    }
}

double largest_of_leaf(const TreeArrays& a, std::int64_t node, std::int64_t output) {
    double largest = std::fabs(a.value[node * a.leaf_width + output]);
    if (!a.has_linear_leaves()) return largest;
    for (std::int64_t t = a.linear_offsets[node]; t < a.linear_offsets[node + 1]; ++t) {
        const double reach =
            std::max(a.linear_high[t] - a.linear_mean[t], a.linear_mean[t] - a.linear_low[t]);
        largest += std::fabs(a.linear_slope[t * a.leaf_width + output]) *
                   (a.extrapolates ? 1.0 + reach : reach);
    }
    return largest;
}

} // namespace ceiba
