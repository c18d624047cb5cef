"""The compiled core of ceiba."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


def report_leaks(on: bool) -> None:
    """Report objects that outlive the interpreter (for tests)."""

def set_avx2(on: bool) -> None:
    """Switch the AVX2 kernels on or off (no effect without AVX2)."""

def uses_avx2() -> bool:
    """Whether AVX2 kernels are in use."""

def settings() -> dict:
    """Internal sizes, which do not change models."""

def change_settings(**kwargs) -> None:
    """Change internal sizes (for tests)."""

def counters() -> dict:
    """How often each path ran since the last reset."""

def reset_counters() -> None:
    """Set all counters to zero."""

def available_threads() -> int:
    """Cores that affinity and the cgroup quota allow."""

class Regressors:
    """Raw numeric columns for linear leaves."""

    @staticmethod
    def build(columns: list, features: Sequence[int], n_threads: int) -> Regressors:
        """features: the columns to read, ascending."""

    @property
    def n_rows(self) -> int: ...

    @property
    def features(self) -> list[int]: ...

class SparseColumns:
    """The columns of a sparse matrix, transposed from its rows."""

    @staticmethod
    def of_rows(matrix: tuple, n_columns: int, n_threads: int) -> SparseColumns:
        """
        matrix: (values, indices, indptr, absent), where absent is the value of the other entries.
        """

    @property
    def n_rows(self) -> int: ...

    @property
    def n_columns(self) -> int: ...

class BinMapper:
    """The bin edges of every column."""

    def __init__(self, edges: Sequence[Sequence[float]], has_missing: Sequence[bool], n_levels: Sequence[int] = []) -> None: ...

    @staticmethod
    def find(columns: list, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, max_bins: int, min_data_in_bin: float, n_threads: int, n_levels: Sequence[int] = []) -> BinMapper:
        """
        Choose edges from all rows. columns: list of columns, each a list of 1-D chunks, or a list of 2-D row blocks. n_levels: one per column, 0 for numeric columns.
        """

    def values(self, regressors: Regressors, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_threads: int) -> list[list[float]]:
        """
        The regressor values of each column's bins: centered and scaled means, 0 for missing values. Empty for columns that cannot be regressors.
        """

    @property
    def n_features(self) -> int: ...

    def edges(self, feature: int) -> NDArray[numpy.float64]: ...

    def has_missing(self, feature: int) -> bool: ...

    def n_bins(self, feature: int) -> int:
        """
        Number of bins, including that of missing values if the column had any.
        """

    def n_levels(self, feature: int) -> int:
        """Number of levels of a category; 0 for a numeric column."""

class BinnedMatrix:
    """A binned table."""

    @staticmethod
    def build(mapper: BinMapper, columns: list, n_threads: int, lists: bool = True) -> BinnedMatrix:
        """lists: columns may become lists of their unusual rows."""

    @staticmethod
    def least_bytes(mapper: BinMapper, columns: list, lists: bool) -> int:
        """Memory that build() takes at least, known after a look at some rows."""

    @property
    def n_rows(self) -> int: ...

    @property
    def n_features(self) -> int: ...

    @property
    def n_bytes(self) -> int: ...

    def column(self, feature: int, begin: int = 0, n: int | None = None) -> NDArray[numpy.uint16]:
        """The codes of one column, in some rows."""

    def usual_code(self, feature: int) -> int:
        """
        The code that most rows have, if it decides how the column is stored; otherwise -1.
        """

class RankedColumns:
    """A table with presorted columns."""

    @staticmethod
    def build(columns: list, n_threads: int) -> RankedColumns: ...

    @property
    def n_rows(self) -> int: ...

    @property
    def n_features(self) -> int: ...

    @property
    def n_bytes(self) -> int: ...

    def values(self, feature: int) -> NDArray[numpy.float64]:
        """The distinct values of one column, ascending."""

    def ranks(self, feature: int) -> NDArray[numpy.uint32]:
        """The rank of every row's value; 2^32 - 1 if it is missing."""

    def order(self, feature: int) -> NDArray[numpy.int32]:
        """Rows by value, equal values by row, without missing ones."""

    def starts(self, feature: int) -> NDArray[numpy.int32]:
        """Where each value begins in the order, and the end."""

