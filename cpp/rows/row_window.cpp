#include "rows/row_window.hpp"

#include "base/cpu.hpp"
#include "base/wide_integer.hpp"

#include <algorithm>
#include <numeric>

namespace ceiba {

namespace {

// Memory for n gathered words of a plane.
template <class WordOf>
void gather(const std::int32_t* rows, std::int64_t n, std::uint64_t* to, WordOf word_of) {
    for (std::int64_t i = 0; i < n; ++i) to[i] = word_of(rows[i]);
}

} // namespace

void RowWindow::start(const BinnedMatrix& binned, const Quantized& quantized,
                      std::span<const Quantized> more, const std::int32_t* rows, std::int64_t n) {
    n_ = n;
    n_table_rows_ = binned.n_rows();
    rows_.need(static_cast<std::size_t>(n));
    aside_.need(static_cast<std::size_t>(n));
    if (rows != nullptr)
        std::copy_n(rows, n, rows_.data());
    else
        std::iota(rows_.data(), rows_.data() + n, 0);
    quantized_ = &quantized;
    more_ = more;
    packing_ = tree_packing_ = quantized.packing;
    n_planes_ = packing_.n_planes();
    plane_stride_ = 0;
    if (!columns_.empty()) return; // the table is the same for every tree
    columns_.resize(static_cast<std::size_t>(binned.n_features()));
    for (int feature = 0; feature < binned.n_features(); ++feature) {
        const int stored = binned.home(feature).stored;
        if (stored < 0) continue;
        WindowColumn& column = columns_[static_cast<std::size_t>(feature)];
        column.narrow = binned.narrow(stored);
        column.meanings = binned.meanings(feature);
        binned.with_column(feature, [&](const auto* codes) { column.codes = codes; });
    }
}

template <class Work>
void RowWindow::with_codes(int column, Work&& work) const {
    const WindowColumn& own = columns_[static_cast<std::size_t>(column)];
    const auto with = [&](const auto* codes) {
        if (own.meanings.empty())
            work([codes](std::int64_t row) { return static_cast<Code>(codes[row]); });
        else
            work([codes, table = own.meanings.data()](std::int64_t row) {
                return table[codes[row]];
            });
    };
    if (own.narrow)
        with(static_cast<const std::uint8_t*>(own.codes));
    else
        with(static_cast<const std::uint16_t*>(own.codes));
}

// The word that a row adds to a plane of the tree's histograms.
std::uint64_t RowWindow::word_of(std::int64_t row, int plane) const {
    if (plane_stride_ > 0) {
        const auto at = [&](int p) {
            return planes_[static_cast<std::size_t>(p * plane_stride_ + row)];
        };
        if (n_planes_ == tree_packing_.n_planes()) return at(plane);
        const Pair pair = spread(at(0), tree_packing_.count_bits);
        return plane == 0 ? pair.first : pair.rest;
    }
    if (plane < 2) return quantized_->word(row, plane, n_table_rows_);
    const auto i = static_cast<std::size_t>(row), p = static_cast<std::size_t>(plane) - 2;
    if (!tree_packing_.outputs.own_hessians) return more_[p].words[i];
    const Pair& pair = more_[p / 2].pairs[i];
    return p % 2 == 0 ? pair.first : pair.rest;
}

// Whether a packed word holds the sum of any subset of these rows.
bool RowWindow::fits_one_word(const RowWindow& from, std::int64_t begin, std::int64_t end) const {
    if (from.tree_packing_.form != Form::packed) return false;
    if (from.plane_stride_ > 0 && from.n_planes_ == 1) return true;
    if (end - begin > kPackedRows) return false;
    Sums most;
    for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t row = from.rows_[static_cast<std::size_t>(i)];
        const Sums own = unpack({from.word_of(row, 0), from.word_of(row, 1)}, from.tree_packing_);
        most += {own.gradient < 0 ? -own.gradient : own.gradient, own.hessian, own.count};
    }
    const int gradient_bits = 63 - kPackedCountBits - kPackedHessianBits;
    return most.gradient < std::int64_t{1} << gradient_bits &&
           most.count < std::int64_t{1} << kPackedCountBits &&
           (from.tree_packing_.constant_hessian || most.hessian < std::int64_t{1}
                                                                      << kPackedHessianBits);
}

