#include "data/binning/range_search.hpp"

#include "base/hash.hpp"
#include "data/sorting/value_sort.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

namespace ceiba {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kTile = SortedSearch::most_at_once;
// A pass opens at most so many ranges of a column: each has two bounds and needs a key inside.
constexpr std::size_t kMostOpened = RangeSearch::kMostKeys / 4;

// Integers in the order of the numbers; neighboring doubles have neighboring integers.
std::int64_t place_of(double x) {
    const auto bits = std::bit_cast<std::int64_t>(x);
    return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
}

double number_at(std::int64_t place) {
    const std::int64_t bits = place < 0 ? std::numeric_limits<std::int64_t>::min() - place : place;
    return std::bit_cast<double>(bits) + 0.0;
}

struct Collected {
    double value;
    std::uint64_t units;
};

} // namespace

// ---- distinct values ---------------------------------------------------------------------------

void DistinctValues::add(const double* values, std::int64_t n, std::size_t most) {
    for (std::int64_t i = 0; i < n && !too_many_; ++i) {
        const double x = values[i];
        if (x != x) continue;
        if (2 * (n_ + 1) > slots_.size()) grow();
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = mix64(std::bit_cast<std::uint64_t>(x)) & mask;
        while (slots_[at] == slots_[at] && slots_[at] != x) at = (at + 1) & mask;
        if (slots_[at] == x) continue;
        slots_[at] = x;
        too_many_ = ++n_ > most;
    }
    if (too_many_) slots_ = {};
}

void DistinctValues::grow() {
    const std::vector<double> old = std::move(slots_);
    slots_.assign(std::max<std::size_t>(64, 2 * old.size()), kNothing);
    const std::size_t mask = slots_.size() - 1;
    for (const double x : old) {
        if (x != x) continue;
        std::size_t at = mix64(std::bit_cast<std::uint64_t>(x)) & mask;
        while (slots_[at] == slots_[at]) at = (at + 1) & mask;
        slots_[at] = x;
    }
}

void DistinctValues::merge(const DistinctValues& other, std::size_t most) {
    too_many_ = too_many_ || other.too_many_;
    add(other.slots_.data(), std::ssize(other.slots_), most);
}

std::vector<double> DistinctValues::sorted() const {
    std::vector<double> values;
    for (const double x : slots_)
        if (x == x) values.push_back(x);
    std::sort(values.begin(), values.end());
    return values;
}

// ---- first pass --------------------------------------------------------------------------------

void RangeSearch::note(const Column& column, std::size_t most) {
    if (distinct_.too_many()) return;
    double values[kTile];
    if (column.is_sparse()) {
        for (const ColumnChunk& chunk : column.chunks())
            for (std::int64_t begin = 0; begin < chunk.n_entries; begin += kTile) {
                const std::int64_t n = std::min(kTile, chunk.n_entries - begin);
                read_entries(chunk, begin, n, values);
                distinct_.add(values, n, most);
            }
        const double absent = column.absent();
        distinct_.add(&absent, 1, most);
        return;
    }
    for (std::int64_t begin = 0; begin < column.n_rows() && !distinct_.too_many(); begin += kTile) {
        const std::int64_t n = std::min(kTile, column.n_rows() - begin);
        column.read(begin, n, values);
        distinct_.add(values, n, most);
    }
}

void RangeSearch::merge_noted(const RangeSearch& other, std::size_t most) {
    distinct_.merge(other.distinct_, most);
}

void RangeSearch::start(std::vector<double> sample, std::size_t most_keys) {
    std::vector<double> keys;
    if (!distinct_.too_many()) {
        keys = distinct_.sorted();
    } else {
        std::sort(sample.begin(), sample.end());
        const std::size_t n = std::min(sample.size(), most_keys);
        for (std::size_t k = 0; k < n; ++k) keys.push_back(sample[k * sample.size() / n]);
    }
    distinct_ = {};
    // Infinite bounds, so that every range has two.
    keys.insert(keys.begin(), -kInfinity);
    keys.push_back(kInfinity);
    set_keys(keys);
}