class EdgeSearch:
    """Search for the bin edges of a table in blocks, in several passes."""

    def __init__(self, n_columns: int, max_bins: int, min_data_in_bin: float, most_entries: int = 8388608) -> None:
        """most_entries: values that a pass may collect."""

    def add(self, columns: list, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_threads: int) -> None:
        """Read a block of rows."""

    def end_pass(self, n_levels: Sequence[int], n_threads: int) -> bool:
        """
        Return whether all edges are found; otherwise all blocks must be added again.
        """

    def fork(self) -> EdgeSearch:
        """An empty search in the same pass, for other rows."""

    def merge(self, other: EdgeSearch) -> None:
        """Add the rows of a fork."""

    def usual_codes(self, mapper: BinMapper) -> list[int]:
        """The code that a column rarely leaves, or -1; estimated from a sample."""

    @property
    def n_rows(self) -> int: ...

    @property
    def n_passes(self) -> int: ...

    @property
    def mapper(self) -> BinMapper: ...

class BinnedBlocks:
    """A binned table that is filled block by block."""

    def __init__(self, mapper: BinMapper, n_rows: int, usual: Sequence[int] = [], lists: bool = True) -> None:
        """
        usual: the code that most rows of each column have, or -1. lists: columns may become lists of their unusual rows.
        """

    def add(self, columns: list, n_threads: int) -> None:
        """Encode the next rows."""

    def put(self, feature: int, codes: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Append the codes of the next rows of one column."""

    def finish(self, n_threads: int) -> BinnedMatrix:
        """Return the table."""

class QuantileSketch:
    """
    A mergeable quantile sketch of a weighted column with a bounded rank error.
    """

    def __init__(self, eps: float, block_rows: int = 65536) -> None: ...

    def add(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, unit: float = 1.0) -> None:
        """Add rows; weights are rounded to whole multiples of unit."""

    def merge(self, other: QuantileSketch) -> None:
        """Add the rows of another sketch."""

    def values_at(self, ranks: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
        """
        Values at these ranks (0 to total), each within eps * total of its rank.
        """

    def cuts(self, n: int) -> NDArray[numpy.float64]:
        """The distinct values that divide the weight into n equal parts."""

    @property
    def total(self) -> int:
        """The weight of all rows, in units."""

    @property
    def gap(self) -> int: ...

    @property
    def n_entries(self) -> int: ...

    def most_entries(self, n_rows: int) -> int:
        """Upper bound of n_entries after n_rows rows, however they were merged."""

def find_cuts(ranked: RankedColumns, feature: int, weights: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], most_bins: int) -> NDArray[numpy.uint32]:
    """
    Ranks that divide a column into bins of equal weight; none without weight.
    """

class RecodedMatrix:
    """A binned table that is recoded for each tree."""

    def __init__(self, ranked: RankedColumns, most_bins: int) -> None: ...

    def recode(self, columns: Sequence[int], cuts: Sequence[Sequence[int]], n_threads: int) -> None:
        """
        Encode all rows of these columns by the cuts (a list for each column of the table).
        """

    @property
    def binned(self) -> BinnedMatrix: ...

def key_levels(columns: list, n_levels: Sequence[int], combinations: Sequence[Sequence[int]], n_threads: int) -> list:
    """
    For each combination of columns the different keys of the rows, increasing, and the place of each row's key among them; -1 where a level is not known.
    """

class RowPermutations:
    """Random permutations of the training rows."""

    def __init__(self, seed: int, n_permutations: int, n_rows: int, n_threads: int) -> None: ...

def ordered_statistics(places: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], key_weights: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]], targets: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, target_units: Sequence[float], weight_unit: float, strength: float, priors: Sequence[float], permutations: RowPermutations, n_threads: int) -> list:
    """
    For each combination the statistics [targets x priors + 1, rows], each row from those before it, averaged over the permutations, and the weight of its key last. Without priors, the mean of the rows before is one.
    """

def total_statistics(places: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]], n_keys: Sequence[int], targets: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_threads: int) -> list:
    """
    For each combination the weights of all rows of each key, and the sums of their targets.
    """

def explained_shares(own: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]], others: Sequence[Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]]], targets: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, target_units: Sequence[float], weight_unit: float, n_priors: int, are_classes: bool, n_threads: int) -> list[float]:
    """
    For the columns of each combination the share of the targets' variance that they explain beyond those of others. are_classes: the targets are classes of one target.
    """

class StatisticsTables:
    """What levels, and combinations of them, stand for at predict."""

    def __init__(self) -> None: ...

    def add(self, sources: Sequence[int], n_levels: Sequence[int], keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """
        A combination: its columns, and a number for each derived column and key, and one more for what is not known.
        """

    @property
    def n_columns(self) -> int: ...

    def look_up(self, columns: list, n_threads: int) -> NDArray[numpy.float64]:
        """The derived columns [n_columns, n_rows] of a table."""

def squared_error_gradients(scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], out_gradients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], n_threads: int) -> None:
    """Gradients of half the squared error; the hessian is 1."""

def logistic_gradients(scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], out_gradients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], out_hessians: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], n_threads: int) -> None:
    """Gradients and hessians of the logistic loss of log-odds."""

def exponential_gradients(scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], out_gradients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], out_hessians: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], n_threads: int) -> None:
    """Gradients and hessians of the exponential loss of half log-odds."""

def gamma_gradients(scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], out_gradients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], out_hessians: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], n_threads: int) -> None:
    """Gradients and hessians of the gamma loss of log means."""

def poisson_gradients(scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], factor: float, out_gradients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], out_hessians: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], n_threads: int) -> None:
    """Gradients of the Poisson loss of log means; hessians: factor · mean."""

def tweedie_gradients(scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], power: float, out_gradients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], out_hessians: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], n_threads: int) -> None:
    """Gradients and hessians of the tweedie loss of log means."""

def squared_log_error_gradients(scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], out_gradients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], out_hessians: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], n_threads: int) -> None:
    """
    Gradients and hessians (at least 1e-6) of the squared log error of predictions.
    """

def pseudo_huber_gradients(scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], delta: float, plain: bool, out_gradients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], out_hessians: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], n_threads: int) -> None:
    """
    Gradients of the pseudo-Huber loss; hessians are second derivatives (plain), or gradients divided by score - target.
    """

def softmax_gradients(scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], factor: float, out_gradients: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], out_hessians: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], n_threads: int) -> None:
    """
    Gradients of the softmax loss of scores [K, n]; hessians are factor · p(1 - p).
    """

def sum_outputs(values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], factors: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], n_threads: int) -> None:
    """The sum of values [K, n] times factors [K] for each row, in order."""

def sign_gradients(scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], slopes: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], out_gradients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], n_threads: int) -> None:
    """
    For each row, the sum over its K scores of the slope [K, 3] for a score below, equal to or above the target.
    """

def huber_gradients(scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], delta: float, out_gradients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], n_threads: int) -> None:
    """score - target, clipped to [-delta, delta]."""

def logistic_loss(target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], raw: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.float64]:
    """Logistic loss of every row from its log-odds."""

def softmax_loss(target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], raw: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.float64]:
    """Softmax loss of every row from its scores [K, n]."""

def exp(x: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.float64]:
    """exp of every element, with the same bits on every machine."""

def log(x: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.float64]:
    """
    Natural logarithm of every element, with the same bits on every machine.
    """

def sigmoid(x: Annotated[NDArray[numpy.float64], dict(order='C', device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.float64]:
    """1 / (1 + exp(-x)) of every element."""

def softmax(raw: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.float64]:
    """Probabilities of rows from scores [n, K]."""

def exact_sum(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> float:
    """Sum of values (times weights) that does not depend on their order."""

def largest_bits(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> tuple:
    """
    The bits of the largest magnitudes of values and weights; 0 without weights.
    """

def exact_part(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, largest: int, largest_weight: int) -> NDArray[numpy.int64]:
    """
    The part of an exact sum that these values are: four integers, which can be added.
    """

def exact_result(limbs: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], largest: int, largest_weight: int, weighted: bool) -> float:
    """The number that a sum of exact parts stands for."""

def auc(target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> float:
    """Area under the ROC curve; NaN if a class has no weight."""

def average_precision(target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None) -> float:
    """Average precision; NaN if class 1 has no weight."""

def weighted_quantile(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, level: float) -> float:
    """
    Weighted quantile: the smallest value up to which the weights sum to at least level times their total.
    """

def ranking_gradients(measure: str, truncation: int, normalize: bool, normalize_scores: bool, exponential_gains: bool, rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], out_gradients: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], out_hessians: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], n_threads: int) -> None:
    """
    Gradients and hessians of a ranking loss: forces between the documents of each query.
    """

def pairwise_losses(normalize: bool, rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_threads: int = 1) -> NDArray[numpy.float64]:
    """Pairwise loss of each row: half of the loss of each of its pairs."""

def mean_of_queries(rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
    """Mean over the rows of each query, independent of their order."""

def ndcg_of_queries(rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], cutoff: int, empty: float, exponential_gains: bool = True, n_threads: int = 1) -> NDArray[numpy.float64]:
    """NDCG of each query, the mean over all orders of tied documents."""

def average_precision_of_queries(rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], cutoff: int, empty: float, exponential_gains: bool = True, n_threads: int = 1) -> NDArray[numpy.float64]:
    """
    Average precision of each query, the mean over all orders of tied documents.
    """

def precision_of_queries(rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], cutoff: int, empty: float, exponential_gains: bool = True, n_threads: int = 1) -> NDArray[numpy.float64]:
    """Precision of each query, the mean over all orders of tied documents."""

def reciprocal_rank_of_queries(rows: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], cutoff: int, empty: float, exponential_gains: bool = True, n_threads: int = 1) -> NDArray[numpy.float64]:
    """
    Reciprocal rank of each query, the mean over all orders of tied documents.
    """

def row_hashes(key: RowKey, numbers: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint64]:
    """The hashes that samplers draw rows of these numbers by."""

def goss_sizes(gradients: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], hessians: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, constant_hessian: float, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_threads: int = 1) -> NDArray[numpy.float64]:
    """The sizes that GOSS selects rows by."""

def mvs_sizes(gradients: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, penalty: float, n_threads: int = 1) -> NDArray[numpy.float64]:
    """The sizes that MVS selects rows by."""

def hash_uniform(seed: int, round: int, n: int, tree: int = 0) -> NDArray[numpy.float64]:
    """Unit numbers keyed by (seed, round, tree, row)."""

class RowKey:
    """Key of a row sample: seed, round and tree of the round."""

    def __init__(self, seed: int, round: int, tree: int = 0) -> None: ...

class SampleRoom:
    """Buffers that samplers reuse in every round."""

    def __init__(self) -> None: ...

def sample_bernoulli(key: RowKey, n: int, fraction: float, candidates: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, n_threads: int = 1) -> NDArray[numpy.int32]:
    """
    Rows (of `candidates`) whose unit number is below the fraction, in increasing order; at least one.
    """

def sample_uniform(key: RowKey, n: int, wanted: int, candidates: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, n_threads: int = 1) -> NDArray[numpy.int32]:
    """A given number of rows (of `candidates`), in increasing order."""

def sample_bootstrap(key: RowKey, n: int, n_draws: int, n_threads: int = 1) -> tuple[NDArray[numpy.int32], NDArray[numpy.float64]]:
    """Rows drawn with replacement, and how often each was drawn."""

def sample_bayesian(key: RowKey, n: int, temperature: float, n_threads: int = 1) -> NDArray[numpy.float64]:
    """(-log u)^temperature for every row."""

def sample_goss(key: RowKey, gradients: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], hessians: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, constant_hessian: float, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_top: int, n_other: float, n_threads: int = 1, room: SampleRoom | None = None) -> tuple[NDArray[numpy.int32], NDArray[numpy.float64]]:
    """
    GOSS: the rows with the largest gradients and a sample of the others, with their multipliers.
    """

def sample_mvs(key: RowKey, gradients: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, penalty: float, n_expected: float, n_threads: int = 1, room: SampleRoom | None = None) -> tuple[NDArray[numpy.int32], NDArray[numpy.float64]]:
    """
    MVS: rows sampled with probabilities proportional to the size of their gradients, with their multipliers. None: take all rows.
    """

def mean_gradient_size(gradients: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_threads: int = 1) -> float:
    """The mean gradient norm of the rows."""

def mvs_threshold(sizes: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_expected: float, n_threads: int = 1) -> float:
    """
    The MVS threshold for an expected number of rows: rows with larger gradients are always taken.
    """

class ColumnConstraints:
    """Rules for single columns."""

    def __init__(self, *, monotone: Sequence[int] = [], interactions: Sequence[Sequence[int]] = [], weights: Sequence[float] = [], listed_only: bool = False, kinds: Sequence[str] = []) -> None: ...

    @property
    def monotone(self) -> list[int]: ...

    @property
    def interactions(self) -> list[list[int]]: ...

    @property
    def weights(self) -> list[float]: ...

    @property
    def listed_only(self) -> bool: ...

    def __repr__(self) -> str: ...

class CategoryRule:
    """How splits divide the levels of categories."""

    def __init__(self, *, smooth: float = 10.0, l2: float = 0.0, max_levels: int = 32, halves: bool = True, parted: bool = False, min_group: float = 1.0, support: float = 0.0, min_levels: int = 1, by_constant: bool = False, missing: str = 'level') -> None: ...

class LinearRule:
    """Parameters of linear models in the gain."""

    def __init__(self, *, fit: str = 'none', max_features: int = 5, linear_lambda: float = 0.0, features: Sequence[int] | None = None, values: Sequence[Sequence[float]] = []) -> None: ...

class GrowPlan:
    """Limits and rules of a tree, by field name."""

    def __init__(self, **fields) -> None: ...

    @property
    def max_depth(self) -> int: ...

    @property
    def max_leaves(self) -> int: ...

    @property
    def min_samples_leaf(self) -> int: ...

    @property
    def min_child_weight(self) -> float: ...

    @property
    def reg_lambda(self) -> float: ...

    @property
    def reg_alpha(self) -> float: ...

    @property
    def min_split_gain(self) -> float: ...

    @property
    def max_delta_step(self) -> float: ...

    @property
    def colsample_bytree(self) -> float: ...

    @property
    def colsample_bylevel(self) -> float: ...

    @property
    def colsample_bynode(self) -> float: ...

    @property
    def seed(self) -> int: ...

    @property
    def weighted_counts(self) -> bool: ...

    @property
    def min_samples_split(self) -> int: ...

    @property
    def columns_bynode(self) -> int: ...

    @property
    def columns_bypath(self) -> int: ...

    @property
    def draw_until_split(self) -> bool: ...

    @property
    def prune_after(self) -> bool: ...

    @property
    def min_impurity_decrease(self) -> float: ...

    @property
    def min_weight_fraction_leaf(self) -> float: ...

    @property
    def ccp_alpha(self) -> float: ...

    @property
    def penalize_bounded(self) -> bool: ...

    @property
    def own_units(self) -> bool: ...

    @property
    def unit_hessians(self) -> bool: ...

    @property
    def drop_hopeless_columns(self) -> bool: ...

    @property
    def estimate_rows(self) -> bool: ...

    @property
    def extra_trees(self) -> bool: ...

    @property
    def leaves_of_all_rows(self) -> bool: ...

    @property
    def penalize_steps(self) -> bool: ...

    @property
    def backtrack(self) -> bool: ...

    @property
    def sketch_eps(self) -> float: ...

    @property
    def vector_leaves(self) -> bool: ...

    @property
    def linear_leaves(self) -> bool: ...

    @property
    def max_linear_features(self) -> int: ...

    @property
    def linear_lambda(self) -> float: ...

    @property
    def shrink_slopes(self) -> bool: ...

    @property
    def extrapolate_linear_leaves(self) -> bool: ...

def search_limits() -> dict[str, list[str]]:
    """The settings that each split search does not support, by name."""

class ShardResiduals:
    """The residuals of the leaves of a tree in one shard."""

    @staticmethod
    def of(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], units: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> ShardResiduals:
        """Values of one node, with whole weights."""

    @staticmethod
    def none(n_nodes: int) -> ShardResiduals:
        """No rows in any node."""

    def count(self, prefixes: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], n_done: int, n_bits: int) -> NDArray[numpy.int64]:
        """
        Weights by the next bits of ordered keys, of those that begin with the prefix.
        """

    def center(self, medians: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], delta: float) -> None:
        """Prepare lines() and neighbors()."""

    def lines(self, points: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple:
        """The slopes of Huber's loss at the points of each node."""

    def neighbors(self, points: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> tuple:
        """The breakpoints on both sides of the point of each node."""

    def clipped_sums(self, medians: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], delta: float) -> NDArray[numpy.int64]:
        """Sums of the differences from the medians, clipped to delta."""

def routed_leaves(binned: BinnedMatrix, nodes: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], sets: Sequence[Sequence[int] | None]) -> NDArray[numpy.int32]:
    """
    The leaf of every row of a table, by the routes of a tree (bind/plain_exchange.hpp).
    """

