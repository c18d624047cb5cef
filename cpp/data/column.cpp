#include "data/column.hpp"

#include "base/errors.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <type_traits>

namespace ceiba {
namespace {

constexpr std::int64_t largest_integer = std::int64_t{1} << 53;

[[noreturn]] void throw_large_integer(const std::string& value) {
    throw InputError(
        "Integers must lie between -2^53 and 2^53, where float64 is exact. Got " + value +
        ". Subtract an offset from the column, or convert it to float64 and accept the rounding.");
}

// Adding 0.0 turns -0.0 into 0.0 and changes nothing else, so that equal numbers have equal bins.
template <class T>
inline double as_double(T value) {
    if constexpr (std::is_floating_point_v<T>) {
        return static_cast<double>(value) + 0.0;
    } else {
        return static_cast<double>(value);
    }
}

template <class T>
void check_integers(T smallest, T largest) {
    if constexpr (std::is_same_v<T, std::int64_t>) {
        if (smallest < -largest_integer) throw_large_integer(std::to_string(smallest));
        if (largest > largest_integer) throw_large_integer(std::to_string(largest));
    } else if constexpr (std::is_same_v<T, std::uint64_t>) {
        if (largest > static_cast<std::uint64_t>(largest_integer))
            throw_large_integer(std::to_string(largest));
    }
}

template <class T>
constexpr bool needs_check = std::is_integral_v<T> && sizeof(T) == 8;

template <class T>
inline T load(const char* data, std::int64_t stride, std::int64_t i) {
    T value;
    __builtin_memcpy(&value, data + i * stride, sizeof(T)); // the caller's array may be unaligned
    return value;
}

template <class T>
void read_strided(const ColumnChunk& chunk, std::int64_t begin, std::int64_t n, double* out) {
    const std::int64_t stride = chunk.stride;
    const char* data = static_cast<const char*>(chunk.data) + begin * stride;
    if constexpr (needs_check<T>) {
        T smallest = 0, largest = 0;
        for (std::int64_t i = 0; i < n; ++i) {
            const T value = load<T>(data, stride, i);
            smallest = std::min(smallest, value);
            largest = std::max(largest, value);
            out[i] = as_double(value);
        }
        check_integers(smallest, largest);
    } else if (stride == sizeof(T)) {
        for (std::int64_t i = 0; i < n; ++i) out[i] = as_double(load<T>(data, sizeof(T), i));
    } else {
        for (std::int64_t i = 0; i < n; ++i) out[i] = as_double(load<T>(data, stride, i));
    }
}

template <class T>
void read_interleaved(const ColumnChunk& first, int n_columns, std::int64_t begin, std::int64_t n,
                      double* out) {
    // Eight columns at a time: as many output streams as the store buffers handle well.
    constexpr int width = 8;
    const std::int64_t stride = first.stride;
    const char* data = static_cast<const char*>(first.data) + begin * stride;
    T smallest = 0, largest = 0;
    for (std::int64_t begin_row = 0; begin_row < n; begin_row += 64) {
        const std::int64_t end_row = std::min<std::int64_t>(n, begin_row + 64);
        for (int c = 0; c < n_columns; c += width) {
            const int n_here = std::min(width, n_columns - c);
            double* to = out + static_cast<std::int64_t>(c) * n;
            for (std::int64_t i = begin_row; i < end_row; ++i) {
                const char* row = data + i * stride + static_cast<std::int64_t>(c * sizeof(T));
                const auto move = [&](int k) {
                    const T value = load<T>(row, sizeof(T), k);
                    if constexpr (needs_check<T>) {
                        smallest = std::min(smallest, value);
                        largest = std::max(largest, value);
                    }
                    to[k * n + i] = as_double(value);
                };
                if (n_here == width) {
                    for (int k = 0; k < width; ++k) move(k);
                } else {
                    for (int k = 0; k < n_here; ++k) move(k);
                }
            }
        }
    }
    if constexpr (needs_check<T>) check_integers(smallest, largest);
}

template <class T>
void gather_strided(const ColumnChunk& chunk, std::int64_t first_row, const std::int32_t* rows,
                    std::int64_t n, double* out) {
    const char* data = static_cast<const char*>(chunk.data) - first_row * chunk.stride;
    constexpr std::int64_t ahead = 24; // rows of scattered cache lines to prefetch
    for (std::int64_t i = 0; i < n; ++i) {
        if (i + ahead < n) __builtin_prefetch(data + rows[i + ahead] * chunk.stride);
        out[i] = as_double(load<T>(data, chunk.stride, rows[i]));
    }
}

template <class F>
decltype(auto) with_type(NumberType type, F&& call) {
    switch (type) {
    case NumberType::float32:
        return call(float{});
    case NumberType::float64:
        return call(double{});
    case NumberType::int8:
        return call(std::int8_t{});
    case NumberType::int16:
        return call(std::int16_t{});
    case NumberType::int32:
        return call(std::int32_t{});
    case NumberType::int64:
        return call(std::int64_t{});
    case NumberType::uint16:
        return call(std::uint16_t{});
    case NumberType::uint32:
        return call(std::uint32_t{});
    case NumberType::uint64:
        return call(std::uint64_t{});
    case NumberType::uint8:
    case NumberType::boolean:
        break;
    }
    return call(std::uint8_t{});
}

// Values of rows [begin, begin + n): `absent`, except for entries.
void read_sparse(const ColumnChunk& chunk, std::int64_t begin, std::int64_t n, double* out) {
    std::fill_n(out, n, chunk.absent);
    const std::int32_t* end = chunk.rows + chunk.n_entries;
    const std::int32_t* from = std::lower_bound(chunk.rows, end, begin);
    const std::int32_t* to = std::lower_bound(from, end, begin + n);
    constexpr std::int64_t at_once = 256;
    double values[at_once];
    for (; from < to; from += at_once) {
        const std::int64_t count = std::min<std::int64_t>(at_once, to - from);
        read_entries(chunk, from - chunk.rows, count, values);
        for (std::int64_t i = 0; i < count; ++i) out[from[i] - begin] = values[i];
    }
}

void gather_sparse(const ColumnChunk& chunk, std::int64_t first_row, const std::int32_t* rows,
                   std::int64_t n, double* out) {
    const std::int32_t *at = chunk.rows, *end = chunk.rows + chunk.n_entries;
    for (std::int64_t i = 0; i < n; ++i) {
        at = std::lower_bound(at, end, rows[i] - first_row);
        out[i] = chunk.absent;
        if (at != end && *at == rows[i] - first_row)
            read_entries(chunk, at - chunk.rows, 1, out + i);
    }
}

bool side_by_side(const ColumnChunk& left, const ColumnChunk& right) {
    if (left.sparse || right.sparse) return false;
    return left.type == right.type && left.stride == right.stride && left.n_rows == right.n_rows &&
           static_cast<const char*>(left.data) + bytes_of(left.type) ==
               static_cast<const char*>(right.data) &&
           left.stride != bytes_of(left.type);
}

} // namespace

int bytes_of(NumberType type) {
    return with_type(type, [](auto zero) { return static_cast<int>(sizeof(zero)); });
}

void read_entries(const ColumnChunk& chunk, std::int64_t begin, std::int64_t n, double* out) {
    with_type(chunk.type, [&](auto zero) { read_strided<decltype(zero)>(chunk, begin, n, out); });
}

void read_chunk(const ColumnChunk& chunk, std::int64_t begin, std::int64_t n, double* out) {
    if (chunk.sparse) return read_sparse(chunk, begin, n, out);
    with_type(chunk.type, [&](auto zero) { read_strided<decltype(zero)>(chunk, begin, n, out); });
}

Column::Column(std::vector<ColumnChunk> chunks) : chunks_(std::move(chunks)) {
    first_row_.reserve(chunks_.size() + 1);
    for (const ColumnChunk& chunk : chunks_) first_row_.push_back(first_row_.back() + chunk.n_rows);
}

bool Column::is_sparse() const {
    const auto alike = [&](const ColumnChunk& chunk) {
        const double first = chunks_.front().absent;
        return chunk.sparse &&
               (chunk.absent == first || (chunk.absent != chunk.absent && first != first));
    };
    return !chunks_.empty() && std::all_of(chunks_.begin(), chunks_.end(), alike);
}

std::int64_t Column::n_entries() const {
    std::int64_t n = 0;
    for (const ColumnChunk& chunk : chunks_) n += chunk.n_entries;
    return n;
}

int Column::chunk_of(std::int64_t row) const {
    if (chunks_.size() == 1) return 0;
    const auto after = std::upper_bound(first_row_.begin(), first_row_.end(), row);
    return static_cast<int>(after - first_row_.begin()) - 1;
}

void Column::read(std::int64_t begin, std::int64_t n, double* out) const {
    while (n > 0) {
        const int c = chunk_of(begin);
        const std::int64_t n_here = std::min(n, first_row_[c + 1] - begin);
        read_chunk(chunks_[c], begin - first_row_[c], n_here, out);
        begin += n_here;
        out += n_here;
        n -= n_here;
    }
}

void Column::check() const {
    constexpr std::int64_t at_once = 1024;
    double values[at_once];
    for (const ColumnChunk& chunk : chunks_) {
        if (chunk.type != NumberType::int64 && chunk.type != NumberType::uint64) continue;
        const std::int64_t n = chunk.sparse ? chunk.n_entries : chunk.n_rows;
        for (std::int64_t begin = 0; begin < n; begin += at_once)
            read_entries(chunk, begin, std::min(at_once, n - begin), values);
    }
}

void Column::gather(const std::int32_t* rows, std::int64_t n, double* out) const {
    while (n > 0) {
        const int c = chunk_of(rows[0]);
        const std::int64_t end = first_row_[c + 1];
        const std::int64_t n_here =
            rows[n - 1] < end ? n : std::lower_bound(rows, rows + n, end) - rows;
        if (chunks_[c].sparse)
            gather_sparse(chunks_[c], first_row_[c], rows, n_here, out);
        else
            with_type(chunks_[c].type, [&](auto zero) {
                gather_strided<decltype(zero)>(chunks_[c], first_row_[c], rows, n_here, out);
            });
        rows += n_here;
        out += n_here;
        n -= n_here;
    }
}

bool interleaved(const Column* columns, int n_columns) {
    if (n_columns < 2) return false;
    for (int j = 1; j < n_columns; ++j) {
        const auto& left = columns[j - 1].chunks();
        const auto& right = columns[j].chunks();
        if (left.size() != right.size()) return false;
        for (std::size_t c = 0; c < left.size(); ++c)
            if (!side_by_side(left[c], right[c])) return false;
    }
    return true;
}

void read_tile(const Column* columns, int n_columns, std::int64_t begin, std::int64_t n,
               double* out) {
    // Neighboring columns that are adjacent in the chunk of the tile's first row are read row by
    // row.
    int j = 0;
    while (j < n_columns) {
        const Column& first = columns[j];
        const int c = first.chunk_of(begin);
        const bool whole = begin + n <= first.first_row_[c + 1];
        int end = j + 1;
        const auto follows = [&](int k) {
            return static_cast<int>(columns[k].chunks_.size()) > c &&
                   columns[k].first_row_[c] == first.first_row_[c] &&
                   side_by_side(columns[k - 1].chunks_[c], columns[k].chunks_[c]);
        };
        while (whole && end < n_columns && follows(end)) ++end;
        double* to = out + static_cast<std::int64_t>(j) * n;
        if (end - j == 1) {
            first.read(begin, n, to);
        } else {
            with_type(first.chunks_[c].type, [&](auto zero) {
                read_interleaved<decltype(zero)>(first.chunks_[c], end - j,
                                                 begin - first.first_row_[c], n, to);
            });
        }
        j = end;
    }
}

} // namespace ceiba
