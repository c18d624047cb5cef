// The columns of a node in the form that split/scan.hpp reads: bins with the limits of the node.
#pragma once

#include "split/scan.hpp"
#include "tree/column_choice.hpp"
#include "tree/histogram_store.hpp"

#include <vector>

namespace ceiba {

class NodeColumns {
  public:
    NodeColumns(const GrowingTree& tree, const ColumnChoice& columns, HistogramStore& store)
        : tree_(tree), columns_(columns), store_(store) {}

    // The bins of columns. `needs_value`: as in ColumnScan.
    void use(const BinMapper& mapper, bool needs_value) {
        mapper_ = &mapper;
        needs_value_ = needs_value;
    }
    const BinMapper& mapper() const { return *mapper_; }
    std::size_t n_values(int feature) const {
        return static_cast<std::size_t>(mapper_->n_value_bins(feature));
    }

    // A column that has bins in the node's histogram.
    ColumnScan of(const Node& node, int feature, int output = 0) const;
    // A column that may be a list; `bins`: room for its bins.
    ColumnScan any(const Node& node, int feature, ListBins& bins) const;
    // A column with bins from elsewhere.
    ColumnScan with_bins(const Node& node, int feature, PlanesOf<const std::uint64_t> bins,
                         int output = 0) const;
    std::vector<ColumnScan> of_outputs(const Node& node, int feature) const;
    std::int64_t first_bin(int feature) const { return store_.first_bin(feature); }
    bool needs_value() const { return needs_value_; }
    // All planes of a column.
    Planes planes(const Node& node, int feature) const {
        return store_.of_feature(node.histogram, feature);
    }

  private:
    const GrowingTree& tree_;
    const ColumnChoice& columns_;
    HistogramStore& store_;
    const BinMapper* mapper_ = nullptr;
    bool needs_value_ = false;
};

} // namespace ceiba