class ShardRows:
    """
    The rows of a shard, for an exchange written in Python. Methods take and return arrays, which the exchange sums or concatenates over shards.
    """

    def __init__(self, binned: BinnedMatrix, n_threads: int) -> None: ...

    def measure(self, gradients: tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, float], rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, weights: tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, tuple[int, bool, bool, bool, float]]) -> NDArray[numpy.float64]: ...

    def pack(self, order: Mapping[str, float]) -> NDArray[numpy.int64]: ...

    def take_planes(self, words: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """
        Set statistics of another kind instead of gradients: words (n_planes, n_rows).
        """

    def sum(self, nodes: Sequence[int], columns: Sequence[int] | None = None) -> NDArray[numpy.uint64]: ...

    def apply(self, splits: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], sets: Sequence[Sequence[int] | None]) -> NDArray[numpy.int64]: ...

    def end(self, tree: int, leaves: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_nodes: int) -> None: ...

    def release(self, tree: int) -> None:
        """Free the leaves of a tree's rows; later calls must not use the tree."""

    @property
    def n_rows(self) -> int: ...

    @property
    def n_trees(self) -> int:
        """Number of trees that are not released."""

    def measure_leaves(self, tree: int, gradients: tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, float], weights: tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, tuple[int, bool, bool, bool, float]]) -> NDArray[numpy.float64]: ...

    def sum_leaves(self, tree: int, gradients: tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, float], weights: tuple[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, tuple[int, bool, bool, bool, float]], order: tuple[float, float, bool, float, bool]) -> NDArray[numpy.int64]: ...

    def residuals(self, tree: int, target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, scale: float) -> ShardResiduals:
        """The differences between target and scores of the rows of each leaf."""

    def add_to_scores(self, tree: int, routes: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], sets: Sequence[Sequence[int] | None], values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]: ...

