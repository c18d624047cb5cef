#include "data/coded/binned_blocks.hpp"

#include "base/errors.hpp"
#include "base/settings.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace ceiba {
namespace {

constexpr std::int64_t kTile = 512;
static_assert(kTile <= SortedSearch::most_at_once);
constexpr int kTogether = 8; // columns of a row-major table that are read together

} // namespace

BinnedBlocks::BinnedBlocks(std::shared_ptr<const BinMapper> mapper, std::int64_t n_rows,
                           std::vector<int> usual, bool lists)
    : mapper_(std::move(mapper)), n_rows_(n_rows), usual_(std::move(usual)), lists_(lists) {
    if (n_rows < 0 || n_rows > std::numeric_limits<std::int32_t>::max())
        throw InputError("A table in memory may have at most 2,147,483,647 rows. Got " +
                         std::to_string(n_rows) + ". Train on fewer rows.");
    const int n_features = mapper_->n_features();
    if (usual_.empty()) usual_.assign(static_cast<std::size_t>(n_features), -1);
    if (std::ssize(usual_) != n_features)
        throw InputError("There must be one usual code for each column.");
    features_.resize(static_cast<std::size_t>(n_features));
    for (int j = 0; j < n_features; ++j) {
        const auto at = static_cast<std::size_t>(j);
        const int least = lists ? 2 : 1;
        if (usual_[at] > mapper_->missing_code(j) || !narrow(j) || mapper_->n_bins(j) < least)
            usual_[at] = -1;
        if (usual_[at] < 0 && is_stored(j))
            features_[at].codes.need(static_cast<std::size_t>(n_rows * (narrow(j) ? 1 : 2)));
    }
}

void BinnedBlocks::add(const std::vector<Column>& block, int n_threads) {
    const int n_features = mapper_->n_features();
    if (std::ssize(block) != n_features)
        throw InputError("The block must have the columns of the bin mapper. Got " +
                         std::to_string(block.size()) + " columns for " +
                         std::to_string(n_features) + ".");
    const std::int64_t n_rows = block.empty() ? 0 : block[0].n_rows();
    const int n_sets = (n_features + kTogether - 1) / kTogether;
    parallel_for(useful_threads(n_threads, n_rows * n_features), n_sets, [&](std::int64_t set) {
        const auto first = static_cast<int>(set) * kTogether;
        const int end = std::min(n_features, first + kTogether);
        std::vector<int> dense;
        for (int j = first; j < end; ++j) {
            const auto at = static_cast<std::size_t>(j);
            Feature& own = features_[at];
            if (own.n_rows + n_rows > n_rows_)
                throw InputError(
                    "The blocks have more rows than expected: " + std::to_string(n_rows_) + ".");
            if (usual_[at] >= 0 && block[at].is_sparse()) {
                std::uint16_t absent = 0;
                const double value = block[at].absent();
                mapper_->codes(j, &value, 1, &absent);
                if (absent == usual_[at]) {
                    own.unusual.add(*mapper_, j, block[at], absent, own.n_rows);
                    own.n_rows += n_rows;
                    continue;
                }
            }
            dense.push_back(j);
        }
        double tile[kTile * kTogether];
        std::uint8_t bytes[kTile];
        std::uint16_t words[kTile];
        for (std::int64_t begin = 0; begin < n_rows; begin += kTile) {
            const std::int64_t n = std::min(kTile, n_rows - begin);
            const bool whole = std::ssize(dense) == end - first;
            if (whole) read_tile(block.data() + first, end - first, begin, n, tile);
            for (const int j : dense) {
                double* values = tile + (whole ? (j - first) * n : 0);
                if (!whole) block[static_cast<std::size_t>(j)].read(begin, n, values);
                if (narrow(j)) {
                    mapper_->codes(j, values, n, bytes);
                    take(j, bytes, n);
                } else {
                    mapper_->codes(j, values, n, words);
                    take(j, words, n);
                }
            }
        }
    });
}

