// Builds binned tables in which features share a column of codes (bundles), are stored as lists, or
// take no memory. First finds bundles from the unusual rows of each feature, then divides the
// columns into groups. Codes a few features at a time, so that the full code table never exists.

#include "base/settings.hpp"
#include "data/coded/binned.hpp"
#include "data/coded/unusual.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace ceiba {

namespace {

constexpr std::int64_t tile_rows = 512;
constexpr int columns_at_once = 8;
constexpr std::size_t dense_at_once = 64, sparse_at_once = 512; // features to code together

// Runs of neighboring features whose columns are written together.
std::vector<FeatureGroup> runs_of(std::span<const StoredColumn> columns) {
    std::vector<FeatureGroup> runs;
    for (const StoredColumn& column : columns) {
        if (column.codes.size() > 0) continue; // a bundle, which is already written
        const int feature = column.members.front().feature;
        if (runs.empty() || runs.back().features.back() + 1 != feature ||
            runs.back().narrow != column.narrow) {
            runs.emplace_back();
            runs.back().narrow = column.narrow;
        }
        runs.back().features.push_back(feature);
    }
    return runs;
}

} // namespace

void BinnedMatrix::bundle_dense(const std::vector<Column>& columns, std::span<const int> features,
                                const std::vector<int>& usual, int n_threads, Bundler& bundler) {
    Buffer<std::uint8_t> codes(features.size() * static_cast<std::size_t>(n_rows_));
    const std::int64_t chunk = std::max<std::int64_t>(settings().chunk_rows, 1);
    parallel_for(n_threads, (n_rows_ + chunk - 1) / chunk, [&](std::int64_t part) {
        double tile[tile_rows * columns_at_once];
        const std::int64_t end = std::min(n_rows_, (part + 1) * chunk);
        for (std::int64_t begin = part * chunk; begin < end; begin += tile_rows) {
            const std::int64_t n = std::min(tile_rows, end - begin);
            for (std::size_t k = 0; k < features.size();) {
                // Neighbors are read together.
                int count = 1;
                while (count < columns_at_once &&
                       k + static_cast<std::size_t>(count) < features.size() &&
                       features[k + static_cast<std::size_t>(count)] == features[k] + count)
                    ++count;
                read_tile(columns.data() + features[k], count, begin, n, tile);
                for (int c = 0; c < count; ++c, ++k)
                    mapper_->codes(features[k], tile + c * n, n,
                                   codes.data() + static_cast<std::int64_t>(k) * n_rows_ + begin);
            }
        }
    });
    std::vector<Unusual> found(features.size());
    parallel_for(n_threads, std::ssize(features), [&](std::int64_t k) {
        const auto at = static_cast<std::size_t>(k);
        found[at].add(codes.data() + k * n_rows_, n_rows_,
                      static_cast<std::uint8_t>(usual[static_cast<std::size_t>(features[at])]),
                      static_cast<std::uint8_t>(mapper_->missing_code(features[at])));
    });
    for (std::size_t k = 0; k < features.size(); ++k)
        add_found(features[k], usual, found[k].missing, found[k].entries(), bundler);
}

void BinnedMatrix::bundle_sparse(const std::vector<Column>& columns, std::span<const int> features,
                                 const std::vector<int>& usual, int n_threads, Bundler& bundler) {
    std::vector<Unusual> found(features.size());
    constexpr std::int64_t kTogether = 16;
    const std::int64_t n = std::ssize(features);
    parallel_for(n_threads, (n + kTogether - 1) / kTogether, [&](std::int64_t t) {
        for (std::int64_t k = t * kTogether; k < std::min(n, (t + 1) * kTogether); ++k) {
            const auto at = static_cast<std::size_t>(k);
            const auto feature = static_cast<std::size_t>(features[at]);
            found[at].add(*mapper_, features[at], columns[feature],
                          static_cast<Code>(usual[feature]));
        }
    });
    for (std::size_t k = 0; k < features.size(); ++k)
        add_found(features[k], usual, found[k].missing, found[k].entries(), bundler);
}