class GrownTrees:
    """The trees of one round, between growth and the model."""

    def begin_steps(self, gradients: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], hessians: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, constant_hessian: float, log_link_power: float | None = None, others: bool = False) -> None:
        """Write the first of several Newton steps into every leaf."""

    def step(self, gradients: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], hessians: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, constant_hessian: float, log_link_power: float | None = None) -> None:
        """
        Make one more Newton step, with gradients at the scores that include the leaves.
        """

    def end_steps(self, learning_rate: float) -> None:
        """Complete the values of nodes after the last step, and multiply them."""

    def fit_linear_leaves(self, gradients: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], hessians: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, constant_hessian: float) -> None:
        """
        Fit the slopes of linear leaves; fit_residual_leaves then fits their constants.
        """

    def shorten_leaves(self, power: float | None, tree_weight: float) -> None:
        """
        Limit leaves that overshoot the minimum of a loss with a log link; without a power, that of a classification loss.
        """

    @property
    def n_trees(self) -> int: ...

    @property
    def n_leaves(self) -> list: ...

    def arrays(self) -> dict:
        """Copies of the trees' arrays, as Forest takes them."""

    def leaves(self, binned: BinnedMatrix | None = None) -> object:
        """
        The node of each tree where each row of the training table ends, or of another table with the same bins: (n_trees, n_rows), in the smallest unsigned integers.
        """

    def add_to_scores(self, scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')], moved: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')] | None = None) -> None:
        """
        Add the trees to the scores (n_outputs, n_rows) of the training rows, in place or in an array of their own.
        """

    def add_to_binned_scores(self, binned: BinnedMatrix, scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None:
        """
        Add the trees to the scores of another table with the same bins, in place.
        """

class GrowSample:
    """The rows that the trees of a member of a round see."""

    def __init__(self, *, rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, multipliers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, round: int, member: int = 0, noise: Sequence[float] = [], repeats: bool = True, facts: tuple[int, bool, bool, bool, float] | None = None) -> None:
        """
        repeats: multipliers count rows, as in bootstraps. facts: those of the weights of rows elsewhere (bind/plain_exchange.hpp).
        """

class GrowerTable:
    """What trees are grown on."""

    def __init__(self, binned: BinnedMatrix, ranked: RankedColumns | None = None, regressors: Regressors | None = None, of_leaves: BinnedMatrix | None = None) -> None:
        """
        A table in this process. of_leaves: a table of the same rows and bins that decides the leaf of each row.
        """

    @staticmethod
    def of_ranked(ranked: RankedColumns, regressors: Regressors | None = None) -> GrowerTable:
        """Sorted columns without bins: trees propose their own candidates."""

    @staticmethod
    def remote(exchange: object, mapper: BinMapper, n_rows: int) -> GrowerTable:
        """Rows that only an exchange reaches."""

    @staticmethod
    def of_rows(n_rows: int) -> GrowerTable:
        """Rows without columns: trees can only be adopted."""

class Grower:
    """Grows trees on one table; keeps its buffers from round to round."""

    def __init__(self, table: GrowerTable, plan: GrowPlan, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, n_threads: int) -> None: ...

    @property
    def vector_leaves(self) -> bool: ...

    def grow(self, gradients: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], hessians: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, constant_hessian: float, rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, round: int, leaf_width: int = 1, multipliers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, noise: Sequence[float] = [], repeats: bool = True) -> GrownTrees:
        """
        Grow one tree for each row of gradients (n_trees, n_rows); leaf_width outputs share a tree.
        """

    def grow_samples(self, gradients: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], hessians: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, constant_hessian: float, samples: Sequence[GrowSample], leaf_width: int = 1) -> list[GrownTrees]:
        """
        The same for each of several samples, whose trees grow at the same time where there are threads for it.
        """

    def adopt(self, forest: Forest, iteration: int, leaves: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], gradients: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], hessians: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, constant_hessian: float) -> GrownTrees:
        """
        Adopt the trees of an iteration as if they had been grown on these rows; leaves (n_rows, n_trees): the leaf of each row. Thresholds are not adopted.
        """

