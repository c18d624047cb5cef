#include "explain/explainer.hpp"

#include "base/aligned.hpp"
#include "base/interrupt.hpp"
#include "explain/share_kernels.hpp"
#include "parallel/pool.hpp"

#include <algorithm>

namespace ceiba {

namespace {

constexpr std::int64_t kMostRows = 2 * kBlockRows;            // per block
constexpr std::int64_t kBlockNumbers = std::int64_t{1} << 19; // preferred number of sums in a block
constexpr std::int64_t kGroupNumbers = std::int64_t{1} << 21; // in the tables of a group
constexpr std::int64_t kRowsForTables = 8;
constexpr std::int64_t kRowsCopiedAtOnce = 8;

std::vector<BlockOfRows> blocks_of_rows(std::int64_t n, int n_planes) {
    std::vector<BlockOfRows> blocks;
    blocks.reserve(static_cast<std::size_t>(n));
    for (std::int64_t b = 0; b < n; ++b) blocks.emplace_back(n_planes);
    return blocks;
}

// The regressors of rows that are read in blocks.
std::function<double(std::int64_t, std::int32_t)>
values_of(const CodedLinearLeaves& regressors, const std::vector<BlockOfRows>& blocks) {
    return [&](std::int64_t row, std::int32_t feature) {
        return regressors.value(
            blocks[static_cast<std::size_t>(row / kBlockRows)].coded.linear_leaves,
            row % kBlockRows, feature);
    };
}

} // namespace

// Trees whose tables are in memory at the same time.
struct Explainer::Group {
    std::int64_t tree_begin, tree_end;
    std::vector<std::int64_t> first_bundle; // per tree: index in `tables`
    std::vector<std::int64_t> tables;       // per leaf group: begin of its table; -1: none
    AlignedVector<double> numbers;

    const std::int64_t* tables_of(std::int64_t tree) const {
        return tables.data() + first_bundle[static_cast<std::size_t>(tree - tree_begin)];
    }
};

// Rows in process; each task has its own.
struct Explainer::Block {
    Block(int n_planes, std::int64_t most_rows, std::int64_t n_sums, bool pairs)
        : stride(most_rows),
          parts(blocks_of_rows((most_rows + kBlockRows - 1) / kBlockRows, n_planes)),
          sums(static_cast<std::size_t>(n_sums * most_rows)),
          words(static_cast<std::size_t>(most_rows)), units(pairs) {}

