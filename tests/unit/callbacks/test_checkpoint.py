"""Checkpoints: when they are written, and that they are models too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ceiba import Checkpoint, Dataset, Round, load_model, train
from ceiba.errors import InvalidParameterError, InvalidTypeError, SaveError

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(100, 3))
ROWS = Dataset(X, X[:, 0])


def run(*callbacks: Any) -> Any:
    return train({"n_estimators": 8, "n_jobs": 1}, ROWS, callbacks=callbacks)


def test_every_few_rounds_and_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "training.ceiba"
    seen: list[int] = []

    class Look(Checkpoint):
        def after_round(self, round: Round) -> None:
            super().after_round(round)
            seen.append(load_model(path).n_iterations if path.exists() else 0)

    model = run(Look(path, every=3))
    assert seen == [0, 0, 3, 3, 3, 6, 6, 8]
    assert load_model(path).fingerprint() == model.fingerprint()
    run(Checkpoint(path, every=5), lambda round: round.iteration == 6)
    assert load_model(path).n_iterations == 7
    assert [file.name for file in tmp_path.iterdir()] == ["training.ceiba"]


def test_a_checkpoint_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(SaveError, match="does not exist"):
        run(Checkpoint(tmp_path / "nowhere" / "training.ceiba"))


def test_bad_arguments() -> None:
    with pytest.raises(InvalidParameterError, match="every must be an integer, 1 or more"):
        Checkpoint("training.ceiba", every=0)
    with pytest.raises(InvalidTypeError, match="path must be"):
        Checkpoint(3)  # type: ignore[arg-type]