// A missing value in a column without missing values at fit needs an extra code.
void BinnedMatrix::add_found(int feature, const std::vector<int>& usual, bool missing,
                             const SparseEntries& entries, Bundler& bundler) {
    const int missing_code = mapper_->missing_code(feature),
              own = usual[static_cast<std::size_t>(feature)];
    missing = missing || own == missing_code;
    new_missing_ = new_missing_ || (missing && !mapper_->has_missing(feature));
    bundler.add(feature, own, missing ? missing_code + 1 : mapper_->n_bins(feature), entries);
}

void BinnedMatrix::bundle_features(const std::vector<Column>& columns,
                                   const std::vector<int>& usual, int n_threads, Bundler& bundler) {
    std::vector<int> some;
    bool sparse = false;
    const auto flush = [&] {
        if (some.empty()) return;
        if (sparse)
            bundle_sparse(columns, some, usual, n_threads, bundler);
        else
            bundle_dense(columns, some, usual, n_threads, bundler);
        some.clear();
    };
    for (int j = 0; j < n_features_; ++j) {
        const auto at = static_cast<std::size_t>(j);
        if (usual[at] < 0) continue;
        if (columns[at].is_sparse() != sparse ||
            some.size() >= (sparse ? sparse_at_once : dense_at_once))
            flush();
        sparse = columns[at].is_sparse();
        some.push_back(j);
    }
    flush();
    bundler.finish();
}

// Set the place of every column and move the codes of bundles into the table.
void BinnedMatrix::take_columns(std::vector<StoredColumn>& columns) {
    narrow_.clear();
    offsets_.assign(1, 0);
    homes_.assign(static_cast<std::size_t>(n_features_), {});
    for (std::size_t c = 0; c < columns.size(); ++c) {
        narrow_.push_back(columns[c].narrow ? 1 : 0);
        offsets_.push_back(offsets_.back() + bytes_of_column(columns[c].narrow));
        for (const BundleMember& member : columns[c].members)
            homes_[static_cast<std::size_t>(member.feature)] = {static_cast<int>(c), -1, member};
    }
    for (int list = 0; list < lists_.n_columns(); ++list)
        homes_[static_cast<std::size_t>(lists_.feature(list))].list = list;
    make_column_room();
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (columns[c].codes.size() == 0) continue;
        std::memcpy(column_to_write<std::uint8_t>(static_cast<int>(c)), columns[c].codes.data(),
                    static_cast<std::size_t>(n_rows_ * (columns[c].narrow ? 1 : 2)));
        if (!columns[c].members.empty() && columns[c].members.front().usual_code < 0)
            columns[c].codes.release();
    }
}

void BinnedMatrix::assemble(const std::vector<Column>& columns, const std::vector<int>& usual,
                            bool lists, bool digits, int n_threads) {
    Bundler bundler(n_rows_, lists);
    bundle_features(columns, usual, n_threads, bundler);
    std::vector<StoredColumn> stored = std::move(bundler.columns());
    lists_ = std::move(bundler.lists());
    for (int j = 0; j < n_features_; ++j) {
        const int n_codes = mapper_->n_bins(j);
        if (usual[static_cast<std::size_t>(j)] >= 0) continue;
        if (lists && n_codes < 2) {
            columns[static_cast<std::size_t>(j)].check();
            continue;
        }
        StoredColumn& own = stored.emplace_back();
        own.members.push_back({j, -1, 0, n_codes});
        own.n_codes = n_codes;
        own.narrow = mapper_->missing_code(j) < 256;
    }
    std::sort(stored.begin(), stored.end(), [](const StoredColumn& a, const StoredColumn& b) {
        return a.members.front().feature < b.members.front().feature;
    });
    take_columns(stored);
    write(columns, runs_of(stored), false, n_threads);
    make_groups_of(stored, digits, n_threads);
}

// Write the rows of stored columns.
void BinnedMatrix::make_groups_of(std::vector<StoredColumn>& stored, bool digits, int n_threads) {
    for (StoredColumn& column : stored) column.codes.release();
    // A table for prediction may contain codes without a bin in the mapper.
    groups_ = group_columns(stored, n_rows_, widest_group(std::ssize(stored), n_rows_),
                            digits && !new_missing_);
    make_row_room();
    share_rows(n_threads);
    std::int64_t n_columns = lists_.n_columns();
    for (const FeatureGroup& group : groups_) n_columns += group.n_columns;
    count(counters().shared_columns, n_features_ - n_columns);
    count(counters().listed_columns, lists_.n_columns());
}

} // namespace ceiba
