#include "bind/python_exchange.hpp"

#include "base/errors.hpp"
#include "bind/plain_exchange.hpp"
#include "rows/histogram.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <numeric>

namespace ceiba {

namespace {

// Columns of one group: as many as one thread of the grower can scan at a time.
constexpr int kGroupWidth = 16;

template <class T>
nb::ndarray<nb::numpy, const T> lent(const T* values, std::int64_t n) {
    return nb::ndarray<nb::numpy, const T>(values, {static_cast<std::size_t>(n)}, nb::handle());
}

// Check the size of an answer; the error names the method that returned it.
template <class T>
Array1<T> answer(const nb::object& given, std::int64_t size, const char* method) {
    Array1<T> array;
    if (!nb::try_cast<Array1<T>>(given.attr("reshape")(-1), array) ||
        static_cast<std::int64_t>(array.shape(0)) != size)
        throw InputError(std::string("the exchange's ") + method + " must return " +
                         std::to_string(size) + " numbers of the right type.");
    return array;
}

class PythonTreeRows final : public TreeRows {
  public:
    PythonTreeRows(nb::object self, nb::object tree, std::int64_t n_nodes)
        : self_(std::move(self)), tree_(std::move(tree)), n_nodes_(n_nodes) {}
    ~PythonTreeRows() override {
        const nb::gil_scoped_acquire held;
        try {
            self_.attr("release")(tree_);
        } catch (nb::python_error& error) { // a destructor cannot throw
            error.discard_as_unraisable("release() of an exchange");
        }
        tree_.reset();
        self_.reset();
    }

    Extent measure(const GradientView& view, const WeightFacts& weights, int) const override {
        const nb::gil_scoped_acquire held;
        const nb::object found = self_.attr("measure_leaves")(tree_, plain(view), plain(weights));
        return measured_from(answer<double>(found, 6, "measure_leaves").data()).extent;
    }

    std::vector<Sums> sum_leaves(const GradientView& view, const WeightFacts& weights,
                                 const LeafSumOrder& order, int) const override {
        const nb::gil_scoped_acquire held;
        const nb::object found =
            self_.attr("sum_leaves")(tree_, plain(view), plain(weights), plain(order));
        const auto words = answer<std::int64_t>(found, 3 * n_nodes_, "sum_leaves");
        std::vector<Sums> sums;
        for (std::int64_t i = 0; i < n_nodes_; ++i) {
            const std::int64_t* own = words.data() + 3 * i;
            sums.push_back({own[0], own[1], own[2]});
        }
        return sums;
    }

    void residuals(const double*, const double*, const WeightUnits&, bool, int,
                   LeafResiduals&) const override {
        throw InputError("Residuals of single rows are known only in the process of the rows.");
    }

    std::optional<LeafStatistics> remote_statistics(const ResidualRule& rule, std::size_t output,
                                                    const WeightFacts& weights) const override {
        using Kind = ResidualRule::Kind;
        const nb::gil_scoped_acquire held;
        const char* kind = rule.kind == Kind::quantile ? "quantile"
                           : rule.kind == Kind::huber  ? "huber"
                                                       : "huber_friedman";
        const auto found = nb::cast<nb::tuple>(
            self_.attr("leaf_statistics")(tree_, output, plain(weights), kind, rule.option));
        LeafStatistics statistics;
        for (std::size_t i = 0; i < 2; ++i) {
            const auto own = answer<double>(nb::object(found[i]), n_nodes_, "leaf_statistics");
            (i == 0 ? statistics.values : statistics.weights)
                .assign(own.data(), own.data() + n_nodes_);
        }
        return statistics;
    }

    // The shards add them to the scores that they keep.
    void add_to_scores(std::span<const RoutedNode> routes, const double* values, std::int64_t width,
                       const double*, double*, int) const override {
        const nb::gil_scoped_acquire held;
        std::vector<std::int64_t> nodes;
        std::vector<PlainSet> sets;
        for (const RoutedNode& node : routes) {
            const Decision& d = node.decision;
            nodes.insert(nodes.end(), {node.left, node.right, d.feature, d.last, d.missing_left});
            sets.push_back(plain_set(d));
        }
        self_.attr("add_to_scores")(tree_, to_numpy(std::move(nodes), {routes.size(), 5}), sets,
                                    lent(values, width * n_nodes_), width);
    }