def make_leaves_monotone(tree_offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], feature: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threshold: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], left: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], right: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], directions: Sequence[int], value: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
    """Make the leaves of trees monotone, in place."""

def fit_constant_leaves(grown: GrownTrees, gradients: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], hessians: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, constant_hessian: float, learning_rate: float, others: bool = False) -> None:
    """
    Set every leaf to its best constant times the learning rate. others: the gradients are not those that the trees were grown from.
    """

def ordered_rows(seed: int, permutation: int, n_rows: int) -> NDArray[numpy.int32]:
    """The rows in the order of a permutation."""

class PrefixScores:
    """Scores of rows from models that did not use them (ordered boosting)."""

    def __init__(self, *, start: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], n_permutations: int, first_rows: int, seed: int, plan: GrowPlan, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, n_threads: int = 1) -> None: ...

    def body_rows(self) -> NDArray[numpy.int32]:
        """The rows that models use, model by model."""

    def moved(self) -> NDArray[numpy.float64]:
        """The scores of those rows with the values so far, (n_outputs, n_body)."""

    def tails(self, permutation: int) -> NDArray[numpy.float64]:
        """The scores of all rows, each from a model that did not use it."""

    def begin(self, leaves: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None:
        """Begin a round with the leaves of all rows, (n_outputs, n_rows)."""

    def step(self, gradients: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], hessians: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, constant_hessian: float, log_link_power: float | None = None) -> None:
        """
        Make one Newton step of the leaves of every model, at the gradients of moved().
        """

    def end(self, rate: float) -> None:
        """Multiply the values by the learning rate and add them to all scores."""

