"""Translate values of other libraries, such as ``max_depth=-1`` for no limit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ceiba.parameters._foreign_meanings import RUNS_ON_CPU, is_count
from ceiba.parameters.foreign import Foreign, Settings, same

__all__ = ["VALUE_TRANSLATIONS"]


def _options_of_loss(value: Any, given: Settings) -> Settings | None:
    """Translate CatBoost's objectives with options, such as ``Quantile:alpha=0.9``."""
    if not isinstance(value, str) or "=" not in value:
        return {"objective": value}
    name, _, options = value.partition(":")
    settings: dict[str, Any] = {"objective": name.removeprefix("Multi")}
    for option in options.split(";"):
        key, _, text = option.partition("=")
        ours = _LOSS_OPTIONS.get((settings["objective"].lower(), key.strip()))
        try:
            levels = [float(level) for level in text.split(",")]
        except ValueError:
            return None
        if ours is None:
            return None
        settings[ours] = levels if len(levels) > 1 else levels[0]
    return settings


_LOSS_OPTIONS = {
    ("quantile", "alpha"): "quantile",
    ("huber", "delta"): "huber_delta",
    ("tweedie", "variance_power"): "tweedie_variance_power",
}


def _metrics(value: Any, given: Settings) -> Settings:
    """Translate LightGBM's values for no metric, and its comma-separated lists."""
    if not isinstance(value, str):
        return {"eval_metric": value}
    if value.lower() in ("none", "null", "na"):
        return {"eval_metric": []}
    names = [name.strip() for name in value.split(",") if name.strip()]
    return {"eval_metric": names if len(names) > 1 else value}


def _kind_of_boosting(value: Any, given: Settings) -> Settings | None:
    """Translate LightGBM's boosting types; the constraint refuses unknown ones."""
    word = value.lower() if isinstance(value, str) else ""
    if word == "rf":  # LightGBM's forests ignore the learning rate
        return {"boosting": "forest", "learning_rate": 1.0}
    if word == "goss":
        return {"sampling": "goss"} if same(given.get("sampling", "goss"), "goss") else None
    return {"boosting": value}


def _replaced(name: str, values: Mapping[Any, Any]) -> Foreign:
    def read(value: Any, given: Settings) -> Settings:
        is_known = isinstance(value, str) or is_count(value)
        return {name: values.get(value, value) if is_known else value}

    return Foreign(name, "meaning", read)


def _not_on_gpu(value: Any, given: Settings) -> Settings | None:
    on_gpu = isinstance(value, str) and value.startswith("gpu")
    return None if on_gpu else {"split_method": value}


#: Translations of values of canonical parameters, under any of their names.
VALUE_TRANSLATIONS: Mapping[str, Foreign] = {
    row.name: row
    for row in (
        Foreign(
            "objective", "meaning", _options_of_loss,
            "the objective does not have this option. Set quantile, huber_delta or "
            "tweedie_variance_power.",
        ),
        Foreign(
            "boosting", "meaning", _kind_of_boosting,
            "'goss' conflicts with another value of sampling. Remove one of them.",
            replaces=True,
        ),
        Foreign("eval_metric", "meaning", _metrics),
        Foreign("split_method", "meaning", _not_on_gpu, RUNS_ON_CPU),
        _replaced("max_depth", {-1: 0}),
        _replaced("max_leaves", {-1: 0}),
        _replaced("max_drop", {-1: 0}),
        _replaced("one_drop", {0: False, 1: True}),
        _replaced("verbose", {-1: 0}),
        _replaced("n_classes", {1: None}),
        _replaced("categorical_features", {"": None}),
        _replaced("monotone_constraints", {"": None, "()": None}),
        _replaced("interaction_constraints", {"": None}),
    )
}  # fmt: skip
