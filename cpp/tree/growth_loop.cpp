#include "tree/growth_loop.hpp"

#include "base/interrupt.hpp"
#include "tree/frontier.hpp"

namespace ceiba {

void grow_nodes(GrowingTree& tree, SplitSearch& search) {
    const std::int64_t most_leaves = tree.most_leaves();
    std::int64_t n_leaves = 1;
    Frontier frontier(tree.plan.grow_policy);
    std::vector<int> fresh{0};
    const auto find_and_add = [&] {
        search.search(fresh);
        for (const int number : fresh) {
            const Node& node = tree.at(number);
            if (node.split.found()) frontier.add(number, node.depth, node.split.gain);
        }
        for (const int number : frontier.drop_hopeless(most_leaves - n_leaves))
            search.forget(number);
    };
    if (most_leaves > 1 && tree.may_split(tree.at(0))) find_and_add();
    for (std::vector<int> batch; !(batch = frontier.next_batch(most_leaves - n_leaves)).empty();) {
        check_interrupt();
        search.split(batch);
        n_leaves += std::ssize(batch);
        if (n_leaves >= most_leaves) {
            for (const int number : batch) search.forget(number);
            break; // the tree is full
        }
        fresh.clear();
        for (const int number : batch)
            fresh.insert(fresh.end(), {tree.at(number).left, tree.at(number).right});
        find_and_add();
    }
}

} // namespace ceiba
