// Bindings of a shard, for exchanges written in Python: operations on the rows of this process.
#include "base/errors.hpp"
#include "bind/arrays.hpp"
#include "bind/gil.hpp"
#include "bind/plain_exchange.hpp"
#include "leaf/shard_residuals.hpp"
#include "rows/local_exchange.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace ceiba {

namespace {

using PlainGradients =
    std::tuple<Array1<double>, std::optional<Array1<double>>, double>; // with the constant hessian
using PlainWeights = std::tuple<std::optional<Array1<double>>, PlainFacts>;
using Sets = std::vector<PlainSet>;

std::vector<RoutedNode> routes_from(const Array2<std::int64_t>& nodes, const Sets& sets) {
    if (nodes.shape(1) != 5 || nodes.shape(0) != sets.size())
        throw InputError("routes must have five numbers each, and a set or None.");
    std::vector<RoutedNode> routes;
    for (std::size_t i = 0; i < sets.size(); ++i) {
        const std::int64_t* n = nodes.data() + 5 * i;
        routes.push_back({decision_from(n[2], n[3], n[4], sets[i]), static_cast<std::int32_t>(n[0]),
                          static_cast<std::int32_t>(n[1])});
    }
    return routes;
}

// The leaf of every row of a table, by the routes of a tree.
nb::ndarray<nb::numpy, std::int32_t>
routed_leaves(const std::shared_ptr<const BinnedMatrix>& binned, const Array2<std::int64_t>& nodes,
              const Sets& sets) {
    const std::vector<RoutedNode> routes = routes_from(nodes, sets);
    std::vector<std::int32_t> leaves(static_cast<std::size_t>(binned->n_rows()));
    Router(*binned, routes).route(0, binned->n_rows(), leaves.data());
    return to_numpy(std::move(leaves));
}

// A shard whose methods take and return plain values. It keeps the inputs of measure() until
// pack().
class ShardRows {
  public:
    ShardRows(std::shared_ptr<const BinnedMatrix> binned, int n_threads)
        : binned_(std::move(binned)), exchange_(*binned_), n_threads_(n_threads) {}

    nb::ndarray<nb::numpy, double> measure(PlainGradients gradients,
                                           std::optional<Array1<std::int32_t>> rows,
                                           PlainWeights weights) {
        gradients_ = std::move(gradients);
        rows_ = std::move(rows);
        weights_ = std::move(weights);
        RowSelection selection{!rows_, {}, facts_of(weights_)};
        if (rows_) selection.rows = {rows_->data(), rows_->shape(0)};
        return to_numpy(plain(exchange_.measure(view_of(gradients_), selection, n_threads_)));
    }

    nb::ndarray<nb::numpy, std::int64_t> pack(const PlainOrder& order) {
        const PackOrder own = order_from(order);
        n_planes_ = own.packing.n_planes();
        return to_numpy(plain(exchange_.pack(own, n_threads_)));
    }

    void take_planes(const Array2<std::uint64_t>& words) {
        if (static_cast<std::int64_t>(words.shape(1)) != binned_->n_rows())
            throw InputError("planes must have one word for each row.");
        n_planes_ = static_cast<int>(words.shape(0));
        exchange_.take_planes({words.data(), words.size()}, n_planes_);
    }

    // The bins of these columns, side by side in each plane.
    nb::ndarray<nb::numpy, std::uint64_t> sum(const std::vector<int>& nodes,
                                              std::optional<std::vector<int>> columns) {
        if (!columns) {
            columns.emplace(static_cast<std::size_t>(binned_->n_features()));
            std::iota(columns->begin(), columns->end(), 0);
        }
        if (columns_ != *columns) {
            columns_ = std::move(*columns);
            layout_ = HistogramLayout(binned_->mapper(), {&columns_, 1});
        }
        const auto n_bins = static_cast<std::size_t>(layout_.n_bins()),
                   n_planes = static_cast<std::size_t>(n_planes_);
        std::vector<std::uint64_t> words(nodes.size() * n_planes * n_bins);
        std::vector<SumOrder> orders;
        for (std::size_t i = 0; i < nodes.size(); ++i)
            orders.push_back({nodes[i], words.data() + i * n_planes * n_bins});
        exchange_.sum_all(orders, layout_, n_threads_);
        return to_numpy(std::move(words), {nodes.size(), n_planes, n_bins});
    }

