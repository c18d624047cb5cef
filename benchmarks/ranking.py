"""`python -m benchmarks.ranking`: NDCG@10 of rankers with default parameters, on public test folds.

Every library trains its default ranker on the training fold, once for each seed. scikit-learn
scores all of them: NDCG@10 with gains 2^label - 1; a query without relevant documents counts as 1.
The goal is the best peer's mean minus the larger of 0.005 and one standard error (of the peer's
mean over the queries of the test fold).
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.datasets import DATA_FOLDER_VARIABLE, Array, DatasetUnavailableError
from benchmarks.report import RESULTS

DATASETS = ("mq2008", "lightgbm_lambdarank")
CUTOFF = 10
LEAST_TOLERANCE = 0.005
OURS = "ceiba"
# Other losses of ceiba, for comparison. The verdict uses OURS.
EXTRA = ("ceiba pairwise", "ceiba map")


@dataclass(frozen=True)
class Fold:
    """Documents with relevance and query; the rows of a query are contiguous."""

    x: Array
    y: Array
    qid: Array


def load_fold(name: str, part: str) -> Fold:
    """Return a fold of a public data set, sorted by query."""
    import pyarrow.parquet as parquet

    beside = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
    path = Path(os.environ.get(DATA_FOLDER_VARIABLE, beside)) / name / f"{part}.parquet"
    if not path.exists():
        raise DatasetUnavailableError(
            f"{name}/{part}.parquet was not found in ../shared/data beside the repository. "
            f"Put it there, or name its folder in {DATA_FOLDER_VARIABLE}."
        )
    table = parquet.read_table(path)
    names = [column for column in table.column_names if column not in ("label", "qid")]
    order = np.argsort(table["qid"].to_numpy(), kind="stable")
    x = np.column_stack([table[column].to_numpy() for column in names])[order]
    return Fold(x, table["label"].to_numpy()[order], table["qid"].to_numpy()[order])


def ndcg_of_queries(fold: Fold, scores: Array) -> Array:
    """Return the NDCG@10 of each query; tied scores share their mean rank."""
    from sklearn.metrics import ndcg_score

    values = []
    for query in np.unique(fold.qid):
        of_query = fold.qid == query
        gains = np.exp2(fold.y[of_query].astype(np.float64)) - 1.0
        if not gains.any() or len(gains) == 1:
            values.append(1.0)
        else:
            values.append(ndcg_score([gains], [np.asarray(scores)[of_query]], k=CUTOFF))
    return np.array(values)


# ---- the libraries -------------------------------------------------------------------------------


def with_ceiba(objective: str | None = None) -> Callable[..., Array]:
    """CeibaRanker, with its default loss or another."""

    def scores(train: Fold, test: Fold, seed: int, threads: int) -> Array:
        from ceiba import CeibaRanker

        ranker = CeibaRanker(objective=objective, random_state=seed, n_jobs=threads)
        result: Array = ranker.fit(train.x, train.y, qid=train.qid).predict(test.x)
        return result

    return scores


def with_lightgbm(train: Fold, test: Fold, seed: int, threads: int) -> Array:
    """LGBMRanker: LambdaRank, 100 trees of 31 leaves."""
    from lightgbm import LGBMRanker

    sizes = np.unique(train.qid, return_counts=True)[1]
    ranker = LGBMRanker(random_state=seed, n_jobs=threads, verbose=-1)
    result: Array = ranker.fit(train.x, train.y, group=sizes).predict(test.x)
    return result


def with_xgboost(train: Fold, test: Fold, seed: int, threads: int) -> Array:
    """XGBRanker: rank:ndcg, 100 trees of depth 6."""
    from xgboost import XGBRanker

    ranker = XGBRanker(random_state=seed, n_jobs=threads)
    result: Array = ranker.fit(train.x, train.y, qid=train.qid).predict(test.x)
    return result


def with_catboost(train: Fold, test: Fold, seed: int, threads: int) -> Array:
    """CatBoostRanker: YetiRank, 1000 trees of depth 6."""
    from catboost import CatBoostRanker

    ranker = CatBoostRanker(
        random_seed=seed, thread_count=threads, verbose=0, allow_writing_files=False
    )
    result: Array = ranker.fit(train.x, train.y, group_id=train.qid).predict(test.x)
    return result


LIBRARIES: dict[str, Callable[..., Array]] = {
    OURS: with_ceiba(),
    "ceiba pairwise": with_ceiba("pairwise"),
    "ceiba map": with_ceiba("lambdarank_map"),
    "lightgbm": with_lightgbm,
    "xgboost": with_xgboost,
    "catboost": with_catboost,
}


# ---- results -------------------------------------------------------------------------------------


@dataclass
class Figures:
    """NDCG@10 of one library: one value for each seed, and over the queries."""

    seeds: list[float] = field(default_factory=list)
    standard_errors: list[float] = field(default_factory=list)
    seconds: float = 0.0  # of one training and prediction, as an indication

    def add(self, values: Array, seconds: float) -> None:
        """Add a seed."""
        self.seeds.append(float(values.mean()))
        self.standard_errors.append(float(values.std(ddof=1) / np.sqrt(len(values))))
        self.seconds = seconds

    @property
    def mean(self) -> float:
        """Return the mean over the seeds."""
        return float(np.mean(self.seeds))

    @property
    def tolerance(self) -> float:
        """Return the larger of 0.005 and one standard error over the queries."""
        return max(LEAST_TOLERANCE, float(np.mean(self.standard_errors)))


def best_peer(measured: dict[str, Figures]) -> str | None:
    """Return the peer with the best mean."""
    peers = [name for name in measured if name not in (OURS, *EXTRA)]
    return max(peers, key=lambda name: measured[name].mean, default=None)


def reached(measured: dict[str, Figures]) -> bool | None:
    """Whether ceiba is no worse than the best peer by more than the tolerance."""
    peer = best_peer(measured)
    if peer is None or OURS not in measured:
        return None
    return measured[OURS].mean >= measured[peer].mean - measured[peer].tolerance


def table(measured: dict[str, dict[str, Figures]]) -> str:
    """Return a line for each data set and library."""
    lines = [
        f"| data | library | NDCG@{CUTOFF} | lowest seed | highest seed | standard error |",
        "|---|---|---|---|---|---|",
    ]
    for dataset, by_library in measured.items():
        for name, figures in by_library.items():
            error = float(np.mean(figures.standard_errors))
            lines.append(
                f"| {dataset} | {name} | {figures.mean:.4f} | {min(figures.seeds):.4f} | "
                f"{max(figures.seeds):.4f} | {error:.4f} |"
            )
    lines.append("")
    for dataset, by_library in measured.items():
        peer, verdict = best_peer(by_library), reached(by_library)
        if peer is not None and verdict is not None:
            wanted = by_library[peer].mean - by_library[peer].tolerance
            lines.append(
                f"{dataset}: best peer {peer}, wanted {wanted:.4f}, ceiba "
                f"{by_library[OURS].mean:.4f}: {'reached' if verdict else 'missed'}."
            )
    return "\n".join(lines)


def measure(dataset: str, libraries: list[str], seeds: int, threads: int) -> dict[str, Figures]:
    """Train every library with every seed."""
    train, test = load_fold(dataset, "train"), load_fold(dataset, "test")
    measured = {name: Figures() for name in libraries}
    for seed in range(seeds):
        for name, figures in measured.items():
            start = time.perf_counter()
            scores = LIBRARIES[name](train, test, seed, threads)
            figures.add(ndcg_of_queries(test, scores), time.perf_counter() - start)
            print(f"{dataset}, seed {seed}, {name}: {figures.seeds[-1]:.4f}", flush=True)
    return measured


def main() -> None:
    """Measure, print and write the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ranking", description=__doc__)
    parser.add_argument("--dataset", action="append", choices=DATASETS)
    parser.add_argument("--library", action="append", choices=LIBRARIES)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--results", type=Path, help="folder of ranking.json and ranking.md")
    given = parser.parse_args()
    libraries = given.library or list(LIBRARIES)
    measured = {
        dataset: measure(dataset, libraries, given.seeds, given.threads)
        for dataset in given.dataset or DATASETS
    }
    folder: Path = given.results or RESULTS
    kept = _load(folder)
    for dataset, by_library in measured.items():
        kept[dataset] = {**kept.get(dataset, {}), **by_library}
    text = table(kept)
    print("\n" + text)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "ranking.md").write_text(f"# Ranking\n\n{text}\n", encoding="utf-8")
    state = {
        dataset: {name: asdict(figures) for name, figures in by_library.items()}
        for dataset, by_library in kept.items()
    }
    (folder / "ranking.json").write_text(json.dumps(state, indent=1) + "\n", encoding="utf-8")


def _load(folder: Path) -> dict[str, dict[str, Figures]]:
    """Return the results of an earlier run; a run of some libraries replaces only those."""
    path = folder / "ranking.json"
    state: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {
        dataset: {name: Figures(**figures) for name, figures in by_library.items()}
        for dataset, by_library in state.items()
    }


if __name__ == "__main__":
    main()
