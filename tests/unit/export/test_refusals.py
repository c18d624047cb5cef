"""Each row of the table of refusals in docs/guide/export.md."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ceiba
from ceiba.errors import ExportError

RANDOM = np.random.default_rng(0)
N = 400
NUMBERS = pd.DataFrame({"a": RANDOM.normal(size=N), "b": RANDOM.integers(0, 9, N).astype(float)})
CITY = pd.Categorical(RANDOM.choice(["lima", "oslo", "rome"], N))
SHOP = pd.Categorical(RANDOM.choice(["big", "small"], N))
MIXED = NUMBERS.assign(city=CITY, shop=SHOP)
Y = NUMBERS.a + NUMBERS.b * (CITY == "rome") + 2.0 * ((CITY == "oslo") & (SHOP == "big"))
CLASSES = np.digitize(Y, np.quantile(Y, [0.3, 0.6]))
Refused = tuple[str, ...]


def regressor(X: Any = MIXED, y: Any = Y, **parameters: Any) -> Any:
    return ceiba.CeibaRegressor(n_estimators=4, **parameters).fit(X, y)


def classifier(y: Any = CLASSES, **parameters: Any) -> Any:
    return ceiba.CeibaClassifier(n_estimators=4, **parameters).fit(MIXED, y)


def combined() -> Any:
    frame = pd.DataFrame({name: RANDOM.integers(0, 20, 4000).astype(str) for name in "abc"})
    effect = RANDOM.normal(size=(20, 20))
    y = effect[frame["a"].astype(int), frame["c"].astype(int)]
    return regressor(frame, y, categorical="target")


def with_mixed_levels() -> Any:
    codes = RANDOM.integers(0, 3, N)
    levels = pd.Categorical([[1, 2, "x"][k] for k in codes], categories=[1, 2, "x"])
    return regressor(NUMBERS.assign(kind=levels), Y + codes, categorical_features=["kind"])


def with_fractions() -> Any:
    codes = RANDOM.integers(0, 3, N)
    levels = pd.Categorical(np.array([0.5, 1.5, 2.5])[codes])
    return regressor(NUMBERS.assign(kind=levels), Y + codes)


def with_zero_byte() -> Any:
    texts = np.array(["x", "y\0z"], dtype=object)[RANDOM.integers(0, 2, N)]
    return regressor(NUMBERS.assign(kind=texts), Y + (texts == "x"))


def with_mixed_labels() -> Any:
    found = classifier().model_
    labels = np.array([1, "two", 3.5], dtype=object)
    return ceiba.Model(**{**vars_of(found), "classes": labels})


def vars_of(model: Any) -> dict[str, Any]:
    names = ("schema", "objective", "parameters", "start_scores", "forest", "best_iteration")
    return {name: getattr(model, name) for name in names}


def lacking_classes() -> Any:
    y = np.where(NUMBERS.a > 0, CLASSES % 2, CLASSES)
    return ceiba.LinearTreeClassifier(max_depth=2, min_samples_leaf=0.05).fit(NUMBERS, y)


#: What is refused: a model, the formats that refuse it, those that do not, a part of the message.
CASES: dict[str, tuple[Callable[[], Any], Refused, Refused, str]] = {
    "unseen categories": (
        lambda: regressor(unseen_category="error"),
        ("onnx", "lightgbm", "c"), ("python",), "unseen_category='error'",
    ),
    "one against rest": (
        lambda: classifier(objective="one_against_rest"),
        ("lightgbm",), ("onnx", "c", "python"), "one_against_rest",
    ),
    "squared log error": (
        lambda: regressor(y=np.exp(Y / 4), objective="squared_log_error"),
        ("lightgbm",), ("onnx", "c", "python"), "exp(score) - 1",
    ),
    "several quantiles": (
        lambda: regressor(objective="quantile", quantile=[0.1, 0.9]),
        ("lightgbm",), ("onnx", "c", "python"), "sorted quantiles",
    ),
    "boosted gini": (
        lambda: classifier(objective="gini"),
        ("lightgbm",), ("onnx", "c", "python"), "shares that are clipped",
    ),
    "several targets with exp": (
        lambda: regressor(y=np.exp(np.column_stack([Y, -Y]) / 4), objective="poisson"),
        ("lightgbm",), ("onnx", "c", "python"), "exp of several scores",
    ),
    "combinations": (
        combined, ("lightgbm",), ("onnx", "c", "python"), "combination of 'a', 'c'"
    ),
    "another missing value": (
        lambda: regressor(missing=3.0),
        ("lightgbm",), ("onnx", "c", "python"), "missing=3",
    ),
    "linear leaves with another missing value": (
        lambda: regressor(NUMBERS, missing=0.0, leaf_model="linear"),
        ("lightgbm",), ("onnx", "c", "python"), "linear leaves",
    ),
    "text and numbers": (
        with_mixed_levels, ("onnx",), ("lightgbm", "c", "python"), "text and numbers"
    ),
    "fractions": (with_fractions, ("onnx", "c"), ("lightgbm", "python"), "0.5"),
    "labels of several types": (
        with_mixed_labels, ("onnx",), ("lightgbm", "c", "python"), "all text or all integers"
    ),
    "zero bytes": (with_zero_byte, ("c",), ("onnx", "lightgbm", "python"), "zero byte"),
    "clipped sums": (
        lambda: ceiba.EnhancedForestClassifier(n_estimators=3).fit(NUMBERS, Y > 1),
        ("onnx", "lightgbm", "c", "python"), (), "clips the sum",
    ),
    "leaves that lack classes": (
        lacking_classes, ("onnx", "lightgbm", "c", "python"), (), "rows of some classes only"
    ),
    "linear models of categories": (
        lambda: ceiba.LinearTreeRegressor().fit(MIXED, Y),
        ("lightgbm",), ("onnx", "c", "python"), "linear_features",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_a_format_cannot_express_is_refused(name: str, tmp_path: Path) -> None:
    make, refused, exported, words = CASES[name]
    model = make()
    for format in refused:
        with pytest.raises(ExportError) as caught:
            model.export(tmp_path / format, format=format)
        assert words in str(caught.value), caught.value
        assert not (tmp_path / format).exists()
    for format in exported:
        assert model.export(tmp_path / format, format=format).relative < 1e-12


def test_a_matrix_of_numbers_holds_no_text(tmp_path: Path) -> None:
    with pytest.raises(ExportError, match="inputs='columns'"):
        regressor().export(tmp_path / "x", format="onnx", inputs="matrix")


@pytest.mark.parametrize("format", ["onnx", "lightgbm", "c", "python"])
def test_forests_of_shares_are_exported(format: Any, tmp_path: Path) -> None:
    for y in (CLASSES, CLASSES > 0):
        forest = ceiba.CeibaForestClassifier(n_estimators=4, random_state=0).fit(MIXED, y)
        assert forest.export(tmp_path / "x", format=format).difference < 1e-14
