#include "explain/paired_explainer.hpp"

#include "parallel/pool.hpp"

#include <algorithm>
#include <compare>
#include <utility>

namespace ceiba {

namespace {

constexpr std::int64_t kSlabRows = 16 * kBlockRows; // rows read at a time
constexpr std::int64_t kPairsAtOnce = 64;           // of one row, whose keys are in memory

} // namespace

PairedExplainer::PairedExplainer(const Forest& forest, std::int64_t begin, std::int64_t end,
                                 const StatisticsTables& statistics,
                                 std::vector<std::vector<std::int32_t>> columns,
                                 std::int64_t n_players, bool interactions)
    : forest_(forest), statistics_(statistics), tree_begin_(begin * forest.trees_per_iteration()),
      tree_end_(end * forest.trees_per_iteration()), n_players_(n_players),
      interactions_(interactions),
      sides_(forest.arrays(), forest.n_features(), tree_begin_, tree_end_),
      trees_(forest.arrays(), tree_begin_, tree_end_, statistics, columns) {
    for (std::int64_t tree = tree_begin_; tree < tree_end_; ++tree) {
        first_word_.push_back(n_words_);
        n_words_ += (sides_.n_splits(tree) + 63) / 64;
    }
    n_levels_.resize(level_players().size());
    for (const MixedPart& part : trees_.parts())
        for (std::size_t k = 0; k < part.levels.size(); ++k)
            n_levels_[part.levels[k]] = statistics.maker(part.part).n_levels()[k];
}

PairedExplainer::Rows PairedExplainer::read(const RowSource& rows, std::span<const Column> levels,
                                            std::int64_t first, std::int64_t n,
                                            int n_threads) const {
    Rows found;
    found.n_rows = n;
    found.sides.resize(static_cast<std::size_t>(n * n_words_));
    const std::size_t n_levels = n_levels_.size();
    found.levels.resize(static_cast<std::size_t>(n) * n_levels);
    parallel_for(n_threads, (n + kBlockRows - 1) / kBlockRows, [&](std::int64_t b) {
        const std::int64_t begin = b * kBlockRows;
        const auto n_here = static_cast<int>(std::min<std::int64_t>(kBlockRows, n - begin));
        read_sides(rows, first + begin, n_here, found.sides.data() + begin * n_words_);
        std::uint64_t keys[kBlockRows];
        for (std::size_t j = 0; j < n_levels; ++j) {
            const Column* column = &levels[j];
            KeyMaker({n_levels_[j]}).make({&column, 1}, first + begin, n_here, keys);
            for (int row = 0; row < n_here; ++row)
                found.levels[static_cast<std::size_t>(begin + row) * n_levels + j] = keys[row];
        }
    });
    return found;
}

void PairedExplainer::read_sides(const RowSource& rows, std::int64_t first, int n_rows,
                                 std::uint64_t* out) const {
    BlockOfRows block(sides_.most_planes());
    std::vector<std::int8_t> sides;
    for (const Segment& segment : sides_.segments()) {
        sides_.encode(segment, rows, first, n_rows, block);
        for (std::int64_t tree = segment.tree_begin; tree < segment.tree_end; ++tree) {
            const std::int64_t n_splits = sides_.n_splits(tree);
            sides.resize(static_cast<std::size_t>(n_splits * kBlockRows));
            sides_.of_tree(segment, tree, block, kBlockRows, sides.data());
            std::uint64_t* words = out + first_word_[static_cast<std::size_t>(tree - tree_begin_)];
            for (std::int64_t split = 0; split < n_splits; ++split) {
                const std::int8_t* goes = sides.data() + split * kBlockRows;
                for (int row = 0; row < n_rows; ++row)
                    words[row * n_words_ + split / 64] |= static_cast<std::uint64_t>(goes[row] & 1)
                                                          << (split % 64);
            }
        }
    }
}

void PairedExplainer::set_background(const RowSource& rows, std::span<const Column> levels,
                                     int n_threads) {
    const std::int64_t n = rows.n_rows();
    const Rows all = read(rows, levels, 0, n, n_threads);
    const std::size_t n_words = static_cast<std::size_t>(n_words_), n_levels = n_levels_.size();
    const auto sides = [&](std::size_t row) {
        return std::span(all.sides).subspan(row * n_words, n_words);
    };
    const auto keys = [&](std::size_t row) {
        return std::span(all.levels).subspan(row * n_levels, n_levels);
    };
    const auto compare = [&](std::size_t a, std::size_t b) {
        const auto first = std::lexicographical_compare_three_way(sides(a).begin(), sides(a).end(),
                                                                  sides(b).begin(), sides(b).end());
        return first != 0 ? first
                          : std::lexicographical_compare_three_way(keys(a).begin(), keys(a).end(),
                                                                   keys(b).begin(), keys(b).end());
    };
    std::vector<std::size_t> order(static_cast<std::size_t>(n));
    for (std::size_t row = 0; row < order.size(); ++row) order[row] = row;
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return compare(a, b) < 0; });
    background_ = {};
    shares_.clear();
    for (std::size_t i = 0; i < order.size();) {
        const std::size_t first = i, row = order[i];
        while (i < order.size() && compare(order[i], row) == 0) ++i;
        background_.sides.insert(background_.sides.end(), sides(row).begin(), sides(row).end());
        background_.levels.insert(background_.levels.end(), keys(row).begin(), keys(row).end());
        shares_.push_back(static_cast<double>(i - first) / static_cast<double>(n));
        ++background_.n_rows;
    }
}