    nb::ndarray<nb::numpy, std::int64_t> apply(const Array2<std::int64_t>& splits,
                                               const Sets& sets) {
        if (splits.shape(1) != 6 || splits.shape(0) != sets.size())
            throw InputError("splits must have six numbers each, and a set or None.");
        std::vector<SplitOrder> orders;
        for (std::size_t i = 0; i < sets.size(); ++i) {
            const std::int64_t* s = splits.data() + 6 * i;
            orders.push_back({static_cast<int>(s[0]), static_cast<int>(s[1]),
                              static_cast<int>(s[2]), decision_from(s[3], s[4], s[5], sets[i]), 0,
                              0});
        }
        exchange_.apply(orders, n_threads_);
        std::vector<std::int64_t> n_rows;
        for (const SplitOrder& order : orders)
            n_rows.insert(n_rows.end(), {order.n_left, order.n_right});
        return to_numpy(std::move(n_rows), {sets.size(), 2});
    }

    void end(std::int64_t tree, const Array1<std::int32_t>& leaves, std::int64_t n_nodes) {
        std::vector<Home> homes;
        for (std::size_t i = 0; i < leaves.shape(0); ++i)
            homes.push_back({leaves.data()[i], leaves.data()[i] >= 0});
        exchange_.end(homes, n_nodes, n_threads_, trees_[tree]);
    }

    void release(std::int64_t tree) {
        if (trees_.erase(tree) == 0) throw InputError("There is no tree with this number.");
    }

    nb::ndarray<nb::numpy, double> measure_leaves(std::int64_t tree, const PlainGradients& given,
                                                  const PlainWeights& weights) {
        Measured measured;
        measured.extent = rows_of(tree).measure(view_of(given), facts_of(weights), n_threads_);
        return to_numpy(plain(measured));
    }

    nb::ndarray<nb::numpy, std::int64_t> sum_leaves(std::int64_t tree, const PlainGradients& given,
                                                    const PlainWeights& weights,
                                                    const PlainLeafOrder& order) {
        const LeafSumOrder own = leaf_order_from(order);
        const auto sums =
            rows_of(tree).sum_leaves(view_of(given), facts_of(weights), own, n_threads_);
        std::vector<std::int64_t> words;
        for (const Sums& one : sums)
            words.insert(words.end(), {one.gradient, one.hessian, one.count});
        return to_numpy(std::move(words), {sums.size(), 3});
    }

    std::shared_ptr<ShardResiduals> residuals(std::int64_t tree, const Array1<double>& target,
                                              const Array1<double>& scores,
                                              const std::optional<Array1<double>>& weights,
                                              double scale) {
        LeafResiduals found;
        rows_of(tree).residuals(target.data(), scores.data(),
                                WeightUnits(weights ? weights->data() : nullptr, scale), false,
                                n_threads_, found);
        return std::make_shared<ShardResiduals>(std::move(found));
    }

    nb::ndarray<nb::numpy, double> add_to_scores(std::int64_t tree,
                                                 const Array2<std::int64_t>& nodes,
                                                 const Sets& sets, const Array1<double>& values,
                                                 const Array2<double>& scores) {
        const std::vector<RoutedNode> routes = routes_from(nodes, sets);
        std::vector<double> moved(scores.size());
        rows_of(tree).add_to_scores(routes, values.data(),
                                    static_cast<std::int64_t>(scores.shape(0)), scores.data(),
                                    moved.data(), n_threads_);
        return to_numpy(std::move(moved), {scores.shape(0), scores.shape(1)});
    }

    std::int64_t n_trees() const { return std::ssize(trees_); }
    std::int64_t n_rows() const { return binned_->n_rows(); }

