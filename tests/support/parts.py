"""Operations on parts of arrays, as shards run them, in one process."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from ceiba.reductions import Question, Unanswered, known_answers, merged, over_shards

__all__ = ["CUTS", "NUMBERS", "WEIGHTS", "over"]

RANDOM = np.random.default_rng(0)
NUMBERS = np.concatenate(
    [RANDOM.normal(size=500), np.exp(9 * RANDOM.normal(size=200)), [0.0, -0.0]]
)
WEIGHTS = {
    "none": None,
    "whole": RANDOM.integers(1, 9, len(NUMBERS)).astype(float),
    "real": np.exp(RANDOM.normal(size=len(NUMBERS))),
    "large whole": 2.0**40 + RANDOM.integers(0, 9, len(NUMBERS)),
}
CUTS = ([0], [702], [1, 300], [100, 100, 650])


def over(cuts: list[int], operation: Callable[..., Any], *arrays: Any) -> tuple[Any, list[int]]:
    """Run an operation on parts of arrays; return its result, and the sizes of what was sent."""
    bounds = [0, *cuts, len(arrays[0])]
    parts = [
        [None if array is None else array[begin:end] for array in arrays]
        for begin, end in pairwise(bounds)
    ]
    answers: list[Any] = []
    sizes: list[int] = []
    while True:
        questions: list[Question] = []
        results = []
        for part in parts:
            try:
                with known_answers(answers):
                    assert over_shards()
                    results.append(operation(*part))
            except Unanswered as unanswered:
                questions.append(unanswered.question)
        if not questions:
            assert all(repr(result) == repr(results[0]) for result in results)
            return results[0], sizes
        assert len(questions) == len(parts)
        assert len({question.rule for question in questions}) == 1
        sizes.append(questions[0].part.size)
        answers.append(merged(questions))
