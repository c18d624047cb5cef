// A numeric column in the caller's memory: typed, strided chunks that are read in place.
//
// The life of a column:
//   1. The binding makes one chunk per block of rows, with the pointer and stride of the caller's
//      array. Nothing is copied, so X[:, j] of a C- or F-ordered matrix is free.
//   2. Kernels request ranges of rows as float64, tile by tile. NaN is missing, -0.0 becomes 0.0.
//   3. The caller keeps the arrays alive until the kernel has returned.
//
// A sparse chunk holds the entries of some rows. All others have the value `absent`: 0, or NaN if
// they are missing. read() hides the difference; kernels that can use entries call read_entries().
//
// Integers beyond 2^53 are not exact in float64, so reading one is an error.
#pragma once

#include <cstdint>
#include <vector>

namespace ceiba {

enum class NumberType : std::uint8_t {
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    boolean
};

int bytes_of(NumberType type);

struct ColumnChunk {
    const void* data = nullptr;
    std::int64_t stride = 0; // bytes from one row (entry) to the next; may be negative
    std::int64_t n_rows = 0;
    NumberType type = NumberType::float64;
    // Sparse: row numbers of the entries within the chunk, ascending.
    bool sparse = false;
    const std::int32_t* rows = nullptr;
    std::int64_t n_entries = 0;
    double absent = 0.0;
};

// Rows [begin, begin + n) of a chunk as float64.
void read_chunk(const ColumnChunk& chunk, std::int64_t begin, std::int64_t n, double* out);

// Entries [begin, begin + n) of a sparse chunk as float64.
void read_entries(const ColumnChunk& chunk, std::int64_t begin, std::int64_t n, double* out);

class Column {
  public:
    Column() = default;
    explicit Column(std::vector<ColumnChunk> chunks);

    std::int64_t n_rows() const { return first_row_.back(); }
    const std::vector<ColumnChunk>& chunks() const { return chunks_; }
    std::int64_t first_row(std::size_t chunk) const { return first_row_[chunk]; }

    // Whether all chunks are sparse with the same `absent` value.
    bool is_sparse() const;
    double absent() const { return chunks_.front().absent; } // of a sparse column
    std::int64_t n_entries() const;

    // Rows [begin, begin + n) as float64.
    void read(std::int64_t begin, std::int64_t n, double* out) const;

    // Throw if a value is not exact in float64: for columns that are not read.
    void check() const;

    // The values of n rows, given in ascending order.
    void gather(const std::int32_t* rows, std::int64_t n, double* out) const;

  private:
    friend void read_tile(const Column*, int, std::int64_t, std::int64_t, double*);
    int chunk_of(std::int64_t row) const;

    std::vector<ColumnChunk> chunks_;
    std::vector<std::int64_t> first_row_{0}; // of each chunk, then the number of rows
};

// Rows [begin, begin + n) of neighboring columns as float64, out[c * n + i]. Columns that are
// adjacent in a row-major matrix are read row by row, so that each cache line is loaded once.
void read_tile(const Column* columns, int n_columns, std::int64_t begin, std::int64_t n,
               double* out);

// Whether these columns are adjacent in the memory of a row-major matrix.
bool interleaved(const Column* columns, int n_columns);

} // namespace ceiba
