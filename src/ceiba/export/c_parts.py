"""Functions of exported C files, as C text. ``c_code.py`` selects those that a model needs.

Words in capitals between @ signs are replaced. All functions are static except those that
``PUBLIC`` declares.
"""

from __future__ import annotations

__all__ = [
    "ADD",
    "LEVELS",
    "LINEAR_LEAF",
    "LINKS",
    "LOOKUP",
    "MATH",
    "PLAIN_LEAF",
    "PREDICT",
    "PREDICT_READ",
    "PUBLIC",
    "READ_ROW",
    "STEP",
    "STEP_SETS",
]

PUBLIC = """\
enum { @NAME@_N_COLUMNS = @COLUMNS@, @NAME@_N_OUTPUTS = @OUTPUTS@ };

/* Predict one row: @NAME@_N_COLUMNS numbers in, @NAME@_N_OUTPUTS numbers out. */
void @NAME@_predict(const @NUMBER@ *row, double *out);

/* Predict many rows, stored one after another. */
void @NAME@_predict_many(const @NUMBER@ *rows, size_t n_rows, double *out);
"""

STEP = """\
/* A value goes left if it is <= threshold. A leaf is its own left child. */
static int32_t step(const node *n, value v)
{
    return n->left + ((v > n->threshold) | ((v != v) & n->missing_right));
}
"""

STEP_SETS = """\
/* A number goes left if it is <= threshold, a category if it is in the set of the node, which
 * begins at sets[threshold] with the number of its words. A leaf is its own left child. */
static int32_t step(const node *n, value v)
{
    if (v != v) return n->left + n->missing_right;
    if (n->by_set) {
        const uint32_t *set = sets + (size_t)n->threshold;
        const uint32_t level = (uint32_t)v;
        const int in_set = level / 32 < set[0] && ((set[1 + level / 32] >> level % 32) & 1u);
        return n->left + !in_set;
    }
    return n->left + (v > n->threshold);
}
"""

PLAIN_LEAF = """\
static void add_leaf(size_t tree, size_t leaf, const value *x, double *sums)
{
    (void)x;
@ADD@
}
"""

LINEAR_LEAF = """\
/* A leaf adds its value, and slope * (x - mean) for each of its terms. */
static double leaf_value(size_t leaf, size_t k, const value *x)
{
    double sum = leaves[leaf * WIDTH + k];
    for (size_t t = (size_t)first_term[leaf]; t < (size_t)first_term[leaf + 1]; ++t) {
        const term *line = &terms[t];
        const double v = x[line->column];
        const double at_least = v < line->low ? line->low : v;
        const double within = at_least > line->high ? line->high : at_least;
        const double away = within - line->mean;
        sum += slopes[t * WIDTH + k] * (away - away == 0.0 ? away : 0.0);
    }
    return sum;
}

static void add_leaf(size_t tree, size_t leaf, const value *x, double *sums)
{
@ADD@
}
"""

ADD = """\
/* One row: eight trees at a time, so that their memory reads overlap. */
static void add_row(const value *x, double *sums)
{
    for (size_t first = 0; first < N_TREES; first += 8) {
        const size_t n = N_TREES - first < 8 ? N_TREES - first : 8;
        int32_t at[8], moved = 1;
        for (size_t k = 0; k < 8; ++k) at[k] = roots[first + (k < n ? k : 0)];
        while (moved) {
            moved = 0;
            for (size_t k = 0; k < 8; ++k) {
                const int32_t next = step(&nodes[at[k]], x[nodes[at[k]].column]);
                moved |= next ^ at[k];
                at[k] = next;
            }
        }
        for (size_t k = 0; k < n; ++k) add_leaf(first + k, (size_t)at[k], x, sums);
    }
}

/* A block of rows: tree after tree, eight rows at a time. */
static void add_block(const value *x, size_t n_rows, double *sums)
{
    const size_t whole = n_rows - n_rows % 8;
    for (size_t tree = 0; tree < N_TREES; ++tree) {
        for (size_t row = 0; row < whole; row += 8) {
            const value *here = x + row * STRIDE;
            int32_t at[8], moved = 1;
            for (size_t k = 0; k < 8; ++k) at[k] = roots[tree];
            while (moved) {
                moved = 0;
                for (size_t k = 0; k < 8; ++k) {
                    const node *n = &nodes[at[k]];
                    const int32_t next = step(n, here[k * STRIDE + n->column]);
                    moved |= next ^ at[k];
                    at[k] = next;
                }
            }
            for (size_t k = 0; k < 8; ++k)
                add_leaf(tree, (size_t)at[k], here + k * STRIDE, sums + (row + k) * N_OUTPUTS);
        }
    }
    for (size_t row = whole; row < n_rows; ++row)
        add_row(x + row * STRIDE, sums + row * N_OUTPUTS);
}
"""

