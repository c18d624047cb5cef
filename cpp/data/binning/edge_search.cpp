#include "data/binning/edge_search.hpp"

#include "base/errors.hpp"
#include "base/hash.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace ceiba {
namespace {

constexpr std::int64_t kTile = SortedSearch::most_at_once;
constexpr int kTogether = 8; // columns of a row-major table that are read together
// Sizes of summaries, for all columns together: 16 MB of sampled values, about 32 MB of sums.
constexpr std::size_t kSampledValues = std::size_t{1} << 21, kKeys = std::size_t{1} << 20;

// The share of one column.
std::size_t share(std::size_t total, std::size_t n_columns, std::size_t least, std::size_t most) {
    return std::clamp(total / std::max<std::size_t>(n_columns, 1), least, most);
}
std::size_t most_distinct(std::size_t n_columns) {
    return share(kKeys, n_columns, 256, 2048);
}

} // namespace

EdgeSearch::EdgeSearch(int n_columns, const BinSettings& settings, std::int64_t most_entries)
    : n_columns_(static_cast<std::size_t>(n_columns)), settings_(settings),
      most_entries_(most_entries), ranges_(n_columns_), sample_(n_columns_) {}

void EdgeSearch::add(const std::vector<Column>& block, const double* weights, int n_threads) {
    if (block.size() != n_columns_)
        throw InputError("All blocks must have the same number of columns. Got " +
                         std::to_string(n_columns_) + " and " + std::to_string(block.size()) + ".");
    if (block.empty() || block[0].n_rows() == 0) return;
    const std::int64_t n_rows = block[0].n_rows();
    n_threads = useful_threads(n_threads, n_rows * std::ssize(block));
    if (pass_ < 2) sample(block); // again in the second pass, now with the final level numbers
    if (pass_ > 0) {
        count(block, weights, n_threads);
        return;
    }
    facts_.add(weights, n_rows);
    parallel_for(n_threads, std::ssize(block), [&](std::int64_t j) {
        const auto at = static_cast<std::size_t>(j);
        ranges_[at].note(block[at], most_distinct(n_columns_));
    });
}

// Rows with low hashes of their number: a sample of all rows so far.
void EdgeSearch::sample(const std::vector<Column>& block) {
    const std::int64_t n_rows = block[0].n_rows();
    std::vector<std::int32_t> rows;
    for (std::int64_t i = 0; i < n_rows; ++i) {
        const std::uint64_t hash = hash64(static_cast<std::uint64_t>(n_seen_ + i));
        if (hash > highest_hash_) continue;
        rows.push_back(static_cast<std::int32_t>(i));
        hashes_.push_back(hash);
    }
    n_seen_ += n_rows;
    for (std::size_t j = 0; j < n_columns_; ++j) {
        const std::size_t n_before = sample_[j].size();
        sample_[j].resize(n_before + rows.size());
        block[j].gather(rows.data(), std::ssize(rows), sample_[j].data() + n_before);
    }
    thin_sample();
}

void EdgeSearch::thin_sample() {
    const std::size_t most = share(kSampledValues, n_columns_, 1024, 65536);
    while (hashes_.size() > most) {
        highest_hash_ /= 2;
        for (std::vector<double>& values : sample_) {
            std::size_t n_kept = 0;
            for (std::size_t i = 0; i < values.size(); ++i)
                if (hashes_[i] <= highest_hash_) values[n_kept++] = values[i];
            values.resize(n_kept);
        }
        std::erase_if(hashes_, [&](std::uint64_t hash) { return hash > highest_hash_; });
    }
}

void EdgeSearch::count(const std::vector<Column>& block, const double* weights, int n_threads) {
    const std::int64_t n_rows = block[0].n_rows();
    auto units = static_cast<std::uint64_t>(n_rows);
    if (weights != nullptr) {
        units = 0;
        for (std::int64_t i = 0; i < n_rows; ++i) units += units_.units_of(weights[i]);
    }
    if (pass_ == 1) total_units_ += units;

    // Runs of dense columns, which are read together; sparse columns one by one.
    std::vector<std::pair<std::size_t, std::size_t>> runs;
    for (std::size_t j = 0; j < n_columns_; ++j) {
        if (is_category(j) || ranges_[j].is_found()) continue;
        const bool joins = !runs.empty() && runs.back().first + runs.back().second == j &&
                           runs.back().second < kTogether && !block[j].is_sparse() &&
                           !block[j - 1].is_sparse();
        if (joins)
            ++runs.back().second;
        else
            runs.push_back({j, 1});
    }
    const std::int64_t n_categories = pass_ == 1 ? std::ssize(categories_) : 0;
    parallel_for(n_threads, std::ssize(runs) + n_categories, [&](std::int64_t task) {
        if (task >= std::ssize(runs)) {
            const auto c = static_cast<std::size_t>(task - std::ssize(runs));
            levels_[c].add(block[categories_[c]], weights, units_);
            return;
        }
        const auto [first, n_here] = runs[static_cast<std::size_t>(task)];
        if (block[first].is_sparse()) {
            ranges_[first].add_sparse(block[first], weights, units_, units);
            return;
        }
        std::vector<double> tile(static_cast<std::size_t>(kTile) * n_here);
        for (std::int64_t begin = 0; begin < n_rows; begin += kTile) {
            const std::int64_t n = std::min(kTile, n_rows - begin);
            read_tile(block.data() + first, static_cast<int>(n_here), begin, n, tile.data());
            for (std::size_t j = 0; j < n_here; ++j)
                ranges_[first + j].add(tile.data() + static_cast<std::int64_t>(j) * n,
                                       weights == nullptr ? nullptr : weights + begin, n, units_);
        }
    });
}

