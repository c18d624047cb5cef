"""Suggest the closest valid names for an unknown name, by meaning and spelling.

Synonyms are equal (``num_trees`` is close to ``n_estimators``), words may be misspelled, and common
words such as ``max`` have a low weight. So ``categorical_columns`` is close to
``categorical_features`` and far from ``max_features``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from types import MappingProxyType

__all__ = ["SURE", "likeness", "nearest_names", "nearest_words"]

#: Groups of synonyms; the first word represents the group.
_SAME_WORDS = (
    "number num n count size total",
    "round rounds estimator estimators tree trees iteration iterations iter iters boost epochs",
    "max maximum largest most upper",
    "min minimum smallest least lower",
    "leaf leaves leafs node nodes terminal",
    "depth deep level levels",
    "rate eta shrinkage lr step",
    "learning learn",
    "row rows sample samples subsample bagging bag instance instances data obs",
    "column columns col cols colsample feature features variable variables predictor predictors",
    "category categories categorical cat cats",
    "lambda l2 ridge",
    "alpha l1 lasso",
    "reg regularization regularisation regularizer penalty penalties",
    "seed random state rng",
    "thread threads job jobs core cores worker workers parallel cpu cpus processes",
    "bin bins border borders bucket buckets histogram",
    "objective loss losses",
    "metric metrics scoring score scorer measure",
    "stop stopping patience",
    "early",
    "weight weights weighted",
    "class classes label labels",
    "balance balanced unbalance unbalanced imbalance imbalanced",
    "monotone monotonic monotonicity",
    "constraint constraints cst",
    "interaction interactions",
    "missing nan null na absent",
    "verbose verbosity silent quiet log logging progress",
    "grow growth growing",
    "policy strategy mode method type kind",
    "fraction share ratio proportion percent",
    "eval evaluation validation valid val test",
    "tolerance tol delta",
    "gain impurity decrease",
    "start init initial base warm",
    "importance importances",
    "linear",
)
_REPRESENTATIVES = {word: words.split()[0] for words in _SAME_WORDS for word in words.split()}
#: Weights of common words; other words have weight 1.
_LIGHT = {"number": 0.3, "max": 0.4, "min": 0.4, "by": 0.2, "in": 0.1, "to": 0.1, "per": 0.1,
          "the": 0.1, "of": 0.1, "is": 0.1, "policy": 0.6}  # fmt: skip
_SURE_SPELLING = 0.8
#: Likeness above which one name is suggested instead of a list of five.
SURE = 0.72


def nearest_names(wrong: str, names: Mapping[str, float]) -> list[tuple[str, float]]:
    """Return names with their likeness times their factor, the closest first."""
    found = [(name, factor * likeness(wrong, name)) for name, factor in names.items()]
    return sorted(found, key=lambda pair: -pair[1])


def nearest_words(
    wrong: str, names: Mapping[str, float], stands_for: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Return a sentence that suggests one name or lists the five closest ones."""
    found = nearest_names(wrong, names)
    if found[0][1] >= SURE:
        return f"Did you mean {found[0][0]!r}?"
    ours = list(dict.fromkeys(stands_for.get(name, name) for name, _ in found))
    return f"The closest names are {', '.join(ours[:5])}."


def likeness(one: str, other: str) -> float:
    """Return the similarity of two names in meaning or spelling, from 0 to 1."""
    letters = SequenceMatcher(None, one.lower(), other.lower()).ratio()
    spelling = letters if letters >= _SURE_SPELLING else 0.5 * letters
    ours, theirs = _words(one), _words(other)
    everything = sum(map(_says, ours)) + sum(map(_says, theirs))
    left, shared = list(theirs), 0.0
    for word in ours:
        match, closeness = _closest(word, left)
        if match is not None:
            left.remove(match)
            shared += closeness * (_says(word) + _says(match))
    # Spelling breaks ties between names with equal words.
    return 0.9 * max(spelling, shared / everything if everything else 0.0) + 0.1 * letters


def _closest(word: str, words: Sequence[str]) -> tuple[str | None, float]:
    if word in words:
        return word, 1.0
    pairs = [(other, SequenceMatcher(None, word, other).ratio()) for other in words]
    best = max(pairs, key=lambda pair: pair[1], default=("", 0.0))
    return best if best[1] >= _SURE_SPELLING else (None, 0.0)


def _words(name: str) -> list[str]:
    parts = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower()
    words = [word for word in re.split(r"[^a-z0-9]+", parts) if word]
    return [_REPRESENTATIVES.get(word, word) for word in words]


def _says(word: str) -> float:
    return _LIGHT.get(word, 1.0)
