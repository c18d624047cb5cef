#include "data/regressors.hpp"

#include "base/errors.hpp"
#include "parallel/rows.hpp"

#include <algorithm>
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
    for (const std::vector<double>&largest :
         parts_of_rows(out->n_rows_, n_threads, [&](std::int64_t begin, std::int64_t end) {
             return out->read_rows(columns, begin, end);
         }))
        for (std::size_t place = 0; place < n; ++place)
            out->largest_[place] = std::max(out->largest_[place], largest[place]);
    return out;
}

// Read some rows in tiles of neighboring columns: those of a row-major table share cache lines.
std::vector<double> Regressors::read_rows(const std::vector<Column>& columns, std::int64_t first,
                                          std::int64_t last) {
    constexpr std::int64_t kRows = 256;
    constexpr std::size_t kColumns = 64;
    std::vector<double> largest(features_.size(), 0.0), tile(kRows * kColumns);
    for (std::size_t place = 0, next = 0; place < features_.size(); place = next) {
        for (next = place + 1; next < features_.size() && next < place + kColumns; ++next)
            if (features_[next] != features_[next - 1] + 1) break;
        for (std::int64_t begin = first; begin < last; begin += kRows) {
            const std::int64_t n = std::min(kRows, last - begin);
            read_tile(columns.data() + features_[place], static_cast<int>(next - place), begin, n,
                      tile.data());
            for (std::size_t k = place; k < next; ++k) {
                const double* from = tile.data() + static_cast<std::int64_t>(k - place) * n;
                double* own = values_.data() + static_cast<std::int64_t>(k) * n_rows_ + begin;
                for (std::int64_t i = 0; i < n; ++i) {
                    own[i] = from[i];
                    const double size = std::fabs(from[i]);
                    if (size > largest[k] && std::isfinite(size)) largest[k] = size;
                }
            }
        }
    }
    return largest;
}

} // namespace ceiba