LOOKUP = """\
/* Values that are looked up by the levels of categories, such as target means. */
static void look_up(const lookup *own, const @NUMBER@ *row, value *x)
{
    uint64_t key = 0, factor = 1;
    size_t low = 0, high = own->n_keys;
    int known = 1;
    for (size_t s = 0; s < own->n_sources; ++s) {
        const size_t column = own->sources[s], n = n_levels[column];
        const double v = row[column];
        if (v == v && !(v >= 0.0 && v < (double)n)) known = 0;
        else key += factor * (v == v ? (uint64_t)v : (uint64_t)n);
        factor *= (uint64_t)n + 1u;
    }
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (own->keys[middle] < key) low = middle + 1;
        else high = middle;
    }
    if (!known || low == own->n_keys || own->keys[low] != key) low = own->n_keys;
    for (size_t c = 0; c < own->n_columns; ++c) x[c] = own->values[c * (own->n_keys + 1) + low];
}
"""

READ_ROW = """\
/* The columns that trees read. */
static void read_row(const @NUMBER@ *row, value *x)
{
    for (size_t k = 0; k < N_KEPT; ++k) {
        const double v = row[kept[k]];
        x[k] = v;
@CHECKS@    }
@LOOKUPS@}
"""

PREDICT = """\
void @NAME@_predict(const @NUMBER@ *row, double *out)
{
    memcpy(out, start, sizeof start);
    add_row(row, out);
    finish(out);
}

void @NAME@_predict_many(const @NUMBER@ *rows, size_t n_rows, double *out)
{
    while (n_rows > 0) {
        const size_t n = n_rows < BLOCK ? n_rows : BLOCK;
        for (size_t k = 0; k < n; ++k) memcpy(out + k * N_OUTPUTS, start, sizeof start);
        add_block(rows, n, out);
        for (size_t k = 0; k < n; ++k) finish(out + k * N_OUTPUTS);
        rows += n * STRIDE;
        out += n * N_OUTPUTS;
        n_rows -= n;
    }
}
"""

PREDICT_READ = """\
void @NAME@_predict(const @NUMBER@ *row, double *out)
{
    value x[STRIDE];
    read_row(row, x);
    memcpy(out, start, sizeof start);
    add_row(x, out);
    finish(out);
}

void @NAME@_predict_many(const @NUMBER@ *rows, size_t n_rows, double *out)
{
    value x[BLOCK * STRIDE];
    while (n_rows > 0) {
        const size_t n = n_rows < BLOCK ? n_rows : BLOCK;
        for (size_t k = 0; k < n; ++k) {
            read_row(rows + k * @NAME@_N_COLUMNS, x + k * STRIDE);
            memcpy(out + k * N_OUTPUTS, start, sizeof start);
        }
        add_block(x, n, out);
        for (size_t k = 0; k < n; ++k) finish(out + k * N_OUTPUTS);
        rows += n * @NAME@_N_COLUMNS;
        out += n * N_OUTPUTS;
        n_rows -= n;
    }
}
"""

LEVELS = """\
double @NAME@_level(size_t column, const char *text)
{
    size_t low = first_text[column], high = first_text[column + 1];
    const size_t end = high;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (strcmp(texts[middle], text) < 0) low = middle + 1;
        else high = middle;
    }
    if (low == end || strcmp(texts[low], text) != 0) return -1.0;
    return (double)(low - first_text[column] + n_integers[column]);
}

double @NAME@_level_of_integer(size_t column, int64_t integer)
{
    const size_t first = first_integer[column];
    size_t low = first, high = first + n_integers[column];
    const size_t end = high;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (integers[middle] < integer) low = middle + 1;
        else high = middle;
    }
    return low == end || integers[low] != integer ? -1.0 : (double)(low - first);
}
"""