template <class Number>
void BinnedBlocks::take(int feature, const Number* codes, std::int64_t n) {
    const auto at = static_cast<std::size_t>(feature);
    Feature& own = features_[at];
    if (!mapper_->has_missing(feature)) {
        const auto missing = static_cast<Number>(mapper_->missing_code(feature));
        own.new_missing = own.new_missing || std::find(codes, codes + n, missing) != codes + n;
    }
    if constexpr (sizeof(Number) == 1) {
        if (usual_[at] >= 0)
            own.unusual.add(codes, n, static_cast<std::uint8_t>(usual_[at]),
                            static_cast<std::uint8_t>(mapper_->missing_code(feature)), own.n_rows);
    }
    if (usual_[at] < 0 && own.codes.size() > 0)
        std::copy(codes, codes + n, reinterpret_cast<Number*>(own.codes.data()) + own.n_rows);
    own.n_rows += n;
}

void BinnedBlocks::put(int feature, const std::uint16_t* codes, std::int64_t n) {
    if (feature < 0 || feature >= mapper_->n_features())
        throw InputError("There is no column " + std::to_string(feature) + ".");
    const int n_codes = mapper_->missing_code(feature) + 1;
    if (features_[static_cast<std::size_t>(feature)].n_rows + n > n_rows_)
        throw InputError("The blocks have more rows than expected: " + std::to_string(n_rows_) +
                         ".");
    for (std::int64_t i = 0; i < n; ++i)
        if (codes[i] >= n_codes)
            throw InputError("The codes of a column must be below " + std::to_string(n_codes) +
                             ". Got " + std::to_string(codes[i]) + ".");
    if (!narrow(feature)) {
        take(feature, codes, n);
        return;
    }
    std::uint8_t bytes[kTile];
    for (std::int64_t begin = 0; begin < n; begin += kTile) {
        const std::int64_t n_here = std::min(kTile, n - begin);
        std::copy(codes + begin, codes + begin + n_here, bytes);
        take(feature, bytes, n_here);
    }
}

std::shared_ptr<const BinnedMatrix> BinnedBlocks::finish(int n_threads) {
    auto matrix = std::make_shared<BinnedMatrix>();
    matrix->mapper_ = mapper_;
    const int n_features = mapper_->n_features();
    n_threads = useful_threads(n_threads, n_rows_ * n_features);
    std::vector<std::uint8_t> widths;
    for (int j = 0; j < n_features; ++j) {
        if (features_[static_cast<std::size_t>(j)].n_rows != n_rows_)
            throw InputError("The blocks must have " + std::to_string(n_rows_) +
                             " rows in total. Got " +
                             std::to_string(features_[static_cast<std::size_t>(j)].n_rows) + ".");
        widths.push_back(narrow(j) ? 1 : 0);
    }
    const bool all_narrow = std::find(widths.begin(), widths.end(), 0) == widths.end(),
               digits = all_narrow && n_rows_ >= settings().digit_rows && may_be_digits(*mapper_);
    matrix->shape(n_rows_, std::move(widths));
    Bundler bundler(n_rows_, lists_);
    for (int j = 0; j < n_features; ++j) {
        const auto at = static_cast<std::size_t>(j);
        if (usual_[at] < 0) continue;
        const Unusual& unusual = features_[at].unusual;
        matrix->add_found(j, usual_, unusual.missing, unusual.entries(), bundler);
        features_[at].unusual = {};
    }
    bundler.finish();
    std::vector<StoredColumn> stored = std::move(bundler.columns());
    matrix->lists_ = std::move(bundler.lists());
    for (int j = 0; j < n_features; ++j) {
        Feature& own = features_[static_cast<std::size_t>(j)];
        matrix->new_missing_ = matrix->new_missing_ || own.new_missing;
        if (usual_[static_cast<std::size_t>(j)] >= 0 || !is_stored(j)) continue;
        StoredColumn& column = stored.emplace_back();
        column.members.push_back({j, -1, 0, mapper_->n_bins(j)});
        column.n_codes = mapper_->n_bins(j);
        column.narrow = narrow(j);
        column.codes = std::move(own.codes);
    }
    std::sort(stored.begin(), stored.end(), [](const StoredColumn& a, const StoredColumn& b) {
        return a.members.front().feature < b.members.front().feature;
    });
    features_.clear();
    matrix->take_columns(stored);
    matrix->make_groups_of(stored, digits, n_threads);
    return matrix;
}

} // namespace ceiba
