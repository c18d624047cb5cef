#include "tree/column_choice.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

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
    without_constants_ = of_tree_;
    erase_constants(without_constants_);
}

std::vector<int> ColumnChoice::of_node(int number) const {
    std::vector<int> columns;
    if (takes_all_of_tree()) {
        columns = without_constants_;
    } else {
        columns = drawn(number);
        erase_constants(columns);
    }
    const Node& node = tree_.at(number);
    if (!node.hopeless) return columns;
    // Branch-free: the processor cannot predict which columns are hopeless.
    std::size_t n = 0;
    for (const int column : columns) {
        columns[n] = column;
        n += (*node.hopeless)[static_cast<std::size_t>(column)] == 0;
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

bool ColumnChoice::takes_all_of_level() const {
    return tree_.plan.colsample_bylevel >= 1 && interactions_.empty();
}

bool ColumnChoice::takes_all_of_tree() const {
    return takes_all_of_level() && tree_.plan.colsample_bynode >= 1 &&
           tree_.plan.columns_bynode == 0;
}

std::vector<int> ColumnChoice::drawn(int number) const {
    const GrowPlan& plan = tree_.plan;
    const auto place = static_cast<std::uint64_t>(number);
    const std::vector<int> own = takes_all_of_level() ? std::vector<int>{} : of_level(number);
    const std::vector<int>& from = takes_all_of_level() ? of_tree_ : own;
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
    if (!node.split.found()) return node.hopeless.reset(); // it is a leaf: no child reads them
    if (std::find(hopeful.begin(), hopeful.end(), 0) == hopeful.end()) return;
    auto own = node.hopeless ? std::make_shared<std::vector<std::uint8_t>>(*node.hopeless)
                             : std::make_shared<std::vector<std::uint8_t>>(n_features_);
    for (std::size_t c = 0; c < columns.size(); ++c)
        (*own)[static_cast<std::size_t>(columns[c])] = hopeful[c] == 0;
    node.hopeless = std::move(own);
}

std::uint64_t ColumnChoice::lot(const Node& node, int feature) const {
    const int place = tree_.is_symmetric() ? node.depth : tree_.number_of(node);
    return lot_of(tree_.key, kDrawnStage, static_cast<std::uint64_t>(place), feature);
}

} // namespace ceiba
