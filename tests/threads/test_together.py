"""Several threads inside a fit, and several fits and predictions at the same time.

Marked `threads`, so that `make sanitize` runs these under the thread sanitizer: small data, small
internal sizes, every parallel path.
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import ceiba
from ceiba import _core

pytestmark = pytest.mark.threads

N_ROWS, N_COLUMNS = 700, 6


def make_data(n_classes: int = 2) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    generator = np.random.default_rng(n_classes)
    x = generator.normal(size=(N_ROWS, N_COLUMNS))
    y = (x[:, 0] + x[:, 1] ** 2 + 0.3 * generator.normal(size=N_ROWS)) * 2
    x[generator.random(x.shape) < 0.1] = np.nan
    labels = np.clip(np.floor(y - y.min()), 0, n_classes - 1)
    return x, labels, generator.integers(1, 4, size=N_ROWS).astype(float)


PARAMETERS = [
    pytest.param({"objective": "logistic", "grow_policy": policy, "max_depth": 4}, 2, id=policy)
    for policy in ("leafwise", "depthwise", "symmetric")
] + [
    pytest.param({"objective": "softmax"}, 3, id="softmax"),
    pytest.param({"objective": "squared_error", "max_bins": 1000}, 40, id="many bins"),
    pytest.param(
        {"objective": "squared_error", "subsample": 0.6, "colsample_bynode": 0.5}, 5, id="sampled"
    ),
]


def train(parameters: dict, n_classes: int, n_jobs: int) -> ceiba.Model:
    x, y, weight = make_data(n_classes)
    dataset = ceiba.Dataset(x, y, weight=weight)
    valid = ceiba.Dataset(x[:100], y[:100])
    settings = {"n_estimators": 4, "max_leaves": 8, "min_samples_leaf": 5, **parameters}
    return ceiba.train({**settings, "n_jobs": n_jobs}, dataset, eval_sets=[valid])


@pytest.mark.parametrize(("parameters", "n_classes"), PARAMETERS)
def test_threads_inside_a_fit(parameters, n_classes, small_sizes):
    several = train(parameters, n_classes, n_jobs=4)
    assert _core.counters()["parallel_jobs"] > 0
    assert several.fingerprint() == train(parameters, n_classes, n_jobs=1).fingerprint()


def test_fits_at_the_same_time(small_sizes):
    x = make_data()[0]
    parameters = {"objective": "logistic"}
    expected = train(parameters, 2, n_jobs=1)
    with ThreadPoolExecutor(4) as pool:
        models = list(pool.map(lambda _: train(parameters, 2, n_jobs=2), range(8)))
    assert {model.fingerprint() for model in models} == {expected.fingerprint()}
    np.testing.assert_array_equal(models[0].predict(x), expected.predict(x))


def test_predictions_of_one_model_at_the_same_time(small_sizes):
    x = make_data(3)[0]
    model = train({"objective": "softmax"}, 3, n_jobs=2)
    expected, leaves = model.predict(x, n_jobs=1), model.apply(x)

    def ask(i: int) -> bool:
        same = np.array_equal(model.predict(x, n_jobs=1 + i % 3), expected)
        return same and np.array_equal(model.apply(x), leaves)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, range(16)))


def test_fit_and_predict_at_the_same_time(small_sizes):
    x = make_data()[0]
    model = train({"objective": "logistic"}, 2, n_jobs=1)
    expected = model.predict(x, n_jobs=1)

    def work(i: int) -> bool:
        if i % 2:
            return train({"objective": "logistic"}, 2, 2).fingerprint() == model.fingerprint()
        return np.array_equal(model.predict(x, n_jobs=2), expected)

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(work, range(8)))


def test_an_error_in_one_thread_leaves_the_pool_usable(small_sizes):
    x, y, _ = make_data()
    wrong = x.copy().astype(object)
    wrong[5, 2] = "seven"

    def work(i: int) -> str:
        if i % 2 == 0:
            return train({"objective": "logistic"}, 2, n_jobs=2).fingerprint()
        with pytest.raises(ceiba.CeibaError):
            ceiba.train({"objective": "logistic", "n_jobs": 2}, ceiba.Dataset(wrong, y))
        return ""

    with ThreadPoolExecutor(3) as pool:
        prints = set(pool.map(work, range(6)))
    assert len(prints - {""}) == 1
