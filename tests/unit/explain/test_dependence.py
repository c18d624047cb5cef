"""Partial dependence is what predictions of changed rows are on average."""

from __future__ import annotations

import numpy as np
import pytest
from small_table import BINARY, FRAME, THREE, X, Y, classifier, regressor

from ceiba import CeibaRegressor, Dataset, _core, train
from ceiba.errors import CeibaError
from ceiba.explain import partial_dependence
from ceiba.testing.forests import random_model

pd = pytest.importorskip("pandas")


def changed(model, rows, positions, points):
    rows = np.array(rows, dtype=float)
    for position, point in zip(positions, points, strict=True):
        rows[:, position] = point
    scores = np.zeros((len(rows), model.n_outputs))
    model.forest.add_matrix(rows, scores, 0, model.n_iterations, 1)
    return scores


@pytest.mark.parametrize(
    "how",
    [
        {"kind": "mixed"},
        {"kind": "chain", "n_leaves": 80},
        {"kind": "symmetric", "n_leaves": 16},
        {"n_outputs": 3, "objective": "softmax"},
        {"n_outputs": 3, "leaf_width": 3, "objective": "quantile"},
        {"n_levels": (0, 3, 200, 64, 0)},
        {"n_leaves": 1},
    ],
    ids=str,
)
@pytest.mark.threads
def test_sums_of_the_core_are_those_of_changed_rows(how):
    model = random_model(3, **how)
    random = np.random.default_rng(0)
    rows = random.normal(size=(1100, 5))
    rows[:, 1:4] = random.integers(-1, 70, size=(1100, 3))
    rows[random.random(rows.shape) < 0.1] = np.nan
    points = [random.normal(size=70), np.r_[np.arange(40.0), np.nan], random.normal(size=3)]
    questions = [[(0, points[0])], [(2, points[1])], [(1, points[1]), (4, points[2])]]
    sums = _core.DependenceSums(model.forest, questions)
    weights = random.random(1100)
    sums.add_matrix(rows[:600], weights[:600], 2)
    sums.add_columns(list(rows[600:].T.copy()), weights[600:], 1)
    plain = _core.DependenceSums(model.forest, questions)
    plain.add_matrix(np.asfortranarray(rows), None, 2)
    out = [np.full((1100, n, model.n_outputs), 7.0) for n in (70, 41, 123)]
    plain.individual_matrix(rows, out, 2)
    for q, axes in enumerate(questions):
        grid = [
            (point,) if len(axes) == 1 else (point, other)
            for point in axes[0][1]
            for other in (axes[1][1] if len(axes) == 2 else (0,))
        ]
        expected = np.stack(
            [changed(model, rows, [axis[0] for axis in axes], point) for point in grid], axis=1
        )
        np.testing.assert_allclose(out[q], expected, atol=1e-12)
        np.testing.assert_allclose(plain.average(q), expected.mean(axis=0), atol=1e-12)
        weighted = (expected * weights[:, None, None]).sum(axis=0) / weights.sum()
        np.testing.assert_allclose(sums.average(q), weighted, atol=1e-12)


@pytest.mark.parametrize(
    "how",
    [
        {"kind": "mixed", "n_iterations": 7},
        {"kind": "chain", "n_leaves": 80},
        {"kind": "symmetric", "n_leaves": 16},
        {"n_levels": (0, 3, 200, 64, 0)},
        {"n_leaves": 1},
    ],
    ids=str,
)
@pytest.mark.threads
def test_means_of_probabilities_are_those_of_changed_rows(how):
    model = random_model(3, **how)
    random = np.random.default_rng(0)
    rows = random.normal(size=(1100, 5))
    rows[:, 1:4] = random.integers(-1, 70, size=(1100, 3))
    rows[random.random(rows.shape) < 0.1] = np.nan
    points = [random.normal(size=70), np.r_[np.arange(40.0), np.nan], random.normal(size=3)]
    questions = [[(0, points[0])], [(2, points[1])], [(1, points[1][:9]), (4, points[2])]]
    weights = random.random(1100) * 3

    def sigmoid_means(own, counted, order, n_threads, n_first):
        sums = _core.DependenceSums(model.forest, questions)
        rule = 0.3, 2.0, 1.0 if counted is None else counted.max()
        own, counted = own[order], None if counted is None else counted[order]
        first = None if counted is None else counted[:n_first]
        rest = None if counted is None else counted[n_first:]
        sums.add_probabilities_matrix(own[:n_first], rule, first, n_threads)
        sums.add_probabilities_columns(list(own[n_first:].T.copy()), rule, rest, 1)
        return [sums.probability(q) for q in range(len(questions))]

    plain, turned = np.arange(1100), random.permutation(1100)
    for counted in (None, weights):
        found = sigmoid_means(rows, counted, plain, 2, 600)
        for q, axes in enumerate(questions):
            grid = [
                (point,) if len(axes) == 1 else (point, other)
                for point in axes[0][1]
                for other in (axes[1][1] if len(axes) == 2 else (0,))
            ]
            for point, mean in zip(grid, found[q], strict=True):
                scores = changed(model, rows, [axis[0] for axis in axes], point)[:, 0]
                chances = 1 / (1 + np.exp(-2 * (0.3 + scores)))
                assert mean == pytest.approx(np.average(chances, weights=counted), abs=1e-11)
        if counted is None:  # sums of whole numbers: threads, blocks and order change nothing
            for order, n_threads, n_first in ((plain, 1, 1099), (turned, 3, 513)):
                again = sigmoid_means(rows, counted, order, n_threads, n_first)
                for own, other in zip(found, again, strict=True):
                    np.testing.assert_array_equal(own, other)


