#include "data/binning/edge_finder.hpp"

#include "base/buffer.hpp"
#include "base/hash.hpp"
#include "base/settings.hpp"
#include "base/wide_integer.hpp"
#include "data/binning/column_cells.hpp"
#include "data/binning/edge_rule.hpp"
#include "data/sorting/value_sort.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

namespace ceiba {
namespace {

constexpr std::int64_t tile_rows = 1024;
static_assert(tile_rows <= SortedSearch::most_at_once);
constexpr std::int64_t noted_bytes = 32 << 20; // memory for the cells of the columns of a pass
constexpr int most_together = 16; // maximum number of columns of a row-major table to read together

// A value with its weight; unweighted columns omit the weight.
template <bool weighted>
struct Entry;
template <>
struct Entry<false> {
    double value;
    std::uint64_t weight() const { return 1; }
};
template <>
struct Entry<true> {
    double value;
    std::uint64_t units;
    std::uint64_t weight() const { return units; }
};

// Buffers of one thread, reused for each of its columns.
template <bool weighted>
struct Scratch {
    ValueSort<Entry<weighted>> sort;
    PagedVector<Entry<weighted>> entries;
    Ladder ladder, opened;
    std::vector<std::uint8_t> is_asked;
    PagedVector<std::int64_t> place, first;
    std::vector<std::int32_t> rows = std::vector<std::int32_t>(tile_rows);
    std::vector<double> values = std::vector<double>(tile_rows);
};

// Run task(column, scratch) for every column; threads take columns one by one.
template <bool weighted, class Task>
void each_column(int n_threads, int n_columns, Task&& task) {
    std::atomic<int> next{0};
    const int n_workers = std::min(n_threads, n_columns);
    parallel_for(n_workers, n_workers, [&](std::int64_t) {
        Scratch<weighted> scratch;
        for (int j = next++; j < n_columns; j = next++) task(j, scratch);
    });
}

// Sort entries and add a rung for each distinct value.
template <bool weighted>
void add_rungs(Entry<weighted>* entries, std::int64_t n, ValueSort<Entry<weighted>>& sort,
               Ladder& ladder) {
    sort.sort(entries, n);
    for (std::int64_t i = 0; i < n;) {
        const double value = entries[i].value;
        std::uint64_t weight = 0;
        for (; i < n && entries[i].value == value; ++i) weight += entries[i].weight();
        ladder.push_back({value, weight, -1});
    }
}

template <bool weighted>
FoundEdges find_by_sorting(const Column& column, const EdgeWeights& units, const EdgeRule& rule,
                           Scratch<weighted>& scratch) {
    const std::int64_t n_rows = column.n_rows();
    scratch.entries.resize(n_rows);
    std::int64_t n_present = 0;
    for (std::int64_t begin = 0; begin < n_rows; begin += tile_rows) {
        const std::int64_t n = std::min(tile_rows, n_rows - begin);
        column.read(begin, n, scratch.values.data());
        for (std::int64_t i = 0; i < n; ++i) {
            const double x = scratch.values[i];
            scratch.entries[n_present].value = x;
            if constexpr (weighted) scratch.entries[n_present].units = units.of(begin + i);
            n_present += x == x;
        }
    }
    scratch.ladder.clear();
    add_rungs<weighted>(scratch.entries.data(), n_present, scratch.sort, scratch.ladder);
    return {choose_edges(scratch.ladder, rule).edges, n_present < n_rows};
}

// State of one column during the three steps of edge_finder.hpp.
template <bool weighted>
class CellColumn {
  public:
    // Cell weights within one stretch of rows; a stretch has fewer than 2^32 rows.
    using StretchWeight = std::conditional_t<weighted, std::uint64_t, std::uint32_t>;

    CellColumn(const Column& column, const EdgeWeights& units) : column_(&column), units_(&units) {}

    // Step 1.
    void draw(const std::vector<std::int32_t>& rows, std::int64_t n_bins, int n_grid_cells) {
        std::vector<double> sample(rows.size());
        column_->gather(rows.data(), static_cast<std::int64_t>(rows.size()), sample.data());
        std::erase_if(sample, [](double x) { return x != x; });
        ValueSort<double>().sort(sample.data(), static_cast<std::int64_t>(sample.size()));
        cells_.draw(std::move(sample), n_bins, n_grid_cells);
        weights_.assign(cells_.n_cells(), 0);
    }

