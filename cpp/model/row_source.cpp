#include "model/row_source.hpp"

#include "base/errors.hpp"

#include <cmath>
#include <cstring>
#include <string>
#include <type_traits>

namespace ceiba {

namespace {

// Beyond this, neighbouring integers have no double of their own.
constexpr std::int64_t kLargestInteger = std::int64_t{1} << 53;

template <class T>
void read_as(const ColumnView& column, std::int64_t first_row, std::int64_t n, double* out) {
    const std::byte* at = column.data + first_row * column.stride;
    bool too_large = false;
    for (std::int64_t i = 0; i < n; ++i, at += column.stride) {
        T value;
        std::memcpy(&value, at, sizeof value);
        if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
            too_large |= value > static_cast<T>(kLargestInteger);
            if constexpr (std::is_signed_v<T>) too_large |= value < -kLargestInteger;
        }
        out[i] = static_cast<double>(value);
    }
    if (too_large)
        throw InputError(
            "Integers must lie within -2^53 and 2^53, where float64 can hold each of "
            "them. Got a larger one. Convert the column to float64 if rounding is fine.");
}

} // namespace

void read_values(const ColumnView& column, std::int64_t first_row, std::int64_t n, double* out) {
    switch (column.type) {
    case NumberType::float32:
        return read_as<float>(column, first_row, n, out);
    case NumberType::float64:
        return read_as<double>(column, first_row, n, out);
    case NumberType::int8:
        return read_as<std::int8_t>(column, first_row, n, out);
    case NumberType::int16:
        return read_as<std::int16_t>(column, first_row, n, out);
    case NumberType::int32:
        return read_as<std::int32_t>(column, first_row, n, out);
    case NumberType::int64:
        return read_as<std::int64_t>(column, first_row, n, out);
    case NumberType::boolean:
    case NumberType::uint8:
        return read_as<std::uint8_t>(column, first_row, n, out);
    case NumberType::uint16:
        return read_as<std::uint16_t>(column, first_row, n, out);
    case NumberType::uint32:
        return read_as<std::uint32_t>(column, first_row, n, out);
    case NumberType::uint64:
        return read_as<std::uint64_t>(column, first_row, n, out);
    }
}

const double* read_row(const RowSource& rows, std::int64_t row, std::int64_t n_features,
                       double* scratch) {
    if (rows.is_matrix()) {
        const ColumnView& first = rows.first();
        const std::byte* data = first.data + row * first.stride;
        // Only an aligned row may be read where it lies.
        if (first.type == NumberType::float64 && rows.column_stride() == sizeof(double) &&
            reinterpret_cast<std::uintptr_t>(data) % alignof(double) == 0)
            return reinterpret_cast<const double*>(data);
        // Across the row the features are a column with another stride.
        read_values({data, rows.column_stride(), first.type}, 0, n_features, scratch);
        return scratch;
    }
    for (std::int64_t feature = 0; feature < n_features; ++feature)
        read_values(rows.column(feature), row, 1, scratch + feature);
    return scratch;
}

} // namespace ceiba