void RowWindow::take_planes(const RowWindow& from, std::int64_t begin, std::int64_t end) {
    tree_packing_ = packing_ = from.tree_packing_;
    const bool one_word = fits_one_word(from, begin, end);
    if (one_word) {
        packing_.form = Form::single;
        packing_.count_bits = kPackedCountBits;
        packing_.hessian_bits = kPackedHessianBits;
    }
    n_planes_ = packing_.n_planes();
    planes_.need(static_cast<std::size_t>(n_planes_ * n_));
    const std::int32_t* rows = from.rows_.data() + begin;
    for (int plane = 0; plane < n_planes_; ++plane) {
        std::uint64_t* to = planes_.data() + plane * n_;
        if (from.plane_stride_ > 0 && from.n_planes_ == n_planes_) {
            const std::uint64_t* words = from.planes_.data() + plane * from.plane_stride_;
            gather(rows, n_, to, [&](std::int64_t row) { return words[row]; });
        } else if (one_word && from.plane_stride_ == 0) {
            const std::uint64_t* words = from.quantized_->words.data();
            gather(rows, n_, to, [&](std::int64_t row) { return words[row]; });
        } else if (one_word) {
            gather(rows, n_, to, [&](std::int64_t row) {
                const Sums own =
                    unpack({from.word_of(row, 0), from.word_of(row, 1)}, tree_packing_);
                const auto low =
                    static_cast<std::uint64_t>(tree_packing_.constant_hessian ? 0 : own.hessian)
                        << kPackedCountBits |
                    static_cast<std::uint64_t>(own.count);
                return (static_cast<std::uint64_t>(own.gradient)
                        << (kPackedCountBits + kPackedHessianBits)) +
                       low;
            });
        } else {
            gather(rows, n_, to, [&](std::int64_t row) { return from.word_of(row, plane); });
        }
    }
    plane_stride_ = n_;
}

void RowWindow::narrow(const RowWindow& from, std::span<const int> columns, std::int64_t begin,
                       std::int64_t end) {
    n_ = end - begin;
    const auto n = static_cast<std::size_t>(n_);
    rows_.need(n);
    aside_.need(n);
    std::iota(rows_.data(), rows_.data() + n_, 0);
    take_planes(from, begin, end);
    std::size_t n_bytes = 0;
    columns_.resize(from.columns_.size());
    const auto is_narrow = [&](int column) {
        const WindowColumn& own = from.columns_[static_cast<std::size_t>(column)];
        return own.narrow && (own.meanings.empty() ||
                              *std::max_element(own.meanings.begin(), own.meanings.end()) < 256);
    };
    for (const int column : columns) n_bytes += n * (is_narrow(column) ? 1 : 2) + 1;
    codes_.need(n_bytes);
    std::size_t at = 0;
    const std::int32_t* rows = from.rows_.data() + begin;
    for (const int column : columns) {
        WindowColumn& own = columns_[static_cast<std::size_t>(column)];
        own.narrow = is_narrow(column);
        if (!own.narrow) at += at % 2;
        own.codes = codes_.data() + at;
        from.with_codes(column, [&](auto code_of) {
            const auto copy = [&]<class Number>(Number* to) {
                for (std::int64_t i = 0; i < n_; ++i) to[i] = static_cast<Number>(code_of(rows[i]));
            };
            if (own.narrow)
                copy(codes_.data() + at);
            else
                copy(reinterpret_cast<std::uint16_t*>(codes_.data() + at));
        });
        at += n * (own.narrow ? 1 : 2);
    }
}

void RowWindow::give_back(RowWindow& to, std::int64_t begin) const {
    std::int32_t* theirs = to.rows_.data() + begin;
    std::int32_t* before = to.aside_.data();
    std::copy_n(theirs, n_, before);
    for (std::int64_t i = 0; i < n_; ++i) theirs[i] = before[rows_[static_cast<std::size_t>(i)]];
}

void RowWindow::look_at(std::int64_t begin, std::int64_t end) {
    begin_ = begin;
    end_ = end;
    const std::int64_t n = end - begin;
    words_.need(static_cast<std::size_t>(n * n_planes_));
    const std::int32_t* rows = rows_.data() + begin;
    for (int plane = 0; plane < n_planes_; ++plane) {
        std::uint64_t* to = words_.data() + plane * n;
        const std::uint64_t* words = plane_stride_ > 0 ? planes_.data() + plane * plane_stride_
                                     : packing_.form == Form::single ? quantized_->words.data()
                                                                     : nullptr;
        if (words != nullptr)
            gather(rows, n, to, [words](std::int64_t row) { return words[row]; });
        else
            gather(rows, n, to, [&](std::int64_t row) { return word_of(row, plane); });
    }
}

bool RowWindow::is_pure() const {
    const std::int64_t n = end_ - begin_;
    const Outputs& outputs = packing_.outputs;
    for (int output = 0; output < outputs.n; ++output) {
        const std::uint64_t* first = words_.data() + outputs.gradient_plane(output) * n;
        const std::uint64_t* rest =
            n_planes_ > 1 ? words_.data() + outputs.rest_plane(output) * n : nullptr;
        const auto sums_of = [&](std::int64_t i) {
            return unpack({first[i], rest == nullptr ? 0 : rest[i]}, packing_);
        };
        const Sums one = sums_of(0);
        if (one.hessian <= 0) return false; // the ratio of the others is unknown
        for (std::int64_t i = 1; i < n; ++i) {
            const Sums own = sums_of(i);
            if (static_cast<WideInt>(own.gradient) * one.hessian !=
                static_cast<WideInt>(one.gradient) * own.hessian)
                return false;
        }
    }
    return true;
}