// Start a pass with ascending keys.
void RangeSearch::set_keys(const std::vector<double>& keys) {
    std::vector<double> distinct;
    for (const double key : keys)
        if (distinct.empty() || distinct.back() < key) distinct.push_back(key + 0.0);
    search_.assign(distinct.data(), static_cast<int>(distinct.size()));
    cells_.assign(2 * distinct.size() + 1, {});
    collects_.assign(cells_.size(), 0);
}

// ---- later passes ------------------------------------------------------------------------------

void RangeSearch::put(double value, std::uint64_t units, std::uint32_t rank) {
    const std::size_t cell = 2 * std::size_t{rank} + (search_.keys()[rank] == value ? 1 : 0);
    cells_[cell].weight += units;
    cells_[cell].n_entries += 1;
    if (collects_[cell] == 0) return;
    if (units != 1 && units_.empty()) units_.assign(values_.size(), 1);
    values_.push_back(value);
    if (units != 1 || !units_.empty()) units_.push_back(units);
}

void RangeSearch::add(const double* values, const double* weights, std::int64_t n,
                      const EdgeWeights& units) {
    if (found_) return;
    search_.each_rank(values, n, [&](std::int64_t i, std::uint32_t rank) {
        const double x = values[i];
        if (x == x)
            put(x, weights == nullptr ? 1 : units.units_of(weights[i]), rank);
        else
            result_.has_missing = true;
    });
}

void RangeSearch::add_sparse(const Column& column, const double* weights, const EdgeWeights& units,
                             std::uint64_t all_units) {
    if (found_) return;
    double values[kTile];
    std::uint64_t left = all_units;
    const auto put_one = [&](double x, std::uint64_t own) {
        if (x != x) {
            result_.has_missing = true;
            return;
        }
        search_.each_rank(&x, 1, [&](std::int64_t, std::uint32_t rank) { put(x, own, rank); });
    };
    for (std::size_t c = 0; c < column.chunks().size(); ++c) {
        const ColumnChunk& chunk = column.chunks()[c];
        for (std::int64_t begin = 0; begin < chunk.n_entries; begin += kTile) {
            const std::int64_t n = std::min(kTile, chunk.n_entries - begin);
            read_entries(chunk, begin, n, values);
            for (std::int64_t i = 0; i < n; ++i) {
                const std::int64_t row = column.first_row(c) + chunk.rows[begin + i];
                const std::uint64_t own = weights == nullptr ? 1 : units.units_of(weights[row]);
                left -= own;
                put_one(values[i], own);
            }
        }
    }
    if (left > 0) put_one(column.absent(), left);
}

void RangeSearch::fork_from(const RangeSearch& other) {
    pieces_ = other.pieces_;
    opened_ = other.opened_;
    found_ = other.found_;
    search_ = other.search_;
    cells_.assign(other.cells_.size(), {});
    collects_ = other.collects_;
}

void RangeSearch::merge(const RangeSearch& other) {
    result_.has_missing = result_.has_missing || other.result_.has_missing;
    for (std::size_t c = 0; c < cells_.size(); ++c) {
        cells_[c].weight += other.cells_[c].weight;
        cells_[c].n_entries += other.cells_[c].n_entries;
    }
    if (units_.empty() && !other.units_.empty()) units_.assign(values_.size(), 1);
    if (!units_.empty()) {
        units_.resize(values_.size() + other.values_.size(), 1);
        std::copy(other.units_.begin(), other.units_.end(), units_.begin() + std::ssize(values_));
    }
    values_.insert(values_.end(), other.values_.begin(), other.values_.end());
}

// ---- between passes ----------------------------------------------------------------------------

// Append the pieces of cells [first, last] that have values.
void RangeSearch::add_cells(std::size_t first, std::size_t last, std::vector<Piece>& pieces) const {
    const double* keys = search_.keys();
    for (std::size_t c = first; c <= last; ++c) {
        if (cells_[c].n_entries == 0) continue;
        const double low = c % 2 == 1 ? keys[c / 2] : keys[c / 2 - 1];
        pieces.push_back({low, keys[c / 2], cells_[c].weight, cells_[c].n_entries});
    }
}