bool EdgeSearch::end_pass(const std::vector<std::int64_t>& n_levels, int n_threads) {
    ++pass_;
    if (pass_ == 1) {
        if (!n_levels.empty() && n_levels.size() != n_columns_)
            throw InputError("n_levels must have one entry for each column.");
        n_levels_ = n_levels;
        units_ = EdgeWeights::of(facts_, settings_.min_data_in_bin);
        for (std::size_t j = 0; j < n_columns_; ++j) {
            if (is_category(j)) {
                categories_.push_back(j);
                levels_.emplace_back(n_levels_[j]);
                continue;
            }
            std::vector<double> values = std::move(sample_[j]);
            std::erase_if(values, [](double x) { return x != x; });
            ranges_[j].start(std::move(values), share(kKeys, n_columns_, 512, 32765));
        }
        sample_.assign(n_columns_, {});
        hashes_.clear();
        highest_hash_ = ~std::uint64_t{0};
        n_seen_ = 0;
        return false;
    }
    if (pass_ == 2 && units_.needs_total()) units_.settle(total_units_, facts_.n_rows);
    const EdgeRule rule{settings_.max_bins - 1, units_.min_weight};
    parallel_for(n_threads, static_cast<std::int64_t>(n_columns_), [&](std::int64_t j) {
        if (!is_category(static_cast<std::size_t>(j)))
            ranges_[static_cast<std::size_t>(j)].apply(rule);
    });
    return open_ranges();
}

// Prepare the next pass. Returns whether none is needed.
bool EdgeSearch::open_ranges() {
    std::int64_t n_entries = 0, n_ranges = 0;
    for (std::size_t j = 0; j < n_columns_; ++j) {
        if (is_category(j) || ranges_[j].is_found()) continue;
        n_entries += ranges_[j].n_asked_entries();
        n_ranges += ranges_[j].n_asked();
    }
    if (n_ranges == 0) return true;
    const std::int64_t few = n_entries <= most_entries_ ? n_entries : most_entries_ / n_ranges;
    for (std::size_t j = 0; j < n_columns_; ++j)
        if (!is_category(j) && !ranges_[j].is_found()) ranges_[j].open(few);
    return false;
}

EdgeSearch EdgeSearch::fork() const {
    EdgeSearch other(static_cast<int>(n_columns_), settings_, most_entries_);
    other.pass_ = pass_;
    other.units_ = units_;
    other.n_levels_ = n_levels_;
    other.categories_ = categories_;
    for (const std::size_t j : categories_) other.levels_.emplace_back(n_levels_[j]);
    if (pass_ > 0)
        for (std::size_t j = 0; j < n_columns_; ++j) other.ranges_[j].fork_from(ranges_[j]);
    return other;
}

void EdgeSearch::merge(const EdgeSearch& other) {
    if (other.n_columns_ != n_columns_ || other.pass_ != pass_)
        throw InputError("Only searches of the same columns and pass can be merged.");
    facts_.merge(other.facts_);
    total_units_ += other.total_units_;
    for (std::size_t c = 0; c < categories_.size(); ++c) levels_[c].merge(other.levels_[c]);
    for (std::size_t j = 0; j < n_columns_; ++j) {
        if (pass_ == 0)
            ranges_[j].merge_noted(other.ranges_[j], most_distinct(n_columns_));
        else if (!is_category(j))
            ranges_[j].merge(other.ranges_[j]);
        sample_[j].insert(sample_[j].end(), other.sample_[j].begin(), other.sample_[j].end());
    }
    hashes_.insert(hashes_.end(), other.hashes_.begin(), other.hashes_.end());
    thin_sample();
}

std::shared_ptr<const BinMapper> EdgeSearch::mapper() const {
    std::vector<std::vector<double>> edges(n_columns_);
    std::vector<bool> has_missing(n_columns_);
    std::size_t category = 0;
    for (std::size_t j = 0; j < n_columns_; ++j) {
        const FoundEdges found = is_category(j) ? levels_[category++].found() : ranges_[j].edges();
        edges[j] = found.edges;
        has_missing[j] = found.has_missing;
    }
    return std::make_shared<const BinMapper>(std::move(edges), std::move(has_missing), n_levels_);
}

std::vector<std::vector<std::uint8_t>> EdgeSearch::sampled_codes(const BinMapper& mapper) const {
    std::vector<std::vector<std::uint8_t>> codes(n_columns_);
    for (std::size_t j = 0; j < n_columns_; ++j) {
        const auto feature = static_cast<int>(j);
        if (mapper.missing_code(feature) >= 256) continue;
        codes[j].resize(sample_[j].size());
        for (std::size_t begin = 0; begin < sample_[j].size(); begin += kTile)
            mapper.codes(feature, sample_[j].data() + begin,
                         std::min<std::int64_t>(kTile, std::ssize(sample_[j]) -
                                                           static_cast<std::int64_t>(begin)),
                         codes[j].data() + begin);
    }
    return codes;
}

} // namespace ceiba
