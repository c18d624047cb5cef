#include "rows/shard.hpp"

#include "base/cpu.hpp"
#include "base/settings.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <cstring>

namespace ceiba {

Shard::Shard(const BinnedMatrix& binned, const RankedColumns* ranked, std::int64_t first_row,
             std::int64_t n_rows)
    : binned_(&binned), ranked_(ranked), first_row_(first_row), n_rows_(n_rows) {}

void Shard::start(std::span<const std::int32_t> rows, bool all_rows) {
    const std::size_t n = all_rows ? static_cast<std::size_t>(n_rows_) : rows.size();
    for (auto& buffer : buffers_) buffer.need(n);
    if (!all_rows && n > 0) std::memcpy(buffers_[0].data(), rows.data(), n * sizeof(std::int32_t));
    places_.assign(1, Place{0, static_cast<std::int64_t>(n), all_rows ? -1 : 0});
}

RowRange Shard::rows_of(int node) const {
    const Place& at = place(node);
    if (at.buffer < 0) return {nullptr, first_row_ + at.begin, first_row_ + at.end};
    return {buffers_[at.buffer].data(), at.begin, at.end};
}

std::int64_t Shard::n_rows_of(int node) const {
    return place(node).end - place(node).begin;
}

template <class Number>
std::int64_t Shard::mark_codes(const Number* codes, const MarkRule& rule, int node,
                               std::int64_t begin, std::int64_t end, std::uint8_t* bits) const {
    const Place& at = place(node);
    const std::int32_t* rows = nullptr;
    if (at.buffer < 0)
        codes += first_row_ + begin;
    else
        rows = buffers_[at.buffer].data() + begin;
    auto run = [&](auto with_avx2, auto without) {
        return (use_avx2() ? with_avx2 : without)(codes, rows, end - begin, rule, bits);
    };
    if constexpr (sizeof(Number) == 1)
        return run(avx2::mark_bytes, baseline::mark_bytes);
    else if constexpr (sizeof(Number) == 2)
        return run(avx2::mark_shorts, baseline::mark_shorts);
    else
        return run(avx2::mark_ranks, baseline::mark_ranks);
}

std::int64_t Shard::mark(const SplitOrder& order, std::int64_t begin, std::int64_t end,
                         std::uint8_t* bits) const {
    const Decision& decision = order.decision;
    const int feature = decision.feature;
    std::vector<std::uint8_t> table;
    const auto missing = ranked_ != nullptr
                             ? Code{RankedColumns::kMissing}
                             : static_cast<Code>(binned_->mapper().missing_code(feature));
    MarkRule rule{decision.last, decision.missing_left ? missing : decision.last, nullptr, 0};
    if (ranked_ == nullptr && binned_->home(feature).list >= 0)
        return mark_list(order, missing, begin, end, bits);
    const std::vector<Code> meanings =
        ranked_ != nullptr ? std::vector<Code>{} : binned_->meanings(feature);
    if (!meanings.empty()) { // of the codes of a shared column
        for (const Code code : meanings) table.push_back(decision.goes_left(code, missing) ? 1 : 0);
        table.push_back(0); // no code is beyond them
        rule.n_codes = static_cast<Code>(meanings.size());
        rule.table = table.data();
    } else if (decision.set) {
        rule.n_codes =
            ranked_ != nullptr ? static_cast<Code>(ranked_->values(feature).size()) : missing;
        for (Code code = 0; code < rule.n_codes; ++code)
            table.push_back(decision.set->has(code) ? 1 : 0);
        table.push_back(decision.missing_left ? 1 : 0);
        rule.table = table.data();
    }
    if (ranked_ != nullptr)
        return mark_codes(ranked_->ranks(feature), rule, order.node, begin, end, bits);
    return binned_->with_column(feature, [&](const auto* codes) {
        return mark_codes(codes, rule, order.node, begin, end, bits);
    });
}

// All rows have the direction of the usual code, except those in the list, which are searched.
std::int64_t Shard::mark_list(const SplitOrder& order, Code missing, std::int64_t begin,
                              std::int64_t end, std::uint8_t* bits) const {
    const Place& at = place(order.node);
    const SparseCodes& lists = binned_->lists();
    const int list = binned_->home(order.decision.feature).list;
    const bool usual_left = order.decision.goes_left(lists.usual_code(list), missing);
    const std::int64_t n = end - begin;
    std::memset(bits, usual_left ? 255 : 0, static_cast<std::size_t>(n + 7) / 8);
    if (usual_left && n % 8 != 0) bits[n / 8] = static_cast<std::uint8_t>((1 << n % 8) - 1);
    if (n == 0) return 0;
    const std::int32_t* rows = at.buffer < 0 ? nullptr : buffers_[at.buffer].data();
    const auto row_at = [&](std::int64_t i) {
        return rows == nullptr ? static_cast<std::int32_t>(first_row_ + i) : rows[i];
    };
    const SparseEntries entries = lists.entries(list);
    const auto* last = std::upper_bound(entries.rows, entries.rows + entries.n, row_at(end - 1));
    const auto* entry = std::lower_bound(entries.rows, last, row_at(begin));
    std::int64_t n_left = usual_left ? n : 0, i = begin;
    for (; entry != last; ++entry) {
        const Code code = entries.codes[entry - entries.rows];
        if (order.decision.goes_left(code, missing) == usual_left) continue;
        if (rows == nullptr)
            i = *entry - first_row_;
        else
            i = std::lower_bound(rows + i, rows + end, *entry) - rows;
        if (i == end) break;
        if (row_at(i) != *entry) continue;
        bits[(i - begin) / 8] ^= static_cast<std::uint8_t>(1 << (i - begin) % 8);
        n_left += usual_left ? -1 : 1;
    }
    return n_left;
}

void Shard::move(const SplitOrder& order, std::int64_t begin, std::int64_t end,
                 const std::uint8_t* bits, std::int64_t left_at, std::int64_t right_at) {
    const Place& at = place(order.node);
    const std::int32_t* rows = at.buffer < 0 ? nullptr : buffers_[at.buffer].data() + begin;
    std::int32_t* to = buffers_[at.buffer == 0 ? 1 : 0].data();
    (use_avx2() ? avx2::move_rows
                : baseline::move_rows)(rows, static_cast<std::int32_t>(first_row_ + begin),
                                       end - begin, bits, to + left_at, to + right_at);
}

void Shard::finish(const SplitOrder& order, std::int64_t n_left) {
    const auto needed = static_cast<std::size_t>(std::max(order.left, order.right)) + 1;
    if (places_.size() < needed) places_.resize(needed);
    const Place at = place(order.node);
    const int buffer = at.buffer == 0 ? 1 : 0;
    places_[static_cast<std::size_t>(order.left)] = {at.begin, at.begin + n_left, buffer};
    places_[static_cast<std::size_t>(order.right)] = {at.begin + n_left, at.end, buffer};
}

void Shard::take(const std::int32_t* rows, std::span<const RowPlace> places) {
    std::copy_n(rows, places[0].end, buffers_[0].data());
    places_.resize(places.size());
    for (std::size_t i = 0; i < places.size(); ++i)
        places_[i] = {places[i].begin, places[i].end, 0};
}

void Shard::write_leaf(int node, int leaf, LeafOfRow& leaf_of_row) const {
    const RowRange range = rows_of(node);
    leaf_of_row.with_numbers([&]<class Number>(Number* numbers) {
        const auto number = static_cast<Number>(leaf);
        if (range.rows == nullptr)
            std::fill(numbers + range.begin, numbers + range.end, number);
        else
            for (std::int64_t i = range.begin; i < range.end; ++i) numbers[range.rows[i]] = number;
    });
}

namespace {

// A range of a node's rows in one shard.
struct Piece {
    Shard* shard;
    const SplitOrder* order;
    std::int64_t begin, end;
    std::size_t first_byte; // of its bits
    std::int64_t n_left = 0, left_at = 0, right_at = 0;
};

// Call run(pieces, n_left) for the pieces of each node in each shard, which are consecutive.
template <class Run>
void each_node(std::span<Piece> pieces, Run run) {
    for (std::size_t first = 0, last = 0; first < pieces.size(); first = last) {
        std::int64_t n_left = 0;
        for (; last < pieces.size() && pieces[last].shard == pieces[first].shard &&
               pieces[last].order == pieces[first].order;
             ++last)
            n_left += pieces[last].n_left;
        run(pieces.subspan(first, last - first), n_left);
    }
}

} // namespace

void apply_splits(std::span<Shard> shards, std::span<const SplitOrder> orders, int n_threads) {
    std::vector<Piece> pieces;
    std::int64_t n_rows = 0;
    for (const SplitOrder& order : orders)
        for (Shard& shard : shards) n_rows += shard.n_rows_of(order.node);
    // A row costs about as much as four steps of simpler work.
    n_threads = useful_threads(n_threads, 4 * n_rows);
    const std::int64_t most_rows = n_threads > 1 ? settings().chunk_rows : n_rows;
    std::size_t n_bytes = 0;
    for (const SplitOrder& order : orders) {
        for (Shard& shard : shards) {
            const auto [begin, end] = shard.bounds_of(order.node);
            // Pieces of equal size, and as many as there are threads if the node is small.
            const std::int64_t n = end - begin, share = (n_rows + n_threads - 1) / n_threads,
                               limit = std::max<std::int64_t>(1, std::min(most_rows, share)),
                               n_pieces = std::max<std::int64_t>(1, (n + limit - 1) / limit);
            for (std::int64_t p = 0; p < n_pieces; ++p) {
                const std::int64_t from = begin + n * p / n_pieces,
                                   to = begin + n * (p + 1) / n_pieces;
                pieces.push_back({&shard, &order, from, to, n_bytes});
                n_bytes += static_cast<std::size_t>(to - from + 7) / 8;
            }
        }
    }
    if (pieces.size() > orders.size() * shards.size()) count(counters().chunked_partitions);

    Buffer<std::uint8_t> bits(n_bytes);
    parallel_for(n_threads, static_cast<std::int64_t>(pieces.size()), [&](std::int64_t i) {
        Piece& piece = pieces[static_cast<std::size_t>(i)];
        piece.n_left =
            piece.shard->mark(*piece.order, piece.begin, piece.end, bits.data() + piece.first_byte);
    });
    // Rows that go left are moved to the front of the node's range in the order of the pieces,
    // others behind them.
    each_node(pieces, [](std::span<Piece> of_node, std::int64_t n_left) {
        std::int64_t left_at = of_node[0].begin, right_at = left_at + n_left;
        for (Piece& piece : of_node) {
            piece.left_at = left_at;
            piece.right_at = right_at;
            left_at += piece.n_left;
            right_at += piece.end - piece.begin - piece.n_left;
        }
    });
    parallel_for(n_threads, static_cast<std::int64_t>(pieces.size()), [&](std::int64_t i) {
        const Piece& piece = pieces[static_cast<std::size_t>(i)];
        piece.shard->move(*piece.order, piece.begin, piece.end, bits.data() + piece.first_byte,
                          piece.left_at, piece.right_at);
    });
    each_node(pieces, [](std::span<Piece> of_node, std::int64_t n_left) {
        of_node[0].shard->finish(*of_node[0].order, n_left);
    });
}

} // namespace ceiba