    // Step 2, for a range of rows.
    void note(std::int64_t begin, const double* values, std::int64_t n, std::uint16_t* cells,
              StretchWeight* weights) const {
        cells_.note(values, n, cells);
        for (std::int64_t i = 0; i < n; ++i) {
            if constexpr (weighted) {
                weights[cells[i]] += units_->of(begin + i);
            } else {
                weights[cells[i]] += 1;
            }
        }
    }

    void add_weights(const StretchWeight* weights) {
        const std::lock_guard lock(mutex_);
        for (int c = 0; c < cells_.n_cells(); ++c) weights_[c] += weights[c];
    }

    // Step 3.
    FoundEdges finish(const std::uint16_t* cells, const EdgeRule& rule,
                      Scratch<weighted>& scratch) {
        scratch.ladder.clear();
        const int missing = cells_.missing_cell();
        for (int c = 0; c < missing; ++c) {
            if (weights_[c] == 0) continue;
            if (cells_.is_single_value(c)) {
                scratch.ladder.push_back({cells_.single_value(c), weights_[c], -1});
            } else {
                scratch.ladder.push_back({0.0, weights_[c], c});
            }
        }
        for (;;) {
            EdgeChoice choice = choose_edges(scratch.ladder, rule);
            if (choice.asked.empty()) return {std::move(choice.edges), weights_[missing] > 0};
            open_ranges(cells, choice.asked, scratch);
        }
    }

  private:
    // Replace the requested rungs, all of them ranges, by their values.
    void open_ranges(const std::uint16_t* cells, const std::vector<std::int32_t>& asked,
                     Scratch<weighted>& scratch) const {
        const Ladder& ladder = scratch.ladder;
        const std::int64_t n_rows = column_->n_rows();
        scratch.is_asked.assign(cells_.n_cells(), 0);
        scratch.place.assign(cells_.n_cells(), 0); // where to write the next value of a cell
        PagedVector<std::int64_t>& place = scratch.place;
        for (const std::int32_t i : asked) scratch.is_asked[ladder[i].range] = 1;
        if constexpr (weighted) {
            for (std::int64_t i = 0; i < n_rows; ++i) place[cells[i]] += 1;
        } else {
            for (const std::int32_t i : asked)
                place[ladder[i].range] = static_cast<std::int64_t>(ladder[i].weight);
        }
        std::int64_t n_entries = 0;
        scratch.first.clear();
        for (const std::int32_t i : asked) {
            const std::int64_t n_here = place[ladder[i].range];
            scratch.first.push_back(n_entries);
            place[ladder[i].range] = n_entries;
            n_entries += n_here;
        }
        scratch.first.push_back(n_entries);
        collect(cells, n_entries, scratch);

        scratch.opened.clear();
        std::size_t a = 0;
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(ladder.size()); ++i) {
            if (a < asked.size() && asked[a] == i) {
                const std::int64_t begin = scratch.first[a++];
                add_rungs<weighted>(scratch.entries.data() + begin, scratch.first[a] - begin,
                                    scratch.sort, scratch.opened);
            } else {
                scratch.opened.push_back(ladder[i]);
            }
        }
        std::swap(scratch.ladder, scratch.opened);
    }

    // Gather the values of the requested cells, cell by cell.
    void collect(const std::uint16_t* cells, std::int64_t n_entries,
                 Scratch<weighted>& scratch) const {
        const std::int64_t n_rows = column_->n_rows();
        const std::uint8_t* is_asked = scratch.is_asked.data();
        std::int32_t* rows = scratch.rows.data();
        scratch.entries.resize(n_entries);
        for (std::int64_t begin = 0; begin < n_rows; begin += tile_rows) {
            const std::int64_t end = std::min(n_rows, begin + tile_rows);
            std::int64_t n_found = 0;
            for (std::int64_t i = begin; i < end; ++i) {
                rows[n_found] = static_cast<std::int32_t>(i);
                n_found += is_asked[cells[i]];
            }
            column_->gather(rows, n_found, scratch.values.data());
            for (std::int64_t i = 0; i < n_found; ++i) {
                Entry<weighted>& entry = scratch.entries[scratch.place[cells[rows[i]]]++];
                entry.value = scratch.values[i];
                if constexpr (weighted) entry.units = units_->of(rows[i]);
            }
        }
    }

