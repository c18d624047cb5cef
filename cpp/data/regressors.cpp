#include "data/regressors.hpp"

#include "base/errors.hpp"
#include "parallel/pool.hpp"

#include <cmath>
#include <iterator>
#include <string>
#include <utility>

namespace ceiba {

std::shared_ptr<const Regressors> Regressors::build(const std::vector<Column>& columns,
                                                    std::vector<std::int32_t> features,
                                                    int n_threads) {
    auto out = std::make_shared<Regressors>();
    out->n_rows_ = columns.empty() ? 0 : columns[0].n_rows();
    out->place_of_feature_.assign(columns.size(), -1);
    out->features_ = std::move(features);
    for (std::size_t place = 0; place < out->features_.size(); ++place) {
        const std::int32_t feature = out->features_[place];
        if (feature < 0 || feature >= std::ssize(columns) ||
            (place > 0 && feature <= out->features_[place - 1]))
            throw InputError("features must be columns of the table, ascending. Got " +
                             std::to_string(feature) + ".");
        out->place_of_feature_[static_cast<std::size_t>(feature)] =
            static_cast<std::int64_t>(place);
    }
    const std::size_t n = out->features_.size();
    out->largest_.assign(n, 0.0);
    out->values_.need(n * static_cast<std::size_t>(out->n_rows_) + 1);
    n_threads = useful_threads(n_threads, static_cast<std::int64_t>(n) * out->n_rows_);
    parallel_for(n_threads, static_cast<std::int64_t>(n), [&](std::int64_t place) {
        double* own = out->values_.data() + place * out->n_rows_;
        const auto feature =
            static_cast<std::size_t>(out->features_[static_cast<std::size_t>(place)]);
        columns[feature].read(0, out->n_rows_, own);
        double largest = 0;
        for (std::int64_t row = 0; row < out->n_rows_; ++row) {
            const double size = std::fabs(own[row]);
            if (size > largest && std::isfinite(size)) largest = size;
        }
        out->largest_[static_cast<std::size_t>(place)] = largest;
    });
    return out;
}

} // namespace ceiba