// Replace the opened ranges by their parts or values.
void RangeSearch::close_pass() {
    std::vector<Collected> collected(values_.size());
    for (std::size_t i = 0; i < collected.size(); ++i)
        collected[i] = {values_[i], units_.empty() ? 1 : units_[i]};
    values_ = {};
    units_ = {};
    ValueSort<Collected>().sort(collected.data(), std::ssize(collected));
    const double* keys = search_.keys();
    const auto n_keys = static_cast<std::size_t>(search_.n_keys());
    std::vector<Piece> pieces;
    if (pieces_.empty()) {
        add_cells(1, 2 * n_keys - 1, pieces); // nothing is beyond the infinities
    }
    std::size_t next = 0, opened = 0;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(pieces_.size()); ++i) {
        const Piece& piece = pieces_[static_cast<std::size_t>(i)];
        if (opened == opened_.size() || opened_[opened] != i) {
            pieces.push_back(piece);
            continue;
        }
        ++opened;
        const auto low =
            static_cast<std::size_t>(std::lower_bound(keys, keys + n_keys, piece.low) - keys);
        const auto high =
            static_cast<std::size_t>(std::lower_bound(keys, keys + n_keys, piece.high) - keys);
        if (collects_[2 * low + 2] == 0) {
            add_cells(2 * low + 2, 2 * high, pieces);
            continue;
        }
        for (; next < collected.size() && collected[next].value < piece.high; ++next) {
            const auto [value, units] = collected[next];
            if (pieces.empty() || pieces.back().high != value || pieces.back().is_range())
                pieces.push_back({value, value, 0, 1});
            pieces.back().weight += units;
        }
    }
    pieces_ = std::move(pieces);
    opened_.clear();
}

void RangeSearch::apply(const EdgeRule& rule) {
    if (found_) return;
    close_pass();
    Ladder ladder;
    ladder.reserve(pieces_.size());
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
        const Piece& piece = pieces_[i];
        ladder.push_back(
            {piece.low, piece.weight, piece.is_range() ? static_cast<std::int64_t>(i) : -1});
    }
    EdgeChoice choice = choose_edges(ladder, rule);
    asked_ = std::move(choice.asked);
    found_ = asked_.empty();
    if (!found_) return;
    result_.edges = std::move(choice.edges);
    pieces_ = {};
    search_ = {};
    cells_ = {};
    collects_ = {};
}

std::int64_t RangeSearch::n_asked_entries() const {
    std::int64_t n = 0;
    for (const std::int32_t i : asked_) n += pieces_[static_cast<std::size_t>(i)].n_entries;
    return n;
}

void RangeSearch::open(std::int64_t few) {
    opened_ = std::move(asked_);
    asked_ = {};
    if (opened_.size() > kMostOpened) opened_.resize(kMostOpened);
    const std::int64_t most_parts = kMostKeys / (2 * std::ssize(opened_));
    std::vector<double> keys;
    std::vector<std::size_t> collecting; // keys at which collected ranges begin
    for (const std::int32_t i : opened_) {
        const Piece& piece = pieces_[static_cast<std::size_t>(i)];
        if (keys.empty() || keys.back() != piece.low) keys.push_back(piece.low);
        if (piece.n_entries <= few) {
            collecting.push_back(keys.size() - 1);
        } else {
            // Equal parts in the order of the doubles: in a narrow range, equal parts.
            const std::int64_t low = place_of(piece.low), high = place_of(piece.high);
            const std::uint64_t width =
                static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
            const auto parts = static_cast<std::uint64_t>(
                std::clamp<std::int64_t>(4 * (piece.n_entries / std::max<std::int64_t>(few, 1)), 2,
                                         std::max<std::int64_t>(most_parts, 2)));
            for (std::uint64_t k = 1; k < parts; ++k) {
                const std::uint64_t step =
                    parts <= width ? width / parts * k + width % parts * k / parts : k;
                if (step >= width) break;
                const double key =
                    number_at(static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + step));
                if (keys.back() < key && key < piece.high) keys.push_back(key);
            }
        }
        keys.push_back(piece.high);
    }
    set_keys(keys);
    for (const std::size_t key : collecting) collects_[2 * key + 2] = 1;
}

} // namespace ceiba