    std::int64_t stride; // rows of sides and sums
    int n_rows = 0, n_padded = 0;
    std::vector<BlockOfRows> parts;
    std::vector<double> sums; // [output][slot][row]
    std::vector<std::int8_t> sides;
    std::vector<std::uint16_t> words;
    std::vector<std::uint8_t> holds;
    std::vector<std::int32_t> slots; // of the units of a leaf group
    std::vector<double> of_row;
    LeafUnits units;
};

Explainer::Explainer(const Forest& forest, std::int64_t begin, std::int64_t end,
                     const std::vector<std::int32_t>& player_of_column, std::int64_t n_players,
                     bool interactions)
    : forest_(forest), tree_begin_(begin * forest.trees_per_iteration()),
      tree_end_(end * forest.trees_per_iteration()), n_players_(n_players),
      interactions_(interactions),
      sides_(forest.arrays(), forest.n_features(), tree_begin_, tree_end_),
      regressors_(forest.arrays(), forest.n_features()) {
    const TreeArrays& arrays = forest.arrays();
    std::vector<std::int32_t> place(static_cast<std::size_t>(n_players), -1);
    for (std::int64_t i = arrays.tree_offsets[tree_begin_]; i < arrays.tree_offsets[tree_end_]; ++i)
        if (arrays.feature[i] >= 0)
            place[static_cast<std::size_t>(
                player_of_column[static_cast<std::size_t>(arrays.feature[i])])] = 0;
    if (arrays.has_linear_leaves())
        for (std::int64_t t = arrays.linear_offsets[arrays.tree_offsets[tree_begin_]];
             t < arrays.linear_offsets[arrays.tree_offsets[tree_end_]]; ++t)
            place[static_cast<std::size_t>(
                player_of_column[static_cast<std::size_t>(arrays.linear_feature[t])])] = 0;
    for (std::int32_t player = 0; player < n_players_; ++player) {
        std::int32_t& own = place[static_cast<std::size_t>(player)];
        if (own < 0) continue;
        own = static_cast<std::int32_t>(used_.size());
        used_.push_back(player);
    }
    n_slots_ = n_units_of(std::ssize(used_), interactions_);
    std::vector<std::int32_t> place_of_column;
    for (const std::int32_t player : player_of_column)
        place_of_column.push_back(place[static_cast<std::size_t>(player)]);
    trees_.reserve(static_cast<std::size_t>(tree_end_ - tree_begin_));
    for (std::int64_t tree = tree_begin_; tree < tree_end_; ++tree) {
        check_interrupt();
        trees_.emplace_back(arrays, tree, place_of_column, interactions_);
    }
    for (std::int64_t tree = tree_begin_; arrays.has_linear_leaves() && tree < tree_end_; ++tree)
        linear_leaves_.emplace_back(arrays, tree, place_of_column, interactions_);
}

void Explainer::set_background(const RowSource& rows, int n_threads) {
    has_background_ = true;
    const std::int64_t n_rows = rows.n_rows(), n_blocks = (n_rows + kBlockRows - 1) / kBlockRows,
                       stride = n_blocks * kBlockRows;
    for (const Segment& segment : sides_.segments()) {
        std::vector<BlockOfRows> blocks = blocks_of_rows(n_blocks, sides_.most_planes());
        parallel_for(n_threads, n_blocks, [&](std::int64_t b) {
            const std::int64_t first = b * kBlockRows;
            const auto n = static_cast<int>(std::min<std::int64_t>(kBlockRows, n_rows - first));
            BlockOfRows& own = blocks[static_cast<std::size_t>(b)];
            sides_.encode(segment, rows, first, n, own);
            if (regressors_.any()) regressors_.read(rows, first, n, own.coded.linear_leaves);
        });
        // Trees without codes read values into the block, so only one thread may use it.
        const std::int64_t n_trees = segment.tree_end - segment.tree_begin;
        parallel_for(segment.coded ? n_threads : 1, n_trees, [&](std::int64_t t) {
            const std::int64_t tree = segment.tree_begin + t;
            std::vector<std::int8_t> sides(
                static_cast<std::size_t>(sides_.n_splits(tree) * stride));
            for (std::int64_t b = 0; b < n_blocks; ++b)
                sides_.of_tree(segment, tree, blocks[static_cast<std::size_t>(b)], stride,
                               sides.data() + b * kBlockRows);
            const auto at = static_cast<std::size_t>(tree - tree_begin_);
            trees_[at].meet_background(sides.data(), stride, n_rows);
            if (!linear_leaves_.empty())
                linear_leaves_[at].meet_background(
                    {sides.data(), stride, n_rows, values_of(regressors_, blocks)});
        });
    }
}

Explainer::Group Explainer::next_group(std::int64_t begin, std::int64_t n_rows) const {
    Group group{begin, begin, {}, {}, {}};
    std::int64_t size = 0;
    while (group.tree_end < tree_end_) {
        const ExplainedTree& tree = tree_at(group.tree_end);
        const std::size_t n_before = group.tables.size();
        const std::int64_t size_before = size;
        for (const LeafGroup& leaf_group : tree.leaf_groups()) {
            const bool has_table = n_rows >= kRowsForTables && !leaf_group.is_wide() &&
                                   leaf_group.n_players > 0 &&
                                   tree.table_cost(leaf_group) <= n_rows;
            group.tables.push_back(has_table ? size : -1);
            if (has_table) size += tree.table_size(leaf_group);
        }
        if (size > kGroupNumbers && group.tree_end > begin) {
            group.tables.resize(n_before);
            size = size_before;
            break;
        }
        group.first_bundle.push_back(static_cast<std::int64_t>(n_before));
        ++group.tree_end;
    }
    group.numbers.resize(static_cast<std::size_t>(size));
    return group;
}

void Explainer::fill_tables(Group& group, int n_threads) const {
    if (group.numbers.empty()) return;
    parallel_for(n_threads, group.tree_end - group.tree_begin, [&](std::int64_t t) {
        const ExplainedTree& tree = tree_at(group.tree_begin + t);
        const std::int64_t* tables = group.tables_of(group.tree_begin + t);
        LeafUnits units(interactions_);
        for (const LeafGroup& leaf_group : tree.leaf_groups()) {
            const std::int64_t table = *tables++;
            check_interrupt();
            if (table >= 0) tree.fill_table(leaf_group, units, group.numbers.data() + table);
        }
    });
}

void Explainer::explain(const RowSource& rows, double* values, int n_threads) const {
    const std::int64_t n_rows = rows.n_rows(), n_sums = n_slots_ * forest_.n_outputs();
    std::fill_n(values, n_rows * row_width(), 0.0);
    if (n_sums == 0 || n_rows == 0) return;
    const std::int64_t affordable = kBlockNumbers / n_sums / kRowGroup * kRowGroup;
    const std::int64_t wanted = (n_rows + kRowGroup - 1) / kRowGroup * kRowGroup;
    const std::int64_t most_rows =
        std::min(wanted, std::clamp<std::int64_t>(affordable, kRowGroup, kMostRows));
    const std::int64_t n_blocks = (n_rows + most_rows - 1) / most_rows;
    const std::int64_t work = n_rows * (tree_end_ - tree_begin_) * 100;
    n_threads = useful_threads(n_threads, has_background_ ? work * 100 : work);
    for (std::int64_t begin = tree_begin_; begin < tree_end_;) {
        Group group = next_group(begin, n_rows);
        fill_tables(group, n_threads);
        parallel_for(n_threads, n_blocks, [&](std::int64_t b) {
            const std::int64_t first = b * most_rows;
            const auto n = static_cast<int>(std::min(most_rows, n_rows - first));
            Block block(sides_.most_planes(), most_rows, n_sums, interactions_);
            block.n_rows = n;
            block.n_padded = whole_groups(n);
            double* own = values + first * row_width();
            if (begin > tree_begin_) copy(own, block, false);
            add_block(group, rows, first, block);
            copy(own, block, true);
            if (interactions_ && group.tree_end == tree_end_) set_diagonal(n, own);
        });
        begin = group.tree_end;
    }
}

void Explainer::add_block(const Group& group, const RowSource& rows, std::int64_t first,
                          Block& block) const {
    for (const Segment& segment : sides_.segments()) {
        const std::int64_t begin = std::max(segment.tree_begin, group.tree_begin),
                           end = std::min(segment.tree_end, group.tree_end);
        if (begin >= end) continue;
        const auto n_parts = (block.n_rows + kBlockRows - 1) / kBlockRows;
        for (int p = 0; p < n_parts; ++p) {
            const int n = std::min(kBlockRows, block.n_rows - p * kBlockRows);
            BlockOfRows& own = block.parts[static_cast<std::size_t>(p)];
            sides_.encode(segment, rows, first + p * kBlockRows, n, own);
            if (regressors_.any())
                regressors_.read(rows, first + p * kBlockRows, n, own.coded.linear_leaves);
        }
        for (std::int64_t tree = begin; tree < end; ++tree) {
            block.sides.resize(static_cast<std::size_t>(sides_.n_splits(tree) * block.stride));
            for (int p = 0; p < n_parts; ++p)
                sides_.of_tree(segment, tree, block.parts[static_cast<std::size_t>(p)],
                               block.stride, block.sides.data() + p * kBlockRows);
            add_tree(group, tree, block);
            if (!linear_leaves_.empty()) add_linear_leaves(tree, block);
        }
    }
}

std::span<const std::int32_t>
Explainer::find_slots(const ExplainedTree& tree, const LeafGroup& leaf_group, Block& block) const {
    const auto players = tree.players_of(leaf_group);
    if (!interactions_) return players;
    const auto n_used = std::ssize(used_);
    block.slots.assign(players.begin(), players.end());
    for (std::size_t i = 0; i < players.size(); ++i) {
        for (std::size_t j = i + 1; j < players.size(); ++j) {
            const auto [first, last] = std::minmax(players[i], players[j]);
            block.slots.push_back(static_cast<std::int32_t>(n_used + pair_of(first, last, n_used)));
        }
    }
    return block.slots;
}

void Explainer::add_tree(const Group& group, std::int64_t tree_number, Block& block) const {
    const ExplainedTree& tree = tree_at(tree_number);
    const std::int64_t* tables = group.tables_of(tree_number);
    const std::int64_t width = forest_.leaf_width(),
                       first_output = width > 1 ? 0 : tree_number % forest_.n_outputs();
    for (const LeafGroup& leaf_group : tree.leaf_groups()) {
        const std::int64_t table = *tables++;
        check_interrupt();
        if (leaf_group.n_players == 0) continue;
        const auto slots = find_slots(tree, leaf_group, block);
        double* sums = block.sums.data() + first_output * n_slots_ * block.stride;
        if (table < 0) {
            add_rows(tree, leaf_group, slots, sums, block);
            continue;
        }
        const auto conditions = tree.conditions_of(leaf_group);
        share_kernels().meet(conditions.data(), leaf_group.n_conditions, tree.edges(),
                             block.sides.data(), block.stride, block.n_padded, block.words.data());
        const double* numbers = group.numbers.data() + table;
        for (std::int64_t output = 0; output < width; ++output, sums += n_slots_ * block.stride)
            for (const std::int32_t slot : slots) {
                share_kernels().look_up(numbers, block.words.data(), block.n_rows,
                                        sums + slot * block.stride);
                numbers += leaf_group.n_patterns();
            }
    }
}

void Explainer::add_linear_leaves(std::int64_t tree, Block& block) const {
    const std::int64_t first_output = forest_.leaf_width() > 1 ? 0 : tree % forest_.n_outputs();
    const auto n_used = std::ssize(used_);
    linear_leaves_[static_cast<std::size_t>(tree - tree_begin_)].add(
        {block.sides.data(), block.stride, block.n_rows, values_of(regressors_, block.parts)},
        block.units,
        [&](std::int32_t player, std::int32_t other, std::int64_t output, std::int64_t row,
            double number) {
            std::int64_t slot = player;
            if (other >= 0) {
                const auto [low, high] = std::minmax(player, other);
                slot = n_used + pair_of(low, high, n_used);
            }
            block.sums[static_cast<std::size_t>(
                ((first_output + output) * n_slots_ + slot) * block.stride + row)] += number;
        });
}

// Without a table: for wide leaves, and for few rows.
void Explainer::add_rows(const ExplainedTree& tree, const LeafGroup& leaf_group,
                         std::span<const std::int32_t> slots, double* sums, Block& block) const {
    const auto conditions = tree.conditions_of(leaf_group);
    const auto meet = [&](std::size_t first, int n) {
        share_kernels().meet(conditions.data() + first, n, tree.edges(), block.sides.data(),
                             block.stride, block.n_padded, block.words.data());
    };
    const std::size_t n = conditions.size();
    if (leaf_group.is_wide()) {
        block.holds.resize(n * static_cast<std::size_t>(block.n_rows));
        for (std::size_t k = 0; k < n; ++k) {
            meet(k, 1);
            for (std::size_t row = 0; row < static_cast<std::size_t>(block.n_rows); ++row)
                block.holds[row * n + k] = static_cast<std::uint8_t>(block.words[row]);
        }
    } else {
        meet(0, leaf_group.n_conditions);
    }
    const std::int64_t width = forest_.leaf_width();
    for (int row = 0; row < block.n_rows; ++row) {
        block.of_row.assign(static_cast<std::size_t>(width) * slots.size(), 0.0);
        if (leaf_group.is_wide())
            tree.add_wide(leaf_group, block.holds.data() + static_cast<std::size_t>(row) * n,
                          block.units, block.of_row.data());
        else
            tree.add_directly(leaf_group, block.words[static_cast<std::size_t>(row)], block.units,
                              block.of_row.data());
        const double* own = block.of_row.data();
        for (std::int64_t output = 0; output < width; ++output)
            for (const std::int32_t slot : slots)
                sums[(output * n_slots_ + slot) * block.stride + row] += *own++;
    }
}

// Copy between the sums of a block and the values of its rows. With interactions both places of a
// pair have its sum, and the diagonal has the value of the player alone.
void Explainer::copy(double* values, Block& block, bool to_values) const {
    const std::int64_t n_outputs = forest_.n_outputs();
    const std::int64_t step = row_width();
    std::int64_t first = 0, last = 0;
    const auto with = [&](double* place, std::int64_t output, std::int64_t slot) {
        double* sums = block.sums.data() + (output * n_slots_ + slot) * block.stride;
        for (std::int64_t row = first; row < last; ++row) {
            if (to_values)
                place[row * step] = sums[row];
            else
                sums[row] = place[row * step];
        }
    };
    // Process some rows at a time, so that their cache lines stay loaded until all players are
    // written.
    for (; first < block.n_rows; first = last) {
        last = std::min<std::int64_t>(block.n_rows, first + kRowsCopiedAtOnce);
        for (std::int64_t output = 0; output < n_outputs; ++output)
            copy_slots(values, output, with);
    }
}

template <class With>
void Explainer::copy_slots(double* values, std::int64_t output, With with) const {
    const auto n_used = std::ssize(used_);
    const std::int64_t n_outputs = forest_.n_outputs();
    for (std::int64_t i = 0; i < n_used; ++i) {
        const std::int64_t player = used_[static_cast<std::size_t>(i)];
        if (!interactions_) {
            with(values + player * n_outputs + output, output, i);
            continue;
        }
        with(values + player * (n_players_ + 1) * n_outputs + output, output, i);
        for (std::int64_t j = i + 1; j < n_used; ++j) {
            const std::int64_t other = used_[static_cast<std::size_t>(j)],
                               slot = n_used + pair_of(i, j, n_used);
            with(values + (player * n_players_ + other) * n_outputs + output, output, slot);
            with(values + (other * n_players_ + player) * n_outputs + output, output, slot);
        }
    }
}

// The main effect of a player is its value without its part of the pairs.
void Explainer::set_diagonal(std::int64_t n_rows, double* values) const {
    const std::int64_t n_outputs = forest_.n_outputs();
    for (std::int64_t row = 0; row < n_rows; ++row, values += row_width()) {
        for (const std::int32_t player : used_) {
            for (std::int64_t output = 0; output < n_outputs; ++output) {
                double* alone = values + player * (n_players_ + 1) * n_outputs + output;
                const double* own = values + player * n_players_ * n_outputs + output;
                for (const std::int32_t other : used_)
                    if (other != player) *alone -= own[other * n_outputs];
            }
        }
    }
}

void Explainer::add_base(double* out) const {
    const std::int64_t width = forest_.leaf_width();
    for (std::int64_t tree = tree_begin_; tree < tree_end_; ++tree) {
        double* own = out + (width > 1 ? 0 : tree % forest_.n_outputs());
        tree_at(tree).add_base(own);
        if (!linear_leaves_.empty())
            linear_leaves_[static_cast<std::size_t>(tree - tree_begin_)].add_base(own);
    }
}

} // namespace ceiba
