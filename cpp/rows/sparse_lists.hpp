// The entries of columns that are stored as lists (data/sparse/sparse_codes.hpp), node by node.
//
// A column with few unusual rows needs no histogram: the sums of its bins in a node come from the
// entries whose rows are in the node, and the usual bin is the rest of the node's sum. A split
// divides the entries of every column between the children, in order:
//
//   node      column 7: rows 3 9 12 | column 8: rows 9 40 | column 31: ...
//   left      column 7: rows 3 12                        (column 8 has too few rows left to be split)
//   right     column 7: rows 9      | column 8: rows 9 40
//
// Nodes that can still be split share no row, so all their lists together are never larger than the
// table's.
//
// The life of lists, for one tree:
//   1. start() makes the lists of the root, for the columns and rows of the tree.
//   2. sum() computes the bins of a column in a node.
//   3. split() makes the lists of the children that will be searched, and drops those of the
//      parent.
//   4. drop() drops the lists of a node that remains a leaf.
#pragma once

#include "base/buffer.hpp"
#include "data/coded/binned.hpp"
#include "gradient/quantize.hpp"
#include "rows/planes.hpp"
#include "rows/shard.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

// The bins of one column, in the layout that the scan reads.
class ListBins {
  public:
    PlanesOf<const std::uint64_t> planes() const {
        return {words_.data(), n_bins_, n_planes_, n_bins_};
    }

  private:
    friend class SparseLists;
    std::vector<std::uint64_t> words_;
    std::int64_t n_bins_ = 0;
    int n_planes_ = 1;
};

class SparseLists {
  public:
    explicit SparseLists(const BinnedMatrix& binned) : binned_(&binned) {}

    // columns: of the tree, ascending. fewest: columns with fewer entries in a node cannot be split
    // there.
    void start(std::span<const Shard> shards, const Quantized& quantized, bool all_rows,
               std::span<const int> columns, std::int64_t fewest, int n_threads);
    // -1: a child that needs no lists.
    void split(std::span<const Shard> shards, int parent, int left, int right, int n_threads);
    void drop(int node);

    // The columns of a node with enough entries, ascending.
    int n_columns(int node) const;
    int feature(int node, int i) const;
    std::int64_t n_entries(int node) const;
    // Sums of the bins of the i-th of them; or of any feature.
    void sum(int node, int i, ListBins& bins) const;
    void sum_feature(int node, int feature, ListBins& bins) const;

  private:
    struct Stretch {
        int list;
        std::int64_t begin, n; // among the entries of the node
    };
    struct Entries {
        Buffer<std::int32_t> rows;
        Buffer<std::uint16_t> codes;
    };
    struct NodeLists {
        std::vector<Stretch> stretches;
        SparseEntries entries;            // of all columns
        Entries own;                      // storage of the entries, unless they are the table's
        std::vector<std::uint64_t> total; // of all rows of the node, plane by plane
        bool exists = false;
    };

    NodeLists& node_at(int node);
    const NodeLists& node_at(int node) const { return nodes_[static_cast<std::size_t>(node)]; }
    void add_total(std::span<const Shard> shards, int node);
    void mark(std::span<const Shard> shards, int node, bool set);
    void divide(const NodeLists& from, NodeLists* marked, NodeLists* others, int n_threads);
    static std::vector<std::size_t> tasks_of(const NodeLists& node, std::int64_t& work);
    void make_room(NodeLists& lists, std::int64_t n_entries);
    void sum_entries(const NodeLists& node, int list, const SparseEntries& entries,
                     ListBins& bins) const;

    const BinnedMatrix* binned_;
    const Quantized* quantized_ = nullptr;
    std::int64_t fewest_ = 1;
    std::vector<NodeLists> nodes_;
    std::vector<Entries> free_;
    std::vector<std::uint64_t> marked_; // a bit for each row; none is set between uses
};

} // namespace ceiba
