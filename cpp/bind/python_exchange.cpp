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

template <class T>
nb::object lent_or_none(const T* values, std::int64_t n) {
    return values == nullptr ? nb::none() : nb::cast(lent(values, n));
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

nb::tuple plain_gradients(const GradientView& view) {
    return nb::make_tuple(lent(view.gradients, view.n_rows),
                          lent_or_none(view.hessians, view.n_rows), view.constant_hessian);
}

nb::tuple plain_weights(const WeightFacts& weights, std::int64_t n_rows) {
    return nb::make_tuple(lent_or_none(weights.weights, n_rows), plain(weights));
}

class PythonTreeRows final : public TreeRows {
  public:
    PythonTreeRows(nb::object self, nb::object tree, std::int64_t n_rows, std::int64_t n_nodes)
        : self_(std::move(self)), tree_(std::move(tree)), n_rows_(n_rows), n_nodes_(n_nodes) {}
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
        const nb::object found = self_.attr("measure_leaves")(tree_, plain_gradients(view),
                                                              plain_weights(weights, view.n_rows));
        return measured_from(answer<double>(found, 6, "measure_leaves").data()).extent;
    }

    std::vector<Sums> sum_leaves(const GradientView& view, const WeightFacts& weights,
                                 const LeafSumOrder& order, int) const override {
        const nb::gil_scoped_acquire held;
        const nb::object found = self_.attr("sum_leaves")(
            tree_, plain_gradients(view), plain_weights(weights, view.n_rows),
            nb::make_tuple(order.gradient_scale, order.hessian_scale, order.hessians));
        const auto words = answer<std::int64_t>(found, 3 * n_nodes_, "sum_leaves");
        std::vector<Sums> sums;
        for (std::int64_t i = 0; i < n_nodes_; ++i) {
            const std::int64_t* own = words.data() + 3 * i;
            sums.push_back({own[0], own[1], own[2]});
        }
        return sums;
    }

    void residuals(const double* target, const double* scores, const WeightUnits& weights,
                   bool plain, int, LeafResiduals& out) const override {
        const nb::gil_scoped_acquire held;
        const auto found = nb::cast<nb::tuple>(self_.attr("residuals")(
            tree_, lent(target, n_rows_), lent(scores, n_rows_),
            nb::make_tuple(lent_or_none(weights.weights(), n_rows_), weights.scale())));
        const auto leaves = nb::cast<Array1<std::int32_t>>(found[0]);
        const auto size = static_cast<std::int64_t>(leaves.shape(0));
        const auto values = answer<double>(nb::object(found[1]), size, "residuals");
        const auto units = answer<std::int64_t>(nb::object(found[2]), size, "residuals");
        std::vector<std::int64_t> places(static_cast<std::size_t>(n_nodes_) + 1, 0);
        for (std::int64_t i = 0; i < size; ++i) {
            const std::int32_t leaf = leaves.data()[i];
            if (leaf < 0 || leaf >= n_nodes_)
                throw InputError("the exchange's residuals must name leaves of the tree.");
            ++places[static_cast<std::size_t>(leaf) + 1];
        }
        std::partial_sum(places.begin(), places.end(), places.begin());
        out.begins = places;
        out.plain.need(static_cast<std::size_t>(plain ? std::max<std::int64_t>(1, size) : 1));
        out.weighted.need(static_cast<std::size_t>(plain ? 1 : std::max<std::int64_t>(1, size)));
        for (std::int64_t i = 0; i < size; ++i) {
            const auto at =
                static_cast<std::size_t>(places[static_cast<std::size_t>(leaves.data()[i])]++);
            if (plain)
                out.plain[at] = values.data()[i];
            else
                out.weighted[at] = {values.data()[i], units.data()[i]};
        }
    }

    void add_to_scores(std::span<const RoutedNode> routes, const double* values, std::int64_t width,
                       const double* scores, double* moved, int) const override {
        const nb::gil_scoped_acquire held;
        std::vector<std::int64_t> nodes;
        std::vector<PlainSet> sets;
        for (const RoutedNode& node : routes) {
            const Decision& d = node.decision;
            nodes.insert(nodes.end(), {node.left, node.right, d.feature, d.last, d.missing_left});
            sets.push_back(plain_set(d));
        }
        const auto n_numbers = static_cast<std::size_t>(width * n_rows_);
        const nb::object found = self_.attr("add_to_scores")(
            tree_, to_numpy(std::move(nodes), {routes.size(), 5}), sets,
            lent(values, width * n_nodes_),
            nb::cast(lent(scores, width * n_rows_)).attr("reshape")(width, -1));
        std::copy_n(
            answer<double>(found, static_cast<std::int64_t>(n_numbers), "add_to_scores").data(),
            n_numbers, moved);
    }

  private:
    nb::object self_, tree_;
    std::int64_t n_rows_, n_nodes_;
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
        n_rows_ = view.n_rows;
        const nb::object rows =
            selection.all ? nb::none()
                          : nb::cast(lent(selection.rows.data(), std::ssize(selection.rows)));
        const nb::object found = self_.attr("measure")(
            plain_gradients(view), rows, plain_weights(selection.weights, view.n_rows));
        return measured_from(answer<double>(found, 6, "measure").data());
    }

    PackSums pack(const PackOrder& order, int) override {
        const nb::gil_scoped_acquire held;
        n_planes_ = order.packing.n_planes();
        const nb::object found = self_.attr("pack")(plain(order));
        return sums_from(answer<std::int64_t>(found, 7, "pack").data());
    }

    void sum(std::span<const SumOrder> orders, std::span<const int> groups, int,
             const std::function<void(int, int)>& summed) override {
        const std::int64_t n_words = layout_.n_bins() * n_planes_;
        {
            const nb::gil_scoped_acquire held;
            std::vector<int> nodes;
            for (const SumOrder& order : orders) nodes.push_back(order.node);
            const nb::object found = self_.attr("sum")(nodes);
            const auto words = answer<std::uint64_t>(found, n_words * std::ssize(orders), "sum");
            for (std::size_t o = 0; o < orders.size(); ++o)
                std::copy_n(words.data() + static_cast<std::int64_t>(o) * n_words, n_words,
                            orders[o].histogram);
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
        rows = std::make_unique<PythonTreeRows>(self_, std::move(tree), n_rows_, n_nodes);
    }

  private:
    nb::object self_;
    std::shared_ptr<const BinMapper> mapper_;
    HistogramLayout layout_;
    std::vector<ColumnGroup> groups_;
    std::int64_t n_rows_ = 0;
    int n_planes_ = 1;
};

} // namespace

std::unique_ptr<Exchange> python_exchange(nb::object self,
                                          std::shared_ptr<const BinMapper> mapper) {
    return std::make_unique<PythonExchange>(std::move(self), std::move(mapper));
}

} // namespace ceiba