    const Column* column_;
    const EdgeWeights* units_;
    ColumnCells cells_;
    PagedVector<std::uint64_t> weights_; // per cell
    std::mutex mutex_;
};

std::vector<std::int32_t> draw_rows(std::int64_t n_rows, int n_drawn) {
    std::vector<std::int32_t> rows(n_drawn);
    for (int i = 0; i < n_drawn; ++i) {
        // One random row in each of n_drawn stretches, so that periodic data cannot bias the
        // sample.
        const std::int64_t begin = n_rows * i / n_drawn;
        const auto n_here = static_cast<std::uint64_t>(n_rows * (i + 1) / n_drawn - begin);
        rows[i] = static_cast<std::int32_t>(begin + static_cast<std::int64_t>(hash64(i) % n_here));
    }
    return rows;
}

// Steps 1 to 3 for columns [begin, end).
template <bool weighted>
void find_by_cells(const std::vector<Column>& columns, int begin, int end, const EdgeWeights& units,
                   const EdgeRule& rule, const std::vector<std::int32_t>& drawn, int n_threads,
                   std::uint16_t* cells, std::vector<FoundEdges>& found) {
    const int n_columns = end - begin;
    const std::int64_t n_rows = columns[begin].n_rows();
    const int n_grid_cells = static_cast<int>(std::clamp<std::uint64_t>(
        std::bit_ceil(static_cast<std::uint64_t>(n_rows) / 16), 1024, 8192));
    static_assert(8192 < ColumnCells::most_cells);
    std::vector<std::unique_ptr<CellColumn<weighted>>> active(n_columns);
    parallel_for(n_threads, n_columns, [&](std::int64_t j) {
        active[j] = std::make_unique<CellColumn<weighted>>(columns[begin + j], units);
        active[j]->draw(drawn, rule.max_value_bins, n_grid_cells);
    });

    // Columns of a row-major table are processed together, others one by one.
    const bool together = interleaved(columns.data() + begin, n_columns);
    const int n_sets = together ? (n_columns + most_together - 1) / most_together : n_columns;
    const std::int64_t n_wanted =
        n_threads == 1 ? 1 : std::max<std::int64_t>(1, std::int64_t{4} * n_threads / n_sets);
    const std::int64_t n_stretches =
        std::min(n_wanted, (n_rows + settings().chunk_rows - 1) / settings().chunk_rows);
    parallel_for(n_threads, n_sets * n_stretches, [&](std::int64_t task) {
        const std::int64_t set = task / n_stretches, stretch = task % n_stretches;
        const auto first = static_cast<int>(n_columns * set / n_sets);
        const auto n_here = static_cast<int>(n_columns * (set + 1) / n_sets) - first;
        const std::int64_t stretch_end = n_rows * (stretch + 1) / n_stretches;
        constexpr std::int64_t most_cells = ColumnCells::most_cells;
        PagedVector<typename CellColumn<weighted>::StretchWeight> weights(most_cells * n_here, 0);
        PagedVector<double> tile(tile_rows * n_here);
        for (std::int64_t i = n_rows * stretch / n_stretches; i < stretch_end; i += tile_rows) {
            const std::int64_t n = std::min(tile_rows, stretch_end - i);
            read_tile(columns.data() + begin + first, n_here, i, n, tile.data());
            for (int j = 0; j < n_here; ++j)
                active[first + j]->note(i, tile.data() + j * n, n, cells + (first + j) * n_rows + i,
                                        weights.data() + j * most_cells);
        }
        for (int j = 0; j < n_here; ++j)
            active[first + j]->add_weights(weights.data() + j * most_cells);
    });
    each_column<weighted>(n_threads, n_columns, [&](int j, Scratch<weighted>& scratch) {
        found[begin + j] = active[j]->finish(cells + j * n_rows, rule, scratch);
        active[j].reset();
    });
}

template <bool weighted>
std::vector<FoundEdges> find_all(const std::vector<Column>& columns, const EdgeWeights& units,
                                 const EdgeRule& rule, int n_threads) {
    const int n_columns = static_cast<int>(columns.size());
    std::vector<FoundEdges> found(n_columns);
    if (n_columns == 0) return found;
    const std::int64_t n_rows = columns[0].n_rows();
    n_threads = useful_threads(n_threads, n_rows * n_columns);

    const auto n_drawn = static_cast<int>(std::min<std::int64_t>(
        ColumnCells::most_splitters,
        static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(n_rows) / 16 + 1))));
    if (n_drawn < 4 * rule.max_value_bins) {
        each_column<weighted>(n_threads, n_columns, [&](int j, Scratch<weighted>& scratch) {
            found[j] = find_by_sorting<weighted>(columns[j], units, rule, scratch);
        });
        return found;
    }
    const std::vector<std::int32_t> drawn = draw_rows(n_rows, n_drawn);
    const auto fit =
        static_cast<int>(std::min<std::int64_t>(n_columns, noted_bytes / (2 * n_rows)));
    const int at_once = std::min(n_columns, std::max(fit, 8)); // a cache line holds eight float64
    const int n_passes = (n_columns + at_once - 1) / at_once;
    Buffer<std::uint16_t> cells(static_cast<std::size_t>(n_rows) *
                                ((n_columns + n_passes - 1) / n_passes));
    for (int pass = 0; pass < n_passes; ++pass) {
        const auto begin = static_cast<int>(std::int64_t{n_columns} * pass / n_passes);
        const auto end = static_cast<int>(std::int64_t{n_columns} * (pass + 1) / n_passes);
        find_by_cells<weighted>(columns, begin, end, units, rule, drawn, n_threads, cells.data(),
                                found);
    }
    return found;
}

} // namespace

