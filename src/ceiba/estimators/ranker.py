"""CeibaRanker: learning to rank with the scikit-learn interface.

``base.py`` describes the life of an estimator. Besides the rows, ``fit`` takes their queries.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from ceiba.boosting.eval_sets import by_text
from ceiba.data.queries import read_queries, spread_weights
from ceiba.data.read_table import read_like
from ceiba.data.row_values import read_weights
from ceiba.errors import InvalidInputError
from ceiba.estimators.base import BaseCeiba, row_arguments, table_to_learn
from ceiba.estimators.documentation import document
from ceiba.estimators.rows import Rows, eval_pairs, eval_parts, read_rows
from ceiba.estimators.signatures import RankerSignature
from ceiba.messages import shown
from ceiba.metrics import find_metric
from ceiba.training import ranking_defaults

if TYPE_CHECKING:
    from typing import Unpack

    from numpy.typing import NDArray

    from ceiba.data.table import Table
    from ceiba.parameters.resolving import Parameters, Written
    from ceiba.parameters.typed import FitKeywords

__all__ = ["CeibaRanker"]


class CeibaRanker(RankerSignature, BaseCeiba):
    """Gradient boosting ranker: sorts the documents of a query by relevance.

    Recipe ``auto`` grows symmetric trees of depth 6 here, unless ``grow_policy`` or ``max_leaves``
    is given: relevance is noisy and queries are few, and in cross-validation they ranked better.

    A prediction is a score: within a query, the larger one is ranked first.
    """

    _kind = "ranker"
    _tasks = ("ranking",)

    def _own_defaults(self, written: Written) -> dict[str, Any]:
        return ranking_defaults(written, is_ranking=True)

    def _with_objective(self, parameters: Parameters, classes: NDArray[Any] | None) -> Parameters:
        return parameters.replace(objective=parameters.objective or "lambdarank_ndcg")

    def fit(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        qid: Any = None,
        group: Any = None,
        init_score: Any = None,
        eval_set: Any = None,
        eval_qid: Any = None,
        eval_group: Any = None,
        folds: Any = None,
        groups: Any = None,
        callbacks: Iterable[Any] | None = None,
        init_model: Any = None,
        resume_from: Any = None,
        **other_names: Unpack[FitKeywords],
    ) -> Self:
        """Train the model.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            One document of a query in each row: numpy array, pandas, polars or arrow table, scipy
            sparse matrix, or list of rows. NaN means missing.
        y : array of shape (n_rows,)
            Relevance of each document, 0 or more; the larger, the better.
        qid : array of shape (n_rows,)
            The query of each row: whole numbers or words. Rows of a query may stand anywhere.
        group : array of shape (n_queries,)
            The sizes of queries whose rows stand one after the other, instead of ``qid``.
        sample_weight : array of shape (n_rows,) or (n_queries,), optional
            Weights. That of a row multiplies the forces on it; rows of weight 0 are dropped. One
            weight for each query (with ``qid``, in the order of the sorted ids) stands for all its
            rows: a query of weight k counts as k equal queries.
        init_score : array of shape (n_rows,), optional
            Score of each row that boosting starts from; ``predict`` does not know it.
        eval_set : list of (X, y), (X, y, weights) or (X, y, weights, init_score), optional
            Scored after every round. The last one decides early stopping. Without it, early
            stopping holds out whole queries. Weights may be None. With ``init_score``, every eval
            set needs its own.
        eval_qid, eval_group : list of arrays, optional
            ``qid`` or ``group`` of each eval set; a dictionary where ``eval_set`` is one.
        folds, groups : optional
            Queries that recipe ``auto`` holds out to compare candidates; see :func:`ceiba.train`.
            ``groups`` has a value per row. The rows of a query must be in one group.
        callbacks : list, optional
            See :mod:`ceiba.callbacks`.
        init_model : Model, fitted estimator or path, optional
            Put ``n_estimators`` further rounds on top of this model; see :func:`ceiba.train`.
        resume_from : path, optional
            Go on with a training that was cut off, from a file of :class:`ceiba.Checkpoint`.
        **other_names
            Arguments that other libraries have, such as verbose, eval_metric or eval_at.
        """
        given = {
            "y": y,
            "sample_weight": sample_weight,
            "qid": qid,
            "group": group,
            "init_score": init_score,
            "eval_set": eval_set,
            "folds": folds,
            "groups": groups,
            "callbacks": callbacks,
            "init_model": init_model,
            "resume_from": resume_from,
        }
        given, parameters, earlier = self._translate_fit(X, given, other_names)
        table = table_to_learn(given["X"], parameters)
        rows = self._ranked_rows(
            table, given["y"], given["qid"], given["group"], given["sample_weight"]
        )
        rows = rows.starting_from(given["init_score"]).given_as(X)
        evals = _with_queries(given["eval_set"], eval_qid, eval_group)
        held_out = {name: given[name] for name in ("folds", "groups")}
        return self._train(parameters, rows, evals, given["callbacks"], earlier=earlier, **held_out)

    def refit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        qid: Any = None,
        group: Any = None,
        init_score: Any = None,
        decay_rate: float = 0.9,
    ) -> Self:
        """Return a ranker with the same splits and leaf values fitted to new queries.

        This one stays as it is. The arguments are those of ``fit``, and ``decay_rate``, the weight
        of the old leaf values from 0 to 1; see :func:`ceiba.refit`.
        """
        rows = self._known_queries(X, y, qid, group, sample_weight, init_score)
        return self._refitted(rows, decay_rate)

    def evaluate(
        self,
        X: Any,
        y: Any = None,
        metric: Any = None,
        sample_weight: Any = None,
        *,
        qid: Any = None,
        group: Any = None,
    ) -> Any:
        """Return metrics of the predictions for documents whose relevance is known.

        The arguments are those of ``fit``; ``metric`` is a name, a function or a list of them, by
        default the metrics of the training. Returns the metric, or name of metric → value.
        """
        rows = self._known_queries(X, y, qid, group, sample_weight)
        return self.model_.evaluate_rows(rows.dataset(), metric, self._n_jobs())

    def score(
        self, X: Any, y: Any, *, qid: Any = None, group: Any = None, sample_weight: Any = None
    ) -> float:
        """Return the mean NDCG of the queries; see metric ``ndcg``.

        ``y`` may be the name of a column of X.
        """
        rows = self._known_queries(X, y, qid, group, sample_weight)
        scores = self.model_.predict(rows.table, n_jobs=self._n_jobs())
        if rows.weights is not None:
            keep = rows.weights > 0
            rows, scores = rows.take(keep), scores[keep]
        metric = find_metric("ndcg", ndcg_exp_gain=self._parameter("ndcg_exp_gain") is not False)
        bound = metric.for_queries(rows.queries)
        return bound(rows.target, scores[:, None], scores, rows.weights)

    def _known_queries(
        self, X: Any, y: Any, qid: Any, group: Any, sample_weight: Any, init_score: Any = None
    ) -> Rows:
        """Return rows with the columns of the fitted model, and their queries."""
        self._fitted()
        of_rows = {"y": y, "sample_weight": sample_weight, "qid": qid, "init_score": init_score}
        given = {**of_rows, **row_arguments(X, of_rows)}
        model, X = self._ready(given["X"])
        table = read_like(X, model.schema)
        rows = self._ranked_rows(table, given["y"], given["qid"], group, given["sample_weight"])
        return rows.starting_from(given["init_score"])

    def _ranked_rows(self, table: Table, y: Any, qid: Any, group: Any, sample_weight: Any) -> Rows:
        rows = read_rows(table, y, None, type(self).__name__)
        n_rows = len(rows.target)
        queries = read_queries(qid, group, n_rows)
        if queries is None:
            raise InvalidInputError(
                f"{type(self).__name__} needs the query of each row. Give qid (an id for each row) "
                "or group (sizes of consecutive queries)."
            )
        if sample_weight is None:
            return replace(rows, queries=queries)
        spread = spread_weights(sample_weight, queries)
        return replace(rows, weights=read_weights(spread, n_rows, "sample_weight"), queries=queries)

    def _eval_parts(self, name: str, entry: Any) -> tuple[Any, Any, Any, Any]:
        return eval_parts(name, entry.given)

    def _eval_source(self, entry: Any) -> Any:
        return entry.given

    def _eval_rows(
        self, table: Table, y: Any, weights: Any, classes: NDArray[Any] | None, entry: Any
    ) -> Rows:
        queries = read_queries(entry.qid, entry.group, table.n_rows)
        spread = spread_weights(weights, queries)
        return replace(super()._eval_rows(table, y, spread, classes, entry), queries=queries)


@dataclass(frozen=True, slots=True)
class _RankedEntry:
    """An eval set with its queries."""

    given: Any
    qid: Any
    group: Any


def _with_queries(eval_set: Any, eval_qid: Any, eval_group: Any) -> dict[str, Any] | None:
    """Return eval sets by name, each with its queries."""
    if eval_set is None:
        for name, given in (("eval_qid", eval_qid), ("eval_group", eval_group)):
            if given is not None:
                raise InvalidInputError(f"{name} needs an eval_set. Got {name} alone.")
        return None
    pairs = eval_pairs(eval_set)
    if pairs and eval_qid is None and eval_group is None:
        raise InvalidInputError(
            f"Eval set {next(iter(pairs))!r} has no queries. Give eval_qid, a list with the qid of "
            "each eval set, or eval_group, a list with the sizes of its queries."
        )
    alone = len(pairs) == 1 and next(iter(pairs.values())) is eval_set
    ids = _by_name("eval_qid", eval_qid, list(pairs), alone)
    sizes = _by_name("eval_group", eval_group, list(pairs), alone)
    return {name: _RankedEntry(entry, ids[name], sizes[name]) for name, entry in pairs.items()}


def _by_name(what: str, given: Any, names: list[str], alone: bool) -> dict[str, Any]:
    if given is None:
        return dict.fromkeys(names)
    if isinstance(given, Mapping):
        named = by_text(given)
        wrong = set(named) ^ set(names)
        if wrong:
            raise InvalidInputError(
                f"{what} must have the names of eval_set, {names}. Got {sorted(named)}."
            )
        return named
    if alone and not (isinstance(given, list | tuple) and len(given) == 1):
        return {names[0]: given}
    if not isinstance(given, list | tuple) or len(given) != len(names):
        is_list = hasattr(given, "__len__") and getattr(given, "ndim", 1) > 0
        count = len(given) if is_list else shown(given)
        raise InvalidInputError(
            f"{what} must be a list with one array for each of the {len(names)} eval sets. "
            f"Got {count}."
        )
    return dict(zip(names, given, strict=True))


document(
    "ranker",
    CeibaRanker,
    """
>>> import numpy as np
>>> from ceiba import CeibaRanker
>>> X = np.arange(200.0).reshape(100, 2)
>>> query, relevance = np.arange(100) // 10, np.arange(100) % 10 // 3
>>> ranker = CeibaRanker(n_estimators=20, min_samples_leaf=1).fit(X, relevance, qid=query)
>>> ranker.predict(X[:2]).shape
(2,)
""",
)
