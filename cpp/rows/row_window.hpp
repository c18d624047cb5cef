// Row windows: contiguous copies of a node's rows for the growth of unlimited trees.
//
// A tree without a limit of leaves has about as many nodes as rows, most of them tiny: computing a
// histogram of 256 bins for each column of each node would be wasted work. Such a tree is grown
// depth first, and a node sums its candidate columns one at a time. When a node has few rows, their
// codes and words are copied to a window, which stays in the cache until all nodes below are done.
//
//   window 0   the table         codes in the table, rows by number
//   window 1   a node of it      codes and words of its rows copied, rows renumbered
//   window 2   a node of that    the same once more, small enough for the L1 cache
//
// The life of a window:
//   1. start() takes all rows of a tree, narrow() those of a node of another window.
//   2. sum_runs() sums the words of a node's rows by code and skips codes without rows; or
//      sum_bins() fills the planes of a histogram, for searches that read these. divide() moves the
//      rows of a split node, those that go left to the front.
//   3. give_back() copies the new order of its rows to the window that they came from.
//
// Sums equal those of histograms, integer by integer.
#pragma once

#include "data/coded/binned.hpp"
#include "gradient/quantize.hpp"
#include "rows/histogram.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

// The codes that rows of a node have in a column, in increasing order, and the sums of their words.
struct Runs {
    std::vector<std::uint16_t> places;
    std::vector<std::uint64_t> first, rest; // rest: of the second plane, if there is one
    int n = 0;

    // All zero between uses.
    std::vector<std::uint64_t> bins, marks;
};

class RowWindow {
  public:
    // All rows of a tree: `rows`, or (null) the first n. `more`: the outputs after the first.
    void start(const BinnedMatrix& binned, const Quantized& quantized,
               std::span<const Quantized> more, const std::int32_t* rows, std::int64_t n);
    // The rows begin..end of another window, with codes of `columns` only.
    void narrow(const RowWindow& from, std::span<const int> columns, std::int64_t begin,
                std::int64_t end);
    // Write the rows of this window, in its order, to those of `to` from begin on.
    void give_back(RowWindow& to, std::int64_t begin) const;

    std::int64_t n_rows() const { return n_; }
    const std::int32_t* rows() const { return rows_.data(); }
    // How the words of runs are packed: as in the tree, or (few rows) one word instead of two.
    const Packing& packing() const { return packing_; }

    // Select a node's rows and gather their words for the following calls.
    void look_at(std::int64_t begin, std::int64_t end);
    // Whether all selected rows have the same ratio of gradient to hessian, so that no split has a
    // gain. For trees with one output.
    bool is_pure() const;
    // Sums of the selected rows.
    void sum_runs(int column, int n_codes, Runs& runs) const;
    void sum_bins(int column, const Planes& bins) const;
    // The words of the rows with codes up to `last`, and of those with the code `missing` if the column
    // has missing values.
    struct Sides {
        Pair left{0, 0}, missing{0, 0};
    };
    Sides sum_sides(int column, Code last, Code missing, bool has_missing) const;
    // Moves the rows, those that go left to the front, in their order; returns how many do.
    std::int64_t divide(const Decision& decision, Code missing, std::int64_t begin,
                        std::int64_t end);

  private:
    struct WindowColumn {
        const void* codes = nullptr;
        bool narrow = true;
        std::vector<Code> meanings; // of the codes of a shared column
    };
    template <class Work>
    void with_codes(int column, Work&& work) const;
    std::uint64_t word_of(std::int64_t row, int plane) const;
    void take_planes(const RowWindow& from, std::int64_t begin, std::int64_t end);
    bool fits_one_word(const RowWindow& from, std::int64_t begin, std::int64_t end) const;

    std::int64_t n_ = 0;
    Buffer<std::int32_t> rows_, aside_;
    std::vector<WindowColumn> columns_;
    Buffer<std::uint8_t> codes_;
    // Words by row, plane after plane: those of the table, or copies.
    const Quantized* quantized_ = nullptr;
    std::span<const Quantized> more_;
    std::int64_t n_table_rows_ = 0;
    Packing packing_, tree_packing_;
    int n_planes_ = 1; // of packing_
    Buffer<std::uint64_t> planes_;
    std::int64_t plane_stride_ = 0; // 0: words of the table
    // The selected rows.
    std::int64_t begin_ = 0, end_ = 0;
    Buffer<std::uint64_t> words_;
};

// Sum n words by the codes of their rows (`rows` null: the first n codes). `bins`: two for each
// code if there are second words, all zero before and after.
#define CEIBA_DECLARE_WINDOW_KERNELS(arch)                                                         \
    namespace arch {                                                                               \
    int byte_runs(const std::uint8_t* codes, const std::int32_t* rows, std::int64_t n,             \
                  const std::uint64_t* first, const std::uint64_t* rest, std::uint64_t* bins,      \
                  std::uint16_t* places, std::uint64_t* sums_first, std::uint64_t* sums_rest);     \
    }
CEIBA_DECLARE_WINDOW_KERNELS(baseline)
CEIBA_DECLARE_WINDOW_KERNELS(avx2)
#undef CEIBA_DECLARE_WINDOW_KERNELS

} // namespace ceiba