def test_threads_blocks_rows_and_places_of_columns_change_no_bit():
    fitted = regressor(n_estimators=20).fit(FRAME, Y)
    model = fitted.model_
    found = model.partial_dependence(FRAME, "a", n_jobs=1).average
    order = np.random.default_rng(1).permutation(len(FRAME))
    halves = Dataset.from_blocks([(FRAME[:150], Y[:150]), (FRAME[150:], Y[150:])])
    turned = regressor(n_estimators=20).fit(FRAME[[*"dbca"]], Y).model_
    grid = {"a": model.partial_dependence(FRAME, "a").grid[0]}
    for other in (
        model.partial_dependence(FRAME, n_jobs=2)[0],
        model.partial_dependence(FRAME.iloc[order], "a", grid=grid),
        model.partial_dependence(halves, "a"),
        turned.partial_dependence(FRAME, "a"),
    ):
        np.testing.assert_array_equal(other.average, found)


def test_predictions_are_averaged_and_not_scores():
    rows = X[:40]
    for labels in (BINARY, THREE):
        fitted = classifier(n_estimators=10).fit(X, labels)
        answer = fitted.partial_dependence(rows, [0, (1, 2)], n_points=5, individual=True)
        for dependence, columns in zip(answer, ([0], [1, 2]), strict=True):
            shape = dependence.average.shape[: len(columns)]
            for place in np.ndindex(*shape):
                points = [dependence.grid[k][place[k]] for k in range(len(columns))]
                other = rows.copy()
                other[:, columns] = points
                expected = fitted.model_.predict(other)
                np.testing.assert_allclose(dependence.individual[(slice(None), *place)], expected)
                np.testing.assert_allclose(dependence.average[place], expected.mean(axis=0))


def test_scikit_learn_by_brute_force_and_by_recursion():
    from sklearn.ensemble import GradientBoostingRegressor
    from sklearn.inspection import partial_dependence as of_peer

    ours = CeibaRegressor(recipe="gbm", n_estimators=15).fit(X, Y)
    peer = GradientBoostingRegressor(n_estimators=15, random_state=0).fit(X, Y)
    np.testing.assert_allclose(ours.predict(X), peer.predict(X))
    for column in (0, (0, 1)):
        theirs = of_peer(ours, X, [column], grid_resolution=10, method="brute")
        names = column if isinstance(column, tuple) else (column,)
        grid = dict(zip(names, theirs["grid_values"], strict=True))
        found = ours.partial_dependence(X, column, grid=grid)
        np.testing.assert_allclose(found.average, theirs["average"][0], rtol=1e-10)
        theirs = of_peer(peer, X, [column], grid_resolution=10, method="recursion")
        found = ours.partial_dependence(None, column, grid=grid, method="recursion")
        start = ours.model_.start_scores[0]
        np.testing.assert_allclose(found.average - start, theirs["average"][0], rtol=1e-8)


def test_categories_weights_rounds_and_frames():
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"colour": random.choice(["red", "green", "blue"], 300), "x": random.normal(size=300)}
    )
    target = (frame["colour"] == "red") * 2.0 + frame["x"]
    model = train({"min_samples_leaf": 5}, Dataset(frame, target), 30)
    weights = random.random(300)
    answer = model.partial_dependence(
        frame, "colour", sample_weight=weights, iteration_range=(0, 12)
    )
    assert answer.grid[0].tolist() == ["blue", "green", "red"]
    for level, found in zip(answer.grid[0], answer.average, strict=True):
        raw = model.predict(frame.assign(colour=level), iteration_range=(0, 12))
        assert found == pytest.approx(np.average(raw, weights=weights))
    table = answer.to_frame()
    assert list(table) == ["colour", "average"]
    pair = model.partial_dependence(frame, ("colour", "x"), n_points=4)
    assert pair.average.shape == (3, 4)
    assert list(pair.to_frame()) == ["colour", "x", "average"]
    assert "'colour' and 'x'" in repr(pair)
    later = model.partial_dependence(frame, "x", iteration_range=(5, 9), n_points=3)
    raw = [
        model.predict_raw(frame.assign(x=x), iteration_range=(5, 9)).mean() for x in later.grid[0]
    ]
    np.testing.assert_allclose(later.average, raw)