  private:
    GradientView view_of(const PlainGradients& given) const {
        const auto& [gradients, hessians, constant] = given;
        if (static_cast<std::int64_t>(gradients.shape(0)) != binned_->n_rows())
            throw InputError("gradients must have a value for each row of the shard.");
        return {gradients.data(), hessians ? hessians->data() : nullptr, constant,
                binned_->n_rows()};
    }
    static WeightFacts facts_of(const PlainWeights& weights) {
        const auto& [values, facts] = weights;
        return facts_from(values ? values->data() : nullptr, facts);
    }
    const TreeRows& rows_of(std::int64_t tree) const {
        const auto found = trees_.find(tree);
        if (found == trees_.end()) throw InputError("There is no tree with this number.");
        return *found->second;
    }

    std::shared_ptr<const BinnedMatrix> binned_;
    LocalExchange exchange_;
    HistogramLayout layout_; // of the columns that were summed last
    std::vector<int> columns_;
    int n_threads_, n_planes_ = 1;
    PlainGradients gradients_;
    std::optional<Array1<std::int32_t>> rows_;
    PlainWeights weights_;
    std::map<std::int64_t, std::unique_ptr<TreeRows>> trees_; // from end() to release()
};

template <class T>
std::span<const T> span_of(const Array1<T>& array) {
    return {array.data(), array.shape(0)};
}

nb::ndarray<nb::numpy, std::int64_t> numpy_of(const std::vector<Limbs>& limbs) {
    std::vector<std::int64_t> words;
    for (const Limbs& own : limbs) words.insert(words.end(), own.begin(), own.end());
    return to_numpy(std::move(words), {limbs.size(), 4});
}

void check_nodes(const ShardResiduals& residuals, std::size_t n) {
    if (residuals.n_nodes() <= 0 || n % static_cast<std::size_t>(residuals.n_nodes()) != 0)
        throw InputError("There must be as many values for each node of the tree.");
}

void bind_residuals(nb::module_& m) {
    nb::class_<ShardResiduals>(m, "ShardResiduals",
                               "The residuals of the leaves of a tree in one shard.")
        .def_static(
            "of",
            [](const Array1<double>& values, const Array1<std::int64_t>& units) {
                if (values.shape(0) != units.shape(0))
                    throw InputError("There must be a weight for each value.");
                const std::size_t n = values.shape(0);
                LeafResiduals given;
                given.begins = {0, static_cast<std::int64_t>(n)};
                given.weighted.need(std::max<std::size_t>(1, n));
                for (std::size_t i = 0; i < n; ++i)
                    given.weighted[i] = {values.data()[i], units.data()[i]};
                return std::make_shared<ShardResiduals>(std::move(given));
            },
            nb::arg("values"), nb::arg("units"), "Values of one node, with whole weights.")
        .def_static(
            "none",
            [](std::int64_t n_nodes) {
                LeafResiduals given;
                given.begins.assign(static_cast<std::size_t>(n_nodes) + 1, 0);
                given.weighted.need(1);
                return std::make_shared<ShardResiduals>(std::move(given));
            },
            nb::arg("n_nodes"), "No rows in any node.")
        .def(
            "count",
            [](const ShardResiduals& self, const Array1<std::uint64_t>& prefixes, int n_done,
               int n_bits) {
                check_nodes(self, prefixes.shape(0));
                const std::size_t n = prefixes.shape(0) << n_bits;
                std::vector<std::int64_t> out(n);
                self.count(span_of(prefixes), n_done, n_bits, out);
                return to_numpy(std::move(out), {prefixes.shape(0), std::size_t{1} << n_bits});
            },
            nb::arg("prefixes"), nb::arg("n_done"), nb::arg("n_bits"),
            "Weights by the next bits of ordered keys, of those that begin with the prefix.")
        .def(
            "center",
            [](ShardResiduals& self, const Array1<double>& medians, double delta) {
                check_nodes(self, medians.shape(0));
                self.center(span_of(medians), delta);
            },
            nb::arg("medians"), nb::arg("delta"), "Prepare lines() and neighbors().")
        .def(
            "lines",
            [](const ShardResiduals& self, const Array1<std::int64_t>& points) {
                check_nodes(self, points.shape(0));
                std::vector<Limbs> slopes(points.shape(0));
                std::vector<std::int64_t> rises(points.shape(0));
                self.lines(span_of(points), slopes, rises);
                return nb::make_tuple(numpy_of(slopes), to_numpy(std::move(rises)));
            },
            nb::arg("points"), "The slopes of Huber's loss at the points of each node.")
        .def(
            "neighbors",
            [](const ShardResiduals& self, const Array1<std::int64_t>& points) {
                check_nodes(self, points.shape(0));
                std::vector<std::int64_t> before(points.shape(0)), after(before);
                self.neighbors(span_of(points), before, after);
                return nb::make_tuple(to_numpy(std::move(before)), to_numpy(std::move(after)));
            },
            nb::arg("points"), "The breakpoints on both sides of the point of each node.")
        .def(
            "clipped_sums",
            [](const ShardResiduals& self, const Array1<double>& medians, double delta) {
                check_nodes(self, medians.shape(0));
                std::vector<Limbs> sums(medians.shape(0));
                self.clipped_sums(span_of(medians), delta, sums);
                return numpy_of(sums);
            },
            nb::arg("medians"), nb::arg("delta"),
            "Sums of the differences from the medians, clipped to delta.");
}

} // namespace

