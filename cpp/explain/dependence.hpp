// Partial dependence: raw scores as a function of one or two columns, for all points of a grid at
// once.
//
// A row whose column j is replaced by x reaches a leaf if x passes the splits on j of the path, and
// the row passes all others. The first is a set of points of the grid, the second a set of rows,
// independent of each other. So one walk down a tree, in which nodes on j send every row both ways,
// gives for each leaf the rows that reach it and the points for which they do:
//
//                 f2 <= 5                rows {0 1 2 3}        points 0 1 2 3
//                /       \                                                   .
//          f0 <= 7       leaf            question on f0:       rows {2 3}, points 0 1 2 3
//          /     \                                                           .
//        leaf   leaf                     rows {0 1} in both,   points 0 1 left and 2 3 right
//
// The life of a DependenceSums:
//   1. It is created for a forest and questions: the columns of each and their points.
//   2. add() counts rows in leaves, for all questions in one pass: bits of 512 rows at a time, one
//      task per tree. Counts are integers (or sums of weights in row order), so threads and blocks
//      change nothing. Or training() uses the numbers of training rows in the nodes.
//   3. average() adds counts times values, tree by tree.
// individual() does not count: it adds the values of leaves to each row's points. So does
// add_probabilities() (mean_probability.cpp), for forests of one score whose sigmoid is a
// probability: it sums integer multiples of a small unit, so threads, blocks and the row order
// change nothing, and it stores no curve of a row.
#pragma once

#include "base/wide_integer.hpp"
#include "explain/dependence_walk.hpp"
#include "model/forest.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace ceiba {

class DependenceSums {
  public:
    // The forest must outlive it.
    DependenceSums(const Forest& forest, std::vector<Question> questions);

    const std::vector<Question>& questions() const { return questions_; }
    const Forest& forest() const { return forest_; }

    void add(const RowSource& rows, const double* weights, int n_threads);
    void training();
    // Mean contribution of the trees to raw scores: [n_cells][n_outputs].
    std::vector<double> average(std::size_t question) const;
    // start: added to the score of every row; scale: multiplies the sum; largest: upper bound of
    // the weights, 1 without weights.
    struct Probability {
        double start, scale, largest;
    };
    void add_probabilities(const RowSource& rows, const Probability& rule, const double* weights,
                           int n_threads);
    // The mean probability over the added rows, [n_cells].
    std::vector<double> probability(std::size_t question) const;
    // Scores of every row: out[q] is [n_rows][n_cells][n_outputs].
    void individual(const RowSource& rows, const std::vector<double*>& out, int n_threads) const;

  private:
    struct QuestionPlan;

    struct Tree {
        std::vector<std::int32_t> asked_by; // questions with splits in the tree
        // Weight of the rows in each node: of the unchanged rows, then for each of asked_by.
        std::vector<double> weight;
    };

    void read(const RowSource& rows, std::int64_t first_row, std::int64_t n_rows,
              std::int64_t stride, double* values, int n_threads) const;
    void count_tree(std::int64_t tree, const double* values, std::int64_t stride,
                    std::int64_t n_rows, const double* weights);
    void add_rows(const double* values, std::int64_t n_rows, const std::vector<double*>& out) const;
    void add_base(std::size_t tree, TreeWalk& walk, std::int64_t n_rows,
                  std::vector<std::vector<double>>& base) const;
    void add_steps(std::size_t tree, std::size_t question, TreeWalk& walk, std::int64_t n_rows,
                   double* out) const;
    bool asks(std::size_t tree, std::size_t question) const {
        const std::vector<std::int32_t>& by = trees_[tree].asked_by;
        return std::binary_search(by.begin(), by.end(), static_cast<std::int32_t>(question));
    }
    void sum_steps(const double* base, std::int64_t n_rows, std::int64_t n_cells,
                   double* out) const;
    QuestionPlan planned(std::size_t question) const;
    void add_block(std::span<const QuestionPlan> plans, std::size_t first_question,
                   const Probability& rule, const RowSource& rows, std::int64_t first_row,
                   const double* weights, std::vector<double>& sums) const;
    const Question* asked(const Tree& tree, std::size_t place) const {
        return place == 0 ? nullptr : &questions_[tree.asked_by[place - 1]];
    }
    std::int64_t output_of(std::size_t tree) const {
        return forest_.leaf_width() > 1 ? 0 : static_cast<std::int64_t>(tree) % forest_.n_outputs();
    }

    const Forest& forest_;
    std::vector<Question> questions_;
    std::vector<Tree> trees_;
    std::vector<std::int32_t> used_;  // columns that some tree splits
    std::vector<std::int32_t> place_; // index of a column among them
    double total_ = 0.0;
    double unit_ = 0.0;                      // of sums_
    std::vector<std::vector<WideInt>> sums_; // of probabilities, per question and cell
};

} // namespace ceiba
