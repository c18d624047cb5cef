#include "tree/column_choice.hpp"

#include <algorithm>
#include <numeric>

namespace ceiba {

ColumnChoice::ColumnChoice(const GrowingTree& tree, int n_features, const BinMapper* mapper)
    : tree_(tree), interactions_(tree.plan.columns.interactions, tree.plan.columns.listed_only,
                                 tree.plan.columns_bypath, n_features),
      mapper_(mapper), n_features_(static_cast<std::size_t>(n_features)) {}

void ColumnChoice::start() {
    std::vector<int> all(n_features_);
    std::iota(all.begin(), all.end(), 0);
    of_tree_ = sample_columns(all, tree_.plan.colsample_bytree, tree_.key, kTreeStage, 0,
                              tree_.plan.columns.weights);
}

std::vector<int> ColumnChoice::of_node(int number) const {
    std::vector<int> columns = drawn(number);
    erase_constants(columns);
    const Node& node = tree_.at(number);
    if (node.hopeless.empty()) return columns;
    // Without a branch: which columns are hopeless is unpredictable.
    std::size_t n = 0;
    for (const int column : columns) {
        columns[n] = column;
        n += node.hopeless[static_cast<std::size_t>(column)] == 0;
    }
    columns.resize(n);
    return columns;
}

std::vector<int> ColumnChoice::of_level(int number) const {
    const GrowPlan& plan = tree_.plan;
    auto columns =
        sample_columns(of_tree_, plan.colsample_bylevel, tree_.key, kLevelStage,
                       static_cast<std::uint64_t>(tree_.at(number).depth), plan.columns.weights);
    if (!interactions_.empty())
        columns = interactions_.allowed(columns, path_to(*tree_.nodes, number));
    return columns;
}

std::vector<int> ColumnChoice::drawn(int number) const {
    const GrowPlan& plan = tree_.plan;
    const bool all_of_level = plan.colsample_bylevel >= 1 && interactions_.empty();
    if (all_of_level && plan.colsample_bynode >= 1 && plan.columns_bynode == 0) return of_tree_;
    const auto place = static_cast<std::uint64_t>(number);
    const std::vector<int> own = all_of_level ? std::vector<int>{} : of_level(number);
    const std::vector<int>& from = all_of_level ? of_tree_ : own;
    if (plan.columns_bynode > 0)
        return draw_columns(from, static_cast<std::size_t>(plan.columns_bynode), tree_.key,
                            kNodeStage, place, plan.columns.weights);
    return sample_columns(from, plan.colsample_bynode, tree_.key, kNodeStage, place,
                          plan.columns.weights);
}

std::vector<int> ColumnChoice::further(int number, std::span<const int> drawn) const {
    const GrowPlan& plan = tree_.plan;
    if (!plan.draw_until_split || (plan.colsample_bynode >= 1 && plan.columns_bynode == 0))
        return {};
    std::vector<int> columns =
        columns_in_turn(of_level(number), tree_.key, kNodeStage, static_cast<std::uint64_t>(number),
                        plan.columns.weights);
    erase_constants(columns);
    const Node& node = tree_.at(number);
    std::erase_if(columns, [&](int column) {
        return std::binary_search(drawn.begin(), drawn.end(), column) || node.is_hopeless(column);
    });
    return columns;
}

void ColumnChoice::erase_constants(std::vector<int>& columns) const {
    if (mapper_ == nullptr) return;
    std::erase_if(columns, [&](int column) { return mapper_->n_bins(column) < 2; });
}

void ColumnChoice::note_hopeless(std::span<const int> columns,
                                 std::span<const std::uint8_t> hopeful, Node& node) const {
    if (!node.split.found()) return node.hopeless.clear(); // it has no nodes below
    if (hopeful.empty()) return;
    node.hopeless.resize(n_features_, 0);
    for (std::size_t c = 0; c < columns.size(); ++c)
        node.hopeless[static_cast<std::size_t>(columns[c])] = hopeful[c] == 0;
}

std::uint64_t ColumnChoice::lot(const Node& node, int feature) const {
    const int place = tree_.is_symmetric() ? node.depth : tree_.number_of(node);
    return lot_of(tree_.key, kDrawnStage, static_cast<std::uint64_t>(place), feature);
}

} // namespace ceiba
