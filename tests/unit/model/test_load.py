"""Models and checkpoints, from and to files."""

from __future__ import annotations

from pathlib import Path

import pytest

from ceiba.errors import LoadError
from ceiba.model.load import load_checkpoint, load_model, save_checkpoint
from ceiba.testing.forests import random_model

MODEL = random_model(3)


def test_a_checkpoint_is_a_model_and_what_a_training_knows(tmp_path: Path) -> None:
    path = tmp_path / "training.ceiba"
    save_checkpoint(path, MODEL, {"rows": "abc", "watching": {"stopped_by": None}})
    model, state = load_checkpoint(path)
    assert model.fingerprint() == load_model(path).fingerprint() == MODEL.fingerprint()
    assert state == {"rows": "abc", "watching": {"stopped_by": None}}


def test_a_model_is_no_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "model.ceiba"
    MODEL.save(path)
    with pytest.raises(LoadError, match="is a model file, not a checkpoint"):
        load_checkpoint(path)
    with pytest.raises(LoadError, match="no model file"):
        load_model(tmp_path / "other.ceiba")
