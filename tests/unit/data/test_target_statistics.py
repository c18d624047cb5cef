"""Target statistics: against their definition, without a row's own target, and at predict."""

from __future__ import annotations

import io
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ceiba import Dataset, Model, _core, load_model, train
from ceiba.errors import InvalidInputError, ModelFileError
from ceiba.testing.target_statistics import ordered_statistics, row_permutation, total_statistic

UNIT = 2.0**-20


def keyed(columns: list[np.ndarray], n_levels: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the keys of all columns combined, and the index of each row's key."""
    (found,) = _core.key_levels(columns, n_levels, [list(range(len(columns)))], 2)
    return found


def ordered(
    levels: np.ndarray,
    n_levels: int,
    targets: np.ndarray,
    weights: np.ndarray | None,
    **how: Any,
) -> np.ndarray:
    """Return the ordered statistics that the core computes for one column of level numbers."""
    keys, places = keyed([levels], [n_levels])
    whole = np.rint(targets * (1 if weights is None else weights) / UNIT).astype(np.int64)[None, :]
    given = {"strength": 1.0, "priors": [], "seed": 0, "n_permutations": 1, "n_threads": 1, **how}
    permutations = _core.RowPermutations(
        given.pop("seed"), given.pop("n_permutations"), len(levels), 2
    )
    (found,) = _core.ordered_statistics(
        [places],
        [np.arange(1.0, len(keys) + 1.0)],
        whole,
        None if weights is None else weights.astype(np.int64),
        [UNIT],
        1.0,
        permutations=permutations,
        **given,
    )
    np.testing.assert_array_equal(found[-1], places + 1.0)  # the weight of each row's key
    return found[:-1]


@st.composite
def tables(draw: st.DrawFn) -> tuple[np.ndarray, int, np.ndarray, np.ndarray | None]:
    """Level numbers (missing, and one above all), targets, and whole weights or none."""
    n_rows, n_levels = draw(st.integers(1, 30)), draw(st.integers(1, 5))
    numbers = st.sampled_from([*map(float, range(n_levels + 1)), np.nan])
    levels = np.array(draw(st.lists(numbers, min_size=n_rows, max_size=n_rows)))
    eighths = st.integers(-16, 16).map(lambda k: k / 8)
    targets = np.array(draw(st.lists(eighths, min_size=n_rows, max_size=n_rows)))
    weights = draw(
        st.none() | st.lists(st.integers(1, 4), min_size=n_rows, max_size=n_rows).map(np.array)
    )
    return levels, n_levels, targets, weights


def named(levels: np.ndarray, n_levels: int) -> list[Any]:
    return [
        "missing" if np.isnan(x) else None if x >= n_levels else int(x) for x in levels.tolist()
    ]


@given(
    tables(), st.integers(0, 3), st.integers(1, 3), st.sampled_from([0.0, 0.5, 1.0, 3.0]), st.data()
)
@settings(max_examples=150, deadline=None)
def test_against_the_definition(
    table: tuple[np.ndarray, int, np.ndarray, np.ndarray | None],
    seed: int,
    n_permutations: int,
    strength: float,
    data: st.DataObject,
) -> None:
    levels, n_levels, targets, weights = table
    priors = data.draw(st.sampled_from([[], [0.0, 1.0], [0.25]]))
    how = {"strength": strength, "priors": priors, "seed": seed, "n_permutations": n_permutations}
    found = ordered(levels, n_levels, targets, weights, **how)
    permutations = [row_permutation(seed, k, len(levels)) for k in range(n_permutations)]
    for prior, own in zip(priors or [None], found, strict=True):
        expected = ordered_statistics(
            named(levels, n_levels), targets, weights, permutations, prior=prior, strength=strength
        )
        np.testing.assert_allclose(own, expected, rtol=1e-12, atol=1e-12)


def test_no_row_sees_its_own_target() -> None:
    for case in range(1000):
        random = np.random.default_rng(case)
        n_rows, n_levels = int(random.integers(1, 30)), int(random.integers(1, 6))
        levels = random.integers(0, n_levels + 2, n_rows).astype(float)
        levels[levels > n_levels] = np.nan
        targets = random.integers(-16, 16, n_rows) / 8
        weights = random.integers(1, 4, n_rows) if case % 2 else None
        row, other = int(random.integers(n_rows)), targets.copy()
        other[row] += random.choice([-1.0, 0.125, 2.0])
        for priors in ([], [0.0, 1.0]):
            how = {"priors": priors, "seed": case, "n_permutations": 1 + case % 4}
            before = ordered(levels, n_levels, targets, weights, **how)[:, row]
            after = ordered(levels, n_levels, other, weights, **how)[:, row]
            assert before.tolist() == after.tolist()


def test_keys_are_those_of_all_columns_together() -> None:
    columns = [np.array([0, 1, np.nan, 2, 0.0]), np.array([1, 1, 0, 0, 1], dtype=np.float32)]
    keys, places = keyed(columns, [2, 2])
    assert keys.tolist() == [2, 3, 4]  # missing is the third level of the first column
    assert places.tolist() == [1, 2, 0, -1, 1]  # level 2 is not known
    with pytest.raises(InvalidInputError, match=r"2\^63"):
        keyed(columns * 2, [2**30] * 4)


@pytest.mark.parametrize("n_levels", [[3], [100_000], [200, 3000], [5, 7, 100_000]])
def test_tables_find_every_key_and_nothing_else(n_levels: list[int]) -> None:
    random = np.random.default_rng(0)
    columns = [random.integers(0, n + 2, 500).astype(float) for n in n_levels]
    known = [
        np.where(c > n, np.nan, np.minimum(c, n - 1))
        for c, n in zip(columns, n_levels, strict=True)
    ]
    keys, places = keyed(known, n_levels)
    tables = _core.StatisticsTables()
    values = np.arange(2.0 * (len(keys) + 1)).reshape(2, -1)
    tables.add(list(range(len(n_levels))), n_levels, keys, values)
    np.testing.assert_array_equal(tables.look_up(known, 2), values[:, places])
    columns[0][:] = n_levels[0]  # a level that no row had
    np.testing.assert_array_equal(tables.look_up(columns, 1), values[:, [-1] * 500])


def test_tables_refuse_what_does_not_fit() -> None:
    for keys, values in (([1, 0], [[1, 2, 3]]), ([0, 9], [[1, 2, 3]]), ([0], [[1, 2, 3]])):
        with pytest.raises(ModelFileError):
            _core.StatisticsTables().add(
                [0], [3], np.array(keys, np.uint64), np.array(values, float)
            )
    tables = _core.StatisticsTables()
    tables.add([4], [3], np.array([0], np.uint64), np.ones((1, 2)))
    with pytest.raises(InvalidInputError):
        tables.look_up([np.zeros(3)], 1)


# ---- in a model ----------------------------------------------------------------------------------

RANDOM = np.random.default_rng(5)
N = 900
FRAME = pd.DataFrame(
    {
        "town": RANDOM.integers(0, 40, N).astype(str),
        "size": RANDOM.normal(size=N),
        "shop": RANDOM.integers(0, 30, N),
        "few": RANDOM.choice(["a", "b"], N),
    }
)
FRAME.loc[::13, "town"] = None
SCORE = FRAME["shop"].isin(range(10)) * 1.0 + FRAME["size"] + RANDOM.normal(size=N)
# Towns and shops together say more than each does.
SCORE += 2.0 * (pd.to_numeric(FRAME["town"]).fillna(0) % 2 != FRAME["shop"] % 2)
TARGETS = {
    "logistic": (SCORE > 0).to_numpy(float),
    "softmax": np.digitize(SCORE, [0.0, 1.0]).astype(float),
    "squared_error": SCORE.to_numpy(),
}
HOW: dict[str, Any] = {
    "n_estimators": 12,
    "categorical_features": ["shop"],
    "categorical": {"town": "target", "shop": "target", "few": "onehot"},
    "n_jobs": 1,
}


def trained(objective: str, **more: Any) -> Model:
    return train({**HOW, "objective": objective, **more}, Dataset(FRAME, TARGETS[objective]))


@pytest.mark.parametrize("objective", TARGETS)
def test_a_model_looks_levels_up(objective: str) -> None:
    model = trained(objective, max_combination=1)
    statistics, engine = model.schema.statistics, model.schema.engine
    assert statistics is not None
    assert engine.n_features == model.forest.n_features
    assert engine.names[:2] == ("size", "few")
    rows = FRAME.iloc[:50].assign(town=["nowhere", None, "3"] + ["5"] * 47)
    table = Dataset(rows, categorical_features=["shop"]).table.encoded(model.schema)
    columns = {name: table.columns[j][0] for j, name in enumerate(engine.names)}
    levels = [town if isinstance(town, str) else "missing" for town in FRAME["town"]]
    for k, label in enumerate(statistics.labels[:-1]):
        target, prior = TARGETS[objective], None
        if objective == "logistic":
            prior = float(k)
        elif objective == "softmax":
            target = (target == k) * 1.0
        found = columns[f"town: {label}"]
        for row, level in enumerate(["nowhere", "missing", "3"]):
            expected = total_statistic(level, levels, target, None, prior=prior)
            assert found[row] == pytest.approx(expected, rel=1e-12)
    assert columns["town: rows"][:3].tolist() == [0, levels.count("missing"), levels.count("3")]


@pytest.mark.parametrize("objective", TARGETS)
def test_files_and_single_rows(objective: str) -> None:
    model = trained(objective)
    expected = model.predict(FRAME)
    again = pickle.loads(pickle.dumps(model))
    assert again.fingerprint() == model.fingerprint()
    np.testing.assert_array_equal(again.predict(FRAME), expected)
    for row in (0, 13, 77):
        for one in (FRAME.iloc[row].to_dict(), FRAME.iloc[[row]], list(FRAME.iloc[row])):
            np.testing.assert_array_equal(again.predict(one)[0], expected[row])
    new = {**FRAME.iloc[3].to_dict(), "town": "nowhere"}
    np.testing.assert_array_equal(again.predict(new), again.predict(pd.DataFrame([new])))


def test_a_category_without_levels_has_no_statistics() -> None:
    frame = FRAME.assign(old=pd.Series([None] * len(FRAME), dtype="category"))
    dataset = Dataset(frame, FRAME["town"].isna().to_numpy(float))
    model = train({**HOW, "objective": "logistic"}, dataset)
    assert model.schema.statistics is not None
    assert frame.columns.get_loc("old") not in model.schema.statistics.replaced
    again = load_model(io.BytesIO(model.to_bytes()))
    np.testing.assert_array_equal(again.predict(frame), model.predict(frame))
    train({**HOW, "objective": "logistic"}, dataset, init_model=again)
    params = {"categorical": "target", "n_estimators": 2}
    alone = train(params, Dataset(frame[["old"]], np.arange(len(frame)) * 1.0))
    assert load_model(io.BytesIO(alone.to_bytes())).fingerprint() == alone.fingerprint()


def test_a_level_that_is_new_is_not_a_missing_one() -> None:
    y = FRAME["town"].isna().to_numpy(float)
    model = train({**HOW, "objective": "logistic"}, Dataset(FRAME, y))
    rows = FRAME.iloc[:2].assign(town=["nowhere", None])
    new, missing = model.predict(rows)
    assert missing > 0.4 > 0.2 > new
    as_error = train(
        {**HOW, "objective": "logistic", "unseen_category": "error"}, Dataset(FRAME, y)
    )
    with pytest.raises(InvalidInputError, match="nowhere"):
        as_error.predict(rows)


def test_columns_in_another_order_and_of_another_kind() -> None:
    model = trained("logistic")
    expected = model.predict(FRAME)
    other = FRAME[["few", "shop", "size", "town"]].assign(town=FRAME["town"].astype("category"))
    np.testing.assert_array_equal(model.predict(other), expected)


def test_the_model_speaks_of_the_columns_of_the_table() -> None:
    model = trained("logistic")
    assert model.feature_names == list(FRAME.columns)
    assert model.n_features == len(model.feature_importances()) == 4
    assert set(model.importances()["feature"]) == set(FRAME.columns)
    frame = model.trees_to_frame()
    words = set(frame["statistic"].dropna())
    assert words <= {"mean with prior 0", "mean with prior 1", "rows"}
    assert len(words) > 1
    for feature in frame["feature"].dropna():
        assert set(feature.split(" x ")) <= set(FRAME.columns)
    explained = model.explain(FRAME.iloc[:20])
    sums = explained.values.sum(axis=1) + explained.base_values
    np.testing.assert_allclose(sums, model.predict_raw(FRAME.iloc[:20]), atol=1e-12)
    raw = model.predict_raw(FRAME.iloc[:5])
    known = model.explain(FRAME.iloc[:5], background=FRAME[:9])
    np.testing.assert_allclose(known.values.sum(axis=1) + known.base_values, raw, atol=1e-12)
    pairs = model.explain(FRAME.iloc[:5], interactions=True)
    np.testing.assert_allclose(pairs.values.sum(axis=(1, 2)) + pairs.base_values, raw, atol=1e-12)