  private:
    nb::object self_, tree_;
    std::int64_t n_nodes_;
};

class PythonExchange final : public Exchange {
  public:
    PythonExchange(nb::object self, std::shared_ptr<const BinMapper> mapper)
        : self_(std::move(self)), mapper_(std::move(mapper)) {
        for (int f = 0; f < mapper_->n_features(); ++f) {
            if (f % kGroupWidth == 0) groups_.emplace_back();
            groups_.back().push_back(f);
        }
        layout_ = HistogramLayout(*mapper_, groups_);
    }
    ~PythonExchange() override {
        const nb::gil_scoped_acquire held;
        self_.reset();
    }

    std::span<const ColumnGroup> groups() const override { return groups_; }

    Measured measure(const GradientView& view, const RowSelection& selection, int) override {
        const nb::gil_scoped_acquire held;
        const nb::object found = self_.attr("measure")(plain(view), plain(selection.weights));
        return measured_from(answer<double>(found, 6, "measure").data());
    }

    PackSums pack(const PackOrder& order, int) override {
        const nb::gil_scoped_acquire held;
        n_planes_ = order.packing.n_planes();
        const nb::object found = self_.attr("pack")(plain(order));
        return sums_from(answer<std::int64_t>(found, 7, "pack").data());
    }

    // Only the bins of the requested groups cross, side by side in each plane.
    void sum(std::span<const SumOrder> orders, std::span<const int> groups, int,
             const std::function<void(int, int)>& summed) override {
        {
            const nb::gil_scoped_acquire held;
            std::vector<int> nodes, columns;
            for (const SumOrder& order : orders) nodes.push_back(order.node);
            std::int64_t n_bins = 0;
            for (const int group : groups) {
                const ColumnGroup& own = groups_[static_cast<std::size_t>(group)];
                columns.insert(columns.end(), own.begin(), own.end());
                n_bins += bins_of(group);
            }
            const nb::object found = self_.attr("sum")(nodes, columns);
            const auto words =
                answer<std::uint64_t>(found, n_bins * n_planes_ * std::ssize(orders), "sum");
            const std::uint64_t* from = words.data();
            for (const SumOrder& order : orders)
                for (int plane = 0; plane < n_planes_; ++plane)
                    for (const int group : groups) {
                        const std::int64_t n = bins_of(group);
                        std::copy_n(from, n,
                                    order.histogram + plane * layout_.n_bins() + begin_of(group));
                        from += n;
                    }
        }
        for (std::size_t o = 0; o < orders.size(); ++o)
            for (const int group : groups) summed(static_cast<int>(o), group);
    }

    void apply(std::span<SplitOrder> orders, int) override {
        const nb::gil_scoped_acquire held;
        std::vector<std::int64_t> splits;
        std::vector<PlainSet> sets;
        for (const SplitOrder& order : orders) {
            const Decision& d = order.decision;
            splits.insert(splits.end(),
                          {order.node, order.left, order.right, d.feature, d.last, d.missing_left});
            sets.push_back(plain_set(d));
        }
        const nb::object found =
            self_.attr("apply")(to_numpy(std::move(splits), {orders.size(), 6}), sets);
        const auto n_rows = answer<std::int64_t>(found, 2 * std::ssize(orders), "apply");
        for (std::size_t o = 0; o < orders.size(); ++o) {
            orders[o].n_left = n_rows.data()[2 * o];
            orders[o].n_right = n_rows.data()[2 * o + 1];
        }
    }

    void end(std::span<const Home> homes, std::int64_t n_nodes, int,
             std::unique_ptr<TreeRows>& rows) override {
        const nb::gil_scoped_acquire held;
        std::vector<std::int32_t> leaves; // -1: the node has no rows of its own
        for (const Home& home : homes) leaves.push_back(home.had_rows ? home.node : -1);
        rows.reset();
        nb::object tree = self_.attr("end")(to_numpy(std::move(leaves)), n_nodes);
        rows = std::make_unique<PythonTreeRows>(self_, std::move(tree), n_nodes);
    }

  private:
    nb::object self_;
    std::shared_ptr<const BinMapper> mapper_;
    HistogramLayout layout_;
    std::vector<ColumnGroup> groups_;
    int n_planes_ = 1;

    std::int64_t begin_of(int group) const {
        return layout_.offsets[layout_.first_of[static_cast<std::size_t>(group)]];
    }
    std::int64_t bins_of(int group) const {
        return layout_.offsets[layout_.first_of[static_cast<std::size_t>(group) + 1]] -
               begin_of(group);
    }
};

} // namespace

std::unique_ptr<Exchange> python_exchange(nb::object self,
                                          std::shared_ptr<const BinMapper> mapper) {
    return std::make_unique<PythonExchange>(std::move(self), std::move(mapper));
}

} // namespace ceiba