def fit_residual_leaves(grown: GrownTrees, target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], scores: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], kind: str, options: Sequence[float], constant_hessian: float, learning_rate: float) -> None:
    """
    Set every leaf to a statistic of its residuals times the learning rate; options: the level or delta of each output.
    """

def huber_minimum(values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, delta: float) -> float:
    """The constant that minimizes the Huber loss of weighted values."""

def add_leaves(high: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], low: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], leaves: Sequence, values: Sequence, factors: Sequence[float], n_threads: int) -> None:
    """
    Add leaf values (factor 1) to high + low in place, or remove them (factor -1).
    """

def linear_scores(columns: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], coefficients: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], centers: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
    """
    Scores [n, outputs] of linear models; the terms of a row are added from left to right.
    """

def tree_array_types(of: str = 'trees') -> dict[str, str]:
    """
    The name and entry type of every array of a forest. of='sets' or 'linear': the additional arrays of forests with level sets or linear leaves.
    """

def sort_rows(values: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu')]) -> None:
    """Sort each row, in place."""

class Forest:
    """Immutable trees as flat arrays."""

    def __init__(self, n_features: int, n_outputs: int, arrays: dict) -> None:
        """Raises ModelFileError unless the arrays describe a forest."""

    @staticmethod
    def from_grown(rounds: Sequence, n_features: int, n_outputs: int, before: Forest | None = None, n_parallel: int = 1) -> Forest:
        """Concatenate the trees of several rounds, after those of a forest."""

    @property
    def n_features(self) -> int: ...

    @property
    def n_outputs(self) -> int: ...

    @property
    def n_trees(self) -> int: ...

    @property
    def n_iterations(self) -> int: ...

    @property
    def leaf_width(self) -> int:
        """Number of outputs of a leaf: 1, or all."""

    @property
    def trees_per_iteration(self) -> int: ...

    @property
    def has_linear_leaves(self) -> bool: ...

    @property
    def n_parallel(self) -> int:
        """Number of parallel trees per output in an iteration."""

    def arrays(self) -> dict:
        """
        Read-only views of the arrays, by name; value is [n_nodes], or [n_nodes, n_outputs] if leaves have all outputs.
        """

    def slice(self, begin: int, end: int) -> Forest:
        """A new forest of the iterations begin to end."""

    def counting(self, factors: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Forest:
        """
        A forest that multiplies each iteration by a factor and shares the arrays. Not for trees with linear leaves.
        """

    def add_matrix(self, matrix: object, out: object, begin: int, end: int, n_threads: int) -> None:
        """Add the trees of a range of iterations to scores [n, n_outputs]."""

    def add_columns(self, columns: Sequence, out: object, begin: int, end: int, n_threads: int) -> None:
        """The same for one array per feature, of any numeric types."""

    def add_sparse(self, matrix: tuple, out: object, begin: int, end: int, n_threads: int) -> None:
        """
        The same for the rows of a sparse matrix: (values, indices, indptr, absent).
        """

    def apply_matrix(self, matrix: object, begin: int, end: int, n_threads: int) -> NDArray[numpy.int32]:
        """The leaf of each row in each tree, as node number within the tree."""

    def apply_columns(self, columns: Sequence, begin: int, end: int, n_threads: int) -> NDArray[numpy.int32]:
        """The same for one array per feature, of any numeric types."""

    def apply_sparse(self, matrix: tuple, begin: int, end: int, n_threads: int) -> NDArray[numpy.int32]:
        """The same for the rows of a sparse matrix."""

class CollectedTrees:
    """Collects the trees of a training, round after round."""

    def __init__(self, n_features: int, n_outputs: int, before: Forest | None = None, n_parallel: int = 1) -> None: ...

    def add(self, trees: GrownTrees) -> None:
        """Append trees; the caller may then drop them."""

    @property
    def n_iterations(self) -> int: ...

    def forest(self, n_iterations: int) -> Forest:
        """
        A forest of the first iterations; a forest of all of them shares the arrays.
        """

class DependenceSums:
    """Partial dependence: raw scores as a function of one or two columns."""

    def __init__(self, forest: Forest, questions: Sequence[Sequence[tuple[int, Sequence[float]]]]) -> None:
        """A question is a list of one or two (column, points)."""

    def add_matrix(self, matrix: object, weights: object | None, n_threads: int) -> None:
        """Count the rows of a matrix, or sum their weights."""

    def add_columns(self, columns: Sequence, weights: object | None, n_threads: int) -> None:
        """The same for one array per feature, of any numeric types."""

    def training(self) -> None:
        """Count the training rows, from the counts of the nodes."""

    def average(self, question: int) -> NDArray[numpy.float64]:
        """Mean sum of the trees, [n_cells, n_outputs]."""

    def add_probabilities_matrix(self, matrix: object, rule: tuple, weights: object | None, n_threads: int) -> None:
        """
        Sum the sigmoids of (start + sum of the trees) times scale over rows; rule: (start, scale, largest weight).
        """

    def add_probabilities_columns(self, columns: Sequence, rule: tuple, weights: object | None, n_threads: int) -> None:
        """The same for one array per feature, of any numeric types."""

    def probability(self, question: int) -> NDArray[numpy.float64]:
        """The mean of the sigmoids, [n_cells]."""

    def individual_matrix(self, matrix: object, out: Sequence, n_threads: int) -> None:
        """
        Write the sum of the trees for each row: for each question an array [n_rows, n_cells, n_outputs].
        """

    def individual_columns(self, columns: Sequence, out: Sequence, n_threads: int) -> None:
        """The same for one array per feature, of any numeric types."""

class Explainer:
    """Exact Shapley values of the raw scores of a forest."""

    def __init__(self, forest: Forest, begin: int, end: int, player_of_column: Sequence[int], n_players: int, interactions: bool) -> None:
        """
        Explain a range of iterations. Columns of one player are present or absent together.
        """

    def set_background_matrix(self, matrix: object, n_threads: int) -> None:
        """Set the rows whose values absent players take."""

    def set_background_columns(self, columns: Sequence, n_threads: int) -> None:
        """The same for one array per feature, of any numeric types."""

    def explain_matrix(self, matrix: object, out: object, n_threads: int) -> None:
        """
        Write the values [n, n_players, n_outputs] of rows, or [n, n_players, n_players, n_outputs] with interactions.
        """

    def explain_columns(self, columns: Sequence, out: object, n_threads: int) -> None:
        """The same for one array per feature, of any numeric types."""

    def base(self) -> NDArray[numpy.float64]:
        """The sum of the trees with every player absent, for each output."""

class PairedExplainer:
    """
    Exact interventional Shapley values for trees with columns that combine several players.
    """

    def __init__(self, forest: Forest, begin: int, end: int, statistics: StatisticsTables, columns: Sequence[Sequence[int]], n_players: int, interactions: bool) -> None:
        """
        Explain a range of iterations; columns: the players of each column of the trees, those of the statistics last.
        """

    @property
    def level_players(self) -> list[int]:
        """
        The players whose levels must be given in addition to the columns of the trees.
        """

    def set_background(self, columns: Sequence, levels: Sequence, n_threads: int) -> None:
        """Set the rows whose values absent players take."""

    def explain(self, columns: Sequence, levels: Sequence, out: object, n_threads: int) -> None:
        """
        Write the values [n, n_players, n_outputs] of rows, or [n, n_players, n_players, n_outputs] with interactions.
        """