void RowWindow::sum_runs(int column, int n_codes, Runs& runs) const {
    const std::int64_t n = end_ - begin_;
    const std::uint64_t* first = words_.data();
    const std::uint64_t* rest = n_planes_ > 1 ? first + n : nullptr;
    const auto n_bins = static_cast<std::size_t>(std::max(n_codes, 256));
    const auto room = [](auto& places, std::size_t size) {
        if (places.size() < size) places.resize(size, 0);
    };
    room(runs.bins, 2 * n_bins);
    room(runs.places, n_bins);
    room(runs.first, n_bins);
    room(runs.rest, n_bins);
    const WindowColumn& own = columns_[static_cast<std::size_t>(column)];
    const std::int32_t* rows = rows_.data() + begin_;
    if (own.narrow && own.meanings.empty()) {
        runs.n = (use_avx2() ? avx2::byte_runs : baseline::byte_runs)(
            static_cast<const std::uint8_t*>(own.codes), rows, n, first, rest, runs.bins.data(),
            runs.places.data(), runs.first.data(), runs.rest.data());
        return;
    }
    room(runs.marks, (n_bins + 63) / 64);
    with_codes(column, [&](auto code_of) {
        for (std::int64_t i = 0; i < n; ++i) {
            const std::size_t code = code_of(rows[i]);
            runs.marks[code / 64] |= std::uint64_t{1} << code % 64;
            runs.bins[2 * code] += first[i];
            if (rest != nullptr) runs.bins[2 * code + 1] += rest[i];
        }
    });
    runs.n = 0;
    for (std::size_t word = 0; word < (n_bins + 63) / 64; ++word) {
        for (std::uint64_t left = runs.marks[word]; left != 0; left &= left - 1) {
            const std::size_t code = 64 * word + static_cast<std::size_t>(__builtin_ctzll(left));
            const auto at = static_cast<std::size_t>(runs.n++);
            runs.places[at] = static_cast<std::uint16_t>(code);
            runs.first[at] = runs.bins[2 * code];
            runs.rest[at] = runs.bins[2 * code + 1];
            runs.bins[2 * code] = runs.bins[2 * code + 1] = 0;
        }
        runs.marks[word] = 0;
    }
}

void RowWindow::sum_bins(int column, const Planes& bins) const {
    const std::int64_t n = end_ - begin_;
    const std::int32_t* rows = rows_.data() + begin_;
    const bool gathered = n_planes_ == bins.n_planes;
    for (int plane = 0; plane < bins.n_planes; ++plane) {
        std::uint64_t* to = bins.plane(plane);
        std::fill_n(to, bins.n, 0);
        const std::uint64_t* words = words_.data() + plane * n;
        with_codes(column, [&](auto code_of) {
            if (gathered)
                for (std::int64_t i = 0; i < n; ++i) to[code_of(rows[i])] += words[i];
            else
                for (std::int64_t i = 0; i < n; ++i)
                    to[code_of(rows[i])] += word_of(rows[i], plane);
        });
    }
}

RowWindow::Sides RowWindow::sum_sides(int column, Code last, Code missing, bool has_missing) const {
    const std::int64_t n = end_ - begin_;
    const std::int32_t* rows = rows_.data() + begin_;
    const std::uint64_t* first = words_.data();
    const std::uint64_t* rest = n_planes_ > 1 ? first + n : nullptr;
    Sides sides;
    with_codes(column, [&](auto code_of) {
        // Masks, because compilers make branches of conditions, and codes are as good as random.
        const auto sum = [&](const std::uint64_t* words, std::uint64_t& left, std::uint64_t& none) {
            std::uint64_t sum_left = 0, sum_none = 0;
            for (std::int64_t i = 0; i < n; ++i)
                sum_left += words[i] & (std::uint64_t{0} - (code_of(rows[i]) <= last));
            for (std::int64_t i = 0; i < n && has_missing; ++i)
                sum_none += words[i] & (std::uint64_t{0} - (code_of(rows[i]) == missing));
            left = sum_left;
            none = sum_none;
        };
        sum(first, sides.left.first, sides.missing.first);
        if (rest != nullptr) sum(rest, sides.left.rest, sides.missing.rest);
    });
    return sides;
}

std::int64_t RowWindow::divide(const Decision& decision, Code missing, std::int64_t begin,
                               std::int64_t end) {
    std::int32_t *rows = rows_.data() + begin, *aside = aside_.data();
    const std::int64_t n = end - begin;
    std::int64_t n_left = 0;
    const auto move = [&](auto goes_left) {
        std::int64_t n_right = 0;
        for (std::int64_t i = 0; i < n; ++i) {
            const std::int32_t row = rows[i];
            const bool left = goes_left(row);
            rows[n_left] = row;
            aside[n_right] = row;
            n_left += left;
            n_right += !left;
        }
        std::copy_n(aside, n_right, rows + n_left);
    };
    with_codes(decision.feature, [&](auto code_of) {
        if (decision.set) {
            move([&](std::int32_t row) { return decision.goes_left(code_of(row), missing); });
            return;
        }
        const Code last = decision.last, absent = decision.missing_left ? missing : last;
        move([&](std::int32_t row) {
            const Code code = code_of(row);
            return (code <= last) | (code == absent);
        });
    });
    return n_left;
}

} // namespace ceiba
