#include "tree/frontier.hpp"

#include <algorithm>

namespace ceiba {

bool Frontier::before(const Entry& a, const Entry& b) const {
    if (policy_ == GrowPolicy::leafwise && a.gain != b.gain) return a.gain > b.gain;
    if (policy_ == GrowPolicy::depthfirst && a.depth != b.depth) return a.depth > b.depth;
    if (policy_ != GrowPolicy::leafwise && a.depth != b.depth) return a.depth < b.depth;
    return a.node < b.node;
}

void Frontier::add(int node, int depth, double gain) {
    heap_.push_back({node, depth, gain});
    std::push_heap(heap_.begin(), heap_.end(),
                   [&](const Entry& a, const Entry& b) { return before(b, a); });
}

std::vector<int> Frontier::next_batch(std::int64_t leaves_left) {
    std::vector<int> batch;
    if (heap_.empty()) return batch;
    const int level = heap_.front().depth;
    if (policy_ == GrowPolicy::symmetric && static_cast<std::int64_t>(heap_.size()) > leaves_left)
        return batch;
    const bool one_by_one = policy_ == GrowPolicy::leafwise || policy_ == GrowPolicy::depthfirst;
    const std::int64_t most = one_by_one ? std::min<std::int64_t>(1, leaves_left) : leaves_left;
    while (!heap_.empty() && static_cast<std::int64_t>(batch.size()) < most) {
        if (policy_ != GrowPolicy::leafwise && heap_.front().depth != level) break;
        batch.push_back(heap_.front().node);
        std::pop_heap(heap_.begin(), heap_.end(),
                      [&](const Entry& a, const Entry& b) { return before(b, a); });
        heap_.pop_back();
    }
    return batch;
}

std::vector<int> Frontier::drop_hopeless(std::int64_t leaves_left) {
    std::vector<int> dropped;
    // The other policies do not limit the width of a level.
    if (policy_ != GrowPolicy::leafwise || static_cast<std::int64_t>(heap_.size()) <= leaves_left)
        return dropped;
    // Sorted from best to worst, which is also a valid heap.
    std::sort(heap_.begin(), heap_.end(),
              [&](const Entry& a, const Entry& b) { return before(a, b); });
    for (; static_cast<std::int64_t>(heap_.size()) > leaves_left; heap_.pop_back())
        dropped.push_back(heap_.back().node);
    return dropped;
}

} // namespace ceiba