void bind_exchange(nb::module_& m) {
    bind_residuals(m);
    m.def("routed_leaves", &routed_leaves, nb::arg("binned"), nb::arg("nodes"), nb::arg("sets"),
          "The leaf of every row of a table, by the routes of a tree (bind/plain_exchange.hpp).");
    nb::class_<ShardRows>(m, "ShardRows",
                          "The rows of a shard, for an exchange written in Python. Methods take "
                          "and return arrays, which the exchange sums or concatenates over shards.")
        .def(nb::init<std::shared_ptr<const BinnedMatrix>, int>(), nb::arg("binned"),
             nb::arg("n_threads"))
        .def("measure", &ShardRows::measure, nb::arg("gradients"), nb::arg("rows").none(),
             nb::arg("weights"))
        .def("pack", &ShardRows::pack, nb::arg("order"))
        .def("take_planes", &ShardRows::take_planes, nb::arg("words"),
             "Set statistics of another kind instead of gradients: words (n_planes, n_rows).")
        .def("sum", &ShardRows::sum, nb::arg("nodes"), nb::arg("columns").none() = nb::none())
        .def("apply", &ShardRows::apply, nb::arg("splits"), nb::arg("sets"))
        .def("end", &ShardRows::end, nb::arg("tree"), nb::arg("leaves"), nb::arg("n_nodes"))
        .def("release", &ShardRows::release, nb::arg("tree"),
             "Free the leaves of a tree's rows; later calls must not use the tree.")
        .def_prop_ro("n_rows", &ShardRows::n_rows)
        .def_prop_ro("n_trees", &ShardRows::n_trees, "Number of trees that are not released.")
        .def("measure_leaves", &ShardRows::measure_leaves, nb::arg("tree"), nb::arg("gradients"),
             nb::arg("weights"))
        .def("sum_leaves", &ShardRows::sum_leaves, nb::arg("tree"), nb::arg("gradients"),
             nb::arg("weights"), nb::arg("order"))
        .def("residuals", &ShardRows::residuals, nb::arg("tree"), nb::arg("target"),
             nb::arg("scores"), nb::arg("weights").none(), nb::arg("scale"),
             "The differences between target and scores of the rows of each leaf.")
        .def("add_to_scores", &ShardRows::add_to_scores, nb::arg("tree"), nb::arg("routes"),
             nb::arg("sets"), nb::arg("values"), nb::arg("scores"));
}

} // namespace ceiba