MATH = """\
/* Accurate to one unit in the last place, and the same on every machine. */
static double exp_of(double x)
{
    double shifted, k, r, r2, r4, p, scaled, scale;
    uint64_t n, bits, half;
    const double shift = 0x1.8p52;
    x = x < -750.0 ? -750.0 : x;
    x = x > 710.0 ? 710.0 : x;
    shifted = x * 0x1.71547652b82fep+0 + shift;
    k = shifted - shift;
    r = (x - k * 0x1.62e42fefa38p-1) - k * 0x1.ef35793c7673p-45;
    r2 = r * r;
    r4 = r2 * r2;
    p = ((0x1.0000000000001p-1 + r * 0x1.5555555555556p-3) +
         r2 * (0x1.5555555553d2bp-5 + r * 0x1.11111111109a2p-7)) +
        r4 * (((0x1.6c16c178a18c1p-10 + r * 0x1.a01a01a7d176dp-13) +
               r2 * (0x1.a019b8b8f8697p-16 + r * 0x1.71de0d7a972efp-19)) +
              r4 * (0x1.2891e963ab1f9p-22 + r * 0x1.af3924be99a57p-26));
    memcpy(&n, &shifted, sizeof n);
    memcpy(&bits, &shift, sizeof bits);
    n = n - bits + 2048u;
    half = n >> 1;
    bits = (half - 1u) << 52;
    memcpy(&scale, &bits, sizeof scale);
    scaled = (1.0 + (r + r2 * p)) * scale;
    bits = (n - half - 1u) << 52;
    memcpy(&scale, &bits, sizeof scale);
    return scaled * scale;
}
"""

_SIGMOID = """\
static double sigmoid(double x)
{
    const double e = exp_of(x < 0.0 ? x : -x), large = 1.0 / (1.0 + e);
    return x >= 0.0 ? large : e * large;
}
"""

#: What ``finish`` does after the shift, and the functions that it needs, for each link.
LINKS: dict[str, tuple[str, str]] = {
    "identity": ("", "@LOWEST@"),
    "log": (
        MATH,
        """\
        raw[k] = raw[k] < -300.0 ? -300.0 : raw[k] > 300.0 ? 300.0 : raw[k];
        raw[k] = exp_of(raw[k]);
""",
    ),
    "log1p": (
        MATH,
        """\
        raw[k] = raw[k] < -300.0 ? -300.0 : raw[k] > 300.0 ? 300.0 : raw[k];
        raw[k] = exp_of(raw[k]) - 1.0;
@LOWEST@""",
    ),
    "logit": (MATH + "\n" + _SIGMOID, "        raw[k] = sigmoid(@SCALE@raw[k]);\n"),
    "softmax": (
        MATH
        + """
static void link(double *raw)
{
    double largest = raw[0], rest = 0.0, inverse;
    size_t winner = 0;
    for (size_t k = 1; k < N_OUTPUTS; ++k) {
        if (raw[k] > largest) {
            largest = raw[k];
            winner = k;
        }
    }
    for (size_t k = 0; k < N_OUTPUTS; ++k) {
        raw[k] = exp_of(raw[k] - largest);
        rest += k == winner ? 0.0 : raw[k];
    }
    inverse = 1.0 / (1.0 + rest);
    for (size_t k = 0; k < N_OUTPUTS; ++k) raw[k] *= inverse;
}
""",
        "",
    ),
    "one_against_rest": (
        MATH
        + "\n"
        + _SIGMOID
        + """
static void link(double *raw)
{
    double total = 0.0;
    for (size_t k = 0; k < N_OUTPUTS; ++k) total += raw[k] = sigmoid(raw[k]);
    for (size_t k = 0; k < N_OUTPUTS; ++k)
        raw[k] = total > 0.0 ? raw[k] / total : 1.0 / (double)N_OUTPUTS;
}
""",
        "",
    ),
    "shares": (
        """\
static void link(double *raw)
{
    double total = 0.0, off;
    for (size_t k = 0; k < N_OUTPUTS; ++k) {
        raw[k] = (raw[k] < 0.0 ? 0.0 : raw[k] > 1.0 ? 1.0 : raw[k]) + 0.0;
        total += raw[k];
    }
    off = total < 1.0 ? 1.0 - total : total - 1.0;
    if (N_OUTPUTS == 1 || (total != 0.0 && !(off > 1e-12))) return;
    for (size_t k = 0; k < N_OUTPUTS; ++k)
        raw[k] = total > 0.0 ? raw[k] / total : 1.0 / (double)N_OUTPUTS;
}
""",
        "",
    ),
    "sorted": (
        """\
static void link(double *raw)
{
    for (size_t k = 1; k < N_OUTPUTS; ++k) {
        const double own = raw[k];
        size_t place = k;
        for (; place > 0 && raw[place - 1] > own; --place) raw[place] = raw[place - 1];
        raw[place] = own;
    }
}
""",
        "",
    ),
}