void EdgeWeightFacts::add(const double* weights, std::int64_t n) {
    n_rows += n;
    if (weights == nullptr) return;
    for (std::int64_t i = 0; i < n; ++i) {
        largest = std::max(largest, weights[i]);
        integers = integers && weights[i] == std::floor(weights[i]);
    }
}

void EdgeWeightFacts::merge(const EdgeWeightFacts& other) {
    n_rows += other.n_rows;
    largest = std::max(largest, other.largest);
    integers = integers && other.integers;
}

EdgeWeights EdgeWeights::of(const EdgeWeightFacts& facts, double min_data_in_bin) {
    EdgeWeights units;
    units.min_weight = static_cast<std::uint64_t>(std::max(1.0, min_data_in_bin));
    if (facts.largest == 0.0) return units; // no weights
    // The sum of all units stays below 2^62.
    const int bits_of_rows = std::bit_width(static_cast<std::uint64_t>(facts.n_rows));
    const int room = std::min(61 - bits_of_rows, 52);
    if (facts.integers && facts.largest < std::ldexp(1.0, room)) return units;
    units.relative = true;
    // Tiny weights would need a scale beyond the largest double.
    units.scale = std::ldexp(1.0, std::min(room - std::ilogb(facts.largest) - 1, 1023));
    return units;
}

void EdgeWeights::settle(std::uint64_t total, std::int64_t n_rows) {
    const auto wide = static_cast<WideUint>(min_weight) * total;
    min_weight = static_cast<std::uint64_t>(wide / static_cast<std::uint64_t>(n_rows));
    if (min_weight == 0) min_weight = 1;
}

EdgeWeights EdgeWeights::make(const double* weights, std::int64_t n_rows, double min_data_in_bin) {
    EdgeWeightFacts facts;
    facts.add(weights, n_rows);
    EdgeWeights units = of(facts, min_data_in_bin);
    units.weights = weights;
    if (!units.needs_total()) return units;
    std::uint64_t total = 0;
    for (std::int64_t i = 0; i < n_rows; ++i) total += units.of(i);
    units.settle(total, n_rows);
    return units;
}

std::vector<FoundEdges> find_edges(const std::vector<Column>& columns, const EdgeWeights& units,
                                   std::int64_t max_value_bins, int n_threads) {
    const EdgeRule rule{max_value_bins, units.min_weight};
    return units.weights == nullptr ? find_all<false>(columns, units, rule, n_threads)
                                    : find_all<true>(columns, units, rule, n_threads);
}

} // namespace ceiba
