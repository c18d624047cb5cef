#include "tree/split_search.hpp"

namespace ceiba {

void SplitSearch::pack(std::span<const GradientView> views, const RowSelection& selection) {
    const auto pack = [&](const PackOrder& order) {
        return exchange_.pack(order, tree_.n_threads);
    };
    const bool constant = views[0].hessians == nullptr;
    const bool fine = needs_fine_sums() || (tree_.plan.own_units && constant),
               centers = supports_centers() && tree_.may_center();
    const Outputs outputs{static_cast<int>(views.size()), !constant};
    tree_.packed.clear();
    for (int output = 0; output < outputs.n; ++output) {
        const GradientView& view = views[static_cast<std::size_t>(output)];
        const Measured measured = exchange_.measure(view, selection, tree_.n_threads);
        tree_.packed.push_back(
            outputs.n == 1
                ? choose_packing(measured, selection.weights, constant, view.constant_hessian, fine,
                                 tree_.plan.reg_lambda, centers, pack)
                : pack_output(measured, selection.weights, constant, view.constant_hessian, outputs,
                              output, centers, pack));
    }
}

void SplitSearch::split(std::span<const int> batch) {
    settle(batch);
    std::vector<SplitOrder> orders;
    orders.reserve(batch.size());
    for (const int number : batch) {
        const Decision decision =
            tree_.at(number).split.decision; // in codes, which shards can apply
        translate(tree_.at(number).split);
        tree_.make_children(number, has_border(tree_.at(number).split));
        hand_down(number);
        const Node& node = tree_.at(number);
        orders.push_back({number, node.left, node.right, decision, 0, 0});
    }
    exchange_.apply(orders, tree_.n_threads);
    for (const SplitOrder& order : orders) {
        tree_.at(order.left).n_rows = order.n_left;
        tree_.at(order.right).n_rows = order.n_right;
    }
}

} // namespace ceiba