def test_many_rows_in_several_parts(monkeypatch):
    from ceiba.explain import grid_predictor

    fitted = classifier(n_estimators=5).fit(X, BINARY)
    rows = np.tile(X, (12, 1))
    whole = fitted.partial_dependence(rows, [0, 1], individual=True)
    monkeypatch.setattr(grid_predictor, "_SCORES_AT_ONCE", 1)
    parts = fitted.partial_dependence(rows, [0, 1], individual=True)
    for one, other in zip(whole, parts, strict=True):
        np.testing.assert_array_equal(one.individual, other.individual)
        np.testing.assert_array_equal(one.average, other.average)


def test_statistics_of_the_target_in_the_place_of_a_column():
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "x": random.normal(size=200),
            "colour": random.choice([*"abcdef"], 200),
            "z": random.normal(size=200),
        }
    )
    target = frame["x"] + (frame["colour"] == "a") * 2.0
    model = train({"categorical": "target"}, Dataset(frame, target), 8)
    assert model.forest.n_features > 3
    answers = model.partial_dependence(frame, ["z", "colour", ("x", "colour")], n_points=3)
    for answer in answers:
        for place in np.ndindex(*answer.average.shape):
            point = {name: answer.grid[k][place[k]] for k, name in enumerate(answer.columns)}
            expected = model.predict(frame.assign(**point)).mean()
            assert answer.average[place] == pytest.approx(expected)
    table = model.importances("permutation", frame, target, n_repeats=1)
    assert set(table["feature"][:2]) == {"x", "colour"}


def test_columns_that_trees_do_not_read_themselves(monkeypatch):
    from ceiba.explain import grid_predictor

    model = classifier(n_estimators=5).fit(X, THREE).model_
    how = {"n_points": 4, "individual": True, "sample_weight": np.arange(1.0, 401.0)}
    found = model.partial_dependence(X, [0, (1, 2), 3], **how)
    monkeypatch.setattr(grid_predictor, "read_places", lambda schema: {0: 0, 3: 3})
    again = model.partial_dependence(X, [0, (1, 2), 3], **how)
    for one, other in zip(found, again, strict=True):
        np.testing.assert_allclose(one.average, other.average)
        np.testing.assert_allclose(one.individual, other.individual)
    with pytest.raises(CeibaError, match="method='brute'"):
        model.partial_dependence(X, 1, method="recursion")


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"X": None}, "Give `X`"),
        ({"X": None, "method": "recursion", "grid": {"b": [1]}}, "grid has no points of 'a'"),
        ({"X": FRAME[:0]}, "at least one row"),
        ({"columns": "e"}, "must name columns"),
        ({"columns": ("a", "a")}, "two different columns"),
        ({"columns": [("a", "b", "c")]}, "tuple of two"),
        ({"columns": 1.5}, "tuple of two"),
        ({"n_points": 0}, "n_points must be"),
        ({"percentiles": (0.9, 0.1)}, "percentiles must be"),
        ({"percentiles": 3}, "percentiles must be"),
        ({"method": "magic"}, "method must be"),
        ({"output": "probability"}, "output must be"),
        ({"method": "recursion", "individual": True}, "only means of raw scores"),
        ({"sample_weight": np.zeros(400)}, "sample_weight must be above 0"),
        ({"sample_weight": np.ones(3)}, "sample_weight"),
    ],
)
def test_what_has_no_answer(how, message):
    model = regressor(n_estimators=2).fit(FRAME, Y).model_
    with pytest.raises(CeibaError, match=message):
        partial_dependence(model, **{"X": FRAME, "columns": "a", **how})


def test_wrong_questions_to_the_core():
    forest = random_model(0).forest
    for questions in ([[]], [[(5, [1.0])]], [[(0, [])]], [[(0, [1.0])] * 3]):
        with pytest.raises(ValueError):
            _core.DependenceSums(forest, questions)
    sums = _core.DependenceSums(forest, [[(0, [1.0])]])
    rows = np.zeros((2, 5))
    for wrong in (
        lambda: sums.add_matrix(rows, np.ones(3), 1),
        lambda: sums.add_matrix(rows[:, :4], None, 1),
        lambda: sums.individual_matrix(rows, [], 1),
        lambda: sums.individual_matrix(rows, [np.zeros((2, 2, 1))], 1),
        lambda: sums.average(1),
    ):
        with pytest.raises(ValueError):
            wrong()