void PairedExplainer::explain(const RowSource& rows, std::span<const Column> levels, double* values,
                              int n_threads) const {
    std::fill_n(values, rows.n_rows() * row_width(), 0.0);
    for (std::int64_t first = 0; first < rows.n_rows(); first += kSlabRows) {
        const std::int64_t n = std::min(kSlabRows, rows.n_rows() - first);
        const Rows slab = read(rows, levels, first, n, n_threads);
        parallel_for(n_threads, n, [&](std::int64_t row) {
            explain_row(slab, row, values + (first + row) * row_width());
        });
    }
}

void PairedExplainer::explain_row(const Rows& rows, std::int64_t row, double* values) const {
    const auto n_levels = std::ssize(n_levels_),
               n_places = static_cast<std::int64_t>(trees_.n_places());
    const std::int64_t width = forest_.leaf_width();
    PairWalk walk(trees_, n_players_, forest_.n_outputs(), interactions_);
    std::vector<std::int32_t> places(static_cast<std::size_t>(n_places * kPairsAtOnce));
    const std::uint64_t* own = rows.sides.data() + row * n_words_;
    for (std::int64_t first = 0; first < background_.n_rows; first += kPairsAtOnce) {
        const std::int64_t end = std::min(background_.n_rows, first + kPairsAtOnce);
        for (std::int64_t other = first; other < end; ++other)
            find_places(rows.levels.data() + row * n_levels,
                        background_.levels.data() + other * n_levels,
                        places.data() + (other - first) * n_places);
        for (std::int64_t tree = tree_begin_; tree < tree_end_; ++tree) {
            const std::int64_t word = first_word_[static_cast<std::size_t>(tree - tree_begin_)],
                               output = width > 1 ? 0 : tree % forest_.n_outputs();
            for (std::int64_t other = first; other < end; ++other)
                walk.add(tree,
                         {own + word, background_.sides.data() + other * n_words_ + word,
                          places.data() + (other - first) * n_places},
                         output, shares_[static_cast<std::size_t>(other)], values);
        }
    }
    if (interactions_) set_diagonal(values);
}

void PairedExplainer::find_places(const std::uint64_t* own, const std::uint64_t* other,
                                  std::int32_t* places) const {
    std::uint64_t levels[kMostMixed];
    for (const MixedPart& part : trees_.parts()) {
        const KeyMaker& maker = statistics_.maker(part.part);
        for (unsigned subset = 0; subset < 1u << part.players.size(); ++subset) {
            for (std::size_t k = 0; k < part.levels.size(); ++k)
                levels[k] = ((subset >> k & 1) != 0 ? own : other)[part.levels[k]];
            *places++ = statistics_.place(part.part, maker.joined(levels));
        }
    }
}

// The main effect of a player is its value without its part of the pairs.
void PairedExplainer::set_diagonal(double* values) const {
    const std::int64_t n_outputs = forest_.n_outputs();
    for (std::int64_t player = 0; player < n_players_; ++player) {
        double* alone = values + player * (n_players_ + 1) * n_outputs;
        for (std::int64_t other = 0; other < n_players_; ++other) {
            if (other == player) continue;
            const double* pair = values + (player * n_players_ + other) * n_outputs;
            for (std::int64_t k = 0; k < n_outputs; ++k) alone[k] -= pair[k];
        }
    }
}

} // namespace ceiba
