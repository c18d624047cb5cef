#include "explain/explainer.hpp"

#include "explain/quadrature.hpp"
#include "explain/share_kernels.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <string>

namespace ceiba {

struct Explainer::Block {
    Block(int n_planes, std::int64_t n_slots, std::int64_t n_outputs)
        : rows(n_planes), sums(static_cast<std::size_t>(n_slots * n_outputs * kBlockRows)) {}

    BlockOfRows rows;
    std::vector<double> sums; // [output][slot][row]
    std::vector<std::int8_t> sides;
    std::vector<std::uint8_t> holds; // [row][player of the leaf]
    std::vector<double> shares, scratch, units;
};

Explainer::Explainer(const Forest& forest, std::int64_t begin, std::int64_t end,
                     std::vector<std::int32_t> player_of_column, std::int64_t n_players,
                     bool interactions)
    : forest_(forest), tree_begin_(begin * forest.trees_per_iteration()),
      tree_end_(end * forest.trees_per_iteration()), n_players_(n_players),
      interactions_(interactions),
      sides_(forest.arrays(), forest.n_features(), tree_begin_, tree_end_),
      slot_(static_cast<std::size_t>(n_players), -1) {
    const TreeArrays& arrays = forest.arrays();
    for (std::int64_t i = arrays.tree_offsets[tree_begin_]; i < arrays.tree_offsets[tree_end_]; ++i)
        if (arrays.feature[i] >= 0)
            slot_[player_of_column[static_cast<std::size_t>(arrays.feature[i])]] = 0;
    for (std::int32_t player = 0; player < n_players_; ++player) {
        if (slot_[player] < 0) continue;
        slot_[player] = static_cast<std::int32_t>(used_.size());
        used_.push_back(player);
    }
    for (std::int64_t tree = tree_begin_; tree < tree_end_; ++tree) {
        trees_.emplace_back();
        trees_.back().paths = leaf_paths(arrays, tree, player_of_column);
    }
}

// With interactions, pairs follow the players.
std::int64_t Explainer::pair_slot(std::int64_t i, std::int64_t j) const {
    const auto n = static_cast<std::int64_t>(used_.size());
    if (i > j) std::swap(i, j);
    return n + i * n - i * (i + 1) / 2 + (j - i - 1);
}

void Explainer::set_background(const RowSource& rows, int n_threads) {
    has_background_ = true;
    const std::int64_t n_rows = rows.n_rows(), n_blocks = (n_rows + kBlockRows - 1) / kBlockRows,
                       stride = n_blocks * kBlockRows;
    for (const Segment& segment : sides_.segments()) {
        std::vector<BlockOfRows> blocks;
        for (std::int64_t b = 0; b < n_blocks; ++b) {
            blocks.emplace_back(sides_.most_planes());
            sides_.encode(
                segment, rows, b * kBlockRows,
                static_cast<int>(std::min<std::int64_t>(kBlockRows, n_rows - b * kBlockRows)),
                blocks.back());
        }
        std::vector<std::int8_t> sides;
        for (std::int64_t tree = segment.tree_begin; tree < segment.tree_end; ++tree) {
            sides.resize(static_cast<std::size_t>(sides_.n_splits(tree) * stride));
            for (std::int64_t b = 0; b < n_blocks; ++b)
                sides_.of_tree(segment, tree, blocks[b], stride, sides.data() + b * kBlockRows);
            find_patterns(trees_[tree - tree_begin_], sides.data(), n_rows, stride);
        }
    }
    (void)n_threads;
}

namespace {

// flags[row * n_players + player] = 1 where the condition of the player holds.
void find_flags(const TreePaths& paths, const LeafPath& leaf, const std::int8_t* sides,
                std::int64_t stride, std::int64_t n_rows, std::vector<std::uint8_t>& flags) {
    const auto players = paths.players_of(leaf);
    flags.assign(static_cast<std::size_t>(n_rows) * players.size(), 1);
    for (std::size_t k = 0; k < players.size(); ++k)
        for (const PathEdge& edge : paths.edges_of(players[k])) {
            const std::int8_t* own = sides + edge.split * stride;
            for (std::int64_t row = 0; row < n_rows; ++row)
                if ((own[row] != 0) != edge.left) flags[row * players.size() + k] = 0;
        }
}

} // namespace

void Explainer::find_patterns(ExplainedTree& tree, const std::int8_t* sides, std::int64_t n_rows,
                              std::int64_t stride) const {
    std::vector<std::uint8_t> flags;
    tree.first_pattern = {0};
    for (const LeafPath& leaf : tree.paths.leaves) {
        find_flags(tree.paths, leaf, sides, stride, n_rows, flags);
        const auto n = static_cast<std::size_t>(leaf.n_players);
        std::map<std::string, std::int64_t> counts;
        for (std::int64_t row = 0; row < n_rows; ++row)
            ++counts[std::string(flags.begin() + row * n, flags.begin() + (row + 1) * n)];
        for (const auto& [pattern, count] : counts) {
            tree.patterns.push_back({static_cast<std::int64_t>(tree.flags.size()),
                                     static_cast<double>(count) / static_cast<double>(n_rows)});
            tree.flags.insert(tree.flags.end(), pattern.begin(), pattern.end());
        }
        tree.first_pattern.push_back(static_cast<std::int64_t>(tree.patterns.size()));
    }
}

void Explainer::path_dependent(const LeafPath& leaf, const ExplainedTree& tree,
                               Block& block) const {
    (void)tree;
    const Quadrature& quadrature = quadrature_for(leaf.n_players);
    LeafTerms terms{leaf.n_players,           block.shares.data(),     block.holds.data(),
                    quadrature.points.data(), quadrature.rests.data(), quadrature.weights.data(),
                    quadrature.n_groups(),    block.scratch.data()};
    share_kernels().shares(terms, block.units.data());
    if (interactions_) share_kernels().pairs(terms, block.units.data() + leaf.n_players);
}

void Explainer::interventional(const ExplainedTree& tree, std::int64_t leaf_number,
                               Block& block) const {
    const LeafPath& leaf = tree.paths.leaves[leaf_number];
    const int n = leaf.n_players;
    const Quadrature& quadrature = quadrature_for(leaf.n_players);
    const int n_units = n + (interactions_ ? n * (n - 1) / 2 : 0);
    std::vector<double> units(n_units), sum(n_units);
    for (std::int64_t p = tree.first_pattern[leaf_number]; p < tree.first_pattern[leaf_number + 1];
         ++p) {
        const std::uint8_t* flags = tree.flags.data() + tree.patterns[p].first_flag;
        for (int k = 0; k < n; ++k) block.shares[k] = flags[k];
        LeafTerms terms{n,
                        block.shares.data(),
                        block.holds.data(),
                        quadrature.points.data(),
                        quadrature.rests.data(),
                        quadrature.weights.data(),
                        quadrature.n_groups(),
                        block.scratch.data()};
        share_kernels().shares(terms, units.data());
        if (interactions_) share_kernels().pairs(terms, units.data() + n);
        for (int k = 0; k < n_units; ++k) sum[k] += units[k] * tree.patterns[p].share;
    }
    std::copy(sum.begin(), sum.end(), block.units.begin());
}

void Explainer::add_units(const LeafPath& leaf, const ExplainedTree& tree, std::int64_t tree_number,
                          std::int64_t row, Block& block) const {
    const TreeArrays& arrays = forest_.arrays();
    const auto players = tree.paths.players_of(leaf);
    const std::int64_t width = arrays.leaf_width, n_used = static_cast<std::int64_t>(used_.size()),
                       n_slots = n_used + (interactions_ ? n_used * (n_used - 1) / 2 : 0);
    const double* value =
        arrays.value.data() + (arrays.tree_offsets[tree_number] + leaf.node) * width;
    for (std::int64_t k = 0; k < width; ++k) {
        const std::int64_t output = width > 1 ? k : tree_number % forest_.n_outputs();
        double* sums = block.sums.data() + output * n_slots * kBlockRows + row;
        const double* unit = block.units.data();
        for (const PathPlayer& player : players)
            sums[slot_[player.player] * kBlockRows] += *unit++ * value[k];
        if (!interactions_) continue;
        for (std::size_t i = 0; i < players.size(); ++i)
            for (std::size_t j = i + 1; j < players.size(); ++j)
                sums[pair_slot(slot_[players[i].player], slot_[players[j].player]) * kBlockRows] +=
                    *unit++ * value[k];
    }
}

void Explainer::add_tree(const ExplainedTree& tree, std::int64_t tree_number, Block& block) const {
    const int n_rows = block.rows.coded.n_rows;
    std::vector<std::uint8_t> flags;
    for (std::size_t leaf_number = 0; leaf_number < tree.paths.leaves.size(); ++leaf_number) {
        const LeafPath& leaf = tree.paths.leaves[leaf_number];
        const auto players = tree.paths.players_of(leaf);
        const std::size_t n = players.size();
        if (n == 0) continue;
        find_flags(tree.paths, leaf, block.sides.data(), kBlockRows, n_rows, flags);
        block.holds.resize(n);
        block.shares.resize(n);
        block.scratch.resize(12 * n);
        block.units.resize(n + n * (n - 1) / 2);
        for (std::size_t k = 0; k < n; ++k) block.shares[k] = players[k].share;
        for (int row = 0; row < n_rows; ++row) {
            std::copy_n(flags.begin() + row * n, n, block.holds.begin());
            if (has_background_)
                interventional(tree, static_cast<std::int64_t>(leaf_number), block);
            else
                path_dependent(leaf, tree, block);
            add_units(leaf, tree, tree_number, row, block);
        }
    }
}

void Explainer::write(const Block& block, double* values) const {
    const auto n_used = static_cast<std::int64_t>(used_.size());
    const std::int64_t n_slots = n_used + (interactions_ ? n_used * (n_used - 1) / 2 : 0),
                       n_outputs = forest_.n_outputs();
    for (std::int64_t row = 0; row < block.rows.coded.n_rows; ++row) {
        double* own = values + row * row_width();
        std::fill_n(own, row_width(), 0.0);
        for (std::int64_t output = 0; output < n_outputs; ++output) {
            const double* sums = block.sums.data() + output * n_slots * kBlockRows + row;
            for (std::int64_t i = 0; i < n_used; ++i) {
                if (!interactions_) {
                    own[used_[i] * n_outputs + output] = sums[i * kBlockRows];
                    continue;
                }
                double alone = sums[i * kBlockRows];
                for (std::int64_t j = 0; j < n_used; ++j) {
                    if (j == i) continue;
                    const double both = sums[pair_slot(i, j) * kBlockRows];
                    own[(used_[i] * n_players_ + used_[j]) * n_outputs + output] = both;
                    alone -= both;
                }
                own[(used_[i] * n_players_ + used_[i]) * n_outputs + output] = alone;
            }
        }
    }
}

void Explainer::explain(const RowSource& rows, double* values, int n_threads) const {
    const auto n_used = static_cast<std::int64_t>(used_.size());
    const std::int64_t n_rows = rows.n_rows(),
                       n_slots = n_used + (interactions_ ? n_used * (n_used - 1) / 2 : 0);
    const std::int64_t n_blocks = (n_rows + kBlockRows - 1) / kBlockRows;
    n_threads = useful_threads(n_threads, n_rows * (tree_end_ - tree_begin_) * 100);
    parallel_for(n_threads, n_blocks, [&](std::int64_t b) {
        const std::int64_t first = b * kBlockRows;
        Block block(sides_.most_planes(), n_slots, forest_.n_outputs());
        block.rows.coded.n_rows =
            static_cast<int>(std::min<std::int64_t>(kBlockRows, n_rows - first));
        for (const Segment& segment : sides_.segments()) {
            sides_.encode(segment, rows, first, block.rows.coded.n_rows, block.rows);
            for (std::int64_t tree = segment.tree_begin; tree < segment.tree_end; ++tree) {
                block.sides.resize(static_cast<std::size_t>(sides_.n_splits(tree) * kBlockRows));
                sides_.of_tree(segment, tree, block.rows, kBlockRows, block.sides.data());
                add_tree(trees_[tree - tree_begin_], tree, block);
            }
        }
        write(block, values + first * row_width());
    });
}

void Explainer::add_base(double* out) const {
    const TreeArrays& arrays = forest_.arrays();
    const std::int64_t width = arrays.leaf_width;
    for (std::int64_t t = tree_begin_; t < tree_end_; ++t) {
        const ExplainedTree& tree = trees_[t - tree_begin_];
        std::vector<double> sums(static_cast<std::size_t>(width));
        for (std::size_t leaf_number = 0; leaf_number < tree.paths.leaves.size(); ++leaf_number) {
            const LeafPath& leaf = tree.paths.leaves[leaf_number];
            double share = 1.0;
            if (has_background_) {
                share = 0.0;
                for (std::int64_t p = tree.first_pattern[leaf_number];
                     p < tree.first_pattern[leaf_number + 1]; ++p) {
                    const std::uint8_t* flags = tree.flags.data() + tree.patterns[p].first_flag;
                    if (std::all_of(flags, flags + leaf.n_players, [](auto f) { return f != 0; }))
                        share += tree.patterns[p].share;
                }
            } else {
                for (const PathPlayer& player : tree.paths.players_of(leaf)) share *= player.share;
            }
            const double* value =
                arrays.value.data() + (arrays.tree_offsets[t] + leaf.node) * width;
            for (std::int64_t k = 0; k < width; ++k) sums[k] += share * value[k];
        }
        for (std::int64_t k = 0; k < width; ++k)
            out[width > 1 ? k : t % forest_.n_outputs()] += sums[k];
    }
}

} // namespace ceiba
