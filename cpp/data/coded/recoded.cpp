#include "data/coded/recoded.hpp"

#include "data/binning/edge_rule.hpp"
#include "parallel/pool.hpp"

#include <algorithm>
#include <cstring>

namespace ceiba {

RecodedMatrix::RecodedMatrix(std::shared_ptr<const RankedColumns> ranked, int most_bins,
                             bool in_use, std::vector<std::uint8_t> kinds)
    : ranked_(std::move(ranked)), most_bins_(most_bins), kinds_(std::move(kinds)),
      cuts_(static_cast<std::size_t>(ranked_->n_features())), written_(cuts_.size(), 0) {
    std::vector<std::uint8_t> narrow;
    for (int f = 0; f < ranked_->n_features(); ++f) {
        const auto n_values = static_cast<int>(std::min<std::size_t>(
            ranked_->values(f).size(), static_cast<std::size_t>(most_value_bins(f))));
        narrow.push_back(n_values + (ranked_->has_missing(f) ? 1 : 0) <= 256 ? 1 : 0);
    }
    binned_.shape(ranked_->n_rows(), std::move(narrow));
    if (in_use) {
        binned_.make_column_room();
        binned_.make_row_room();
        for (Buffer<std::uint8_t>* codes : {&binned_.by_column_, &binned_.by_row_})
            std::fill_n(codes->data(), codes->size(), std::uint8_t{0});
    }
    set_mapper();
}

void RecodedMatrix::set_mapper() {
    std::vector<std::vector<double>> edges(cuts_.size());
    std::vector<bool> has_missing;
    std::vector<std::int64_t> n_levels;
    for (int f = 0; f < ranked_->n_features(); ++f) {
        n_levels.push_back(is_category(f) ? std::ssize(ranked_->values(f)) : 0);
        has_missing.push_back(ranked_->has_missing(f));
        if (is_category(f)) continue;
        const auto values = ranked_->values(f);
        for (const std::uint32_t cut : cuts(f))
            edges[static_cast<std::size_t>(f)].push_back(
                edge_between(values[cut], values[cut + 1]));
    }
    binned_.mapper_ = std::make_shared<const BinMapper>(std::move(edges), std::move(has_missing),
                                                        std::move(n_levels));
}

void RecodedMatrix::recode(std::span<const int> columns, std::vector<Cuts>& cuts, int n_threads) {
    std::vector<int> changed;
    for (const int f : columns) {
        const auto place = static_cast<std::size_t>(f);
        if (written_[place] != 0 && cuts[place] == cuts_[place]) continue;
        written_[place] = 1;
        cuts_[place].swap(cuts[place]);
        changed.push_back(f);
    }
    if (changed.empty()) return;
    set_mapper();
    write(changed, n_threads);
}

std::shared_ptr<const BinnedMatrix>
table_without_codes(const std::shared_ptr<const RankedColumns>& ranked) {
    const auto holder = std::make_shared<const RecodedMatrix>(ranked, 2, false);
    return {holder, &holder->binned()};
}

template <class Code>
void RecodedMatrix::write_column(int f) {
    const auto n_values = static_cast<std::uint32_t>(ranked_->values(f).size());
    std::vector<Code> code_of(n_values + 1);
    std::uint32_t begin = 0;
    int code = 0;
    for (const std::uint32_t cut : cuts(f)) {
        std::fill(code_of.begin() + begin, code_of.begin() + cut + 1, static_cast<Code>(code));
        begin = cut + 1;
        ++code;
    }
    std::fill(code_of.begin() + begin, code_of.end() - 1, static_cast<Code>(code));
    code_of[n_values] = static_cast<Code>(code + 1); // missing
    const std::uint32_t* ranks = ranked_->ranks(f);
    Code* codes = binned_.column_to_write<Code>(f);
    for (std::int64_t row = 0; row < ranked_->n_rows(); ++row)
        codes[row] = code_of[std::min(ranks[row], n_values)];
}

void RecodedMatrix::write(std::span<const int> columns, int n_threads) {
    const std::int64_t n_rows = ranked_->n_rows(),
                       n_cells = n_rows * static_cast<std::int64_t>(columns.size());
    n_threads = useful_threads(n_threads, n_cells);
    // Column by column: the table from ranks to codes stays in the cache.
    parallel_for(n_threads, static_cast<std::int64_t>(columns.size()), [&](std::int64_t c) {
        const int f = columns[static_cast<std::size_t>(c)];
        if (binned_.narrow(f))
            write_column<std::uint8_t>(f);
        else
            write_column<std::uint16_t>(f);
    });
    binned_.interleave_columns(n_threads);
}

} // namespace ceiba
